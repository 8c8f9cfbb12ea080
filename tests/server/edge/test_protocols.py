"""Connections that keep the house waiting, and how many there may be."""

from __future__ import annotations

import itertools
import logging
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from escale.game.errors import BadOption
from escale.server.edge import door, protocols
from escale.server.edge.door import OnceAMinute
from escale.server.edge.limits import Limits
from tests.attacks.wire import (
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    frame,
    frames,
    until_closed,
    upgrade,
)
from tests.server.hosting import OPEN, Hosted, hosted, person
from tests.sizes import PATIENCE_SECONDS

WHOLE = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n\r\n"
LAST = WHOLE.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
ORDER = (
    b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: 2\r\n\r\n{}"
)


@contextmanager
def quick_house(folder: Path, patch: pytest.MonkeyPatch, **limits: object) -> Iterator[Hosted]:
    """A house that has little patience."""
    patch.setattr(protocols, "HEAD_SECONDS", 0.4)
    patch.setattr(protocols, "BODY_SECONDS", 0.4)
    patch.setattr(door, "CHECK_SECONDS", 0.1)
    patch.setattr(door, "STALLED_SECONDS", 0.5)
    patch.setattr(door, "LINGER_SECONDS", 0.3)
    with hosted(folder, limits=Limits(**{"requests": 1e6, **limits})) as house:  # type: ignore[arg-type]
        yield house


def call(house: Hosted, *parts: bytes, small: bool = False) -> socket.socket:
    line = socket.socket()
    if small:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(PATIENCE_SECONDS)
    line.connect(("127.0.0.1", int(house.url.rpartition(":")[2])))
    for part in parts:
        line.sendall(part)
    return line


def ends(line: socket.socket) -> bytes:
    """What is read until the house closes the connection."""
    read = b""
    try:
        while part := line.recv(65_536):
            read += part
    except ConnectionResetError:
        pass
    line.close()
    return read


def sent_slowly(line: socket.socket, data: bytes) -> int:
    """How many bytes can be sent, one now and then, until the house closes the connection."""
    with line:
        for count, byte in enumerate(data):
            try:
                line.sendall(bytes([byte]))
            except OSError:
                return count
            time.sleep(0.05)
    return len(data)


