"""Live connections: events in order, resume, tabs in step, presence, long polling."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from escale.game.state_of_play import merge
from escale.server.edge.limits import Limits
from escale.server.tables.live import BAD_MESSAGES, TOO_MANY
from escale.server.tables.views import PAGE_EVENTS, SENT_PAUSES
from tests.attacks.wire import dial, frame, upgrade
from tests.server.hosting import OPEN, Ear, Hosted, Table, hosted, person
from tests.sizes import PATIENCE_SECONDS

SOUTH = {"options": {"first": "south"}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house")) as running:
        yield running


def two_people(house: Hosted) -> tuple[Table, Table]:
    south = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    return south, south.sit(1, name="Bo")


def merged(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """What the script in the browser makes of an `events` message."""
    change = message["state"]
    scene = merge(state["scene"], change.get("scene", {}))
    known = {item["n"] for item in state["log"]}
    news = [
        {name: value for name, value in item.items() if name != "changes"}
        for item in message["events"] if item["n"] not in known
    ]
    return {**state, **change, "scene": scene, "log": state["log"] + news}


def without_time(state: dict[str, Any]) -> dict[str, Any]:
    """Presence and the time of day may differ between two looks."""
    seats = [{**seat, "present": None} for seat in state["seats"]]
    return {**state, "seats": seats, "clock": None}


def play(ear: Ear, seat: int, n: int, move: str) -> None:
    ear.send(do="play", seat=seat, id=f"{seat}-{n}", n=n, move=move)


def test_a_trick_is_sent_as_it_was_before_it_was_taken(house: Hosted) -> None:
    table = house.create("canyon-1997", person("Ana"), person("Bo"), person("Cy"))
    tricks = 0
    while tricks <= SENT_PAUSES:
        turn = table.get()["turn"]
        found = table.get("/moves", **{"as": turn})
        n = table.play(turn, found["moves"][0]["text"])["n"]
        played_in = table.get("/events", since=n - 1, **{"as": turn})
        played = played_in["events"][0]
        taken = [change["to"] for change in played["changes"] if change["kind"] == "trick-taken"]
        tricks += len(taken)
        for winner, look in zip(taken, played.get("pauses", []), strict=True):
            pieces = merge(played_in["state"]["scene"], look["scene"])["pieces"]
            assert sum(at.endswith(" card") for at, *_ in pieces) == 3
            assert look["scene"]["highlights"] == {f"{winner} card": "look"}
            assert "cells" not in look["scene"]             # the board itself stays
    # A client that has missed many tricks is shown the present.
    assert not [item for item in table.get("/events", since=0)["events"] if item.get("pauses")]


def test_what_changed_adds_up_to_the_whole(house: Hosted) -> None:
    south, north = two_people(house)
    with south.live() as one, north.live() as two, south.holding(None).live() as watcher:
        ears = {0: one, 1: two, None: watcher}
        states = {who: ear.next("state") for who, ear in ears.items()}
        for _ in range(12):
            turn, n = states[0]["turn"], states[0]["n"]
            tree = states[turn]["choices"]
            path = []
            while isinstance(tree, dict):
                atom, tree = next(iter(tree.items()))
                path.append(atom)
            assert tree == 1                        # its text is its atoms
            play(ears[turn], turn, n, "-".join(path))
            for who, ear in ears.items():
                message = ear.next("events")
                assert message["n"] == n + 1
                assert message["events"][0]["sentence"]
                assert message["events"][0]["changes"]
                assert "cells" not in message["state"]["scene"]    # the board itself stays
                states[who] = merged(states[who], message)
            assert ears[turn].next("done")["n"] == n + 1
        assert states[None]["choices"] is None
        for table, who in ((south, 0), (north, 1), (south.holding(None), None)):
            assert without_time(states[who]) == without_time(table.get(lang="en"))


def test_two_tabs_of_a_seat_stay_in_step(house: Hosted) -> None:
    south, _ = two_people(house)
    with south.live() as tab, south.live() as other:
        n = tab.next("state")["n"]
        other.next("state")
        play(tab, 0, n, "d2-d3")
        play(other, 0, n, "d2-d3")            # the same click, and the same name, in both
        assert tab.next("events")["n"] == other.next("events")["n"] == n + 1
        assert tab.next("done") == other.next("done")
        play(other, 0, n, "a1-a2")            # the name decides, not the move
        assert other.next("done")["n"] == n + 1
        other.send(do="play", seat=0, id="late", n=n, move="a1-a2")
        late = other.next("refused")
        assert (late["code"], late["id"], late["state"]["ply"]) == ("stale", "late", 1)


@pytest.mark.parametrize("taken_back", [False, True])
def test_who_comes_back_gets_the_gap(house: Hosted, taken_back: bool) -> None:
    south, north = two_people(house)
    with north.live() as ear:
        known = ear.next("state")
    south.play(0, "d2-d3")
    if taken_back:
        south.act("offer", 0, what="takeback")
        north.act("answer", 1, yes=True)
        south.play(0, "a1-a2")
    with north.live(since=known["n"]) as ear:
        gap = ear.next("events", "state")
        assert gap["type"] == "events"
        assert [item["n"] for item in gap["events"]] == list(range(known["n"] + 1, gap["n"] + 1))
        assert without_time(merged(known, gap)) == without_time(north.get(lang="en"))
    with north.live(since=gap["n"]) as ear:
        assert ear.next("events")["events"] == []
    with north.live(since=10_000) as ear:     # from nowhere: everything
        assert ear.next("events", "state")["type"] == "state"


def test_lean_connections_get_events_alone(house: Hosted) -> None:
    south, north = two_people(house)
    with north.live(lean=True) as ear:
        state = ear.next("state")
        assert "scene" not in state
        assert "text" not in state
        south.play(0, "d2-d3")
        message = ear.next("events")
        [event] = message["events"]
        assert {"n", "do", "seat", "move", "at"} == event.keys()
        assert message["state"]["turn"] == 1
        # Ana has come, which is told once with the seats; later moves are told alone.
        north.play(1, north.get("/moves")["moves"][0]["text"])
        message = ear.next("events")
        assert message["state"].keys() == {"n", "ply", "moves", "turn", "choosing"}
        assert len(ear.heard[-1]) < 250


def test_presence_is_told(house: Hosted) -> None:
    south, north = two_people(house)
    with south.live() as ear:
        ear.next("presence")
        with north.live() as other:
            other.next("state")
            assert ear.next("presence")["present"] == [True, True]
        while ear.next("presence")["present"] != [True, False]:
            pass


def test_chat_reaches_everybody_as_it_was_typed(house: Hosted) -> None:
    south, north = two_people(house)
    with north.live() as ear:
        ear.next("state")
        south.act("say", 0, text="<b>hé</b> & 🐢")
        [item] = ear.next("events")["events"]
        assert item["text"] == "<b>hé</b> & 🐢"
        assert item["sentence"] == "Ana: <b>hé</b> & 🐢"


def test_a_view_of_another_own_seat(house: Hosted) -> None:
    table = house.create("canyon-1997", person("Ana"), person("Bo"), person("Cy"))
    while not any(name == "back" for _, name, *_ in table.get()["scene"]["pieces"]):
        turn = table.get()["turn"]
        table.play(turn, table.get("/moves", **{"as": turn})["moves"][0]["text"])
    with table.live() as ear:
        assert ear.next("state")["you"] == {"seats": [0, 1, 2], "as": None}
        seen = []
        for seat in range(3):
            ear.send(do="view", **{"as": seat})
            state = ear.next("state")
            assert state["you"]["as"] == seat
            assert bool(state["choices"]) == (seat in state["choosing"])
            seen.append(json.dumps(state["scene"]["pieces"]))
        assert len(set(seen)) == 3
        ear.send(do="view", **{"as": 5})      # nobody's eyes but one's own
        assert ear.next("state")["you"]["as"] is None


def test_long_polling_hears_the_same(house: Hosted) -> None:
    south, north = two_people(house)
    n = north.get()["n"]
    assert north.get("/events", since=n, wait=0)["events"] == []
    with south.live() as ear:
        ear.next("state")
        play(ear, 0, n, "d2-d3")
        polled = north.get("/events", since=n, wait=20, lang="en")
        live = ear.next("events")
        assert polled["events"] == live["events"]
        assert polled["state"]["turn"] == 1
        assert polled["state"]["choices"]


# ---- who may not ----


def test_other_sites_may_not_connect(house: Hosted) -> None:
    south, _ = two_people(house)
    address = f"{house.url.replace('http', 'ws')}/api/tables/{south.id}/live"
    with pytest.raises(InvalidStatus), connect(address, origin=Origin("https://evil.example")):
        pass
    with connect(address, origin=Origin(house.url)):
        pass


def test_an_allowed_origin_may(tmp_path: Path) -> None:
    with hosted(tmp_path, origins=("https://club.example",)) as house:
        south, _ = two_people(house)
        address = f"{house.url.replace('http', 'ws')}/api/tables/{south.id}/live"
        with connect(address, origin=Origin("https://club.example")):
            pass


@pytest.mark.parametrize("message", [
    "", "{}", "[]", "null", "{", '{"do": 1}', '{"do": "dance", "id": "1", "seat": 0}',
    '{"do": "play", "id": "1", "seat": 0}', '{"do": "play", "id": "1", "seat": 0, "n": NaN}',
    '{"do": "play", "id": "1", "seat": 0, "n": 1, "move": "\\ud800"}',
    '{"do": "play", "id": "1", "seat": 1e99, "n": 1, "move": "d2-d3"}',
    '{"do": "play", "id": "1", "seat": 99, "n": 1, "move": "d2-d3"}',
    '{"do": "play", "id": "1", "seat": -1, "n": 1, "move": "d2-d3"}',
    '{"do": "say", "id": "1", "seat": 0, "text": "\\u202e"}',
    '{"do": "say", "id": "1", "seat": 0, "text": " "}',
    '{"do": "say", "id": "", "seat": 0, "text": "no name"}',
    '{"do": "rename", "id": "1", "seat": 0, "name": "' + "x" * 41 + '"}',
    '{"do": "offer", "id": "1", "seat": 0, "what": "everything"}',
    '{"do": "answer", "id": "1", "seat": 0, "yes": true}',
    "[" * 5000, '{"do": "say", "id": "1", "seat": 0, "text": "' + "x" * 9000 + '"}',
])
def test_what_cannot_be_understood_is_refused_and_harmless(house: Hosted, message: str) -> None:
    south, _ = two_people(house)
    before = south.get()
    with south.live() as ear:
        ear.next("state")
        ear.socket.send(message)
        refused = ear.next("refused")
        assert refused["message"]
        assert "Traceback" not in ear.heard[-1]
        assert "/src/" not in ear.heard[-1]
        ear.send(do="say", seat=0, id="still", text="here")
        assert ear.next("done")["n"] == before["n"] + 1


def test_what_is_wrong_is_refused_by_its_name(house: Hosted) -> None:
    """The sender waits for an answer to this message."""
    south, _ = two_people(house)
    with south.live() as ear:
        ear.next("state")
        ear.send(do="say", id="seven", seat="first", text="hello")
        refused = ear.next("refused")
        assert (refused["id"], refused["code"]) == ("seven", "bad-request")
        assert refused["detail"] == "seat: expected `int`, got `str`"


def test_hello_comes_first_and_to_a_table_that_exists(house: Hosted) -> None:
    south, _ = two_people(house)
    address = f"{house.url.replace('http', 'ws')}/api/tables/{{}}/live"
    for id, first in ((south.id, '{"do": "play"}'), ("nowhere", '{"do": "hello"}')):
        with connect(address.format(id)) as socket:
            socket.send(first)
            assert json.loads(socket.recv(PATIENCE_SECONDS))["type"] == "refused"
            with pytest.raises(ConnectionClosed):
                socket.recv(PATIENCE_SECONDS)


# ---- hostile clients ----


def test_what_cannot_be_read_counts_and_then_closes_the_connection(tmp_path: Path) -> None:
    few = Limits(actions=0.001, action_burst=5)
    with hosted(tmp_path, limits=few) as house:
        table = house.create("tortuga", person(), OPEN)
        with table.live() as ear:
            ear.next("state")
            for _ in range(BAD_MESSAGES):
                ear.socket.send("{")
            codes = [ear.next("refused")["code"] for _ in range(BAD_MESSAGES)]
            assert codes == ["bad-request"] * 5 + ["too-many"] * (BAD_MESSAGES - 5)
            with pytest.raises(ConnectionClosed) as closed:
                ear.next("refused")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == TOO_MANY


def test_made_up_tokens_have_no_rate_of_their_own(tmp_path: Path) -> None:
    few = Limits(actions=0.001, action_burst=5)
    with hosted(tmp_path, limits=few) as house:
        table = house.create("tortuga", person(), OPEN)
        for number in range(2):
            table.holding(f"made-up-{number}").act("say", 0, 401, text="hello")
        told = []
        for number in range(5):
            with table.holding(f"made-up-too-{number}").live() as ear:
                ear.next("state")
                ear.send(do="view")
                told.append(ear.next("state", "refused").get("code", "state"))
        assert told == ["state"] * 3 + ["too-many"] * 2
        table.holding("made-up").act("say", 0, 429, text="hello")
        table.act("say", 0, text="the seat itself is free to speak")


def test_all_connections_of_an_address_have_a_rate(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits(messages=0.001, message_burst=6)) as house:
        table = house.create("tortuga", person(), person())
        told = []
        for seat in range(4):
            with table.live() as ear:
                ear.next("state")
                for number in range(2):
                    ear.send(do="say", seat=0, id=f"{seat}-{number}", text="so")
                    told.append(ear.next("done", "refused")["type"])
        assert told == ["done"] * 6 + ["refused"] * 2


def test_nothing_is_kept_for_somebody_who_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(tmp_path, limits=Limits(backlog=200_000, messages=1e6, actions=1e6)) as house:
        table = house.create("tortuga", person("Ana"), OPEN)
        for _ in range(100):
            table.act("say", 0, text="x" * 500)
        port = int(house.url.rpartition(":")[2])
        line = dial(port, receive=2048)
        upgrade(line, table.id)
        line.sendall(frame(b'{"do": "hello"}'))
        limiter = house.app.state.rate_limiter
        held: list[int] = []
        hold = limiter.hold

        def noted(who: str, size: int) -> bool:
            fits: bool = hold(who, size)
            held.append(limiter._held[who])
            return fits

        monkeypatch.setattr(limiter, "hold", noted)
        with contextlib.suppress(OSError):
            for _ in range(400):
                line.sendall(frame(b'{"do": "view"}'))
                time.sleep(0.002)
        until = time.monotonic() + PATIENCE_SECONDS
        while limiter._sockets and time.monotonic() < until:
            time.sleep(0.05)
        assert not limiter._sockets                         # cut off, though nothing was read
        assert not limiter._held
        assert 200_000 < max(held) < 300_000
        line.close()


# ---- a long log ----


def test_the_state_has_the_last_page_of_the_log_and_earlier_ones_are_asked_for(
    tmp_path: Path
) -> None:
    with hosted(tmp_path, limits=Limits.none()) as house:
        table = house.create("tortuga", person("Ana"), OPEN)
        for number in range(PAGE_EVENTS + 50):
            table.act("say", 0, text=f"word {number}")
        state = table.get()
        assert len(state["log"]) == PAGE_EVENTS
        assert state["log"][-1]["n"] == state["n"]
        log = state["log"]
        while log[0]["n"] > 1:
            earlier = table.get("/log", before=log[0]["n"])["log"]
            assert earlier
            log = earlier + log
        assert [item["n"] for item in log] == list(range(1, state["n"] + 1))
        assert [item["text"] for item in log] == [f"word {one}" for one in range(PAGE_EVENTS + 50)]
        assert table.get("/log", before=1)["log"] == []
        # A client that has missed more than a page gets the whole state.
        assert table.get("/events", since=0)["type"] == "state"
        assert len(table.get("/events", since=state["n"] - PAGE_EVENTS)["events"]) == PAGE_EVENTS
        with table.live(since=0) as ear:
            assert ear.next("state", "events")["type"] == "state"
        with table.live(since=state["n"] - 3) as ear:
            assert len(ear.next("state", "events")["events"]) == 3


def test_what_people_say_does_not_make_states_large(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits.none()) as house:
        table = house.create("tortuga", person("Ana"), OPEN)
        for _ in range(120):
            table.act("say", 0, text="💬" * 500)
        answer = house.client.get(f"/api/tables/{table.id}", headers=table.headers)
        assert len(answer.content) < 250_000
