"""Engines in the house: only those that the host has named, and no table waits for a bad one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.cli import main
from escale.server.tables import computers
from escale.server.workers.engines import NamedEngine, named_engines
from tests.opponents.engines import EXAMPLE, FAULTS, HOSTILE, written
from tests.server.hosting import OPEN, Hosted, hosted, person

MOVER = NamedEngine((sys.executable, str(EXAMPLE)), "Old Turtle", ("tortuga", "canyon-1997"))


def test_what_the_host_may_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "engines.toml"
    file.write_text('["Old Turtle"]\ncommand = ["turtle", "--quiet"]\ngames = ["tortuga"]\n'
                    "seconds = 2\nmemory = 64\nprocesses = 2\n", "utf-8")
    first, second = named_engines(["Sea Dog=/opt/dog 'a b'"], file)
    assert first == NamedEngine(("turtle", "--quiet"), "Old Turtle", ("tortuga",), 2, 64, 2)
    assert second == NamedEngine(("/opt/dog", "a b"), "Sea Dog")
    assert (first.plays("canoe"), second.plays("canoe")) == (False, True)
    for words in (["mousse=/opt/x"], ["=/opt/x"], ["x"], ["x="], ["x=a", "x=b"], ["x='a"],
                  ["a\u202eb=x"], [f"{'x' * 41}=x"]):
        with pytest.raises(escale.BadOption):
            named_engines(words)
    for text in ("command", "[x]\ncommand = []", "[x]\ncommand = ['x']\nshell = true",
                 "[x]\ncommand = ['x']\nseconds = 0", "[x]\ncommand = ['x']\nmemory = 0",
                 "[x]\ncommand = ['x']\ngames = ['chess']", "x = 1"):
        file.write_text(text, "utf-8")
        with pytest.raises(escale.BadOption, match="engines.toml"):
            named_engines([], file)
    with pytest.raises(SystemExit) as refused:
        main(["serve", "--engine", "amiral=rm"])
    assert refused.value.code == 2
    assert "amiral" in capsys.readouterr().err


def levels(house: Hosted, slug: str) -> dict[str, str]:
    facts = house.client.get(f"/api/games/{slug}").json()
    return {level["level"]: level["name"] for level in facts["levels"]}


def test_a_named_engine_is_an_opponent_like_a_level(tmp_path: Path) -> None:
    with hosted(tmp_path, engines=(MOVER,)) as house:
        assert levels(house, "tortuga")["Old Turtle"] == "Old Turtle"
        assert "Old Turtle" not in levels(house, "canoe")
        page = house.client.get("/en/g/tortuga").text
        assert 'value="Old Turtle"' in page
        assert "a program that the host has installed" in page
        assert "Old Turtle" not in house.client.get("/en/g/canoe").text

        table = house.create("tortuga", person("Ana"), {"kind": "computer", "level": "Old Turtle"},
                             options={"first": "south"})
        table.play(0, "d2-d3")
        state = table.wait_for(turn=0)
        assert state["seats"][1]["level_name"] == "Old Turtle"
        assert state["moves"] == 2
        assert "Old Turtle" in house.client.get(f"/en/t/{table.id}/score").text
        table.act("offer", 0, what="takeback")
        table.wait_for(moves=0)

        # From a form, and where hands are hidden.
        answer = house.client.post("/tables", data={
            "game": "tortuga", "way": "computer", "level": "Old Turtle", "lang": "en",
        })
        assert answer.status_code == 303
        for fields in ({"level": "god"}, {"way": "link", "seat-0": "cat"}):
            answer = house.client.post("/tables", data={
                "game": "tortuga", "way": "computer", "lang": "fr", **fields,
            })
            assert answer.status_code == 422
            assert "L’ordinateur n’a pas de niveau" in answer.text
        hidden = house.create("canyon-1997", person("Ana"), OPEN, OPEN)
        for seat in (1, 2):
            hidden.act("hand", seat, level="Old Turtle")
        moves = hidden.get("/moves")
        while not moves["moves"]:
            hidden.wait_for(turn=0)
            moves = hidden.get("/moves")
        hidden.play(0, moves["moves"][0]["text"])
        hidden.wait_for(turn=0)

        # No other engine is accepted, and no command.
        for level in ("New Turtle", f"engine:{sys.executable}", str(EXAMPLE)):
            computer = {"kind": "computer", "level": level[:40]}
            body = {"game": "tortuga", "seats": [person(), computer]}
            refused = house.client.post("/api/tables", json=body)
            assert refused.status_code == 422, level
            table.act("hand", 0, 422, level=level[:40])
        body = {"game": "canoe", "seats": [person(), {"kind": "computer", "level": "Old Turtle"}]}
        assert house.client.post("/api/tables", json=body).status_code == 422
        assert "canoe" not in MOVER.games


@pytest.mark.parametrize("name", ["garbage", "silence", "death", "memory", "illegal"])
def test_the_house_plays_on_for_an_engine_that_fails(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "GRACE_SECONDS", 0.3)
    bad = NamedEngine(
        tuple(written(tmp_path, name, HOSTILE[name])), "Bad", memory=256,
        seconds=0.2 if name == "silence" else 5.0,
    )
    with hosted(tmp_path, engines=(bad,)) as house:
        table = house.create("tortuga", {"kind": "computer", "level": "Bad"}, person("Ana"),
                             options={"first": "south"})
        state = table.wait_for(turn=1)
        assert state["seats"][0]["level"] == "bosco"
        [gave_up] = [event for event in state["log"] if event.get("fault")]
        assert gave_up["fault"] == FAULTS[name]
        assert "Bosun" in gave_up["sentence"]
        assert "rogram" in gave_up["sentence"]
        assert state["moves"] == 1


def test_an_engine_that_the_host_no_longer_has_leaves_no_table_waiting(tmp_path: Path) -> None:
    with hosted(tmp_path, engines=(MOVER,)) as house:
        table = house.create("tortuga", person("Ana"), {"kind": "computer", "level": "Old Turtle"},
                             options={"first": "south"})
    with hosted(tmp_path) as house:
        table.hosted = house
        table.play(0, "d2-d3")
        state: Any = table.wait_for(turn=0)
        assert state["seats"][1]["level"] == "bosco"


def test_an_engine_serves_many_tables_in_turn(tmp_path: Path) -> None:
    with hosted(tmp_path, engines=(MOVER,)) as house:
        tables = [
            house.create("tortuga", person("Ana"), {"kind": "computer", "level": "Old Turtle"},
                         options={"first": "south"})
            for _ in range(8)
        ]
        for table in tables:
            table.play(0, "d2-d3")
        for table in tables:
            table.wait_for(turn=0)
        [processes] = house.house.thinkers._named.values()
        assert processes.queue.size == 1
        assert processes.queue.busy == 0
