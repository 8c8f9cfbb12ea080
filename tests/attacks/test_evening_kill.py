"""A house that is killed with signal 9 during an evening: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest

from escale.server.evening.evening import Evening
from escale.server.evening.events import read_event, read_plan
from tests.attacks.house_process import free_port, start
from tests.sizes import PATIENCE_SECONDS
from tests.store.test_store import opened


class Host:
    """The host of an evening, who asks again until the house has answered."""

    def __init__(self, database: Path, chance: Random) -> None:
        self.database = str(database)
        self.chance = chance
        self.port = free_port()
        self.process: BaseProcess | None = None
        self.kills = 0
        self.path = ""
        self.client = httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE_SECONDS
        )
        self.acknowledged: list[dict[str, Any]] = []
        self._killing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self.process = await start(self.database, self.port)

    def kill_soon(self) -> None:
        """Kill the house at some moment of what is asked next."""
        async def kill() -> None:
            await asyncio.sleep(self.chance.random() * 0.05)
            assert self.process is not None
            self.process.kill()
            self.kills += 1

        task = asyncio.create_task(kill())
        self._killing.add(task)
        task.add_done_callback(self._killing.discard)

    async def send(self, **fields: Any) -> int:
        """Send a form under an id, again and again; returns the status of the answer."""
        fields["id"] = f"{len(self.acknowledged)}-{fields['do']}"
        while True:
            try:
                answer = await self.client.post(self.path, data={"lang": "en", **fields})
            except httpx2.TransportError:
                await asyncio.gather(*self._killing)
                assert self.process is not None
                self.process.join(PATIENCE_SECONDS)
                await self.open()
                continue
            if answer.status_code == 303:
                self.acknowledged.append(fields)
            return int(answer.status_code)

    async def close(self) -> None:
        await asyncio.gather(*self._killing)
        assert self.process is not None
        self.process.kill()
        self.process.join(PATIENCE_SECONDS)
        await self.client.aclose()


async def live(database: Path, chance: Random, kills: int) -> tuple[Host, str]:
    """Host an evening of Swiss rounds until the house was killed so often."""
    host = Host(database, chance)
    await host.open()
    answer = await host.client.post("/evening", data={
        "title": "Jeudi", "games": "tortuga", "format": "swiss", "board": "real", "lang": "en",
    })
    host.path = answer.headers["location"].removeprefix("/en")
    for number in range(5):
        assert await host.send(do="add", name=f"Guest {number}") == 303
    round = 0
    while host.kills < kills and round < 40:
        if chance.random() < 0.8:
            host.kill_soon()
        if chance.random() < 0.3:
            await host.send(do="add", name=f"Late {round}")
        round += 1
        assert await host.send(do="pair") == 303
        assert await host.send(do="start") == 303
        for table in (1, 2):
            if chance.random() < 0.5 and host.kills < kills:
                host.kill_soon()
            places = chance.choice(("1-2", "2-1", "1-1"))
            assert await host.send(do="result", round=round, table=table, places=places) == 303
    await host.close()
    return host, host.path.split("/")[2]


async def fold(database: Path, id: str) -> Evening:
    async with opened(str(database)) as store:
        kept = await store.evenings.load(id)
        assert kept is not None
        return Evening(read_plan(kept.plan), [read_event(event.entry) for event in kept.events])


@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=pytest.mark.exhaustive)])
def test_an_evening_outlives_a_house_that_is_killed(tmp_path: Path, kills: int) -> None:
    killed = seed = 0
    while killed < kills:
        database = tmp_path / f"{seed}.sqlite3"
        host, id = asyncio.run(live(database, Random(seed), kills - killed))
        evening = asyncio.run(fold(database, id))
        killed, seed = killed + host.kills, seed + 1
        assert all(sent["id"] in evening.done for sent in host.acknowledged)
        added = [sent["name"] for sent in host.acknowledged if sent["do"] == "add"]
        assert [guest.name for guest in evening.guests.values()] == added
        assert len(evening.rounds) == sum(sent["do"] == "pair" for sent in host.acknowledged)
        for sent in host.acknowledged:
            if sent["do"] == "result":
                places = [int(place) for place in sent["places"].split("-")]
                assert evening.find(sent["round"], sent["table"]).places == places
