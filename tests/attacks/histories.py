"""Histories: what several people asked a table for, when, and what they were answered.

Every answer is held to a sequential model (`model.py`). The numbers of the events say in which
order things happened. In this order everything must be possible. What was acknowledged is there,
once, no earlier and no later than between question and answer. What was shown is the table at that
event. What was refused could be refused at some moment in between.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

import psycopg

import escale
from tests.attacks.model import Model, Wrong

TABLES = 8
STEPS = 25
GAME = "tortuga"
OPTIONS = {"first": "south"}


class Lost(Exception):
    """No answer came."""


class Refused(Exception):
    """The house said no."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class House(Protocol):
    """A house that can be asked, killed and opened again."""

    async def open(self) -> None: ...
    async def kill(self) -> None: ...
    async def close(self) -> None:
        """When nothing is due any more: what was agreed to has come about."""

    async def create(self, order: dict[str, Any]) -> dict[str, Any]: ...
    async def sit(self, table: str, seat: int, sitting: dict[str, Any]) -> dict[str, Any]: ...
    async def act(self, table: str, token: str, action: dict[str, Any]) -> dict[str, Any]: ...
    async def state(self, table: str, token: str | None) -> dict[str, Any]: ...


@dataclass
class Asked:
    """One request of a client."""

    who: str
    action: dict[str, Any]
    sent: int
    """In moments: whatever has a lower number was before."""
    answered: int | None = None
    code: str | None = None
    """Why it was refused."""
    result: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int | None:
        """The event that the answer is about."""
        return self.result.get("n") if self.code is None else None


class History:
    """All that was asked at one table."""

    def __init__(self, table: str, moments: itertools.count[int]) -> None:
        self.table = table
        self.asked: list[Asked] = []
        self._moments = moments

    async def ask(
        self, who: str, action: dict[str, Any], question: Any, *, patience: int = 1000
    ) -> Asked:
        """Ask until there is an answer, every time for the same under the same id."""
        asked = Asked(who, action, next(self._moments))
        self.asked.append(asked)
        for _ in range(patience):
            try:
                asked.result = await question()
                break
            except Refused as no:
                if no.code == "unavailable":
                    await asyncio.sleep(0.01)
                    continue
                asked.code = no.code
                break
            except Lost:
                await asyncio.sleep(0.01)
        else:
            return asked
        asked.answered = next(self._moments)
        return asked


class Person:
    """A client that does one thing after another at a table, whatever the others do."""

    def __init__(self, name: str, house: House, history: History, random: Random) -> None:
        self.name, self.house, self.history, self.random = name, house, history, random
        self.seat: int | None = None
        self.token: str | None = None
        self.count = itertools.count()

    def _id(self) -> str:
        return f"{self.name}-{next(self.count)}-{self.random.getrandbits(64):016x}"

    async def look(self) -> dict[str, Any] | None:
        asked = await self.history.ask(
            self.name, {"do": "look"}, lambda: self.house.state(self.history.table, self.token)
        )
        return asked.result if asked.code is None and asked.answered is not None else None

    async def act(self, **action: Any) -> Asked:
        whole = {"seat": self.seat, "id": self._id(), **action}
        assert self.token is not None
        token = self.token
        # Now and then the client gives up without knowing whether the action was done.
        patience = 1 if self.random.random() < 0.1 else 1000
        return await self.history.ask(
            self.name, whole, lambda: self.house.act(self.history.table, token, whole),
            patience=patience,
        )

    async def take_seat(self, seat: int) -> None:
        sitting = {"name": self.name, "id": self._id()}
        asked = await self.history.ask(
            self.name, {"do": "sit", "seat": seat, **sitting},
            lambda: self.house.sit(self.history.table, seat, sitting),
        )
        if asked.code is None:
            self.seat, self.token = seat, asked.result["token"]

    async def live(self, steps: int) -> None:
        """Do this and that."""
        for _ in range(steps):
            await asyncio.sleep(self.random.choice((0, 0, 0.001)))
            state = await self.look()
            if state is None:
                continue
            if self.token is None:
                free = [s["seat"] for s in state["seats"] if s["status"] == "open"]
                if free:
                    await self.take_seat(self.random.choice(free))
                continue
            await self.choose(state)

    async def choose(self, state: dict[str, Any]) -> None:
        offer, dice = state["offer"], self.random.random()
        if offer is not None and dice < 0.6:
            value = {"value": self.name} if offer["what"] == "rematch" else {}
            await self.act(do="answer", yes=self.random.random() < 0.8, **value)
        elif state["outcome"] is not None:
            await self.act(do="offer", what="rematch", value=self.name)
        elif dice < 0.04:
            await self.act(do="resign")
        elif dice < 0.3:
            await self.act(do="offer", what=self.random.choice(("takeback", "takeback", "draw")))
        else:
            moves = [item["move"] for item in _standing(state["log"])]
            position = escale.game(GAME).start_with(OPTIONS)
            for move in moves:
                position = position.play(move)
            legal = position.moves()
            if legal:
                move = self.random.choice(legal).text
                await self.act(do="play", n=state["n"], move=move)


