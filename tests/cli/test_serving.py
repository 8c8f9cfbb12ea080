"""`escale serve`: the port, and the browser that is not opened where there is no screen."""

from __future__ import annotations

import socket

import pytest

from escale.cli import serving


def test_a_busy_port_is_said_and_the_next_one_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with serving.listen("127.0.0.1", port, "en") as found:
            assert found.getsockname()[1] > port
        assert f"Port {port} is in use" in capsys.readouterr().err


def test_an_address_that_cannot_be_had_is_said() -> None:
    with pytest.raises(serving.NoRoom, match="cannot listen on 192.0.2.1"):
        serving.listen("192.0.2.1", 8000, "en")


def test_a_browser_needs_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serving.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert serving.has_screen()
