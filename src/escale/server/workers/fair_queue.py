"""A queue for a few things that many addresses want: the addresses take turns, so an address that
asks more often gets no more than the others."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Hands things out, the one that was used last first; addresses that wait take turns."""

    def __init__(self, things: Iterable[T]) -> None:
        self._free = deque(things)
        self.size = len(self._free)
        self._waiting: OrderedDict[str, deque[asyncio.Future[T]]] = OrderedDict()

    async def take(self, address: str) -> T:
        """Wait for this address's turn and take one of the things; pass it to `give_back` later."""
        if self._free:
            return self._free.popleft()
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(turn.result())       # it was handed out just before the cancellation
            raise

    def give_back(self, thing: T) -> None:
        """Pass a thing on to the next address that waits."""
        while self._waiting:
            address, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if turns:
                self._waiting.move_to_end(address)
            else:
                del self._waiting[address]
            if not turn.done():
                turn.set_result(thing)
                return
        self._free.appendleft(thing)

    @property
    def busy(self) -> int:
        """How many things are in use."""
        return self.size - len(self._free)

    @property
    def queue(self) -> int:
        """How many requests wait, of all addresses."""
        return sum(map(len, self._waiting.values()))

    def waiting(self, address: str) -> int:
        """How many requests of an address wait."""
        return len(self._waiting.get(address, ()))

    def others(self, address: str) -> int:
        """How many other addresses wait."""
        return len(self._waiting) - (address in self._waiting)
