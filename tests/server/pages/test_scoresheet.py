"""The score sheet: every move that stands, diagrams, and only what its reader may see."""

from __future__ import annotations

import datetime
import random
import re
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL
from escale.match.events import Played
from escale.match.match import Match, Player
from escale.server.edge.limits import Limits
from escale.server.pages.scoresheet import DIAGRAM_MOVES, MOST_DIAGRAMS, scoresheet
from escale.server.tables.views import Sight
from tests.server.hosting import hosted, person
from tests.server.pages.test_pages import PREFIX, read, said

every_game = pytest.mark.parametrize("box", escale.games(), ids=lambda box: str(box.slug))


def played(box: Game[Any], moves: int = 10**6, seed: int = 3) -> Match:
    """A random match, or its first moves."""
    chance = random.Random(seed)
    start = box.start_with(dict(box.quick))
    players = [Player(f"P{seat}") for seat in range(start.seats)]
    match = Match(start, players=players, fair_random=FairRandom("f0" * 16))
    for _ in range(moves):
        match.draw_chance(at=1_800_000_000_000)
        if match.turn is None:
            break
        match.play(match.turn, chance.choice(match.position.moves()), at=1_800_000_000_000)
    return match


@every_game
def test_a_whole_match_is_told_in_both_languages(box: Game[Any]) -> None:
    match = played(box)
    assert match.outcome is not None
    for lang in LANGUAGES:
        score = scoresheet(match, Sight(lang=lang))
        lines = [line for part in score.parts for line in part.lines if line.number is not None]
        moves = [event for event in match.events if isinstance(event, Played)]
        assert [line.number for line in lines] == list(range(1, len(moves) + 1))
        assert [line.who for line in lines] == [box.seat_name(move.seat, lang) for move in moves]
        assert all(line.move and line.sentence for line in lines)
        names = [f"P{seat}" for seat in range(match.start.seats)]
        assert score.result == match.outcome.text(lang, names)
        assert [who for _, who in score.players] == names
        assert score.date == datetime.date(2027, 1, 15)
        assert score.day == {"fr": "15\xa0janvier\xa02027", "en": "15\xa0January\xa02027"}[lang]
        assert 1 <= len(score.parts) <= MOST_DIAGRAMS + 1
        assert all(part.diagram.startswith("<svg") for part in score.parts)
        if len(moves) <= DIAGRAM_MOVES * MOST_DIAGRAMS:
            numbers = [part.lines[-1].number for part in score.parts]
            assert all(number is None or number % DIAGRAM_MOVES == 0 for number in numbers[:-1])


def test_what_was_taken_back_is_not_on_the_sheet() -> None:
    match = played(escale.game("canoe"), 3)
    match.propose(0, "takeback")
    match.answer(1, True)
    score = scoresheet(match, Sight(lang="en"))
    assert score.moves == match.position.plies < 3
    assert score.result == "The game is not over."


def cards(text: str) -> set[str]:
    return set(re.findall(r'data-atom="([a-z]+\d+)"', text))


def test_hidden_cards_are_on_nobody_else_s_sheet(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits.none()) as house:
        seats = [house.create("canyon-1997", person("Ana"), {"kind": "open"}, {"kind": "open"})]
        seats += [seats[0].sit(1, name="Bo"), seats[0].sit(2, name="Cléo")]
        match = house.house.tables[seats[0].id].match
        while not any(isinstance(event, Played) and "bid" in event.move
                      for event in match.events):
            turn = match.turn
            assert turn is not None
            seats[turn].play(turn, seats[turn].get("/moves")["moves"][0]["text"])
        bids = [event for event in match.events if isinstance(event, Played)]
        secret = bids[-1]
        hands = {card for name, held in match.position.cells.items() if name.endswith(" hand")
                 for card in str(held).split()}

        def sheet(headers: dict[str, str], lang: str = "en") -> str:
            answer = house.client.get(f"{PREFIX[lang]}/t/{seats[0].id}/score", headers=headers)
            assert answer.status_code == 200
            return answer.text

        told = said(read(sheet({})))
        assert "The game is not over." in told
        assert not cards(sheet({})) & hands
        label = match.game.spell(match.game.split(secret.move), "en")
        own = seats[secret.seat]
        other = seats[(secret.seat + 1) % 3]
        assert label in said(read(sheet(own.headers)))
        for headers in ({}, other.headers):
            assert label not in said(read(sheet(headers)))
        assert house.client.get("/en/t/none/score").status_code == 404


def test_after_the_end_everything_is_on_everybody_s_sheet() -> None:
    match = played(escale.game("canyon-1997"))
    assert scoresheet(match, Sight(lang="fr")) == scoresheet(match, Sight(viewer=ALL, lang="fr"))


def test_an_address_cannot_ask_for_sheets_without_end(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits(work=0, work_burst=0.0001)) as house:
        first, second = (house.create("canoe", person("A"), person("B")) for _ in range(2))
        get = house.client.get
        assert get(f"/en/t/{first.id}/score").status_code == 200
        assert get(f"/en/t/{first.id}/score").status_code == 200        # it is kept
        assert get(f"/en/t/{second.id}/score").status_code == 429
