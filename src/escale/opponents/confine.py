"""Become another program, within limits of the system: `confine.py MEMORY CPU NICE COMMAND …`.

Run as a script, with nothing but the standard library, so that it costs a few milliseconds. MEMORY
is in bytes and CPU in seconds; 0 is no limit. NICE is the niceness. The program ends with the
process that started it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys

UNKNOWN = 127
"""The exit status if there is no such program, as in a shell."""


def confine(memory: int, cpu: int) -> None:
    """Set limits for this process; they also hold for the program and its children."""
    limits = {"RLIMIT_CORE": 0}
    if memory:
        # On Linux this counts the memory that a program may write to, not what it merely reserves:
        # programs with a garbage collector reserve far more than they use.
        limits["RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"] = memory
    if cpu:
        limits["RLIMIT_CPU"] = cpu
    for name, amount in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (amount, amount))


def end_with_parent() -> None:
    """Let the system end this process when its parent has ended (Linux only)."""
    import ctypes
    import signal

    set_signal_at_parents_death = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_signal_at_parents_death, signal.SIGKILL)


def main() -> None:
    """Limit this process, then become the program."""
    memory, cpu, nice, *command = sys.argv[1:]
    if sys.platform == "linux":
        end_with_parent()
    os.nice(int(nice))
    confine(int(memory), int(cpu))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(UNKNOWN)


if __name__ == "__main__":
    main()
