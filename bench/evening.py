"""`python -m bench evening`: an evening of many people on one small machine, over HTTP.

Every guest has a phone that follows the evening, as pages do, and so does the wall.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

import httpx2
import typer

from bench.server import measured_house


def main(
    people: Annotated[int, typer.Option(min=2, max=200, help="How many guests.")] = 64,
    rounds: Annotated[int, typer.Option(min=1, max=9, help="How many rounds.")] = 3,
) -> None:
    """Seconds until a round has begun, and until the wall shows a result."""
    with tempfile.TemporaryDirectory() as folder, \
            measured_house(f"sqlite:///{Path(folder) / 'house.sqlite3'}", 1) as (_, port):
        asyncio.run(_measure(f"http://127.0.0.1:{port}", people, rounds))


async def _measure(url: str, people: int, rounds: int) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=120) as host:
        answer = await host.post("/evening", data={
            "title": "Bench", "games": "tortuga", "format": "swiss", "lang": "en",
        })
        path = answer.headers["location"].removeprefix("/en").removesuffix("/host")
        phones = [httpx2.AsyncClient(base_url=url, timeout=120) for _ in range(people)]
        for number, phone in enumerate(phones):
            await phone.post(path, data={"do": "join", "name": f"Guest {number}", "lang": "en"})
        following = [asyncio.create_task(_follow(phone, path, path)) for phone in phones]
        seen: asyncio.Queue[str] = asyncio.Queue()
        wall = asyncio.create_task(_follow(host, path, f"{path}/wall", seen))
        begun, shown = [], []
        for round in range(1, rounds + 1):
            began = perf_counter()
            for do in ("pair", "start"):
                answer = await host.post(f"{path}/host", data={"do": do, "lang": "en"})
                assert answer.status_code == 303, answer.text
            begun.append(perf_counter() - began)
            await asyncio.sleep(3)                  # the phones fetch their pages
            for table in range(1, people // 2 + 1):
                while not seen.empty():
                    seen.get_nowait()
                began = perf_counter()
                await host.post(f"{path}/host", data={
                    "do": "result", "round": round, "table": table, "places": "1-2", "lang": "en",
                })
                while (await seen.get()).count('class="over"') < table:
                    continue
                shown.append(perf_counter() - began)
        for task in (*following, wall):
            task.cancel()
        await asyncio.gather(*following, wall, return_exceptions=True)
        for phone in phones:
            await phone.aclose()
    print(f"{people} people: a round is formed and begun in {max(begun):.2f} s at most")
    print(f"the wall shows a result after {median(shown):.2f} s, {max(shown):.2f} s at most")


async def _follow(
    client: httpx2.AsyncClient, path: str, page: str, seen: asyncio.Queue[str] | None = None
) -> None:
    """Follow an evening as a page does: fetch it again whenever it has changed."""
    version = ""
    while True:
        api = f"/api/evenings/{path.rsplit('/', 1)[1]}?since={version}&wait=25"
        version = (await client.get(api)).json()["version"]
        text = (await client.get(f"/en{page}")).text
        if seen is not None:
            seen.put_nowait(text)
