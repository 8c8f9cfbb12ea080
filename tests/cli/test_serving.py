"""`escale serve`: the port, and the browser that is not opened where there is no screen."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import segno
from typer.testing import CliRunner

from escale.cli import app, main, serving
from escale.cli.host import parse_origin
from escale.cli.language import Misuse
from escale.game.texts import speak
from escale.render.qr import qr_lines
from escale.server.edge.logs import json_line
from escale.server.settings import Settings
from escale.store import Store
from tests.sizes import PATIENCE_SECONDS


def test_a_busy_port_is_said_and_the_next_one_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with serving.listen("127.0.0.1", port, "en") as found:
            assert found.getsockname()[1] > port
        assert f"Port {port} is in use" in capsys.readouterr().err


def test_an_address_that_cannot_be_had_is_said() -> None:
    with pytest.raises(serving.NoPort, match="cannot listen on 192.0.2.1"):
        serving.listen("192.0.2.1", 8000, "en")


def test_a_browser_needs_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not serving.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert serving.has_screen()


@pytest.mark.parametrize(("host", "machine", "lines"), [
    ("127.0.0.1", ("192.0.2.7",), ["The house is open: http://127.0.0.1:8001/ (Ctrl-C to close)"]),
    ("192.0.2.7", ("192.0.2.7",), ["The house is open: http://192.0.2.7:8001/ (Ctrl-C to close)"]),
    ("0.0.0.0", ("192.0.2.7", "198.51.100.7", "fd00::7"), [
        "The house is open: http://127.0.0.1:8001/ (Ctrl-C to close)",
        "From another device on the network: http://192.0.2.7:8001/",
        "From another device on the network: http://198.51.100.7:8001/",
    ]),
    ("::", ("192.0.2.7", "fd00::7"), [
        "The house is open: http://[::1]:8001/ (Ctrl-C to close)",
        "From another device on the network: http://192.0.2.7:8001/",
        "From another device on the network: http://[fd00::7]:8001/",
    ]),
    ("0.0.0.0", (), [
        "The house is open: http://127.0.0.1:8001/ (Ctrl-C to close)",
        "There is no network: other devices cannot connect.",
    ]),
])
def test_the_terminal_says_every_address_of_the_house(
    host: str, machine: tuple[str, ...], lines: list[str]
) -> None:
    settings = Settings(host=host, machine=lambda: machine)
    assert list(serving.announcement(settings, 8001, "en")) == lines


@pytest.mark.parametrize(("settings", "address"), [
    ({"host": "0.0.0.0"}, "http://192.0.2.7:8001/"),
    ({"host": "192.0.2.9"}, "http://192.0.2.9:8001/"),
    ({"host": "127.0.0.1", "origins": ("https://club.example",)}, "https://club.example/"),
])
def test_a_wide_terminal_shows_the_address_for_others_as_a_code(
    settings: dict[str, Any], address: str
) -> None:
    house = Settings(machine=lambda: ("192.0.2.7", "198.51.100.7"), **settings)
    plain = list(serving.announcement(house, 8001, "en"))
    assert list(serving.announcement(house, 8001, "en", 20)) == plain
    assert list(serving.announcement(house, 8001, "en", 80)) == plain + qr_lines(address, 80)


def test_a_house_for_this_machine_alone_shows_no_code() -> None:
    house = Settings(machine=lambda: ("192.0.2.7",))
    assert len(list(serving.announcement(house, 8001, "en", 80))) == 1


def test_a_code_in_the_terminal_is_the_code() -> None:
    address = "http://192.0.2.7:8001/"
    rows: list[list[bool]] = []
    for line in qr_lines(address, 80):
        shown = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
        rows += [[letter in "▀█" for letter in shown], [letter in "▄█" for letter in shown]]
    code = segno.make_qr(address, error="l")
    wanted = [[bool(module) for module in row] for row in code.matrix_iter(border=2)]
    assert rows[:len(wanted)] == wanted


def test_a_house_that_listens_everywhere_is_found_by_both_families() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with serving.listen("::", 0, "en") as listening:
        port = listening.getsockname()[1]
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, port), timeout=5).close()


def test_an_origin_is_kept_as_browsers_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Settings] = []
    monkeypatch.setattr(serving, "serve_house", lambda settings, **_: served.append(settings))
    CliRunner().invoke(app, ["serve", "--origin", "https://club.example/"], catch_exceptions=False)
    assert [settings.origins for settings in served] == [("https://club.example",)]


def test_a_database_that_cannot_be_used_is_said_in_a_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "set_up_logs", lambda **_: None)
    letter, other, spoilt = (tmp_path / name for name in ("letter", "other.db", "spoilt.db"))
    letter.write_text("Dear house,\n" * 500)
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE tables (id TEXT)")
    Store(str(spoilt)).close()
    spoilt.write_bytes(spoilt.read_bytes()[:8192] + b"\xa5" * 8192)
    for database in (letter, other, spoilt, tmp_path, "/dev/null", "mysql://x/y",
                     "postgresql://nobody@127.0.0.1:1/x"):
        with pytest.raises(SystemExit) as ended:
            main(["serve", "--no-browser", "--port", "0", "--database", str(database)])
        assert ended.value.code == 2, database
        said = capfd.readouterr().err
        assert said.startswith("escale: ")
        assert "Traceback" not in said


@pytest.mark.parametrize(("written", "origin"), [
    ("https://club.example", "https://club.example"), ("https://Club.Example/", "https://club.example"),
    ("http://192.0.2.7:8000", "http://192.0.2.7:8000"), ("https://club.example:443", "https://club.example"),
    ("http://[fd00::7]:8000", "http://[fd00::7]:8000"),
])
def test_an_origin_is_read_as_browsers_write_it(written: str, origin: str) -> None:
    assert parse_origin(written) == origin


@pytest.mark.parametrize("wrong", [
    "club.example", "https://club.example/play", "ftp://club.example", "https://", "https://a:b",
    "https://ana@club.example", "https://club.example?x",
])
def test_an_origin_that_no_browser_sends_is_refused_at_the_start(wrong: str) -> None:
    with pytest.raises(Misuse, match=r"https://club\.example, with nothing after it"):
        parse_origin(wrong)


def test_a_port_that_was_asked_for_is_that_one_or_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(serving.NoPort, match=f"Port {port} is in use"):
            serving.listen("127.0.0.1", port, "en", any_port=False)
        done = subprocess.run(
            [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", str(port)],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
            env={**os.environ, "ESCALE_LANG": "en"},
        )
        assert done.returncode == 2, done.stderr
        assert "is in use" in done.stderr
    monkeypatch.setattr(serving, "serve_house", lambda *_, **__: pytest.fail("it was not refused"))
    monkeypatch.setenv("ESCALE_LANG", "en")
    for arguments, reason in (
        (["--lang", "de"], "is not known"), (["--engine", "Foo=/nonexistent"], "cannot be run"),
        (["--origin", "club.example"], "An origin is written"),
    ):
        with pytest.raises(SystemExit) as refused:
            main(["serve", "--no-browser", *arguments])
        assert refused.value.code == 2
        assert reason in capsys.readouterr().err


def test_where_the_house_is_is_said_publicly_and_as_json() -> None:
    settings = Settings(host="127.0.0.1", origins=("https://club.example",))
    lines = list(serving.announcement(settings, 8001, "en"))
    assert lines[1] == "Its public address: https://club.example/"
    assert json.loads(json_line(lines[1]))["message"] == lines[1]


def test_that_another_port_is_tried_is_said_as_json_too(
    capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        serving.listen("127.0.0.1", port, "en", log_json=True).close()
    assert str(port) in json.loads(capsys.readouterr().err.splitlines()[0])["message"]


@pytest.mark.parametrize(("lang", "spoken"), [
    ("fr_FR.UTF-8", "fr"), ("de_DE.UTF-8", "en"), ("C.UTF-8", "en"), ("", "en"),
])
def test_the_terminal_speaks_french_where_the_system_does(
    lang: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ESCALE_LANG", raising=False)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", lang)
    assert speak() == spoken
