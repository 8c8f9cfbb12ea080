"""Half a request on very many connections: others are answered all the same."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.attacks.victim import Visitor, victim
from tests.attacks.wire import dial


@pytest.mark.parametrize("connections", [
    600, pytest.param(3000, marks=pytest.mark.exhaustive),
])
def test_half_open_requests_do_not_lock_others_out(connections: int, tmp_path: Path) -> None:
    with victim(tmp_path) as house, ExitStack() as lines, Visitor(house) as visitor:
        for _ in range(connections):
            line = lines.enter_context(dial(house.port))
            with suppress(OSError):             # it was one too many
                line.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-half: ")
        seen = len(visitor.waits)
        visitor.wait_for(seen + 5)
        print(visitor)
    assert "127.0.0.1 has 500 connections: no more are taken from there" in house.log
    assert "Traceback" not in house.log
