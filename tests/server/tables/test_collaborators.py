"""What a table is made of, each by itself: presence, the alarm of its clock, the rematch."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import escale
from escale.game.fair_random import FairRandom
from escale.match.clock import Pace, Reading
from escale.match.events import Ended, Offered
from escale.match.match import Match, Player
from escale.server.cluster.port import SingleProcess
from escale.server.tables import views
from escale.server.tables.house_duties import ClockAlarm
from escale.server.tables.memory import TableMemory
from escale.server.tables.presence import PRESENT_MILLISECONDS, Presence
from escale.server.tables.rematch import Rematch
from escale.server.tables.views import Sight, Views
from escale.store import Token
from tests.server.hosting import SetClock

# ---- presence ----


def presence_of(clock: SetClock, *players: Player) -> Presence:
    """The presence of some players, in a process that is alone."""
    match = Match(escale.game("tortuga").start(), players=players, waits=True)
    return Presence("a-table", match, clock, SingleProcess(), lambda seats: None)


def test_who_asks_from_time_to_time_is_there_for_a_while() -> None:
    clock = SetClock()
    presence = presence_of(clock, Player("Ana"), Player("Bo"))
    assert presence.seats() == [False, False]
    presence.note_request([1])
    assert presence.seats() == [False, True]
    assert (presence.away(0), presence.away(1)) == (0, -PRESENT_MILLISECONDS)
    clock.now += PRESENT_MILLISECONDS
    assert presence.seats() == [False, False]
    assert presence.away(1) == 0


def test_who_is_connected_is_there_until_the_last_connection_ends() -> None:
    clock = SetClock()
    presence = presence_of(clock, Player("Ana"), Player("Bo"))
    presence.arrive([0])
    presence.arrive([0])
    clock.now += 10 * PRESENT_MILLISECONDS
    presence.depart([0])
    assert presence.seats() == [True, False]
    assert presence.away(0) is None
    presence.depart([0])
    assert presence.seats() == [False, False]
    clock.now += 500
    assert presence.away(0) == 500


def test_the_computer_is_always_there_and_an_open_seat_never() -> None:
    presence = presence_of(SetClock(), Player(level="bosco"), Player(open=True))
    presence.arrive([1])
    assert presence.seats() == [True, False]


# ---- the alarm ----


def test_the_alarm_rings_once_and_only_for_time_that_runs() -> None:
    async def wait() -> int:
        rang = asyncio.Event()
        count = 0

        def ring() -> None:
            nonlocal count
            count += 1
            rang.set()

        alarm = ClockAlarm(ring)
        alarm.set(None)
        assert not alarm.is_set
        alarm.set(Reading("live", (5, 5), (), 0))     # no seat has moved yet
        assert not alarm.is_set
        alarm.set(Reading("live", (5, 5), (1,), 0))
        alarm.set(Reading("live", (0, 5), (0,), 0))     # the other one's turn: the old one is off
        assert alarm.is_set
        await asyncio.wait_for(rang.wait(), 20)
        assert not alarm.is_set
        alarm.set(Reading("days", (10**15, 5), (0,), 0))
        alarm.cancel()
        assert not alarm.is_set
        return count

    assert asyncio.run(wait()) == 1


# ---- the rematch ----


def finished(seats: int = 2) -> Match:
    players = [Player(name) for name in ("Ana", "Bo", "Cy")[:seats]]
    start = escale.game("tortuga").start_with({"formation": "compact", "first": "south"})
    match = Match(start, players=players, fair_random=FairRandom("deep"), pace=Pace.live(60, 5))
    match.resign(0, at=1)
    return match


def test_a_rematch_is_due_when_all_agree_until_everybody_knows_where() -> None:
    match = finished()
    rematch = Rematch("first", match)
    assert not rematch.due
    match.propose(0, "rematch", at=2)
    assert not rematch.due
    match.answer(1, True, at=3)
    assert rematch.due
    match.rematch(rematch.name, at=4)
    assert not rematch.due


def test_the_next_table_has_the_same_game_with_everybody_one_seat_further() -> None:
    over = finished()
    rematch = Rematch("first", over)
    over.add(Offered(0, "rematch", "fresh", at=2))
    again = rematch.match()
    assert [player.name for player in again.players] == ["Bo", "Ana"]
    assert [player.value for player in again.players] == [None, "fresh"]
    assert again.start.options["formation"] == "compact"
    assert again.header.clock == Pace.live(60, 5)
    assert not again.begun
    assert again.commitment != finished().commitment
    assert rematch.tokens([Token("f" * 64, (0,)), Token("e" * 64, (0, 1))]) == [
        Token("f" * 64, (1,)), Token("e" * 64, (0, 1))]


def test_the_next_table_is_found_again_by_its_name() -> None:
    assert Rematch("first", finished()).name == Rematch("first", finished()).name
    assert Rematch("first", finished()).name != Rematch("second", finished()).name


def test_the_secret_of_a_rematch_is_promised_before_any_value_is_given() -> None:
    match = Match(escale.game("tortuga").start(first="south"), fair_random=FairRandom("deep"))
    rematch = Rematch("first", match)
    match.resign(0)
    ended = match.events[-1]
    assert isinstance(ended, Ended)
    assert ended.rematch is not None
    match.add(Offered(0, "rematch", "fresh"))
    match.answer(1, True)
    assert rematch.match().commitment == ended.rematch
    again = Rematch("first", match, rematch.secret)         # by a house that has read it
    assert again.match().commitment == ended.rematch
    assert again.match().players[1].value == "fresh"


class Weighed:
    """A table, as the budget of memory knows it."""

    def __init__(self, address: str, size: int, *, needed: bool = False) -> None:
        self.charged_address, self.size, self.needed = address, size, needed
        self.gone, self.last_used, self.lock = False, 0, asyncio.Lock()
        self.views = self

    def drop_caches(self) -> None:
        self.size = 0


def test_what_tables_keep_has_a_budget_in_bytes_for_the_house_and_for_an_address() -> None:
    clock, forgotten = SetClock(), list[Any]()

    def forget(table: Any) -> None:
        table.gone = True
        forgotten.append(table)
        memory.drop(table)

    memory = TableMemory(clock, forget, house_bytes=100, address_bytes=50)
    first, second = Weighed("a", 30), Weighed("a", 30, needed=True)
    other, third = Weighed("b", 40), Weighed("c", 40)
    tables: list[Any] = [first, second, other, third]
    memory.note_use(tables[0])
    memory.note_use(tables[2])
    memory.note_use(tables[1])                  # 60 bytes of one address
    assert forgotten == [first]
    assert memory.bytes == 70
    memory.note_use(tables[3])                  # 110 bytes in the house: the oldest goes
    assert forgotten == [first, other]
    assert (second.size, memory.bytes) == (30, 70)
    fourth: Any = Weighed("d", 40)
    memory.note_use(fourth)                     # a table that is needed stays, and keeps nothing
    assert (forgotten, second.size, memory.bytes) == ([first, other], 0, 80)


def test_a_long_log_is_told_beside_the_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    async def counted(function: Any, *arguments: Any) -> Any:
        calls.append(function)
        return function(*arguments)

    monkeypatch.setattr(views, "off_loop", counted)
    match = Match(escale.game("tortuga").start(seed=1), fair_random=FairRandom("s"))
    sight, shown = Sight(lang="en"), Views(match)
    for _ in range(250):
        match.say(0, "Hello")
    asyncio.run(shown.prepare(sight))
    assert len(calls) == 2
    shown.page(sight)
    match.say(0, "Hello")
    asyncio.run(shown.prepare(sight))
    assert len(calls) == 2
