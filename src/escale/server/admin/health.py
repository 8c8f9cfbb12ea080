"""Whether the house is alive, and whether it is ready: for programs that monitor it.

`/healthz` says that the process answers. `/readyz` tries what the house needs to play: it writes to
the database, asks a thinking process, and checks the free space on the disk. It does so at most
once in a few seconds, however often it is requested, and always answers soon.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from escale.game.errors import EscaleError
from escale.match.reading import encode
from escale.server.edge.problems import sentences
from escale.server.edge.responses import language
from escale.server.tables.house import House

router = APIRouter()

FRESH_SECONDS = 2.0
"""The results of the checks are repeated for this time."""
CHECK_SECONDS = 4.0
"""A check that takes longer has failed."""
FREE_BYTES = 64 * 2**20
"""The least free space on the disk of a SQLite file."""


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that the house needs."""

    ok: bool
    message: str = ""
    """A sentence that says what is wrong, if anything is."""


class Readiness:
    """The checks of one house, done together and not too often."""

    def __init__(self, house: House) -> None:
        self._checks: dict[str, Callable[[], Awaitable[bool]]] = {
            "store": lambda: _writes(house), "thinker": lambda: _thinks(house),
        }
        url = house.store.url
        if url.get_backend_name() == "sqlite":
            folder = Path(str(url.database)).parent
            self._checks["disk"] = lambda: _has_room(folder)
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._found: dict[str, bool] = {}
        self._until = 0.0
        self._looking: asyncio.Lock = asyncio.Lock()

    async def check(self) -> dict[str, bool]:
        """The name of each thing that the house needs, and whether it works."""
        async with self._looking:
            if monotonic() >= self._until:
                self._found = await self._try()
                self._until = monotonic() + FRESH_SECONDS
            return self._found

    async def _try(self) -> dict[str, bool]:
        # A check that takes too long goes on, and its result is used next time. Otherwise a
        # thinking process that has to be started again would never get ready.
        for name, check in self._checks.items():
            if name not in self._tasks:
                self._tasks[name] = asyncio.ensure_future(_safely(check))
        done, _ = await asyncio.wait(self._tasks.values(), timeout=CHECK_SECONDS)
        found = {name: task in done and task.result() for name, task in self._tasks.items()}
        self._tasks = {name: task for name, task in self._tasks.items() if task not in done}
        return found

    def close(self) -> None:
        """Cancel the checks that are still running."""
        for task in self._tasks.values():
            task.cancel()


async def _safely(check: Callable[[], Awaitable[bool]]) -> bool:
    try:
        return await check()
    except (EscaleError, OSError):
        return False


async def _writes(house: House) -> bool:
    await house.store.probe()
    return True


async def _thinks(house: House) -> bool:
    await house.thinkers.probe()
    return True


async def _has_room(folder: Path) -> bool:
    return (await asyncio.to_thread(shutil.disk_usage, folder)).free >= FREE_BYTES


@router.get("/healthz", include_in_schema=False)
async def alive() -> Response:
    """Say that the process answers."""
    return Response(encode({"alive": True}), media_type="application/json",
                    headers={"cache-control": "no-store"})


@router.get("/readyz", include_in_schema=False)
async def ready(request: Request) -> Response:
    """Say whether people can play; 503 with a sentence for each thing that is missing."""
    readiness: Readiness = request.app.state.readiness
    lang = language(request)
    checks = {
        name: Check(ok, "" if ok else sentences().say(f"ready.{name}", lang))
        for name, ok in (await readiness.check()).items()
    }
    fine = all(check.ok for check in checks.values())
    body = {"ready": fine, "checks": checks}
    if not fine:
        body["message"] = " ".join(check.message for check in checks.values() if not check.ok)
    return Response(encode(body), 200 if fine else 503, media_type="application/json",
                    headers={"cache-control": "no-store"})
