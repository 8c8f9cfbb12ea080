"""Notices: who asked is told once a turn, also after the house was closed, and nobody else is."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.edge.outgoing import check_address, is_public, post
from escale.server.edge.problems import Problem
from escale.server.settings import Settings
from tests.server.hosting import person
from tests.server.people.test_notebooks import HERE, create, device, keep
from tests.sizes import PATIENCE_SECONDS


class Sink:
    """A receiver of notices that notes what it gets, and answers with a status."""

    def __init__(self, *, raw: bool = False) -> None:
        """With `raw` bodies are noted as they are."""
        self.got: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.status = 200
        self.answers = threading.Event()
        self.answers.set()
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                sink.bodies.append(self.rfile.read(length))
                sink.headers.append({name.lower(): each for name, each in self.headers.items()})
                if not raw:
                    sink.got.append(json.loads(sink.bodies[-1]))
                sink.answers.wait(PATIENCE_SECONDS)
                self.send_response(sink.status)
                self.send_header("location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/topic"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def sink() -> Iterator[Sink]:
    opened = Sink()
    yield opened
    opened.close()


class Later:
    """A clock that one can put forward."""

    ahead = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead


@contextmanager
def opened(path: Path, now: Later) -> Iterator[TestClient]:
    settings = Settings(
        database=f"sqlite:///{path}/escale.db", workers=1, limits=Limits.none(),
        notices_anywhere=True,
    )
    app = create_app(settings, now=now)
    with TestClient(app, HERE, follow_redirects=False) as client:
        yield client


def deliver(house: TestClient, now: Later) -> None:
    """Let some minutes pass, and the outbox be emptied."""
    now.ahead += 600_000
    assert house.portal is not None
    service = cast(Any, house.app).state.notebooks.notice_service
    house.portal.call(service.send_waiting)
    settle(service)


def settle(service: Any) -> None:
    """Wait for the notices that are on their way; the house itself may have sent them."""
    until = time.monotonic() + PATIENCE_SECONDS
    while service._being_sent and time.monotonic() < until:
        time.sleep(0.01)


def ask(client: TestClient, sink: Sink, kind: str = "hook") -> None:
    answer = client.post(
        "/notebook", data={"do": "notice", "kind": kind, "address": sink.address, "lang": "en"}
    )
    assert answer.status_code == 303, answer.text


def play(house: TestClient, table: dict[str, Any]) -> None:
    """Play a move of whoever has the turn, as a program with the token of both seats does."""
    headers = {"authorization": f"Bearer {table['token']}"}
    address = f"/api/tables/{table['table']}"
    state = device(house).get(address, headers=headers).json()
    seat = state["turn"]
    moves = device(house).get(f"{address}/moves?as={seat}", headers=headers).json()["moves"]
    body = {"do": "play", "seat": seat, "id": f"p{state['n']}", "n": state["n"],
            "move": moves[0]["text"]}
    answer = device(house).post(f"{address}/events", headers=headers, json=body)
    assert answer.status_code == 200, answer.text


def seated(house: TestClient, **more: Any) -> tuple[TestClient, TestClient, dict[str, Any]]:
    """Ana, Ulysse, and a table at which Ana has the first seat and Ulysse the second."""
    ana, ulysse = device(house), device(house)
    table = create(house, person("Ana"), {"kind": "open"}, options={"first": "south"}, **more)
    sat = house.post(f"/api/tables/{table['table']}/seats/1", json={"name": "Ulysse"}).json()
    keep(ana, table)
    keep(ulysse, {"table": table["table"], "token": sat["token"]})
    return ana, ulysse, {**table, "other": sat["token"]}


def move(house: TestClient, table: dict[str, Any]) -> None:
    """The player whose turn it is moves."""
    state = device(house).get(f"/api/tables/{table['table']}").json()
    play(house, {**table, "token": table["token" if state["turn"] == 0 else "other"]})


def test_one_notice_a_turn_and_only_for_who_asked(tmp_path: Path, sink: Sink) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        deliver(house, now)
        assert sink.got == []                       # off until asked
        ask(ana, sink)
        assert len(sink.got) == 1                   # the test message
        move(house, table)
        deliver(house, now)
        assert len(sink.got) == 1                   # it is the other's turn
        move(house, table)
        deliver(house, now)
        deliver(house, now)
        assert len(sink.got) == 2
        assert sink.got[1]["title"] == "Your turn: Tortuga, with Ulysse"
        assert sink.got[1]["games"][0]["link"].endswith(f"/en/t/{table['table']}")
        move(house, table)
        move(house, table)
        move(house, table)                          # Ana has moved before it was sent
        deliver(house, now)
        assert len(sink.got) == 2


def test_games_that_wait_together_make_one_message(tmp_path: Path, sink: Sink) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, first = seated(house)
        ask(ana, sink, "ntfy")
        assert sink.got[0]["topic"] == "topic"
        second = create(house, person("Ana"), {"kind": "open"}, options={"first": "north"})
        sat = house.post(f"/api/tables/{second['table']}/seats/1", json={"name": "Bo"}).json()
        keep(ana, second)
        for table in (first, {**second, "other": sat["token"]}):
            for _ in range(2):
                move(house, table)
        deliver(house, now)
        assert len(sink.got) == 2
        assert sink.got[1]["message"].count("/t/") >= 1


def test_what_was_in_the_outbox_is_sent_by_the_house_that_opens_next(
    tmp_path: Path, sink: Sink
) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        ask(ana, sink)
        move(house, table)
        move(house, table)
    assert len(sink.got) == 1
    with opened(tmp_path, now) as house:
        deliver(house, now)
        assert len(sink.got) == 2
    with opened(tmp_path, now) as house:
        deliver(house, now)
        assert len(sink.got) == 2


def test_none_while_one_looks_and_none_after_the_notebook_is_erased(
    tmp_path: Path, sink: Sink
) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        ask(ana, sink)
        address = f"ws://localhost/api/tables/{table['table']}/live"
        with ana.websocket_connect(address) as socket:
            socket.send_json({"do": "hello"})
            socket.receive_json()
            move(house, table)
            move(house, table)
            deliver(house, now)
        assert len(sink.got) == 1
        move(house, table)
        move(house, table)
        ana.post("/notebook", data={"do": "erase", "sure": "yes"})
        deliver(house, now)
        assert len(sink.got) == 1


def test_a_dead_endpoint_is_dropped(tmp_path: Path, sink: Sink) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        ask(ana, sink)
        sink.status = 410
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert len(sink.got) == 2
        assert sink.address not in ana.get("/en/notebook").text
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert len(sink.got) == 2


def test_a_slow_receiver_keeps_no_other_person_waiting(tmp_path: Path, sink: Sink) -> None:
    now, slow = Later(), Sink()
    with opened(tmp_path, now) as house:
        ana, ulysse, table = seated(house)
        ask(ana, slow)
        ask(ulysse, sink)
        slow.answers.clear()
        service = cast(Any, house.app).state.notebooks.notice_service
        assert house.portal is not None

        portal = house.portal

        def send_until(receiver: Sink) -> None:
            until = time.monotonic() + PATIENCE_SECONDS
            while len(receiver.got) < 2 and time.monotonic() < until:
                portal.start_task_soon(service.send_waiting)
                time.sleep(0.01)
            assert len(receiver.got) == 2

        try:
            move(house, table)
            move(house, table)                      # Ana's turn again
            now.ahead += 600_000
            send_until(slow)
            move(house, table)                      # Ulysse's turn
            now.ahead += 600_000
            send_until(sink)
            assert service._being_sent              # Ana's receiver has not answered yet
        finally:
            slow.answers.set()
        settle(service)
        assert len(slow.got) == 2
    slow.server.shutdown()
    slow.server.server_close()


def test_an_address_that_does_not_answer_is_not_taken(tmp_path: Path, sink: Sink) -> None:
    with opened(tmp_path, Later()) as house:
        ana, _, _ = seated(house)
        sink.status = 302                           # a redirection is not followed
        answer = ana.post(
            "/notebook", data={"do": "notice", "kind": "hook", "address": sink.address}
        )
        assert answer.status_code == 422
        assert len(sink.got) == 1


@pytest.mark.parametrize("address", [
    "ftp://example.org/", "https://user:secret@example.org/", "https://example.org:22/",
    "https://exa mple.org/", "file:///etc/passwd", "https:///nothing", "https://example.org:x/",
    "http://example.org/\r\nX: y", "javascript:alert(1)", "https://" + "x" * 700,
    "https://a..b/", f"https://{'x' * 64}.example/",
])
def test_addresses_that_are_none_of_the_web_are_refused(address: str) -> None:
    with pytest.raises(Problem) as refused:
        check_address(address)
    assert refused.value.code == "bad-address"


@pytest.mark.parametrize("address", [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/",
    "http://0.0.0.0:{port}/", "http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://2130706433:{port}/", "http://127.1:{port}/",
    "http://[fe80::1]/", "http://[fd00::1]/", "http://100.64.0.1/", "http://[fec0::1]/",
])
def test_nobody_makes_the_house_knock_at_its_own_network(address: str, sink: Sink) -> None:
    there = address.replace("{port}", str(sink.server.server_address[1]))
    with pytest.raises(OSError):                    # noqa: PT011
        asyncio.run(post(there, b"{}", "application/json"))
    assert sink.got == []


def test_public_addresses_are_public() -> None:
    assert is_public("93.184.215.14")
    assert is_public("2606:4700:4700::1111")
