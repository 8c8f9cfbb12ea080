"""A house in a process of its own, which starts fast and can be killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import sqlite3
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.settings import Settings
from tests.attacks.histories import Lost, Refused
from tests.sizes import PATIENCE_SECONDS

CONTEXT = multiprocessing.get_context("forkserver")


def serve(database: str, port: int) -> None:
    """Keep house until killed."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(200)
    settings = Settings(database=database, workers=1, limits=Limits.none())
    uvicorn.Server(uvicorn.Config(create_app(settings), log_config=None)).run([listening])


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


async def start(database: str, port: int) -> BaseProcess:
    """A house on a port, as soon as it answers."""
    CONTEXT.set_forkserver_preload(["tests.attacks.house_process"])
    # Not a daemon, which could have no workers.
    process = CONTEXT.Process(target=serve, args=(database, port))
    process.start()
    async with httpx2.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS
    ) as client:
        while True:
            assert process.is_alive(), "the house did not open"
            try:
                await client.get("/api/games")
                return process
            except httpx2.TransportError:
                await asyncio.sleep(0.01)


class OverHttp:
    """A house that is asked over HTTP."""

    def __init__(self, port: int) -> None:
        self.kills = 0
        self.client = httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS
        )

    async def ask(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        try:
            answer = await self.client.request(method, f"/api/tables{path}", **more)
        except httpx2.TransportError:
            raise Lost from None
        if answer.status_code == 502:               # a proxy's own answer: the result is unknown
            raise Lost
        found: dict[str, Any] = answer.json()
        if answer.is_success:
            return found
        assert found["code"] not in ("unknown-table", "damaged", "broken"), found
        raise Refused(found["code"])

    async def create(self, order: dict[str, Any]) -> dict[str, Any]:
        return await self.ask("POST", "", json=order)

    async def sit(self, table: str, seat: int, sitting: dict[str, Any]) -> dict[str, Any]:
        return await self.ask("POST", f"/{table}/seats/{seat}", json=sitting)

    async def act(self, table: str, token: str, action: dict[str, Any]) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {token}"}
        return await self.ask("POST", f"/{table}/events", json=action, headers=headers)

    async def state(self, table: str, token: str | None) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return await self.ask("GET", f"/{table}?lang=en", headers=headers)


class Outside(OverHttp):
    """A house in one process."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = free_port()
        self.process: BaseProcess | None = None
        super().__init__(self.port)

    async def open(self) -> None:
        self.process = await start(str(self.database), self.port)

    async def kill(self) -> None:
        """Not even a goodbye."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.join)
        self.kills += 1

    async def close(self) -> None:
        with closing(sqlite3.connect(self.database)) as kept:
            while kept.execute("SELECT 1 FROM tables WHERE due IS NOT NULL").fetchone():
                await asyncio.sleep(0.02)
        await self.kill()
        await self.client.aclose()
