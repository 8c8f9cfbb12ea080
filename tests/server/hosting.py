"""A real house for tests: uvicorn in a thread, a database on disk, a clock that one sets."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import uvicorn
from websockets.sync.client import ClientConnection, connect

from escale.server.app import create_app
from escale.server.edge.protocols import Config
from escale.server.settings import Settings
from escale.server.tables.house import House
from tests.sizes import PATIENCE_SECONDS

T = TypeVar("T")

MOUSSE = {"kind": "computer", "level": "mousse"}
OPEN = {"kind": "open"}


def person(name: str = "") -> dict[str, str]:
    return {"kind": "person", "name": name}


class Hosted:
    """A running house, and what one needs to talk to it."""

    def __init__(self, server: uvicorn.Server, app: Any, url: str) -> None:
        self.app = app
        self.server = server
        self.url = url
        self.client = httpx2.Client(
            base_url=url, timeout=PATIENCE_SECONDS, headers={"accept-language": "en"}
        )

    @property
    def house(self) -> House:
        house: House = self.app.state.house
        return house

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the server's own event loop."""
        return asyncio.run_coroutine_threadsafe(work, self.house.loop).result(PATIENCE_SECONDS)

    def create(self, game: str, *seats: dict[str, Any], **more: Any) -> Table:
        answer = self.client.post("/api/tables", json={"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json()["table"], answer.json()["token"])


class Table:
    """A table as the holder of a token sees it."""

    def __init__(self, hosted: Hosted, id: str, token: str | None) -> None:
        self.hosted = hosted
        self.id = id
        self.token = token
        self.count = 0

    def holding(self, token: str | None) -> Table:
        return Table(self.hosted, self.id, token)

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str = "", **query: Any) -> Any:
        answer = self.hosted.client.get(
            f"/api/tables/{self.id}{path}", headers=self.headers, params=query
        )
        assert answer.status_code == 200, answer.text
        return answer.json() if "jsonl" not in answer.headers["content-type"] else answer.text

    def act(self, do: str, seat: int, status: int = 200, **more: Any) -> Any:
        self.count += 1
        body = {"do": do, "seat": seat, "id": f"{do}-{seat}-{self.count}", **more}
        answer = self.hosted.client.post(
            f"/api/tables/{self.id}/events", headers=self.headers, json=body
        )
        assert answer.status_code == status, answer.text
        return answer.json()

    def play(self, seat: int, move: str, **more: Any) -> Any:
        return self.act("play", seat, **{"n": self.get()["n"], "move": move, **more})

    def sit(self, seat: int, **body: Any) -> Table:
        answer = self.hosted.client.post(f"/api/tables/{self.id}/seats/{seat}", json=body)
        assert answer.status_code == 200, answer.text
        return self.holding(answer.json()["token"])

    def wait_for(self, **wanted: Any) -> Any:
        """The State as soon as it is as wanted."""
        until = time.monotonic() + PATIENCE_SECONDS
        since = 0
        while time.monotonic() < until:
            state = self.get()
            if all(state[name] == value for name, value in wanted.items()):
                return state
            since = self.get("/events", since=state["n"], wait=2)["n"]
        raise AssertionError(f"never {wanted}; at event {since}")

    @contextmanager
    def live(self, **hello: Any) -> Iterator[Ear]:
        address = f"{self.hosted.url.replace('http', 'ws')}/api/tables/{self.id}/live"
        with connect(address, max_size=None) as socket:
            socket.send(json.dumps({"do": "hello", "token": self.token, "lang": "en", **hello}))
            yield Ear(socket)


class Ear:
    """A live connection that remembers all that it heard."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[str] = []

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, *types: str, timeout: float = PATIENCE_SECONDS) -> Any:
        """The next message of one of these types."""
        while True:
            text = self.socket.recv(timeout)
            assert isinstance(text, str)
            self.heard.append(text)
            message = json.loads(text)
            if message["type"] in types:
                return message


class SetClock:
    """A clock that stands until it is set; in Unix milliseconds."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@contextmanager
def hosted(folder: Path, *, now: SetClock | None = None, **settings: Any) -> Iterator[Hosted]:
    """A house whose database is in `folder`."""
    chosen = Settings(
        **{"database": str(folder / "house.sqlite3"), "workers": 1, **settings}
    )
    app = create_app(chosen, now=now) if now else create_app(chosen)
    server = uvicorn.Server(Config(
        app, chosen.limits, chosen.trusted_proxies, host=chosen.host, port=0, log_config=None,
        ws_max_size=100_000, timeout_graceful_shutdown=2,
    ))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the house did not open"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    house = Hosted(server, app, f"http://127.0.0.1:{port}")
    try:
        yield house
    finally:
        house.client.close()
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive(), "the house did not close"
