"""A real PostgreSQL for the tests: the machine's own, else the one that comes with pgserver."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.sizes import PATIENCE_SECONDS


def find_programs(folder: Path) -> Path | None:
    """Where `initdb` and `postgres` are."""
    found = shutil.which("initdb")
    installed = [Path(found).resolve()] if found else []
    installed += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    for initdb in installed:
        if initdb.with_name("postgres").exists():
            return initdb.parent
    package = importlib.util.find_spec("pgserver")
    if package is None or package.origin is None:
        return None
    brought = Path(package.origin).parent / "pginstall"
    if os.getuid():
        return brought / "bin"
    shutil.copytree(brought, folder / "pginstall")      # to where others than root may read
    return folder / "pginstall" / "bin"


def servant() -> str | None:
    """The user to run PostgreSQL as, which root may not do."""
    if os.getuid():
        return None
    users = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"


class PostgresServer:
    """A server that can be stopped and started again."""

    def __init__(self, programs: Path, data: Path, user: str | None) -> None:
        self._programs = programs
        self._data = data
        self._user = user
        self.url = f"postgresql://escale@/postgres?host={data}"
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._data, "-k", self._data,
             "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self._user, cwd="/",
        )
        _wait(self._data)

    def stop(self) -> None:
        """Close all connections and stop."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE_SECONDS)


@contextmanager
def postgres_server() -> Iterator[PostgresServer | None]:
    """A server for as long as it is needed; None without programs."""
    with tempfile.TemporaryDirectory(prefix="escale-postgres-") as name:
        folder, user = Path(name), servant()
        folder.chmod(0o755)
        programs = find_programs(folder)
        if programs is None:
            yield None
            return
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            shutil.chown(data, user)
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "escale", "--auth=trust", "--encoding=UTF8",
             "--no-locale", "--no-sync"],
            check=True, capture_output=True, user=user, cwd="/",
        )
        server = PostgresServer(programs, data, user)
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def postgres() -> Iterator[str | None]:
    """The address of a server that runs for as long as it is needed; None without programs."""
    with postgres_server() as server:
        yield None if server is None else server.url


def _wait(data: Path) -> None:
    for _ in range(600):
        pid = data / "postmaster.pid"
        if pid.exists() and "ready" in pid.read_text():
            return
        time.sleep(0.05)
    raise TimeoutError("PostgreSQL does not start")
