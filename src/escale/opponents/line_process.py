"""A program in a process of its own that answers each line with a line.

The program may die, hang, or write without end. Each of these raises its own error, and costs a
bounded amount of memory and time. The client of engines and the workers of the house both use this.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from escale.game.errors import EscaleError

if TYPE_CHECKING:
    from escale.match.events import Fault

TAIL_BYTES = 2_000
"""This much of a program's last output to standard error is kept."""
OUTPUT_SECONDS = 0.5
"""The time to wait for the output of an ended program, if a child still holds it open."""
SECRETS = ("ESCALE_ADMIN_TOKEN", "ESCALE_DATABASE", "ESCALE_SMTP", "PGPASSWORD")
"""Environment variables that are not passed on to other people's programs."""
CONFINE = Path(__file__).with_name("confine.py")


class EngineError(EscaleError):
    """A program violated the protocol; each subclass is one kind of failure."""

    code = "engine"
    fault: ClassVar[Fault]
    """The kind of failure, in one word."""


class EngineDied(EngineError):
    """The program could not be started, or has ended."""

    code = "engine-died"
    fault: ClassVar[Fault] = "died"


class EngineLate(EngineError):
    """The program did not answer in time, and was ended."""

    code = "engine-late"
    fault: ClassVar[Fault] = "late"


class EngineNonsense(EngineError):
    """The program answered with something that is no answer, and was ended."""

    code = "engine-nonsense"
    fault: ClassVar[Fault] = "nonsense"


class EngineRefused(EngineError):
    """The program answered with an error; it goes on."""

    code = "engine-refused"
    fault: ClassVar[Fault] = "refused"


class EngineIllegalMove(EngineError):
    """The program chose a move that the rules forbid; it goes on."""

    code = "engine-illegal-move"
    fault: ClassVar[Fault] = "illegal"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the system for a program, and for each process that it starts."""

    memory: int | None = None
    """Megabytes."""
    cpu: int | None = None
    """Seconds of a processor, in all."""
    nice: int = 0
    """The niceness."""

    def around(self, command: Sequence[str]) -> list[str]:
        """The command that sets these limits for itself, and then executes the program.

        On Windows, which has no such limits, it is the program's own command.
        """
        if sys.platform == "win32":
            return list(command)
        memory = 0 if self.memory is None else self.memory << 20
        limits = map(str, (memory, self.cpu or 0, self.nice))
        return [sys.executable, "-I", "-S", str(CONFINE), *limits, *command]


class LineProcess(asyncio.SubprocessProtocol):
    """The program, while it runs."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._transport: asyncio.SubprocessTransport | None = None
        self._waiting = bytearray()
        self._said = bytearray()
        self._news = asyncio.Event()
        self._exited = asyncio.Event()
        self._silent = False
        """Whether its output is closed."""
        self._flooded = False
        self._own_group = False

    @classmethod
    async def start(
        cls, command: Sequence[str], *, longest: int, bounds: Bounds | None = None,
        listen: bool = False,
    ) -> LineProcess:
        """Start a program; a line of its output may have `longest` bytes.

        With `bounds`, used for other people's programs, the system limits the program, its children
        end with it, and it gets no secrets of the environment. With `listen` the end of its
        standard error is kept, to report why it died.
        """
        words = command if bounds is None else bounds.around(command)
        try:
            _, made = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(longest), *words,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE if listen else None,
                start_new_session=bounds is not None, env=None if bounds is None else _harmless(),
            )
        except (OSError, ValueError) as error:
            raise EngineDied(f"{command[0]!r} cannot be started: {error}") from None
        made._own_group = bounds is not None
        return made

    async def exchange(self, *lines: bytes, seconds: float) -> list[bytes]:
        """Send lines and return the answer to each. After an error, kill the process."""
        assert self._transport is not None
        stdin = self._transport.get_pipe_transport(0)
        if stdin is not None and not self._silent:
            cast(asyncio.WriteTransport, stdin).write(b"".join(line + b"\n" for line in lines))
        try:
            async with asyncio.timeout(seconds):
                return [await self._line() for _ in lines]
        except TimeoutError:
            raise EngineLate(f"no answer within {seconds:g} seconds") from None

    async def _line(self) -> bytes:
        while True:
            end = self._waiting.find(b"\n")
            if 0 <= end <= self._longest:
                line = bytes(self._waiting[:end])
                del self._waiting[:end + 1]
                return line
            if self._flooded:
                raise EngineNonsense(
                    f"more than {self._longest} bytes without an answer: "
                    f"{bytes(self._waiting[:60])!r} …"
                )
            if self._silent:
                raise EngineDied(self._obituary())
            self._news.clear()
            await self._news.wait()

    def _obituary(self) -> str:
        assert self._transport is not None
        status = self._transport.get_returncode()
        how = "has closed its output"
        if status is not None:
            how = f"was ended by {_signal(-status)}" if status < 0 else f"ended with {status}"
        words = self._said.decode("utf-8", "replace").strip().splitlines()
        return f"the program {how}" + (f": {words[-1][:200]}" if words else "")

    async def kill(self) -> None:
        """End the program; if it was started with bounds, its children, too."""
        assert self._transport is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._own_group and sys.platform != "win32":
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._transport.kill()
        await self._exited.wait()
        self._transport.close()

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._transport is not None
        return self._transport.get_pid()

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the program has ended by itself; TimeoutError if it does not."""
        async with asyncio.timeout(seconds):
            await self._exited.wait()

    # ---- called by the event loop ----

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the program has been started."""
        self._transport = cast(asyncio.SubprocessTransport, transport)  # uvloop's is no subclass

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called when the program has written to a pipe."""
        if fd != 1:
            self._said += data
            del self._said[:-TAIL_BYTES]
            return
        self._waiting += data
        if len(self._waiting) > self._longest and not self._flooded:
            self._flooded = True            # further output stays in the pipe
            assert self._transport is not None
            output = self._transport.get_pipe_transport(1)
            if output is not None:
                cast(asyncio.ReadTransport, output).pause_reading()
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Called when the program has closed a pipe, or has ended."""
        if fd == 1:
            # Most programs end at once then, and their exit status tells why.
            asyncio.get_running_loop().call_later(
                0 if self._exited.is_set() else OUTPUT_SECONDS, self._fall_silent
            )

    def process_exited(self) -> None:
        """Called when the program has ended; its children may still hold its output."""
        self._exited.set()
        asyncio.get_running_loop().call_later(OUTPUT_SECONDS, self._fall_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the program has ended, and all of its output has been read."""
        self._fall_silent()

    def _fall_silent(self) -> None:
        self._silent = True
        self._news.set()


def _harmless() -> dict[str, str]:
    """The environment without secrets of this process."""
    return {name: value for name, value in os.environ.items() if name not in SECRETS}


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