def _standing(log: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The moves that stand on the table."""
    standing: list[dict[str, Any]] = []
    for item in log:
        if item["do"] == "play":
            standing.append(item)
        del standing[item["ply"]:]
    return standing


async def gather(house: House, random: Random, moments: itertools.count[int]) -> History:
    """A table at which three people want two seats, and the two who have them play."""
    order = {
        "game": GAME, "options": OPTIONS, "seats": [{"kind": "open"}, {"kind": "open"}],
        "id": f"{random.getrandbits(100):032x}",
    }
    made: dict[str, Any] = {}
    while not made:
        try:
            made = await house.create(order)
        except (Lost, Refused):
            await asyncio.sleep(0.01)
    history = History(made["table"], moments)
    people = [Person(name, house, history, Random(random.random())) for name in ("Ana", "Bo", "Cy")]
    await asyncio.gather(*(person.live(STEPS) for person in people))
    return history


# ---- judging ----


def check(history: History, header: dict[str, Any], events: list[dict[str, Any]]) -> Model:
    """Hold a history to the model; the table as it is in the end."""
    start = escale.game(header["game"]).position(header["start"])
    model = Model(start, [None if seat.get("open") else seat["name"] for seat in header["seats"]])
    models = [model.copy()]
    for event in events:
        model.apply(event)
        models.append(model.copy())
    _check_done(history, events)
    for asked in history.asked:
        if asked.answered is not None:
            low, high = _between(history, asked, len(events))
            _check_answer(asked, models, low, high)
    return model


def _check_done(history: History, events: list[dict[str, Any]]) -> None:
    """What was acknowledged is there once; what is there was asked for."""
    done = [event["id"] for event in events if "id" in event]
    if len(done) != len(set(done)):
        raise Wrong(f"done twice: {done}")
    known = {asked.action["id"]: asked for asked in history.asked if "id" in asked.action}
    for event in events:
        if "id" in event:
            action = known[event["id"]].action
            if any(event.get(name) != action.get(name) for name in ("do", "seat", "move", "what",
                                                                    "yes")):
                raise Wrong(f"{event} was asked for as {action}")
            if known[event["id"]].code is not None:
                raise Wrong(f"{event} was refused: {known[event['id']]}")
    sat = [asked for asked in history.asked if asked.action["do"] == "sit" and asked.code is None]
    for event in events:
        if event["do"] == "sit" and not any(
            (asked.action["seat"], asked.who) == (event["seat"], event["name"]) for asked in sat
        ):
            raise Wrong(f"nobody asked for this seat: {event}")
    for asked in sat:
        seats = [(event["seat"], event["name"]) for event in events if event["do"] == "sit"]
        if asked.answered is not None and (asked.action["seat"], asked.who) not in seats:
            raise Wrong(f"a seat that was given is gone: {asked}")


def _between(history: History, asked: Asked, last: int) -> tuple[int, int]:
    """The first and the last event at which it can have been answered."""
    assert asked.answered is not None
    low = max((other.n for other in history.asked
               if other.answered is not None and other.answered < asked.sent
               and other.n is not None), default=0)
    high = min((other.n - 1 for other in history.asked
                if other.sent > asked.answered and other.n is not None
                and other.action["do"] not in ("look", "sit")), default=last)
    return low, high


def _check_answer(asked: Asked, models: list[Model], low: int, high: int) -> None:
    if asked.code is not None:
        codes = {model.refusal(asked.action) for model in models[low : high + 1]}
        if asked.code not in codes:
            raise Wrong(f"refused without a reason between {low} and {high}: {asked}; {codes}")
    elif asked.action["do"] == "look":
        n = asked.result["n"]
        if not low <= n:
            raise Wrong(f"shown event {n}, though {low} was acknowledged before: {asked}")
        models[n].shows(asked.result)
    elif asked.n is not None and not low < asked.n <= high:
        raise Wrong(f"acknowledged as {asked.n}, which is not between {low} and {high}: {asked}")


# ---- several tables at once ----


async def live(house: House, random: Random, pauses: tuple[float, float]) -> list[History]:
    """Several tables at once, and a house that is killed after such pauses."""
    await house.open()
    moments = itertools.count()
    tables = asyncio.gather(
        *(gather(house, Random(random.random()), moments) for _ in range(TABLES))
    )
    while not tables.done():
        await asyncio.wait([tables], timeout=random.uniform(*pauses))
        await house.kill()
        await house.open()
    histories = await tables
    await house.close()
    return histories


def kept(database: Path | str, query: str, *values: str) -> list[tuple[Any, ...]]:
    """What is in a database: a file, or one of PostgreSQL's."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(database)) as file:
            return file.execute(query, values).fetchall()
    with psycopg.connect(database) as connection:
        return connection.execute(query.replace("?", "%s").encode(), values).fetchall()


def events_of(database: Path | str, table: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the events of a table, as they were kept."""
    [(header,)] = kept(database, "SELECT header FROM tables WHERE id = ?", table)
    rows = kept(database, "SELECT entry FROM events WHERE table_id = ? ORDER BY n", table)
    return json.loads(header), [json.loads(row[0]) for row in rows]


def judge(database: Path | str, histories: list[History], others: int = 0) -> list[Model]:
    """The tables as they are in the end, each held to what was said at it.

    There are no tables but these, their rematches, and so many `others`.
    """
    models = []
    for history in histories:
        header, events = events_of(database, history.table)
        model = check(history, header, events)
        models.append(model)
        if model.agreed:
            assert model.next is not None, "a rematch was agreed to, and never opened"
            after, _ = events_of(database, model.next)
            [promised] = [event["rematch"] for event in events if event["do"] == "end"]
            assert after["commitment"] == promised
            assert [seat["name"] for seat in after["seats"]] == model.names[::-1]
    [(tables,)] = kept(database, "SELECT count(*) FROM tables")
    expected = len(histories) + sum(model.agreed for model in models) + others
    assert tables == expected, "a table too many"
    return models
