"""Readers that do not read: many live connections that ask for the table and take nothing."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.attacks.victim import Victim, Visitor, talkative_table, victim
from tests.attacks.wire import dial, frame, upgrade


def ask_and_never_read(house: Victim, table: str, sockets: int, seconds: float) -> None:
    """Small receive buffers, another made-up token on each, ten views a second."""
    lines = []
    view = frame(b'{"do": "view"}')
    for number in range(sockets):
        line = dial(house.port, receive=2048)
        upgrade(line, table)
        hello = {"do": "hello", "token": f"made-up-{number}", "lang": "en"}
        line.sendall(frame(json.dumps(hello).encode()))
        line.setblocking(False)
        lines.append(line)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for line in lines:
            with suppress(OSError):             # cut off, or the house does not read either
                line.send(view)
        time.sleep(0.1)
    for line in lines:
        line.close()


@pytest.mark.parametrize(("sockets", "seconds", "letters"), [
    (10, 3, 100_000),
    pytest.param(30, 30, 445_000, marks=pytest.mark.exhaustive),
])
def test_who_does_not_read_takes_no_memory(
    sockets: int, seconds: float, letters: int, tmp_path: Path
) -> None:
    table = talkative_table(tmp_path, letters)
    with victim(tmp_path) as house:
        before = house.memory
        with Visitor(house) as visitor:
            ask_and_never_read(house, table, sockets, seconds)
        grown = house.memory - before
        print(f"{before:.0f} MB and {grown:.0f} more; {visitor}")
        assert grown < 60                       # it was more than 2,000
        assert "Traceback" not in house.log
