"""Positions to study: any position of any game, with everything that a page needs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import escale
from escale import CHANCE
from escale.game.errors import BadPosition, IllegalMove
from escale.game.game import Game
from escale.game.state_of_play import board_part
from escale.game.viewer import ALL
from escale.games import games
from escale.match.match import Match, Player
from escale.match.reading import encode
from escale.match.verify import verify
from escale.server.study.positions import (
    PositionJob,
    StudyQuestion,
    reach,
    shown,
    study_position,
)
from escale.server.tables.branches import branch, labels
from tests.server.hosting import hosted
from tests.sizes import PATIENCE_SECONDS


@pytest.mark.parametrize("game", games(), ids=lambda game: str(game.slug))
def test_every_game_is_studied_from_its_beginning(game: Game[Any]) -> None:
    where = StudyQuestion(draw=True, open=True)
    for _ in range(6):
        found = study_position(PositionJob(game=game.slug, question=where, lang="en"))
        position = game.position(found.start)
        for move in found.line:
            position = position.play(move)
        assert position.turn != CHANCE, "chance outcomes that come next are drawn"
        assert (found.position, found.turn) == (position.text, position.turn)
        assert (found.moves, found.ply) == (len(position.moves()), position.plies)
        assert len(found.spelled) == len(found.line)
        assert len(found.badges) == position.seats
        sent = msgspec.json.decode(encode(found))
        part = board_part(game, position.options, position.seats)
        assert part.fingerprint in sent["scene"]["board"]
        assert part.join(sent["scene"]) == position.scene(ALL)
        if found.last is not None:
            assert found.last == shown(position.line()[-1], "en")
            assert found.sentence == position.line()[-1].narrate("en", ALL)
            assert len(found.changes) == len(position.line()[-1].changes)
        chosen = position.moves()[0].text
        where = StudyQuestion(
            position=found.start, line=[*found.line, chosen], draw=True, open=True
        )


def test_hidden_cards_lie_open_only_where_that_is_asked_for() -> None:
    game = escale.game("canyon-1997")
    position = game.start(seed=3)
    while position.turn is not None and len(position.line()) < 20:
        position = position.play(position.moves()[0])
    for wanted in (False, True):
        where = StudyQuestion(position=position.text, open=wanted)
        found = study_position(PositionJob(game=game.slug, question=where, lang="en"))
        scene = board_part(game, position.options, position.seats).join(
            msgspec.json.decode(encode(found))["scene"]
        )
        assert position.turn is not None
        viewer = ALL if wanted else escale.Seat(position.turn)
        assert scene == game.position(position.text).scene(viewer)


def test_somebody_may_look_whoever_is_to_move() -> None:
    canyon = escale.game("canyon-1997")
    text = "r7.dB.tg4/Oc1.hb7r2/Hd1.hg2y5/Be1.hp19 otter 60"
    where = StudyQuestion(position=text, line=["bid1"], as_=0)
    found = study_position(PositionJob(game=canyon.slug, question=where, lang="en"))
    position = canyon.position(text).play("bid1")
    assert found.turn == 1
    part = board_part(canyon, position.options, position.seats)
    scene = part.join(msgspec.json.decode(encode(found.scene)))
    assert scene == position.scene(escale.Seat(0))
    # A seat that is not there sees as the one that is to move.
    where = StudyQuestion(position=text, line=["bid1"], as_=5)
    other = study_position(PositionJob(game=canyon.slug, question=where, lang="en"))
    assert part.join(msgspec.json.decode(encode(other.scene))) == position.scene(escale.Seat(1))


def test_what_cannot_be_reached_is_said() -> None:
    tortuga = escale.game("tortuga")
    with pytest.raises(BadPosition):
        reach(tortuga, StudyQuestion(position="nonsense"))
    with pytest.raises(IllegalMove):
        reach(tortuga, StudyQuestion(options={"first": "south"}, line=["d2-d9"]))


def test_over_http(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        def ask(path: str, **body: object) -> tuple[int, dict[str, Any]]:
            answer = house.client.post(f"/api/games/{path}", json=body)
            return answer.status_code, answer.json()

        status, found = ask("tortuga/study", options={"first": "south"}, line=["d2-d3"])
        assert (status, found["last"]["text"], found["turn"]) == (200, "d2-d3", 1)
        assert found["last"]["ways"] == [["d2", "d3"]]
        assert house.client.get(found["scene"]["board"]).status_code == 200
        assert ask("tortuga/study", options={"first": "east"})[1]["code"] == "bad-option"
        assert ask("tortuga/study", position="nonsense")[1]["code"] == "bad-position"
        status, no = ask("tortuga/explain", position=found["position"], atoms=["d2"])
        assert (status, no["legal"]) == (200, False)
        status, more = ask("tortuga/choices", position=found["start"], atoms=["d2"])
        assert (status, "d3" in more["choices"]) == (200, True)
        assert ask("tortuga/choices", position=found["start"], atoms=["g9"])[0] == 422


def test_a_table_begins_from_any_position_that_goes_on_and_says_so(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        seats = [{"kind": "person", "name": name} for name in ("Ana", "Bo")]

        def order(**more: object) -> tuple[int, dict[str, Any]]:
            body = {"game": "canyon-1972", "seats": seats, **more}
            answer = house.client.post("/api/tables", json=body)
            return answer.status_code, answer.json()

        status, opened = order(position="7Y/8/8/8/8/8/8/R7 yellow 3")
        assert status == 201
        path = f"/api/tables/{opened['table']}"
        state = house.client.get(path).json()
        assert (state["composed"], state["turn"], state["moves"]) == (True, 1, 3)
        assert any("position that was set up" in item["sentence"] for item in state["log"])
        # A rematch begins from it, too.
        headers = {"authorization": f"Bearer {opened['token']}"}
        for do, more in (("resign", {}), ("offer", {"what": "rematch"})):
            house.client.post(f"{path}/events", headers=headers, json={
                "do": do, "id": do, "seat": 0, **more,
            }).raise_for_status()
        until = time.monotonic() + PATIENCE_SECONDS
        while (again := house.client.get(path).json()["next"]) is None:
            assert time.monotonic() < until
            time.sleep(0.02)
        state = house.client.get(f"/api/tables/{again}").json()
        assert (state["composed"], state["moves"]) == (True, 3)

        _, usual = order()
        assert house.client.get(f"/api/tables/{usual['table']}").json()["composed"] is False
        assert order(position="nonsense")[1]["code"] == "bad-position"
        over = "YYYYYYYY/8/8/8/8/8/8/8 red 9"
        status, no = order(position=over)
        assert (status, no["code"]) == (422, "bad-position")
        assert "over" in no["message"]
        three = [*seats, {"kind": "open"}]
        assert order(seats=three, position="7Y/8/8/8/8/8/8/R7 yellow 3")[1]["code"] == "bad-option"


def test_cards_that_were_set_up_are_said_to_be_wherever_the_table_is_shown(tmp_path: Path) -> None:
    """The author of a composed position knows every hand."""
    game = escale.game("canyon-1997")
    position = game.start(seats=3, seed=4)
    while position.situation.name != "card" and position.turn is not None and position.plies < 12:
        position = position.play(position.moves()[0])
    body = {"game": game.slug, "public": True, "position": position.text,
            "seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}, {"kind": "open"}]}
    said = "a position that Ana set up: the cards were not drawn by chance"
    with hosted(tmp_path) as house:
        table = house.client.post("/api/tables", json=body).json()["table"]
        path = f"/api/tables/{table}"
        assert said in house.client.get(path).json()["dealt_by_hand"]
        [listed] = house.client.get("/api/tables").json()
        assert said in listed["dealt_by_hand"]
        page = house.client.get(f"/en/t/{table}").text
        heading, description = page.split('class="rail-title"')[1], page.split("</head>")[0]
        assert said in heading.split("</main>")[0]
        assert said in description                      # what a link to it shows elsewhere
        assert "data-dealt-by-hand" in page             # for the invitation
        assert said in house.client.get("/en/lobby").text
        transcript = house.client.get(f"{path}/transcript").text
        assert '"set_up_by": "Ana"' in transcript.splitlines()[0]
        del body["position"]
        usual = house.client.post("/api/tables", json=body).json()["table"]
        assert house.client.get(f"/api/tables/{usual}").json()["dealt_by_hand"] is None
        assert "set up" not in house.client.get(f"/en/t/{usual}").text.split("</main>")[0]
    match = Match(position, players=[Player("Ana"), Player("Bo"), Player("Cy")], set_up_by="Ana")
    findings = [finding.text("en") for finding in verify(match.transcript(ALL))]
    assert any("Ana set up; the cards were not drawn by chance" in words for words in findings)
    assert Match.replay(match.transcript(ALL)).header.set_up_by == "Ana"


def test_where_chance_decides_who_starts_the_choices_are_the_seats() -> None:
    tortuga = escale.game("tortuga")
    start = tortuga.start()
    assert start.turn == CHANCE
    tree = branch(tortuga, start.choices())
    assert labels(start, tree, "fr") == {"south": "Sud", "north": "Nord"}
    # A side that a player chooses for a turtle is told as before.
    turtle = tortuga.position("4/5/6/2Sx3/6/5/N3 south 0")
    assert labels(turtle, branch(tortuga, turtle.choices()), "en")["south"].startswith("for South")
