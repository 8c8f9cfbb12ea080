"""The line protocol, asked by a program over pipes and by Hypothesis directly."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escale
from escale.opponents.engine import Session
from escale.opponents.protocol import LINE_BYTES
from tests.games.tortuga import witness
from tests.sizes import PATIENCE_SECONDS
from tests.strategies import nonsense


class Client:
    """A bot's side of the protocol."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "escale", "engine"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.asked = 0

    def send(self, line: bytes) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def ask(self, do: str, **fields: Any) -> Any:
        self.asked += 1
        answer = self.send(json.dumps({"id": self.asked, "do": do, **fields}).encode())
        assert answer["id"] == self.asked
        assert ("result" in answer) != ("error" in answer)
        return answer.get("result", answer.get("error"))


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.process.kill()
    client.process.communicate()


def test_a_whole_game_over_pipes(client: Client) -> None:
    listed = {game["slug"]: game for game in client.ask("games")["games"]}
    assert listed["tortuga"]["seats"] == [2, 2]
    assert listed["tortuga"]["options"]["longest"] == ["off", "jumps", "enemies"]
    shown = client.ask("new", game="tortuga", options={"first": "south"}, seed=3)
    assert shown["turn"] == 0
    assert shown["cells"]["d1"] == "south"
    assert "▲d1" in shown["text"]
    assert client.ask("perft", depth=3) == {"nodes": 4478}
    plies = 0
    while shown["turn"] is not None:
        moves = client.ask("moves")["moves"]
        successors = client.ask("successors")["successors"]
        assert [move["text"] for move in moves] == [after["text"] for after in successors]
        expected = witness.successors(shown["cells"], shown["turn"])
        assert sorted(map(str, (sorted(after["cells"].items()) for after in successors))) == sorted(
            map(str, (sorted(cells.items()) for cells in expected)))
        thought = client.ask("think", simulations=40, seed=plies)
        assert thought["move"] in [move["text"] for move in moves]
        assert thought["pv"][0] == thought["move"]
        assert sum(thought["score"]) == pytest.approx(1, abs=0.001)
        [after] = [after for after in successors if after["text"] == thought["move"]]
        shown = client.ask("play", move=thought["move"])
        assert (shown["turn"], shown["cells"]) == (after["turn"], after["cells"])
        plies += 1
    assert shown["outcome"]["ending"] in ("base", "stuck")
    for _ in range(plies):
        shown = client.ask("undo")
    assert shown == client.ask("new", game="tortuga", options={"first": "south"})
    assert client.ask("undo")["code"] == "not-now"
    assert client.ask("quit") == {}
    assert client.process.wait(PATIENCE_SECONDS) == 0


def test_bad_lines_are_answered_and_the_process_lives(client: Client) -> None:
    lines = [
        b"{", b"null", b"[1, 2]", b'"games"', b"\xff\xfe\x00", b"[" * 100_000, b"1" * 10_000,
        b'{"do": "new", "game": "' + b"x" * (LINE_BYTES + 10) + b'"}',
        b'{"id": 1e999, "do": "games"}', b'{"id": [1], "do": "games"}', b'{"id": "\\ud800"}',
        b'{"do": NaN}', b'{"do": "fly"}', b'{"do": "show"}', b'{"do": "play", "move": "d2-d3"}',
        b'{"do": "new"}', b'{"do": "new", "game": 7}', b'{"do": "new", "game": "chess"}',
        b'{"do": "new", "game": "tortuga", "options": []}',
        b'{"do": "new", "game": "tortuga", "options": {"longest": 1}}',
        b'{"do": "new", "game": "tortuga", "options": {"speed": "fast"}}',
        b'{"do": "new", "game": "tortuga", "seats": 3}',
        b'{"do": "new", "game": "tortuga", "seats": true}',
        b'{"do": "new", "game": "tortuga", "chance": "maybe"}',
        b'{"do": "new", "game": "tortuga", "position": "S S S"}',
    ]
    for line in lines:
        error = client.send(line)["error"]
        assert error["message"], line
        assert set(error) == {"code", "message", "rule"}
    client.ask("new", game="tortuga", options={"first": "south"})
    assert client.ask("perft", depth=-1)["code"] == "bad-request"
    assert client.ask("perft", depth=2.5)["code"] == "bad-request"
    assert client.ask("think")["code"] == "bad-request"
    assert client.ask("think", level="god")["message"].startswith("The computer has no level “god”")
    assert client.ask("think", simulations=0)["code"] == "bad-request"
    assert client.ask("think", nodes=0)["code"] == "bad-request"
    assert client.ask("think", nodes=5, simulations=5)["code"] == "bad-request"
    assert client.ask("think", nodes=5, level="mousse")["code"] == "bad-request"
    assert client.ask("think", nodes=5, lines=0)["code"] == "bad-request"
    assert client.ask("line", game="tortuga", position="?")["code"] == "bad-position"
    assert client.ask("line", game="tortuga", position="S", moves=[1])["code"] == "bad-request"
    assert client.ask("show", seat=5)["code"] == "bad-request"
    refused = client.ask("play", move="d2-d1")
    assert (refused["code"], refused["rule"]) == ("illegal-move", "tortuga#forward")


