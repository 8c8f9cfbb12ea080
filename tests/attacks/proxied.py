"""Two houses on one PostgreSQL behind a real proxy, either of which can be killed."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import pytest

from tests.attacks.histories import kept
from tests.attacks.house_process import OverHttp, free_port, start

CADDYFILE = """
{{
    admin off
    auto_https off
    log {{
        output discard
    }}
}}
http://127.0.0.1:{port} {{
    @one header X-Process one
    @two header X-Process two
    reverse_proxy @one 127.0.0.1:{one}
    reverse_proxy @two 127.0.0.1:{two}
    reverse_proxy 127.0.0.1:{one} 127.0.0.1:{two} {{
        lb_policy round_robin
        lb_try_duration 5s
        lb_try_interval 50ms
    }}
}}
"""


@contextmanager
def caddy(folder: Path, *ports: int) -> Iterator[int]:
    """A proxy in front of two ports; its own port."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("NO CADDY HERE: processes behind a proxy are not tested; `make proxy` "
                    "installs it on Debian")
    port = free_port()
    config = folder / "Caddyfile"
    config.write_text(CADDYFILE.format(port=port, one=ports[0], two=ports[1]))
    with subprocess.Popen(
        [program, "run", "--config", config, "--adapter", "caddyfile"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder),
             "XDG_CONFIG_HOME": str(folder)},
    ) as process:
        try:
            yield port
        finally:
            process.terminate()


class Proxied(OverHttp):
    """Two processes of a house that is asked through a proxy; one of them is killed at a time."""

    def __init__(self, database: str, proxy: int, ports: tuple[int, int], random: Random) -> None:
        super().__init__(proxy)
        self.database, self.ports, self.random = database, ports, random
        self.processes: list[BaseProcess | None] = [None, None]
        self.killed = 0.0
        """When the last of them was."""

    async def open(self) -> None:
        """Start what does not run."""
        for place, port in enumerate(self.ports):
            if self.processes[place] is None:
                self.processes[place] = await start(self.database, port)

    async def kill(self) -> None:
        """Not even a goodbye, from one of them."""
        await self._kill(self.random.randrange(2))

    async def _kill(self, place: int) -> None:
        process, self.processes[place] = self.processes[place], None
        if process is not None:
            process.kill()
            await asyncio.to_thread(process.join)
            self.kills += 1
            self.killed = time.monotonic()

    def waited(self, since: float) -> float:
        """Seconds since a notice was due, without a process being killed."""
        return time.monotonic() - max(since, self.killed)

    async def close(self) -> None:
        while kept(self.database, "SELECT 1 FROM tables WHERE due IS NOT NULL"):
            await asyncio.sleep(0.05)

    async def end(self) -> None:
        """End both, however it went."""
        for place in range(2):
            await self._kill(place)
        await self.client.aclose()
