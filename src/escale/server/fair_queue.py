"""Few workers and many who wait: served in turn, so that nobody gains by asking more often."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Hands things out; among those who wait, each in turn gets one, however many they want."""

    def __init__(self, things: Iterable[T]) -> None:
        self._free = deque(things)
        self.size = len(self._free)
        self._waiting: OrderedDict[str, deque[asyncio.Future[T]]] = OrderedDict()

    async def take(self, who: str) -> T:
        """One of the things, as soon as it is somebody's turn."""
        if self._free:
            return self._free.popleft()
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(turn.result())           # it came when nobody wanted it any more
            raise

    def give_back(self, thing: T) -> None:
        """Let the next who waits have it."""
        while self._waiting:
            who, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            if turns:
                self._waiting.move_to_end(who)
            else:
                del self._waiting[who]
            if not turn.done():
                turn.set_result(thing)
                return
        self._free.appendleft(thing)            # what was used last is ready to be used again

    @property
    def busy(self) -> int:
        """How many things are in use."""
        return self.size - len(self._free)

    @property
    def queue(self) -> int:
        """How many wishes wait, of whomever."""
        return sum(map(len, self._waiting.values()))

    def waiting(self, who: str) -> int:
        """How many of somebody's wishes wait."""
        return len(self._waiting.get(who, ()))

    def others(self, who: str) -> int:
        """How many others wait."""
        return len(self._waiting) - (who in self._waiting)
