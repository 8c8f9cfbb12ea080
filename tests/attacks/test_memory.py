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
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import Seat
from escale.kernel import CHANCE
from escale.match.events import Play
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.orders import Order, PersonSeat
from escale.server.tables.state import whole_state
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from tests.attacks.recovery import memory

PLY = 3_000
"""Bytes that a ply may take in memory."""
GAMES = [game.slug for game in escale.games()]


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Only what is no longer referred to is freed."""
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
    """Some random moves, looked at now and then in two languages.

    They do not end the game, if there are others: what a table costs once is not a ply's.
    """
    seats = tuple(range(table.match.start.seats))
    for number in range(plies):
        seat = table.match.turn
        if seat is None or seat == CHANCE:
            return
        position = table.match.position
        some = random.choices(position.moves(), k=10)
        move = next((one for one in some if position.play(one).turn is not None), some[0]).text
        n = len(table.match.events)
        await table.do(Play(seat=seat, id=f"{n}-{number}", n=n, move=move), seats)
        for lang in LANGUAGES if number % 6 == 5 else ():
            whole_state(table, Sight(seats, Seat(0), lang))


def rest(tables: list[Table]) -> None:
    """Leave out what is kept of the one position on the table, and what all tables share and has
    a bound of its own: neither grows with the game.
    """
    Game._sentence.cache_clear()
    for table in tables:
        table.match.position.drop_caches()
        table.views._kept.clear()


@pytest.mark.parametrize("game", GAMES)
def test_a_ply_takes_little_memory(folder: Path, game: str) -> None:
    async def grown() -> float:
        """Bytes for each event."""
        house = House(Settings(database=str(folder / "house.sqlite3"), workers=1))
        await house.open()
        random = Random(5)
        await play(await opened(house, game), random, 60)       # what all tables of a game share
        tables = [await opened(house, game) for _ in range(8)]
        for table in tables:
            await play(table, random, 2)
        had = sum(len(table.match.events) for table in tables)
        rest(tables)
        gc.collect()
        tracemalloc.start()
        for table in tables:
            await play(table, random, 30)
        rest(tables)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        plies = sum(len(table.match.events) for table in tables) - had
        assert plies > 20
        await house.close()
        return taken / plies

    taken = asyncio.run(grown())
    assert taken < PLY


class Ear:
    """A spectator."""

    def __init__(self, seat: int) -> None:
        self.sight = Sight((seat,), Seat(seat), LANGUAGES[seat % 2])

    def hear(self, message: bytes) -> None:
        """It goes in at one ear."""

    def leave(self) -> None:
        """And out."""


async def churn(house: House, random: Random, tables: int, plies: int) -> None:
    """Tables of all games come, are played at and looked at, and go."""
    for number in range(tables):
        table = await opened(house, GAMES[number % len(GAMES)])
        ears = [Ear(seat) for seat in range(2)]
        for ear in ears:
            async with table.open():
                table.audiences.join(ear)
        await play(table, random, plies)
        for ear in ears:
            table.audiences.drop(ear)
        house.forget_table(table)


@pytest.mark.parametrize(
    ("rounds", "tables", "plies"),
    [(6, 8, 15), pytest.param(60, 40, 30, marks=pytest.mark.exhaustive)],
)
def test_a_house_where_tables_come_and_go_does_not_grow(
    folder: Path, rounds: int, tables: int, plies: int
) -> None:
    """After sixty rounds the memory is that of the first five, as much as allocators allow."""
    async def soak() -> list[int]:
        house = House(Settings(database=str(folder / "house.sqlite3"), workers=1))
        await house.open()
        random = Random(5)
        resident = []
        for _ in range(rounds):
            await churn(house, random, tables, plies)
            resident.append(memory())
        await house.close()
        return resident

    resident = asyncio.run(soak())
    early = max(resident[: max(2, rounds // 12)])
    assert resident[-1] < 1.1 * early + 10_000_000


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("game", GAMES)
def test_a_forgotten_table_leaves_the_memory_at_once(folder: Path, game: str) -> None:
    async def forget() -> list[object]:
        house = House(Settings(database=str(folder / "house.sqlite3"), workers=1))
        await house.open()
        table = await opened(house, game)
        await play(table, Random(5), 30)
        things: list[object] = [table, table.match, table.views]
        known = [weakref.ref(thing) for thing in things]
        house.forget_table(table)
        del table, things
        await asyncio.sleep(0)
        left = [thing() for thing in known]
        await house.close()
        return left

    assert asyncio.run(forget()) == [None, None, None]
