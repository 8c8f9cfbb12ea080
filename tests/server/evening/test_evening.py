"""An evening as its log tells it: what may happen when, what counts, and how it is undone."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from escale.game.errors import BadMessage, NotNow
from escale.server.evening.evening import Evening, agreed
from escale.server.evening.events import (
    EVENTS,
    BoardChosen,
    Closed,
    Decided,
    Event,
    Extended,
    Joined,
    Left,
    Paired,
    Pairing,
    Planned,
    Renamed,
    Reported,
    Returned,
    SatDown,
    Started,
    Undone,
    as_json,
    read_event,
)
from escale.server.evening.pairing import next_round
from escale.server.evening.refusals import Refused
from escale.server.evening.standings import points_of, standings
from tests.server.evening.evenings import evening, live, plan, play_round
from tests.sizes import sized


def begun(people: int = 4, **more: Any) -> Evening:
    """A Swiss whose first round has begun."""
    found = evening("swiss", people, **more)
    draft = next_round(found)
    found.happen(Paired(round=1, pairings=draft.pairings, byes=draft.byes))
    found.happen(Started(round=1, at=1000))
    return found


def table(found: Evening) -> list[tuple[int, int, int]]:
    return [(row.who, row.points, row.place) for row in standings(found)]


def test_every_kind_of_event_is_written_and_read_as_it_was() -> None:
    some: list[Event] = [
        Joined(who=1, name="Ana", phone=True), Renamed(who=1, name="Anaïs"), Left(who=1),
        Returned(who=1), Paired(round=1, pairings=[Pairing(1, "tortuga", [1, 2])], byes=[3]),
        Started(round=1, at=7), SatDown(round=1, pairing=Pairing(1, "canoe", [1, 2], "real")),
        BoardChosen(round=1, table=1, board="real"),
        Reported(round=1, table=1, by=1, places=[1, 2]),
        Decided(round=1, table=1, places=[1, 1], by="host"), Extended(round=1, minutes=5),
        Planned(plan=plan()), Closed(at=5), Undone(of=3),
    ]
    assert {type(event) for event in some} == set(EVENTS.values())
    assert [read_event(msgspec.json.encode(as_json(event))) for event in some] == some


def test_places_give_points_in_parts_of_a_win() -> None:
    for seats in range(2, 7):
        for seed in range(50):
            chance = Random(seed)
            luck = [chance.randint(0, 3) for _ in range(seats)]
            places = [1 + sum(other > own for other in luck) for own in luck]
            assert sum(points_of(places)) == 60 * seats
    assert points_of([1, 2, 3, 4, 5]) == [120, 90, 60, 30, 0]


def test_a_refused_event_leaves_no_trace() -> None:
    found = begun()
    before, standing = len(found.events), table(found)
    for event in (
        Joined(who=9, name="Ana"), Joined(who=5, name=" "), Renamed(who=9, name="x"),
        Returned(who=1), Started(round=1), Started(round=2),
        Paired(round=3, pairings=[], byes=[]), Paired(round=2, pairings=[], byes=[]),
        Paired(round=2, pairings=[Pairing(1, "tortuga", [1, 1])], byes=[]),
        Paired(round=2, pairings=[Pairing(1, "canyon-1997", [1, 2])], byes=[]),
        SatDown(round=2, pairing=Pairing(1, "tortuga", [1, 2])),
        Decided(round=1, table=9, places=[1, 2], by="host"),
        Decided(round=1, table=1, places=[1, 3], by="host"),
        Decided(round=1, table=1, places=[1], by="host"),
        Reported(round=1, table=1, by=1, places=[1, 2]), Extended(round=1, minutes=5),
        Planned(plan=plan("keizer")), Undone(of=1), Undone(of=99),
    ):
        with pytest.raises((NotNow, BadMessage)):
            found.happen(event)
        assert (len(found.events), table(found)) == (before, standing), event


def test_both_players_must_agree_at_a_real_board() -> None:
    found = begun(2, board="real")
    game = found.find(1, 1)
    first, second = game.seats
    found.happen(Reported(round=1, table=1, by=first, places=[1, 2]))
    assert agreed(found, game) is None
    found.happen(Reported(round=1, table=1, by=second, places=[2, 1]))
    assert agreed(found, game) is None
    found.happen(Reported(round=1, table=1, by=second, places=[1, 2]))
    assert agreed(found, game) == [1, 2]
    found.happen(Joined(who=3, name="Zoé"))
    with pytest.raises(Refused, match="do not play"):
        found.happen(Reported(round=1, table=1, by=3, places=[1, 2]))


def test_a_latecomer_and_a_leaver_are_counted_from_and_until_then() -> None:
    found, chance = evening("swiss", 5), Random(1)
    play_round(found, next_round(found), chance)
    found.happen(Joined(who=6, name="Late"))
    found.happen(Left(who=2))
    draft = next_round(found)
    seated = {who for one in draft.pairings for who in one.seats} | set(draft.byes)
    assert seated == {1, 3, 4, 5, 6}
    play_round(found, draft, chance)
    shown = {row.who for row in standings(found)}
    assert shown == {1, 2, 3, 4, 5, 6}
    found.happen(Joined(who=7, name="Looks in"))
    found.happen(Left(who=7))
    assert 7 not in {row.who for row in standings(found)}


def test_a_bye_is_a_win_in_a_swiss_and_nothing_in_a_round_robin() -> None:
    for format, points in (("swiss", 120), ("round-robin", 0)):
        found = evening(format, 3)              # type: ignore[arg-type]
        draft = next_round(found)
        found.happen(Paired(round=1, pairings=draft.pairings, byes=draft.byes))
        found.happen(Started(round=1))
        [row] = [row for row in standings(found) if row.who == draft.byes[0]]
        assert (row.points, row.byes, row.played) == (points, 1, 0)


def test_keizer_pays_for_beating_those_at_the_top() -> None:
    found = evening("keizer", 4)
    chance = Random(0)
    for _ in range(3):
        play_round(found, next_round(found), chance)
    rows = standings(found)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    again = Evening(found.first_plan, found.events)
    assert table(again) == table(found)
    # Who stays away for a round has less than who wins it, and more than who was never there.
    found.happen(Joined(who=5, name="Never"))
    found.happen(Left(who=1))
    before = {row.who: row.points for row in rows}
    play_round(found, next_round(found), chance)
    assert {row.who: row.points for row in standings(found)}[1] != before[1]


@pytest.mark.parametrize("seed", range(sized(30, 300, 10)))
def test_what_is_undone_has_never_happened(seed: int) -> None:
    """An evening with events that are taken back stands as one without them."""
    chance = Random(seed)
    format = chance.choice(("swiss", "keizer", "round-robin"))
    found = live(format, seed, rounds=2, most=8).evening      # type: ignore[arg-type]
    kept = list(found.events)
    for _ in range(chance.randint(1, 6)):
        last = found.undoable()
        if last is None:
            break
        assert last.n is not None
        found.happen(Undone(of=last.n))
        kept.remove(next(event for event in kept if event.n == last.n))
    plain = Evening(found.first_plan, [structs.replace(event, n=None) for event in kept])
    assert table(plain) == table(found)
    assert [one.number for one in plain.rounds] == [one.number for one in found.rounds]
    assert table(Evening(found.first_plan, found.events)) == table(found)
    draft = next_round(found) if found.round is None or not found.running else None
    if draft is not None and (found.round is None or found.round.started is not None):
        play_round(found, draft, chance)        # and it goes on


def test_with_a_round_everything_that_was_done_in_it_is_undone() -> None:
    found = begun(2, board="real", minutes=20)
    game = found.find(1, 1)
    found.happen(Extended(round=1, minutes=5))
    found.happen(Reported(round=1, table=1, by=game.seats[0], places=[1, 2]))
    last = found.undoable()
    assert isinstance(last, Started)
    found.happen(Undone(of=last.n or 0))
    assert found.round is not None
    assert found.round.started is None
    last = found.undoable()
    assert isinstance(last, Paired)
    found.happen(Undone(of=last.n or 0))
    assert found.rounds == []
    assert found.undoable() is None
    assert Evening(found.first_plan, found.events).rounds == []


def test_a_result_that_was_undone_is_entered_anew() -> None:
    found = begun(2, board="real")
    game = found.find(1, 1)
    for who in game.seats:
        found.happen(Reported(round=1, table=1, by=who, places=[1, 2]))
    decided = found.happen(Decided(round=1, table=1, places=[1, 2], by="players"))
    found.happen(Undone(of=decided.n or 0))
    game = found.find(1, 1)
    assert (game.places, game.reports) == (None, {})
    screen = begun(2)
    decided = screen.happen(Decided(round=1, table=1, places=[1, 2], by="house"))
    screen.happen(Undone(of=decided.n or 0))
    with pytest.raises(NotNow):                 # the host has contradicted the match
        screen.happen(Decided(round=1, table=1, places=[1, 2], by="house"))
    screen.happen(Decided(round=1, table=1, places=[2, 1], by="host"))


def test_in_free_play_guests_find_each_other_and_games_only_count() -> None:
    found = evening("free", 4)
    found.happen(SatDown(round=1, pairing=Pairing(1, "tortuga", [1, 2])))
    with pytest.raises(Refused, match="already playing"):
        found.happen(SatDown(round=2, pairing=Pairing(2, "tortuga", [2, 3])))
    with pytest.raises(Refused, match="taken"):
        found.happen(SatDown(round=2, pairing=Pairing(1, "tortuga", [3, 4])))
    assert found.free_table() == 2
    found.happen(SatDown(round=2, pairing=Pairing(2, "canoe", [3, 4])))
    found.happen(Decided(round=1, table=1, places=[2, 1], by="host"))
    assert found.free_table() == 1
    found.happen(SatDown(round=3, pairing=Pairing(1, "canoe", [1, 2])))
    assert table(found)[0] == (2, 120, 1)
    with pytest.raises(Refused):
        found.happen(Paired(round=4, pairings=[Pairing(3, "tortuga", [1, 3])], byes=[]))


def test_after_the_end_only_corrections_are_possible() -> None:
    found = begun()
    found.happen(Closed(at=9))
    assert found.closed == 9
    with pytest.raises(Refused, match="over"):
        found.happen(Joined(who=5, name="Late"))
    found.happen(Decided(round=1, table=1, places=[1, 2], by="host"))
    found.happen(Undone(of=found.n))
    last = found.undoable()
    assert isinstance(last, Closed)
    found.happen(Undone(of=last.n or 0))
    assert found.closed is None
    found.happen(Joined(who=5, name="Late"))


def test_the_same_request_is_known_and_the_plan_is_checked() -> None:
    found = evening("swiss", 2)
    found.happen(Left(who=1, id="twice"))
    assert found.done == {"twice": found.n}
    for bad in (
        plan("swiss", games=["canyon-1997"]), plan("ladder", games=["tortuga"]),
        plan("swiss", clock=True),
    ):
        with pytest.raises(Refused):
            Evening(bad)
    found.happen(Planned(plan=plan("keizer")))  # there is no round yet
    assert found.plan.format == "keizer"


def test_a_computer_plays_on_a_screen_and_not_against_another() -> None:
    found = evening("swiss", 2, board="real")
    for who in (3, 4):
        found.happen(Joined(who=who, name="", level="mousse"))
    draft = next_round(found)
    for one in draft.pairings:
        kinds = [found.guests[who].person for who in one.seats]
        assert any(kinds)
        assert one.board == ("real" if all(kinds) else "screen")
    with pytest.raises(Refused, match="at least one person"):
        found.happen(Paired(round=1, pairings=[Pairing(1, "tortuga", [3, 4])], byes=[]))
