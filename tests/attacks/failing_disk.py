"""Write to a disk that fails at one call after the other, and see what is kept.

    LD_PRELOAD=failing_disk.so python -m tests.attacks.failing_disk FOLDER STEP

Every STEP-th call is made to fail, in every manner; prints how many points that were.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import escale
from escale.game.fair_random import FairRandom
from escale.kernel import CHANCE
from escale.match.match import Match
from escale.store import NewTable, Store, StoreError, Token

MANNERS = ("EIO once", "ENOSPC once", "torn once", "EIO always", "ENOSPC always")
DISK = ctypes.CDLL(None)
TABLES = ("a", "b", "c")
ROUNDS = 16


class House:
    """Plays at some tables as the house does, and remembers what it was promised."""

    def __init__(self, database: str) -> None:
        self.store = Store(database)
        self.promised: dict[str, int] = {}
        self.tried: dict[str, int] = {}

    async def play(self) -> None:
        random = Random(3)
        for _ in range(ROUNDS):
            await asyncio.gather(*(self._step(name, random) for name in TABLES))

    async def _step(self, name: str, random: Random) -> None:
        """One change of a table: it is created, or something happens there, with a token."""
        with suppress(StoreError):
            kept = await self.store.load(name)
            if kept is None:
                match = Match(escale.game("tortuga").start(), fair_random=FairRandom(name))
                table = NewTable(name, match.header, name, tokens=[("0" * 64, [0])], due=1)
                await self.store.create(table)
                self.promised[name] = 0
                return
            match = Match.resume([kept.header, *kept.events], FairRandom(name))
            known = len(match.events)
            assert known >= self.promised.get(name, 0), f"table {name} lost something while open"
            if match.turn == CHANCE:
                match.draw_chance()
            elif match.turn is not None:
                match.play(match.turn, random.choice(match.position.moves()))
            if match.turn is not None and known > 12:
                match.resign(0)
            new = match.events[known:]
            # A token for every event: both are kept, or neither.
            tokens = [Token(f"{event.n:064x}", (1,)) for event in new]
            self.tried[name] = len(match.events)
            await self.store.append(name, new, tokens=tokens, due=None, next_secret="deep")
            self.promised[name] = len(match.events)


async def check(database: str, promised: dict[str, int]) -> None:
    """All that was promised is there, and nothing is there by half."""
    store = Store(database)
    try:
        for name in TABLES:
            kept = await store.load(name)
            if kept is None:
                assert name not in promised, f"table {name} is lost"
                continue
            assert len(kept.events) >= promised.get(name, 0), f"events of table {name} are lost"
            assert len(kept.tokens) == 1 + len(kept.events), "tokens and events come together"
            match = Match.resume([kept.header, *kept.events], FairRandom(name))
            assert (match.outcome is not None) == match.ended, "an end was torn off its move"
            assert (kept.due is None) == bool(kept.events)
    finally:
        store.close()


def attempt(database: str, at: int, manner: int) -> int:
    """Let the disk fail at a call; how many calls there were."""
    promised: dict[str, int] = {}
    DISK.disk_fails(ctypes.c_long(at), manner)

    async def play() -> None:
        try:
            house = House(database)
        except StoreError:                      # said in a sentence; it was not opened
            return
        try:
            await house.play()
        finally:
            promised.update(house.promised)
            house.store.close()

    asyncio.run(play())
    calls = int(DISK.disk_calls())
    DISK.disk_fails(ctypes.c_long(0), 0)        # the disk is well again, and the house opens
    try:
        asyncio.run(check(database, promised))
    except BaseException as error:
        raise AssertionError(f"{MANNERS[manner]} at call {at}: {error}") from error
    return calls


def main(folder: str, step: int) -> int:
    """Every manner at every call, or at every few."""
    points = 0

    def fresh() -> str:
        nonlocal points
        points += 1
        for old in Path(folder).glob("*failing.sqlite3*"):
            old.unlink()
        return str(Path(folder) / f"{points}-failing.sqlite3")

    calls = attempt(fresh(), 0, 0)
    assert calls > 30, "the disk is not watched"
    for manner in range(len(MANNERS)):
        for at in range(1 + manner % step, calls + 1, step):
            attempt(fresh(), at, manner)
    return points


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2])))
