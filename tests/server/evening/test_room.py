"""The house is opened to the room, and closed again, by its host alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from escale.server.app import create_app
from escale.server.evening.room import Room
from escale.server.settings import Settings
from tests.server.evening.test_pages import wait_for
from tests.server.people.test_notebooks import HERE, device
from tests.sizes import PATIENCE_SECONDS

OPEN = "http://192.0.2.7:8000"


class Door:
    """A door that only remembers whether it is open."""

    origins: tuple[str, ...] = ()

    async def open(self) -> None:
        self.origins = (OPEN, "http://escale.local:8000")

    async def close(self) -> None:
        self.origins = ()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/escale.db", workers=1))
    with TestClient(
        app, "http://127.0.0.1:8000", follow_redirects=False, client=("127.0.0.1", 5000)
    ) as client:
        app.state.room = Room(Door())
        yield client


def test_the_host_opens_the_house_and_closes_it(house: TestClient) -> None:
    room: Room = house.app.state.room           # type: ignore[attr-defined]
    assert "Open to the devices" not in house.get("/en").text
    assert "Open now" not in house.get("/en/room").text
    assert house.post("/room", data={"do": "open"}).status_code == 403
    assert house.post("/room", data={"do": "enter", "key": "wrong"}).status_code == 403
    assert room.origins == ()
    answer = house.post("/room", data={"do": "enter", "key": room.key, "lang": "en"})
    assert answer.headers["location"] == "/en"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert room.key not in answer.headers["set-cookie"]
    assert "Open to the devices" in house.get("/en").text
    house.post("/room", data={"do": "open", "lang": "en"})
    page = house.get("/en/room").text
    assert OPEN in page
    assert "escale.local" in page
    assert "<svg" in page
    # An evening is opened under the address that phones can reach.
    created = house.post("/evening", data={
        "title": "Jeudi", "games": "tortuga", "format": "swiss", "lang": "en",
    })
    assert f"{OPEN}/en/e/" in house.get(created.headers["location"]).text
    house.post("/room", data={"do": "close"})
    assert room.origins == ()


def test_others_cannot_open_it(tmp_path: Path) -> None:
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/escale.db", workers=1))
    with TestClient(app, HERE, follow_redirects=False) as elsewhere:
        room = app.state.room = Room(Door())
        for visitor in (elsewhere, device(elsewhere)):
            assert visitor.get("/en/room").status_code == 404
            answer = visitor.post("/room", data={"do": "enter", "key": room.key})
            assert answer.status_code == 404
        app.state.room = None
        assert elsewhere.get("/en/room").status_code == 404


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.exhaustive
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("ip") is None, reason="needs network namespaces"
)
def test_a_room_without_internet_finds_the_house(tmp_path: Path) -> None:
    """Two machines on one cable, neither with a route to anywhere else."""
    host, phone = f"escale-h{os.getpid()}", f"escale-p{os.getpid()}"
    with ExitStack() as after:
        for name in (host, phone):
            run("ip", "netns", "add", name)
            after.callback(run, "ip", "netns", "delete", name)
        run("ip", "link", "add", "cable0", "netns", host, "type", "veth",
            "peer", "name", "cable0", "netns", phone)
        for name, address in ((host, "10.77.0.1"), (phone, "10.77.0.2")):
            run("ip", "netns", "exec", name, "ip", "address", "add", f"{address}/24", "dev",
                "cable0")
            for link in ("lo", "cable0"):
                run("ip", "netns", "exec", name, "ip", "link", "set", link, "up")
        assert run("ip", "netns", "exec", host, "ip", "route", "show", "default") == ""
        served = subprocess.Popen(
            ["ip", "netns", "exec", host, sys.executable, "-m", "escale", "serve", "--room",
             "--no-browser", "--port", "8123", "--lang", "en",
             "--database", str(tmp_path / "house.sqlite3")],
            stdout=subprocess.PIPE, text=True,
        )
        after.callback(served.wait, PATIENCE_SECONDS)
        after.callback(served.terminate)
        assert served.stdout is not None
        after.callback(served.stdout.close)
        key = ""
        for line in served.stdout:
            key = found[1] if (found := re.search(r"/room#([\w-]+)", line)) else key
            if "http://10.77.0.1:8123/" in line:
                break
        fetch = ("import sys, urllib.request, urllib.parse;"
                 "data = urllib.parse.urlencode(dict(one.split('=', 1) for one in sys.argv[2:]));"
                 "opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor());"
                 "print(opener.open(sys.argv[1], data.encode() or None, 20).read().decode())")
        page = run("ip", "netns", "exec", phone, sys.executable, "-c", fetch,
                   "http://10.77.0.1:8123/en/evening")
        assert "An evening of games together" in page
        # Closed again, only the machine itself comes in.
        close = ("import sys, urllib.request, urllib.parse;"
                 "opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor());"
                 "send = lambda **f: opener.open('http://127.0.0.1:8123/room',"
                 " urllib.parse.urlencode(f).encode(), 20);"
                 "send(do='enter', key=sys.argv[1]); print(send(do='close', lang='en').status)")
        assert run("ip", "netns", "exec", host, sys.executable, "-c", close, key).strip() == "200"

        def is_closed() -> bool:
            tried = subprocess.run(
                ["ip", "netns", "exec", phone, sys.executable, "-c", fetch,
                 "http://10.77.0.1:8123/"], capture_output=True, check=False,
            )
            return tried.returncode != 0

        wait_for(is_closed)