@pytest.mark.parametrize("parts", [
    [], [b"GET / HT"], [b"GET / HTTP/1.1\r\nhost: localhost\r\n"], [b"\r\n"], [WHOLE, b"\r\n"],
    [WHOLE, b"GET /"], [ORDER[:-2]],
    [b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\n"],
])
def test_half_a_request_is_not_waited_for(
    parts: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        line = call(house)
        for part in parts:
            line.sendall(part)
            time.sleep(0.05)
        ends(line)                          # it does end: reading would time out otherwise


def test_one_byte_now_and_then_is_half_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        line = call(house)
        assert sent_slowly(line, WHOLE * 10) < len(WHOLE)


def test_who_asks_in_time_is_answered_however_long_the_answer_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        table = house.create("tortuga", person(), OPEN)
        n = table.get()["n"]
        assert table.get("/events", since=n, wait=1.5)["events"] == []
        with table.live() as ear:
            ear.next("state")
            time.sleep(1.5)
            table.act("say", 0, text="still here")
            assert ear.next("events")


def test_an_endless_head_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        with call(house, b"GET / HTTP/1.1\r\n") as line:
            headers = 0
            with suppress(OSError):
                while headers < 50_000:         # many times what the system keeps on its way
                    line.sendall(b"x-%d: %s\r\n" % (headers, b"y" * 1000))
                    headers += 1
        assert headers < 50_000


def head(size: int) -> bytes:
    """A request whose head has so many bytes."""
    lines = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\nx: %s\r\n\r\n"
    return lines % (b"y" * (size - len(lines) + 2))


def test_a_head_has_at_most_64_kilobytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        assert b"200 OK" in ends(call(house, head(65_000)))
        for parts in ([head(66_000)], [head(70_000)[:40_000], head(70_000)[40_000:]]):
            assert b"200 OK" not in ends(call(house, *parts))


@pytest.mark.parametrize("resets", [True, False])
def test_what_follows_requests_and_is_none_writes_no_traceback(
    resets: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        for request in (ORDER, WHOLE):
            line = call(house, request * 2 + (b"" if resets else b"NONE \0\1\r\n\r\n"))
            if resets:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                line.close()
            else:
                assert b" 400 " in ends(line)
        for _ in range(20):                     # until all of them were answered, or given up
            assert b"200 OK" in ends(call(house, LAST))
    assert "Traceback" not in caplog.text
    assert "Exception in ASGI" not in caplog.text


def test_requests_are_not_piled_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        assert ends(call(house, WHOLE * 1000)).count(b"200 OK") < 100
        several = call(house, WHOLE * 3)
        assert ends(several).count(b"200 OK") == 3


def test_an_address_has_so_many_connections_and_then_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door.log, "filters", [OnceAMinute()])
    with quick_house(tmp_path, monkeypatch, connections=20) as house, ExitStack() as stack:
        monkeypatch.setattr(protocols, "HEAD_SECONDS", 60)
        lines = [stack.enter_context(call(house, b"GET")) for _ in range(20)]
        assert ends(call(house, WHOLE)).startswith(b"HTTP/1.1 503")
        assert ends(call(house)).startswith(b"HTTP/1.1 503")
        lines.pop().close()
        until = time.monotonic() + PATIENCE_SECONDS
        while b"200 OK" not in ends(call(house, WHOLE)):    # until the house sees that it is gone
            assert time.monotonic() < until
    assert caplog.text.count("has 20 connections: no more are taken from there") == 1


def test_who_does_not_read_an_answer_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        big = b"GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
        lines = [call(house, big * 60, small=True) for _ in range(3)]
        inside = house.server.config.door                       # type: ignore[attr-defined]
        until = time.monotonic() + PATIENCE_SECONDS
        while inside.count > 1 and time.monotonic() < until:
            time.sleep(0.1)
        assert inside.count <= 1                               # perhaps the client of the house
        for line in lines:
            line.close()


def test_the_limit_of_files_is_raised_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    found = protocols.raise_file_limit()
    assert found >= before[0] or before[0] == resource.RLIM_INFINITY
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] == before[1]


@pytest.mark.parametrize(("protocol", "name"), [
    (protocol, name) for protocol, names in protocols.HOOKS.items() for name in names
], ids=lambda value: getattr(value, "__name__", value))
def test_a_uvicorn_without_what_is_extended_is_refused_by_name(
    protocol: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = set(protocols.HOOKS[protocol]) - {name}
    other = type(protocol.__name__, (), dict.fromkeys(left))
    monkeypatch.setattr(protocols, "HOOKS", {
        other if known is protocol else known: names for known, names in protocols.HOOKS.items()
    })
    with pytest.raises(BadOption, match=rf"{protocol.__name__}\.{name}\b"):
        protocols.check_uvicorn()


def test_all_that_is_extended_of_uvicorn_is_listed() -> None:
    for ours in (protocols.HttpConnection, protocols.LiveConnection):
        (base,) = ours.__bases__
        extended = {name for name in vars(ours) if not name.startswith("_")} - {"config"}
        assert extended <= set(protocols.HOOKS[base])


# ---- live connections ----


@pytest.mark.parametrize(("attack", "codes"), [
    (frame(b"\xff\xfe"), {1007}),
    (frame(b"x" * 100, PING) * 200, {1008}),
    (frame(b"", last=False) + frame(b"", CONTINUATION, last=False) * 1000, {1008}),
    (b"\xf7\xff" + b"\xff" * 30, {1002}),
    (frame(b"\x03\xe8", CLOSE) + frame(b'{"do": "view"}') * 20, {1000}),
    (b"\x81\xfe", set()),
    (frame(b"\xff\xfe") + frame(b"\x03\xe8", CLOSE), {1000}),
    (frame(b"x" * 100, PING) * 200 + frame(b"\x03\xe8", CLOSE), {1000}),
], ids=["utf-8", "pings", "fragments", "frame", "closed", "half", "utf-8-and-bye",
        "pings-and-bye"])
def test_what_is_no_message_ends_the_connection_and_logs_no_traceback(
    attack: bytes, codes: set[int], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    with quick_house(tmp_path, monkeypatch) as house:
        table = house.create("tortuga", person(), OPEN)
        for greets, resets in itertools.product((True, False), repeat=2):
            line = call(house)
            rest = upgrade(line, table.id)
            if greets:
                line.sendall(frame(b'{"do": "hello"}'))
            line.sendall(attack)
            if resets or not codes:
                if resets:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                line.close()
            else:
                assert until_closed(line, rest) in codes
            table.act("say", 0, text="and the house goes on")
    # Closing waits until what was begun has ended.
    assert "Traceback" not in caplog.text
    assert "Exception in ASGI" not in caplog.text


def test_pings_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with quick_house(tmp_path, monkeypatch) as house:
        table = house.create("tortuga", person(), OPEN)
        line = call(house)
        heard = frames(line, upgrade(line, table.id))
        for _ in range(5):
            line.sendall(frame(b"here?", PING))
            assert next(heard) == (PONG, b"here?")
        line.close()


def test_a_sentence_is_logged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    once = OnceAMinute(60, only=("a",))
    now = [0.0]
    monkeypatch.setattr(door, "monotonic", lambda: now[0])

    def said(text: str) -> bool:
        return once.filter(logging.LogRecord("x", 30, "", 0, text, (), None))

    assert [said("a"), said("a"), said("b"), said("b")] == [True, False, True, True]
    now[0] = 61
    assert said("a")
