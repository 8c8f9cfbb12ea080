"""Sit, play, take back, resign, play again: thousands of interleavings, cut off at any moment.

Here the house is a thing in this process, and is killed by letting go of it: what waits to be
written is written or not. `test_kill.py` kills real processes.
"""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest

from escale.game.errors import EscaleError
from escale.match.events import read_action
from escale.match.reading import encode
from escale.server.edge.problems import Problem
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.names import seat_token
from escale.server.tables.orders import Order, Sitting
from escale.server.tables.state import whole_state
from escale.server.tables.views import Sight
from tests.attacks.histories import Lost, Refused, check, events_of, judge, live
from tests.attacks.model import Wrong

T = TypeVar("T")

class Inside:
    """A house in this process; it is killed by letting go of it."""

    def __init__(self, database: Path, random: Random) -> None:
        self.database, self.random = database, random
        self.house: House | None = None
        self.asking: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        house = House(Settings(database=str(self.database), workers=1))
        await house.open()
        self.house = house

    async def kill(self) -> None:
        """Everything ends where it stands."""
        house, self.house = self.house, None
        assert house is not None
        writer = house.store._writer
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        while self.random.random() < 0.7:
            try:
                writer._queue.get_nowait()
            except queue.Empty:
                break
        for task in list(self.asking):
            task.cancel()
        await house.close()

    async def close(self) -> None:
        house = self._house()
        while await house.store.due(10**15):
            await asyncio.sleep(0.01)
        await house.close()

    async def _asked(self, question: Awaitable[T]) -> T:
        task = asyncio.ensure_future(question)
        self.asking.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if (current := asyncio.current_task()) and current.cancelling():
                raise
            raise Lost from None
        except EscaleError as error:
            raise Refused(Problem.of(error).code) from None
        finally:
            self.asking.discard(task)

    def _house(self) -> House:
        if self.house is None:
            raise Lost
        return self.house

    async def _table(self, id: str) -> Any:
        table = await self._house().table(id)
        assert table is not None, f"table {id} is lost"
        return table

    async def create(self, order: dict[str, Any]) -> dict[str, Any]:
        made = await self._asked(self._house().create(msgspec.convert(order, Order)))
        return {"table": made.table, "token": made.token}

    async def sit(self, table: str, seat: int, sitting: dict[str, Any]) -> dict[str, Any]:
        async def ask() -> dict[str, Any]:
            token = seat_token(sitting["id"], table, seat)
            await (await self._table(table)).sit(seat, msgspec.convert(sitting, Sitting), token)
            return {"token": token}

        return await self._asked(ask())

    async def act(self, table: str, token: str, action: dict[str, Any]) -> dict[str, Any]:
        async def ask() -> dict[str, Any]:
            at = await self._table(table)
            return {"n": await at.do(read_action(json.dumps(action)), at.held(token))}

        return await self._asked(ask())

    async def state(self, table: str, token: str | None) -> dict[str, Any]:
        async def ask() -> dict[str, Any]:
            at = await self._table(table)
            async with at.open():
                shown: dict[str, Any] = json.loads(
                    encode(whole_state(at, Sight.of(at.held(token), None, "en")))
                )
                return shown

        return await self._asked(ask())


@pytest.mark.parametrize("epochs", [2, pytest.param(300, marks=pytest.mark.exhaustive)])
def test_histories_are_those_of_a_table_where_one_thing_happens_after_another(
    folder: Path, epochs: int
) -> None:
    asked = finished = rematches = back = 0
    for epoch in range(epochs):
        database = folder / f"{epoch}.sqlite3"
        random = Random(epoch)
        histories = asyncio.run(live(Inside(database, random), random, (0.02, 0.3)))
        models = judge(database, histories)
        asked += sum(len(history.asked) for history in histories)
        finished += sum(model.told for model in models)
        rematches += sum(model.agreed for model in models)
        back += sum(
            one.action.get("what") == "takeback" and one.code is None
            for history in histories for one in history.asked
        )
        for file in folder.glob(f"{epoch}.*"):
            file.unlink()
    assert asked > epochs * 500                 # something did happen
    assert min(finished, rematches, back) >= epochs


def test_a_history_that_cannot_be_is_found_out(folder: Path) -> None:
    """The judge sees what is lost, doubled, shown too late or refused for nothing."""
    database = folder / "house.sqlite3"
    histories = asyncio.run(live(Inside(database, Random(1)), Random(1), (0.02, 0.3)))
    history = max(histories, key=lambda one: len(one.asked))
    header, events = events_of(database, history.table)
    check(history, header, events)
    done = [asked for asked in history.asked if asked.n is not None and "id" in asked.action]
    looks = [asked for asked in history.asked if asked.action["do"] == "look"]
    with pytest.raises((Wrong, IndexError)):
        check(history, header, events[:-1] if events[-1].get("id") else events[:-2])
    with pytest.raises(Wrong):
        check(history, header, [*events[:3], events[2], *events[3:]])
    for spoil, asked in (
        (lambda one: setattr(one, "code", "not-begun"), done[-1]),
        (lambda one: one.result.__setitem__("n", 2), done[-1]),
        (lambda one: one.result.__setitem__("n", 0), looks[-1]),
        (lambda one: one.result.__setitem__("ply", 99), looks[-1]),
    ):
        before = asked.code, dict(asked.result)
        spoil(asked)
        with pytest.raises(Wrong):
            check(history, header, events)
        asked.code, asked.result = before
    check(history, header, events)
