"""Transcripts that are right are found right; whoever changes one thing in them is found out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL, SPECTATOR, Seat
from escale.kernel import CHANCE
from escale.match.events import Drawn, Played, as_json
from escale.match.match import Match, Player
from escale.match.verify import Verdict, verify
from tests.games.golden import TRANSCRIPTS


def verdicts(transcript: str) -> dict[str, Verdict]:
    findings = verify(transcript)
    for finding in findings:
        assert all(finding.text(lang) for lang in LANGUAGES)
    return {finding.key: finding.verdict for finding in findings}


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_golden_transcripts_are_right(path: Path) -> None:
    transcript = path.read_text("utf-8")
    found = verdicts(transcript)
    assert set(found.values()) == {Verdict.RIGHT}
    assert {"moves", "end", "promise"} <= found.keys()
    assert ("chance-outcomes" in found) == ('"draw"' in transcript)


def drawn(secret: str = "deep") -> Match:
    players = [Player("Ana", value="pebble"), Player("Bea", value="shell")]
    start = escale.game("tortuga").start()
    match = Match(start, players=players, fair_random=FairRandom(secret), waits=True)
    match.begin()
    match.draw_chance()
    assert match.turn is not None
    match.play(match.turn, match.position.moves()[0])
    return match


def changed(match: Match, **changes: Any) -> str:
    """The transcript with other words in the first event of a kind: `kind__field=value`."""
    lines = [json.loads(line) for line in match.transcript(ALL).splitlines()]
    for name, value in changes.items():
        kind, field = name.split("__")
        line = next(line for line in lines if line.get("do", "header") == kind)
        line[field] = value
    return "\n".join(map(json.dumps, lines))


def test_an_honest_match() -> None:
    match = drawn()
    assert verdicts(match.transcript(ALL)) == {
        "moves": Verdict.RIGHT, "unfinished": Verdict.UNKNOWN, "no-secret": Verdict.UNKNOWN}
    match.resign(0)
    match.say(1, "Thank you")
    assert set(verdicts(match.transcript(ALL)).values()) == {Verdict.RIGHT}
    values = next(finding for finding in verify(match.transcript(ALL)) if finding.key == "values")
    assert "pebble, shell" in values.text("en")


def test_a_lot_that_was_chosen_is_found_out() -> None:
    found = set()
    for number in range(8):                 # with either outcome that the secret gives
        match = Match(escale.game("tortuga").start(), fair_random=FairRandom(f"deep {number}"))
        honest = match.start.draw(FairRandom(f"deep {number}").stream(0))
        other = next(move for move in match.position.moves() if move != honest)
        match.add(Drawn(other.text))
        match.resign(0)
        (wrong,) = [f for f in verify(match.transcript(ALL)) if f.verdict is Verdict.WRONG]
        assert wrong.key == "chance-outcome"
        assert wrong.values == {
            "n": 1, "outcome": 0, "drawn": other.text, "due": honest.text}
        found.add(other.text)
    assert len(found) == 2


def test_changed_values_are_found_out() -> None:
    """Some other values give the same outcome by chance; only if all did, it would be a fault."""
    match = drawn()
    match.resign(0)
    caught = 0
    for number in range(16):
        transcript = changed(match, begin__values=["pebble", f"sand{number}"])
        assert verdicts(transcript) == {"line": Verdict.WRONG}      # not what Bea gave
        lines = transcript.replace('"value": "shell"', f'"value": "sand{number}"')
        caught += verdicts(lines).get("chance-outcome") is Verdict.WRONG
    assert 2 <= caught <= 14


def test_a_secret_that_was_not_promised_is_found_out() -> None:
    match = drawn()
    match.resign(0)
    assert verdicts(changed(match, end__secret="other")) == {"line": Verdict.WRONG}
    assert verdicts(changed(match, header__commitment="0" * 64)) == {"line": Verdict.WRONG}


def test_a_wrong_end_is_found_out() -> None:
    match = drawn()
    match.resign(0)
    outcome = {**as_json(match.events[-1])["outcome"], "winners": [0]}
    assert verdicts(changed(match, end__outcome=outcome)) == {"line": Verdict.WRONG}


def test_an_illegal_move_is_found_out_and_explained() -> None:
    match = drawn()
    transcript = changed(match, play__move="a1-a7")
    (wrong,) = verify(transcript)
    assert wrong.verdict is Verdict.WRONG
    assert wrong.text("fr").startswith("Ligne 4\xa0: ")
    assert wrong.text("fr") != wrong.text("en").replace("Line 4: ", "Ligne 4 : ")
    assert verdicts("no transcript") == {"not-a-line": Verdict.WRONG}


@pytest.mark.parametrize("game", [game for game in escale.games() if game.hides], ids=str)
def test_what_a_seat_is_told_during_the_game_is_not_called_wrong(game: Game[Any]) -> None:
    match = Match(game.start(), fair_random=FairRandom("deep"))
    for _ in range(8):
        match.draw_chance()
        assert match.turn is not None
        match.play(match.turn, match.position.moves()[0])
    for viewer in (Seat(0), SPECTATOR):
        told = match.transcript(viewer)
        assert verdicts(told) == {"partial": Verdict.UNKNOWN}
        lines = told.splitlines()
        first = next(number for number, line in enumerate(lines) if "?" in line)
        lines[first - 1 if first > 1 else first] = '{"do": "play", "seat": 0, "move": "nonsense"}'
        if first > 1:                               # what is wrong before that is wrong
            assert verdicts("\n".join(lines)) == {"line": Verdict.WRONG}
    assert Verdict.WRONG not in verdicts(match.transcript(ALL)).values()


def test_a_takeback_does_not_draw_another_outcome() -> None:
    """Lots are numbered by their place in the line of play: asking again gives the same."""
    start = escale.game("canyon-1997").start()
    match = Match(start, fair_random=FairRandom("deep"))
    while sum(isinstance(event, Played) for event in match.events) < start.seats:
        match.draw_chance()
        assert match.turn is not None
        match.play(match.turn, match.position.moves()[0])
    assert match.turn == CHANCE
    before = len(match.events)
    match.draw_chance()
    dealt = [as_json(event)["move"] for event in match.events[before:]]
    last = match.events[before - 1]
    assert isinstance(last, Played)
    match.propose(last.seat, "takeback")
    for seat in range(start.seats):
        if seat != last.seat:
            match.answer(seat, True)
    match.play(last.seat, last.move)
    again = len(match.events)
    match.draw_chance()
    assert [as_json(event)["move"] for event in match.events[again:]] == dealt
    assert Verdict.WRONG not in verdicts(match.transcript(ALL)).values()
