"""A bot connected to one process sits at tables that others keep, and hears of them at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from escale.game.errors import BadSetup
from escale.match.events import read_action
from escale.server.bots import accounts as bots
from escale.server.bots.accounts import Bots, BotStream
from escale.server.bots.listening import BELIEVED_SECONDS, Listening
from escale.server.cluster.port import SingleProcess
from escale.server.tables.house import House
from escale.server.tables.orders import Order
from escale.store import Bot
from escale.store.bots import create_bot, remove_bot
from escale.store.database import database_url
from tests.server.cluster.test_two_processes import houses
from tests.sizes import PATIENCE_SECONDS

ORDER = {
    "game": "tortuga", "options": {"first": "south"},
    "seats": [{"kind": "person", "name": "Ana"}, {"kind": "bot", "name": "Walker"}],
}


def with_bots(house: House) -> Bots:
    """The accounts of a house, as the application has them."""
    bots = Bots(house)
    house.start(bots.watch())
    return bots


class Ear:
    """What a stream says, as it says it."""

    def __init__(self, stream: BotStream) -> None:
        self._lines = stream.lines()
        self._heard: list[dict[str, Any]] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for line in self._lines:
            if line.strip():
                self._heard.append(json.loads(line))

    async def next(self, kind: str, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while True:
                for line in self._heard:
                    if line["type"] == kind:
                        self._heard.remove(line)
                        return line
                await asyncio.sleep(0.005)

    async def stop(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


def test_a_stream_sees_tables_of_other_processes(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Well before the look that makes up for lost notices."""
    monkeypatch.setattr(bots, "LOOK_SECONDS", 60.0)

    async def do(house: House, table: str, token: str, **action: Any) -> None:
        found = await house.table(table)
        assert found is not None
        await found.do(read_action(json.dumps(action)), found.held(token))

    async def run() -> None:
        token = create_bot(database_url(postgres_database), "Walker")
        async with houses(postgres_database) as (here, there):
            here_bots, _ = with_bots(here), with_bots(there)
            bot = await here_bots.of(token)
            assert bot is not None
            stream = here_bots.open(bot, token, "en")
            ear = Ear(stream)
            try:
                await ear.next("hello")
                for number in range(4):                     # kept by either
                    made = await there.create(msgspec.convert(ORDER, Order))
                    asked = await ear.next("challenge")
                    assert asked["table"] == made.table
                    await do(here, made.table, token, do="sit", seat=1, id=f"sit{number}")
                    n = len((await there.table(made.table)).match.events)  # type: ignore[union-attr]
                    await do(there, made.table, made.token, do="play", seat=0, id="one", n=n,
                             move="d2-d3")
                    turn = await ear.next("turn")
                    assert turn["table"] == made.table
                    await do(here, made.table, token, do="play", seat=1, id="two", n=turn["n"],
                             move="d6-d5")
                    await do(there, made.table, made.token, do="resign", seat=0, id="three")
            finally:
                await ear.stop()
                here_bots.close(stream)

    asyncio.run(run())


def test_what_no_notice_has_told_is_found_by_looking(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "LOOK_SECONDS", 0.2)

    async def run() -> None:
        token = create_bot(database_url(postgres_database), "Walker")
        async with houses(postgres_database) as (here, there):
            here_bots, _ = with_bots(here), with_bots(there)
            monkeypatch.setattr(there.cluster, "announce", lambda news: None)
            bot = await here_bots.of(token)
            assert bot is not None
            stream = here_bots.open(bot, token, "en")
            ear = Ear(stream)
            try:
                made = await there.create(msgspec.convert(ORDER, Order))
                assert (await ear.next("challenge", 5))["table"] == made.table
            finally:
                await ear.stop()
                here_bots.close(stream)

    asyncio.run(run())


def test_a_stream_can_be_left_at_the_very_moment_of_news() -> None:
    """Otherwise leaving would take for ever, and the house could not be closed."""
    async def nothing(*_: Any) -> Any:
        return []

    async def run() -> None:
        store: Any = SimpleNamespace(held_by=nothing)
        bot = Bot("Walker", "0" * 64, 0)
        stream = BotStream(store, nothing, lambda: 0, bot, "token", "en")
        ear = Ear(stream)
        await ear.next("hello")
        await asyncio.sleep(0.05)               # now it waits
        stream.say(b"{}")
        async with asyncio.timeout(PATIENCE_SECONDS):
            await ear.stop()

    asyncio.run(run())


def test_each_process_knows_which_bots_listen_through_others(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def until(true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not true():
                await asyncio.sleep(0.01)

    async def run() -> None:
        url = database_url(postgres_database)
        token = create_bot(url, "Walker")
        async with houses(postgres_database) as (here, there):
            here_bots, there_bots = with_bots(here), with_bots(there)
            bot = await here_bots.of(token)
            assert bot is not None
            with pytest.raises(BadSetup):
                await there_bots.must_listen("Walker")
            first, second = (here_bots.open(bot, token, "en") for _ in range(2))
            await until(lambda: there_bots.listens(bot))
            await there_bots.must_listen("Walker")
            here_bots.close(first)
            assert here_bots.listens(bot)
            here_bots.close(second)
            await until(lambda: not there_bots.listens(bot))

            # A notice that is lost is made up for; one from a process that died is forgotten.
            monkeypatch.setattr(here.cluster, "announce", lambda news: None)
            lost = here_bots.open(bot, token, "en")
            monkeypatch.undo()
            await until(lambda: there_bots.listens(bot))

            # Removed by another program, it is unknown in both processes.
            remove_bot(url, "Walker")
            await until(lambda: here_bots.known(token) is None and there_bots.known(token) is None)
            assert not here_bots.listens(bot)
            assert lost._closed

    asyncio.run(run())


def test_what_another_process_says_is_believed_for_a_while() -> None:
    now = [0.0]
    listening = Listening(SingleProcess(), lambda: now[0])
    listening.set_elsewhere(7, "bot", True)
    listening.set_elsewhere(8, "bot", True)
    listening.set_elsewhere(8, "bot", False)
    assert "bot" in listening
    now[0] = BELIEVED_SECONDS + 1
    assert "bot" not in listening