def test_manual_chance(client: Client) -> None:
    shown = client.ask("new", game="tortuga", chance="manual")
    assert shown["turn"] == "chance"
    assert [move["text"] for move in client.ask("moves")["moves"]] == ["south", "north"]
    assert client.ask("think", simulations=5)["code"] == "not-now"
    assert client.ask("play", move="north")["turn"] == 1
    assert client.ask("undo")["turn"] == "chance"


def test_positions_by_text(client: Client) -> None:
    text = escale.game("canoe").start().play("e4").text
    assert client.ask("new", game="canoe", position=text)["cells"]["e4"] == "light"
    options = {"longest": "jumps"}
    shown = client.ask("new", game="tortuga", options=options, position="4/5/6/1SN4/6/5/4 south 0")
    assert shown["position"].endswith("longest=jumps")


REQUESTS = st.fixed_dictionaries(
    {"do": st.sampled_from(["games", "new", "show", "moves", "successors", "play", "undo"])},
    optional={
        "id": st.integers() | st.text(max_size=5),
        "game": st.sampled_from([*(game.slug for game in escale.games()), "chess", 3]),
        "options": st.dictionaries(st.sampled_from(["first", "longest", "x"]),
                                   st.sampled_from(["south", "jumps", "x"]), max_size=2),
        "seats": st.integers(-2, 8), "seed": st.integers(),
        "position": nonsense(), "chance": st.sampled_from(["auto", "manual", "x"]),
        "seat": st.integers(-2, 3), "move": nonsense(),
    },
)


@given(st.lists(REQUESTS.map(json.dumps) | st.text(max_size=40) | st.binary(max_size=40),
                max_size=12))
@settings(max_examples=150, deadline=None)
def test_every_line_gets_one_answer(lines: list[str | bytes]) -> None:
    engine = Session()
    for line in lines:
        answer = json.loads(engine.answer(line))
        assert ("result" in answer) != ("error" in answer)
        if "error" in answer:
            assert answer["error"]["code"]
            assert answer["error"]["message"]


def test_a_thought_says_what_is_proven() -> None:
    engine = Session()

    def ask(**request: Any) -> Any:
        return json.loads(engine.answer(json.dumps(request)))["result"]

    ask(do="new", game="tortuga", position="4/5/6/4SN1/6/5/4 south 0")
    for budget in ({"nodes": 500}, {"simulations": 50}, {"time_ms": 50}, {"level": "mousse"}):
        thought = ask(do="think", **budget)
        assert (thought["move"], thought["score"]) == ("d5-d7", [1.0, 0.0])
        assert (thought["proven"], thought["plies"]) == (True, 1)
    ask(do="new", game="canoe")
    thought = ask(do="think", nodes=300)
    assert (thought["proven"], thought["plies"], thought["nodes"]) == (False, None, 300)


def asking() -> Any:
    engine = Session()

    def ask(do: str, **fields: Any) -> Any:
        answer = json.loads(engine.answer(json.dumps({"do": do, **fields})))
        return answer.get("result", answer.get("error"))

    return ask


def test_a_thought_names_its_method_and_compares_as_many_lines_as_asked() -> None:
    ask = asking()
    ask("new", game="canoe")
    for budget, method in (({"nodes": 300}, "alphabeta"), ({"simulations": 60}, "mcts")):
        thought = ask("think", lines=3, **budget)
        assert thought["method"] == method
        assert len({line["move"] for line in thought["lines"]}) == 3
        assert {name: thought[name] for name in thought["lines"][0]} == thought["lines"][0]
        assert "lines" not in ask("think", **budget)
    ask("new", game="canyon-1997", seats=3, seed=1)
    assert ask("think", simulations=9)["method"] == "ismcts"
    refused = ask("think", nodes=9)
    assert (refused["code"], refused["message"]) == (
        "bad-option", "alphabeta is for two seats, not 3"
    )


def test_a_level_may_be_given_less_time() -> None:
    ask = asking()
    ask("new", game="tortuga", options={"first": "south"})
    assert ask("think", level="amiral", time_ms=1)["ms"] < 3000


def test_a_line_is_followed_wherever_it_goes() -> None:
    ask = asking()
    start = escale.game("tortuga").start()              # chance decides who begins, by a move
    line = {"game": "tortuga", "position": start.text}
    assert ask("line", **line) == {"turn": "chance"}
    for moves, turn in (
        (["south", "d2-d3"], 1), (["south", "d2-d3", "d6-d5"], 0), (["south"], 0),
        (["north", "d6-d5"], 0),
    ):
        assert ask("line", **line, moves=moves) == {"turn": turn}
        position = start
        for move in moves:
            position = position.play(move)
        assert ask("show")["position"] == position.text
    assert ask("line", **line, moves=["north", "d6-d7"])["code"] == "illegal-move"
    assert ask("show")["position"] == position.text     # nothing has changed
    assert ask("undo")["turn"] == 1
    ask("new", game="canoe")
    assert ask("line", **line, moves=["north", "d6-d5"]) == {"turn": 0}
