"""A table keeps its log and one position, and gives all of it back when it is forgotten."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
import weakref
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import escale
from escale.game.texts import LANGUAGES
from escale.game.viewer import Seat
from escale.kernel import CHANCE
from escale.match.events import Play
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.orders import Order, PersonSeat
from escale.server.tables.table import Table
from escale.server.tables.views import Sight

PLY = 3_000
"""Bytes that a ply may take in memory."""
GAMES = [game.slug for game in escale.games()]


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Nothing is freed but what nobody refers to."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def opened(house: House, game: str) -> Table:
    """A table for people who all hold the same token."""
    seats = [PersonSeat("Ana") for _ in range(escale.game(game).seats[0])]
    table = await house.table((await house.create(Order(game, [*seats]))).table)
    assert table is not None
    return table


async def play(table: Table, random: Random, plies: int) -> None:
    """Some random moves, each looked at by two people in two languages."""
    seats = tuple(range(table.match.start.seats))
    for number in range(plies):
        seat = table.match.turn
        if seat is None or seat == CHANCE:
            return
        move = random.choice(table.match.position.moves()).text
        n = len(table.match.events)
        await table.do(Play(seat=seat, id=f"{n}-{number}", n=n, move=move), seats)
        for lang in LANGUAGES:
            table.state(Sight(seats, Seat(0), lang))


def rest(tables: list[Table]) -> None:
    """Leave out what is kept of the one position on the table: it does not grow with the game."""
    for table in tables:
        table.match.position.rest()
        table.views._kept.clear()


@pytest.mark.parametrize("game", GAMES)
def test_a_ply_takes_little_memory(tmp_path: Path, game: str) -> None:
    async def grown() -> float:
        """Bytes for each event."""
        house = House(Settings(database=str(tmp_path / "house.sqlite3"), workers=1))
        await house.open()
        random = Random(5)
        await play(await opened(house, game), random, 60)       # what all tables of a game share
        tables = [await opened(house, game) for _ in range(12)]
        for table in tables:
            await play(table, random, 2)
        had = sum(len(table.match.events) for table in tables)
        rest(tables)
        gc.collect()
        tracemalloc.start()
        for table in tables:
            await play(table, random, 40)
        rest(tables)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        plies = sum(len(table.match.events) for table in tables) - had
        assert plies > 30
        await house.close()
        return taken / plies

    taken = asyncio.run(grown())
    assert taken < PLY


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("game", GAMES)
def test_a_forgotten_table_leaves_the_memory_at_once(tmp_path: Path, game: str) -> None:
    async def forget() -> list[object]:
        house = House(Settings(database=str(tmp_path / "house.sqlite3"), workers=1))
        await house.open()
        table = await opened(house, game)
        await play(table, Random(5), 30)
        things: list[object] = [table, table.match, table.views]
        known = [weakref.ref(thing) for thing in things]
        house.forget(table)
        del table, things
        await asyncio.sleep(0)
        left = [thing() for thing in known]
        await house.close()
        return left

    assert asyncio.run(forget()) == [None, None, None]
