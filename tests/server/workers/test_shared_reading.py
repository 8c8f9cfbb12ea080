"""One reading for all who want the same: few readings, and none that is older than its call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from escale.server.workers.shared_reading import SharedReading


def test_those_who_call_during_a_reading_share_the_next() -> None:
    async def work() -> tuple[list[int], int]:
        readings, free = 0, asyncio.Event()

        async def read() -> int:
            nonlocal readings
            readings += 1
            number = readings
            await free.wait()
            return number

        shared = SharedReading(read)
        first = asyncio.create_task(shared.get())
        while not readings:
            await asyncio.sleep(0)
        others = [asyncio.create_task(shared.get()) for _ in range(50)]
        for _ in range(5):
            await asyncio.sleep(0)
        others[0].cancel()                      # one who gives up costs the others nothing
        free.set()
        found = [await first, *[await other for other in others[1:]]]
        return found, await shared.get()

    found, last = asyncio.run(work())
    assert found == [1, *[2] * 49]              # what was read before a call is not its answer
    assert last == 3


def test_a_reading_that_fails_fails_for_its_own_callers_only() -> None:
    async def work() -> int:
        results: Iterator[ValueError | int] = iter([ValueError("the first"), 5])

        async def read() -> int:
            result = next(results)
            if isinstance(result, ValueError):
                raise result
            return result

        shared = SharedReading(read)
        waiting = asyncio.create_task(shared.get())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        other = asyncio.create_task(shared.get())
        with pytest.raises(ValueError, match="the first"):
            await waiting
        return await other

    assert asyncio.run(work()) == 5
