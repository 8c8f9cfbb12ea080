"""Play while the disk fills up, or becomes read-only, and after it is well again.

    LD_PRELOAD=failing_disk.so python -m tests.attacks.full_disk FOLDER
"""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

from escale.server.admin import health
from tests.attacks.failing_disk import DISK
from tests.server.hosting import MOUSSE, Hosted, Table, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people
from tests.sizes import PATIENCE_SECONDS

ENOSPC_ALWAYS, EROFS_ALWAYS = 4, 5
SENTENCE = "The house cannot save moves at the moment. Nothing is lost: try again shortly."


def fail(manner: int) -> None:
    """From the next call on, the disk takes nothing more."""
    DISK.disk_fails(ctypes.c_long(1), manner)


def recover() -> None:
    DISK.disk_fails(ctypes.c_long(0), 0)


def attempt(house: Hosted, south: Table, manner: int) -> None:
    """A move that cannot be written down is refused in a sentence, and can be made again later."""
    before = south.get()
    computer = house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
    opening = computer.get()["n"]
    fail(manner)
    action = {"n": before["n"], "move": "d2-d3"}
    for _ in range(3):
        refused = south.act("play", 0, status=503, **action)
        assert refused["message"] == SENTENCE, refused
    state = south.get()                         # what is there can be read
    assert (state["n"], state["ply"]) == (before["n"], before["ply"])
    assert house.client.get("/api/games").status_code == 200
    assert house.client.get("/readyz").json()["checks"]["store"]["ok"] is False
    page = house.client.post("/tables", data={"game": "tortuga", "lang": "en", "way": "screen"})
    assert page.status_code == 503, page.text
    assert "Nothing is lost" in page.text
    with south.live() as ear:
        ear.next("state")
        ear.send(do="play", seat=0, id="live-play", **action)
        assert ear.next("refused")["message"] == SENTENCE
    recover()
    south.act("play", 0, **action)              # the house needs no help
    assert south.get()["ply"] == before["ply"] + 1
    computer.act("play", 0, n=opening, move="d2-d3")
    computer.wait_for(turn=0, ply=2)
    until = time.monotonic() + PATIENCE_SECONDS
    while not house.client.get("/readyz").json()["checks"]["store"]["ok"]:
        assert time.monotonic() < until
        time.sleep(0.05)


def main(folder: Path) -> None:
    """Both manners, each at a house of its own; what was acknowledged is there afterwards."""
    health.FRESH_SECONDS = 0.0
    for name, manner in (("full", ENOSPC_ALWAYS), ("read-only", EROFS_ALWAYS)):
        place = folder / f"{name}-failing.sqlite3"          # the disk is watched below this name
        place.mkdir()
        with hosted(place) as house:
            south, north = two_people(house)
            south.act("say", 0, text="acknowledged")
            attempt(house, south, manner)
        with hosted(place) as house:
            state = Table(house, south.id, south.token).get()
            assert state["ply"] == 1
            assert "acknowledged" in str(state["log"])
            Table(house, south.id, north.token).play(1, "d6-d5")
        print(name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
