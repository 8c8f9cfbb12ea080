"""Few workers, many who wait: in turn, address by address."""

from __future__ import annotations

import asyncio

from escale.server.workers.fair_queue import FairQueue


def test_who_asks_often_does_not_keep_others_waiting() -> None:
    async def run() -> list[str]:
        queue = FairQueue(["worker"])
        served: list[str] = []

        async def want(who: str) -> None:
            thing = await queue.take(who)
            served.append(who)
            await asyncio.sleep(0)
            queue.give_back(thing)

        tasks = [asyncio.create_task(want(who)) for who in ["greedy"] * 6 + ["ana", "bo", "ana"]]
        await asyncio.sleep(0)
        assert (queue.waiting("greedy"), queue.others("greedy")) == (5, 2)
        await asyncio.gather(*tasks)
        return served

    assert asyncio.run(run()) == [
        "greedy", "greedy", "ana", "bo", "greedy", "ana", "greedy", "greedy", "greedy",
    ]


def test_who_goes_takes_nothing_along() -> None:
    async def run() -> None:
        queue = FairQueue([1])
        thing = await queue.take("a")
        first, second = (asyncio.create_task(queue.take(who)) for who in "bc")
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        queue.give_back(thing)
        assert await second == 1
        third = asyncio.create_task(queue.take("d"))
        await asyncio.sleep(0)
        queue.give_back(1)
        third.cancel()                          # at the very moment when it gets it
        await asyncio.gather(third, return_exceptions=True)
        assert await asyncio.wait_for(queue.take("e"), 1) == 1

    asyncio.run(run())
