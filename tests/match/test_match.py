"""Matches: whatever happens is an event, and events alone tell the whole match."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escale
from escale.devkit.check import random_match
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL, Seat
from escale.kernel import Random
from escale.match.events import Ended, Played, as_json, read_event
from escale.match.match import Match, Player


def fresh() -> Match:
    return Match(escale.game("tortuga").start(first="south"), fair_random=FairRandom("secret"))


def test_a_match_is_its_events() -> None:
    match = fresh()
    match.play(0, "D2 d3")
    match.play(1, "d6-d5")
    assert match.events == [Played(0, "d2-d3", n=1), Played(1, "d6-d5", n=2)]
    again = Match.replay(match.transcript(ALL))
    assert again.position == match.position
    assert again.transcript(ALL) == match.transcript(ALL)


def test_only_the_seat_on_turn_plays() -> None:
    match = fresh()
    with pytest.raises(escale.NotYourTurn, match="not this seat's turn"):
        match.play(1, "d6-d5")
    with pytest.raises(escale.IllegalMove):
        match.play(0, "d2-d7")
    with pytest.raises(escale.BadMessage, match="seat from 0 to 1"):
        match.play(2, "d2-d3")
    assert match.events == []


def test_resignation_ends_the_match() -> None:
    match = fresh()
    match.resign(0)
    assert match.turn is None
    assert match.outcome is not None
    assert match.outcome.shares == (0.0, 1.0)
    assert match.outcome.text("fr") == "Sud abandonne\xa0: Nord gagne."
    assert isinstance(match.events[-1], Ended)
    with pytest.raises(escale.MatchOver, match="over"):
        match.play(0, "d2-d3")


def test_a_draw_needs_both() -> None:
    match = fresh()
    match.propose(0, "draw")
    with pytest.raises(escale.NotNow, match="another offer"):
        match.propose(1, "draw")
    with pytest.raises(escale.NotNow, match="no offer for this seat"):
        match.answer(0, True)
    match.answer(1, False)
    assert match.outcome is None
    match.propose(1, "draw")
    match.answer(0, True)
    assert match.outcome is not None
    assert match.outcome.shares == (0.5, 0.5)
    assert match.outcome.winners == ()


def test_an_offer_lapses_when_a_move_is_played() -> None:
    match = fresh()
    match.propose(1, "draw")
    match.play(0, "d2-d3")
    with pytest.raises(escale.NotNow, match="no offer"):
        match.answer(0, True)


def test_taking_back() -> None:
    match = fresh()
    with pytest.raises(escale.NotNow, match="no move that could be taken back"):
        match.propose(0, "takeback")
    start = match.position
    match.play(0, "d2-d3")
    match.play(1, "d6-d5")
    match.propose(0, "takeback")
    match.answer(1, True)
    assert match.position == start
    assert match.turn == 0
    assert len(match.events) == 4
    assert Match.replay(match.transcript(ALL)).position == start


def test_taking_back_where_nobody_has_to_be_asked() -> None:
    match = fresh()
    with pytest.raises(escale.NotNow, match="no move that could be taken back"):
        match.take_back(0)
    start = match.position
    last: list[int | None] = [match.last_person]
    match.play(0, "d2-d3")
    after = match.position
    match.play(1, "d6-d5")
    last.append(match.last_person)
    match.propose(0, "draw")
    match.take_back(1)                              # at one screen: the last move alone
    last.append(match.last_person)
    assert (match.position, match.offer) == (after, None)
    match.play(1, "d6-d5")
    match.sit(1, Player("", "bosco"))
    last.append(match.last_person)                  # with the computer: its reply goes, too
    match.take_back(0)
    last.append(match.last_person)
    assert (match.position, match.ply) == (start, 0)
    assert last == [None, 1, 0, 0, None]
    assert Match.replay(match.transcript(ALL)).position == start
    match.resign(0)
    with pytest.raises(escale.MatchOver):
        match.take_back(0)


def test_sitting_down() -> None:
    match = fresh()
    match.sit(1, Player("", "bosco"))
    assert Match.replay(match.transcript(ALL)).players[1] == Player("", "bosco")


def test_lots_come_from_the_luck_and_can_be_checked() -> None:
    start = escale.game("tortuga").start()
    match = Match(start, fair_random=FairRandom("hidden"))
    assert "hidden" not in match.transcript(ALL)
    match.draw_chance()
    assert match.turn in (0, 1)
    match.resign(match.turn or 0)
    assert as_json(match.events[-1])["secret"] == "hidden"
    forged = match.transcript(ALL).replace('"secret": "hidden"', '"secret": "other"')
    with pytest.raises(escale.BadTranscript, match="not the one that was committed to"):
        Match.replay(forged)
    follower = Match(start)
    with pytest.raises(escale.NotNow, match="does not draw its own"):
        follower.draw_chance()


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: game.slug)
@given(st.integers(0, 2**60))
@settings(max_examples=3, deadline=None)
def test_random_matches_replay(game: escale.Game[Any], seed: int) -> None:
    match = random_match(game.start(), Random(seed))
    assert match.outcome is not None
    assert Match.replay(match.transcript(ALL)).transcript(ALL) == match.transcript(ALL)
    for seat in range(match.start.seats):
        assert match.transcript(Seat(seat))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(
    st.sampled_from(["n", "do", "seat", "move", "what", "yes", "name", "level", "outcome", "x"]),
    anything | st.sampled_from(["play", "draw", "offer", "answer", "sit", "end", "resign",
                                "takeback", "d2-d3", 0, 1, 2, True]),
))
@settings(max_examples=400, deadline=None)
def test_strange_events_are_refused_and_leave_no_trace(event: dict[str, Any]) -> None:
    match = fresh()
    try:
        match.add(read_event(json.dumps(event)))
    except escale.EscaleError as no:
        assert str(no)
        assert match.events == []
        assert match.position == match.start


@given(st.one_of(
    st.text(max_size=200),
    st.lists(anything.map(json.dumps), max_size=4).map("\n".join),
    st.tuples(st.integers(0, 400), st.text(max_size=3)).map(
        lambda cut: _damaged(*cut)
    ),
))
@settings(max_examples=300, deadline=None)
def test_damaged_transcripts_are_refused_by_line(transcript: str) -> None:
    try:
        Match.replay(transcript)
    except escale.BadTranscript as no:
        assert str(no).startswith("line ")


def _damaged(at: int, patch: str) -> str:
    match = fresh()
    match.play(0, "d2-d3")
    match.play(1, "d6-d5")
    text = match.transcript(ALL)
    return text[:at] + patch + text[at + 1:]


def test_what_shows_the_end_is_derived_and_not_written_down() -> None:
    """Transcripts are as they were: the cells follow from the position."""
    game = escale.game("tortuga")
    board = game.write_board({"d6": "south", "d2": "north"})
    match = Match(game.position(f"{board} south 10"))
    match.play(0, "d6-d7")
    assert match.outcome is not None
    assert match.outcome.cells == ("d7",)
    transcript = match.transcript(ALL)
    assert "cells" not in transcript
    again = Match.replay(transcript)
    assert again.outcome == match.outcome
    # What people decide among themselves shows nowhere on the table.
    resigned = Match(game.position(f"{board} south 10"))
    resigned.resign(0)
    assert resigned.outcome is not None
    assert (resigned.outcome.cells, resigned.outcome.where("en")) == ((), "")
