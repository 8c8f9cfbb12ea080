"""Tables over HTTP: sitting down, playing, offers, clocks, computers, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.game import Game
from escale.game.viewer import SPECTATOR
from escale.games import games
from escale.match.match import Match
from escale.server.tables import acting
from escale.server.tables.house import House
from escale.server.tables.views import last_blow
from tests.server.hosting import MOUSSE, OPEN, Hosted, SetClock, Table, hosted, person

SOUTH = {"options": {"first": "south"}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house")) as running:
        yield running


def two_people(house: Hosted, **more: Any) -> tuple[Table, Table]:
    south = house.create("tortuga", person("Ana"), OPEN, **SOUTH, **more)
    return south, south.sit(1, name="Bo")


# ---- setting up ----


@pytest.mark.parametrize(("wrong", "french"), [
    ({"options": {"colour": "red"}}, "Ce jeu n’a pas d’option «\xa0colour\xa0». "),
    ({"options": {"first": "me"}}, "L’option «\xa0first\xa0» ne peut pas valoir «\xa0me\xa0»."),
    ({"seats": [OPEN, OPEN, OPEN]}, "Tortuga se joue à 2, pas à 3."),
    ({"seats": [MOUSSE, MOUSSE]}, "Il faut laisser au moins une place à une personne."),
    ({"seats": [OPEN, {"kind": "computer", "level": "god"}]}, "L’ordinateur n’a pas de niveau"),
    ({"seats": [{"kind": "person", "later": True}, OPEN]},
     "Une personne qui s’assied plus tard doit avoir un nom."),
    ({"seats": [{"kind": "person", "name": "A\u202e"}, OPEN]}, "Un nom a au plus 40 caractères"),
    ({"seats": [{"kind": "person", "name": "A\u200bna"}, OPEN]}, "Un nom a au plus 40 caractères"),
    ({"seats": [{"kind": "person", "name": "\u3164"}, OPEN]}, "Un nom a au plus 40 caractères"),
    ({"seats": [OPEN]}, "Le champ seats de cette demande ne convient pas\xa0: "),
    ({"clock": {"days": 0}}, "Le champ clock"),
])
def test_a_table_that_cannot_be_is_refused_in_the_language_of_the_reader(
    wrong: dict[str, Any], french: str, house: Hosted
) -> None:
    order = {"game": "tortuga", "seats": [person("Ana"), OPEN], **wrong}
    told = {
        lang: house.client.post("/api/tables", json=order, headers={"accept-language": lang}).json()
        for lang in ("fr", "en")
    }
    assert told["fr"]["message"].startswith(french)
    assert told["en"]["message"] != told["fr"]["message"]
    assert told["fr"]["code"] == told["en"]["code"] in ("bad-option", "bad-request")


def test_nobody_has_the_name_of_another_with_a_letter_that_is_not_seen(house: Hosted) -> None:
    south = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    for letter in "\u200b\u200d\u200e\u200f\u2060\ufeff\u061c\xad\u3164\U000e0041":
        told = south.act("rename", 0, 400, name=f"B{letter}o")["message"]
        assert told.startswith("A name has at most")
        sitting = {"name": f"A{letter}na"}
        answer = house.client.post(f"/api/tables/{south.id}/seats/1", json=sitting)
        assert answer.status_code == 400
    for name in ("Zoë ❤️", "Ľubomír", "नाम", "名前"):
        south.act("rename", 0, name=name)


# ---- sitting down ----


def test_a_table_waits_for_its_players(house: Hosted) -> None:
    south = house.create("tortuga", person("Ana"), OPEN, value="abc", **SOUTH)
    waiting = south.get()
    assert (waiting["begun"], waiting["turn"], waiting["choices"]) == (False, None, None)
    assert south.act("play", 0, 409, n=0, move="d2-d3")["code"] == "not-begun"
    north = south.sit(1, name="Bo", value="xyz")
    state = north.get()
    assert state["begun"]
    assert state["turn"] == 0
    assert state["values"] == ["abc", "xyz"]
    assert [(seat["name"], seat["status"]) for seat in state["seats"]] == [
        ("Ana", "person"), ("Bo", "person")
    ]
    assert (state["you"], state["choices"]) == ({"seats": [1], "as": 1}, None)
    assert south.get()["choices"]["d2"]["d3"] == 1
    taken = house.client.post(f"/api/tables/{south.id}/seats/1", json={"name": "Cy"})
    assert (taken.status_code, taken.json()["code"]) == (409, "seat-taken")


def test_an_open_seat_can_be_given_to_the_computer(house: Hosted) -> None:
    south = house.create("tortuga", person(), OPEN, **SOUTH)
    south.act("hand", 1, level="mousse")
    assert south.get()["begun"]
    assert south.get()["seats"][1]["level"] == "mousse"


def test_a_seat_needs_its_own_token(house: Hosted) -> None:
    south, north = two_people(house)
    nobody = south.holding(None)
    stranger = south.holding("A" * 32)
    for other, status in ((nobody, 401), (stranger, 401), (north, 403)):
        other.act("play", 0, status, n=south.get()["n"], move="d2-d3")
        other.act("resign", 0, status)
        other.act("hand", 0, status, level="mousse")
    assert nobody.get("/moves")["moves"] == []
    assert north.get("/moves")["moves"] == []
    assert {move["text"] for move in south.get("/moves")["moves"]} >= {"d2-d3"}


def test_one_token_holds_all_seats_of_one_screen(house: Hosted) -> None:
    table = house.create("tortuga", person("Ana"), person("Bo"), **SOUTH)
    assert table.get()["you"] == {"seats": [0, 1], "as": None}
    table.play(0, "d2-d3")
    assert table.get()["choices"]
    table.play(1, "d6-d5")
    table.act("offer", 1, what="takeback")           # one hand shakes the other
    assert table.get()["ply"] == 1


# ---- moves ----


def test_a_move_sent_twice_is_played_once(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        south, _ = two_people(house)
        move = {"do": "play", "seat": 0, "id": "same", "n": south.get()["n"], "move": "d2-d3"}
        path = f"/api/tables/{south.id}/events"
        once = house.client.post(path, json=move, headers=south.headers)
        twice = house.client.post(path, json=move, headers=south.headers)
        assert once.json() == twice.json()
        assert south.get()["ply"] == 1
    with hosted(tmp_path) as house:                  # and the house remembers
        again = house.client.post(path, json=move, headers=south.headers)
        assert (again.status_code, again.json()) == (200, once.json())
        assert Table(house, south.id, south.token).get()["ply"] == 1


def test_a_stale_move_is_refused_with_the_table_as_it_is(house: Hosted) -> None:
    south, north = two_people(house)
    n = south.get()["n"]
    south.play(0, "d2-d3")
    north.act("say", 1, text="hm")
    north.play(1, "d6-d5")
    stale = south.act("play", 0, 409, n=n, move="d3-d4")
    assert stale["code"] == "stale"
    assert stale["state"]["ply"] == 2
    assert stale["state"]["choices"]
    north.act("say", 1, text="well")                 # talk makes no move stale
    south.act("play", 0, n=stale["state"]["n"], move="d3-d4")
    assert north.act("play", 1, 409, n=10_000, move="d5-d3")["code"] == "stale"


def test_an_illegal_move_is_refused_with_its_rule(house: Hosted) -> None:
    south, north = two_people(house)
    for table, seat, move in ((south, 0, "d2-d3"), (north, 1, "d6-d5"), (south, 0, "d3-d4")):
        table.play(seat, move)
    refused = north.play(1, "c6-c5", status=422)
    assert (refused["code"], refused["rule"]) == ("illegal", "tortuga#must-jump")
    assert refused["cells"] == ["d5"]
    asked = house.client.post(
        f"/api/tables/{north.id}/explain", headers=north.headers, json={"as": 1, "atoms": ["c6"]}
    ).json()
    assert (asked["legal"], asked["rule"]) == (False, "tortuga#must-jump")
    assert south.play(0, "a1-a2", status=409)["code"] == "not-your-turn"


def test_a_branch_too_large_to_send_can_be_asked_for(house: Hosted) -> None:
    south, north = two_people(house)
    found = south.get("/choices", after=["d2"])
    assert found["choices"]["d3"] == 1              # its text is the atoms: d2-d3
    assert found["labels"]["d3"] == "d3"
    assert found["became"] == []
    whole = south.get("/choices", after=["d2", "d3"])
    assert (whole["choices"], whole["became"]) == ({}, [])
    refused = house.client.get(f"/api/tables/{south.id}/choices", headers=north.headers)
    assert refused.json()["code"] == "not-your-turn"


def test_every_ply_can_be_looked_at_again(house: Hosted) -> None:
    south, north = two_people(house)
    south.play(0, "d2-d3")
    north.play(1, "d6-d5")
    pieces = {at for at, *_ in south.get("/plies/1")["scene"]["pieces"]}
    assert "d3" in pieces
    assert "d6" in pieces
    assert house.client.get(f"/api/tables/{south.id}/plies/3").status_code == 404


def test_the_transcript_replays(house: Hosted) -> None:
    south, north = two_people(house)
    south.play(0, "d2-d3")
    north.act("resign", 1)
    text = south.get("/transcript")
    match = Match.replay(text)
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
    assert all("id" not in json.loads(line) for line in text.splitlines())


# ---- offers ----


def test_a_takeback_needs_the_other_ones_yes(house: Hosted) -> None:
    south, north = two_people(house)
    south.play(0, "d2-d3")
    south.act("offer", 0, what="takeback")
    assert north.get()["offer"] == {"seat": 0, "what": "takeback", "agreed": []}
    n = north.get()["n"]
    north.act("answer", 1, yes=True)
    assert (south.get()["ply"], south.get()["turn"]) == (0, 0)
    assert south.act("play", 0, 409, n=n, move="d2-d3")["code"] == "stale"
    south.play(0, "d2-c2")


def test_the_computer_takes_back_and_plays_again(house: Hosted) -> None:
    south = house.create("tortuga", person(), MOUSSE, **SOUTH)
    south.play(0, "d2-d3")
    south.wait_for(turn=0)
    south.act("offer", 0, what="takeback")
    assert south.wait_for(offer=None)["ply"] == 0
    south.act("resign", 0)
    south.act("offer", 0, what="rematch", value="fresh")
    state = south.wait_for(offer=None)
    while not state["next"]:
        state = south.get("/events", since=state["n"], wait=5)["state"]
    again = Table(house, state["next"], south.token)   # the same token, the other side
    seats = again.get()["seats"]
    assert [seat["status"] for seat in seats] == ["computer", "person"]
    assert again.get()["you"]["seats"] == [1]
    assert again.get()["values"] == [None, "fresh"]
    assert again.wait_for(turn=1)["ply"] == 1


def test_with_the_computer_nobody_is_asked_before_a_takeback(house: Hosted) -> None:
    south = house.create("tortuga", person(), MOUSSE, **SOUTH)
    assert south.get()["takeback"] is None
    assert south.act("takeback", 0, 409)["code"] == "not-now"
    south.play(0, "d2-d3")
    assert south.wait_for(turn=0)["takeback"] == 0
    n = south.get()["n"]
    south.act("takeback", 0)
    state = south.get()
    assert (state["ply"], state["turn"], state["takeback"], state["n"]) == (0, 0, None, n + 1)
    assert state["log"][-1]["sentence"] == "South takes a move back."
    south.play(0, "d2-c2")                          # the computer replies to this one
    assert south.wait_for(turn=0)["ply"] == 2
    south.act("hand", 0, level="mousse")
    assert south.act("takeback", 0, 409)["code"] == "not-now"


def test_a_takeback_comes_before_the_reply_of_a_computer_that_thinks(house: Hosted) -> None:
    south = house.create("canyon-1972", person(), {"kind": "computer", "level": "amiral"})
    south.play(0, south.get("/moves")["moves"][0]["text"])
    assert south.get()["thinking"]
    south.act("takeback", 0)
    state = south.get()
    assert (state["ply"], state["turn"], state["thinking"]) == (0, 0, False)
    # What it thought about is no longer on the table: it plays nothing, but in its turn.
    south.play(0, south.get("/moves")["moves"][1]["text"])
    assert south.wait_for(turn=0)["ply"] == 2


@pytest.mark.parametrize("game", games(), ids=lambda game: game.slug)
def test_every_game_goes_back_to_a_persons_last_decision(game: Game[Any], house: Hosted) -> None:
    table = house.create(game.slug, person(), *[MOUSSE] * (game.seats[0] - 1))
    state = table.wait_for(turn=0)
    before = {key: state[key] for key in ("ply", "turn", "scene", "choices")}
    table.play(0, table.get("/moves")["moves"][0]["text"])
    state = table.wait_for(turn=0)
    assert state["ply"] > before["ply"]
    table.act("takeback", 0)
    state = table.get()
    assert {key: state[key] for key in before} == before


def test_at_one_screen_the_last_move_is_taken_back_and_between_people_it_is_asked_for(
    house: Hosted
) -> None:
    screen = house.create("tortuga", person("Ana"), person("Bo"), **SOUTH)
    screen.play(0, "d2-d3")
    screen.play(1, "d6-d5")
    assert screen.get()["takeback"] == 1
    screen.act("takeback", 1)
    assert (screen.get()["ply"], screen.get()["takeback"]) == (1, 0)
    south, north = two_people(house)
    south.play(0, "d2-d3")
    assert south.act("takeback", 0, 409)["code"] == "ask-first"
    assert north.act("takeback", 0, 403)["code"] == "not-your-seat"
    assert south.get()["ply"] == 1


def test_the_computer_draws_unless_it_stands_better(house: Hosted) -> None:
    table = house.create("tortuga", person(), MOUSSE, **SOUTH)
    table.act("offer", 0, what="draw")
    state = table.wait_for(offer=None)
    told = [item for item in state["log"] if item["do"] == "answer"]
    assert [item["seat"] for item in told] == [1]
    assert (state["outcome"] is not None) == told[0]["yes"]


# ---- handing over ----


def test_a_seat_is_handed_to_the_computer_and_taken_back(house: Hosted) -> None:
    south, north = two_people(house)
    south.act("hand", 0, level="mousse")
    state = north.wait_for(turn=1)
    assert state["ply"] == 1
    assert (state["seats"][0]["status"], state["seats"][0]["name"]) == ("computer", "Ana")
    south.act("take", 0)
    assert south.get()["seats"][0]["status"] == "person"
    north.play(1, north.get("/moves")["moves"][0]["text"])
    assert south.get("/moves")["moves"]
    south.act("rename", 0, name="Anna")
    assert north.get()["seats"][0]["name"] == "Anna"
    assert south.act("take", 0, 409)["code"] == "not-now"
    assert south.act("hand", 0, 422, level="admiral")["code"] == "bad-option"


def test_who_comes_later_sees_the_commitment_first(house: Hosted) -> None:
    later = {**person("Est"), "later": True}
    table = house.create("tortuga", later, MOUSSE)
    waiting = table.get()
    assert waiting["begun"] is False
    assert waiting["seats"][0]["awaited"] is True
    assert waiting["commitment"]
    # The seat belongs to the holder of its token: no other client can sit there or give it away.
    stranger = table.holding(None)
    refused = house.client.post(f"/api/tables/{table.id}/seats/0", json={"name": "x"})
    assert (refused.status_code, refused.json()["code"]) == (409, "seat-taken")
    assert stranger.act("hand", 0, 401)["code"] == "no-seat"
    table.act("sit", 0, value="mine")
    begun = table.get()
    assert begun["begun"] is True
    assert begun["values"] == ["mine", None]
    assert begun["commitment"] == waiting["commitment"]
    assert table.act("sit", 0, 409, value="other")["code"] == "not-now"


def test_who_left_can_be_replaced_but_only_after_a_while(tmp_path: Path) -> None:
    clock = SetClock()
    with hosted(tmp_path, now=clock) as house:
        south, north = two_people(house)
        assert north.act("hand", 0, 403)["code"] == "not-your-seat"
        clock.now += 61_000
        assert south.holding(None).get()["seats"][0]["present"] is False
        north.act("hand", 0, level="mousse")
        assert north.get()["seats"][0]["status"] == "computer"
        timed, other = two_people(house, clock={"initial": 600, "increment": 0})
        clock.now += 61_000
        assert timed.get()["clock"]["running"] == []   # no seat has played yet
        assert other.act("hand", 0, 403)["code"] == "not-your-seat"


# ---- clocks ----


def test_the_clock_flags_on_time(tmp_path: Path) -> None:
    clock = SetClock()
    with hosted(tmp_path, now=clock) as house:
        south, north = two_people(house, clock={"initial": 60, "increment": 5})
        south.play(0, "d2-d3")
        clock.now += 20_000
        north.play(1, "d6-d5")
        shown = south.get()["clock"]
        assert shown["remaining"] == [65_000, 45_000]
        assert shown["running"] == [0]
        clock.now += shown["remaining"][0] - 1
        assert south.get()["outcome"] is None
        clock.now += 1
        table = house.house.tables[south.id]
        house.run(table.duties.look_at_clock())
        outcome = north.get()["outcome"]
        assert (outcome["ending"], outcome["winners"]) == ("time", [1])
        assert south.play(0, "d3-d4", status=409)["code"] in ("over", "stale")


def test_a_flag_falls_by_itself(house: Hosted) -> None:
    south, north = two_people(house, clock={"initial": 1, "increment": 0})
    south.play(0, "d2-d3")
    state = south.wait_for(turn=None)
    assert state["outcome"]["ending"] == "time"
    assert state["outcome"]["winners"] == [0]
    assert north.get()["clock"]["remaining"][1] == 0


def test_time_stands_still_while_the_house_is_closed(tmp_path: Path) -> None:
    clock = SetClock()
    with hosted(tmp_path, now=clock) as house:
        south, _ = two_people(house, clock={"initial": 60, "increment": 0})
        south.play(0, "d2-d3")
    clock.now += 3_600_000
    with hosted(tmp_path, now=clock) as house:
        north = Table(house, south.id, None)
        state = north.wait_for(turn=1)
        assert state["outcome"] is None
        assert state["clock"]["remaining"][1] == 60_000
        assert state["log"][-1]["do"] == "reopen"


def test_who_comes_back_before_the_house_has_looked_is_forgiven_the_time_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later(house: House, tables: object) -> None:
        """The house does not come to its tables before the players do."""

    async def forget(house: House, table: str) -> None:
        house.forget_table(house.tables[table])

    clock = SetClock()
    with hosted(tmp_path, now=clock) as house:
        south, _ = two_people(house, clock={"initial": 60, "increment": 0})
        south.play(0, "d2-d3")
    clock.now += 3_600_000
    monkeypatch.setattr(House, "_wake", later)
    with hosted(tmp_path, now=clock) as house:
        north = Table(house, south.id, None)
        for _ in range(2):                          # once is enough
            state = north.get()
            assert state["clock"]["remaining"][1] == 60_000
            assert [item["do"] for item in state["log"]].count("reopen") == 1
            house.run(forget(house.house, south.id))


# ---- several seats, hidden hands ----


def test_a_match_without_an_end_can_only_be_resigned(
    house: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acting, "MOST_EVENTS", 6)
    south, north = two_people(house)
    while south.get()["n"] < 6:
        south.act("say", 0, text="and on")
    for refused in ({"do": "say", "text": "and on"}, {"do": "offer", "what": "draw"}):
        answer = north.act(seat=1, status=409, **refused)
        assert (answer["code"], "too long" in answer["message"]) == ("too-long", True)
    move = south.get("/moves")["moves"][0]["text"]
    assert south.play(0, move, status=409)["code"] == "too-long"
    north.act("resign", 1)
    assert south.get()["outcome"]


def test_three_people_and_computers_in_the_canyon(house: Hosted) -> None:
    table = house.create("canyon-1997", person("Ana"), OPEN, MOUSSE)
    other = table.sit(1, name="Bo")
    state = table.wait_for(begun=True)
    assert state["hidden"]
    assert state["turn"] in (0, 1, 2)
    assert other.act("resign", 1, 409)["code"] == "not-now"
    assert other.act("offer", 1, what="draw")["n"]


def test_public_tables_are_in_the_lobby(house: Hosted) -> None:
    table = house.create("canoe", person("Ana"), OPEN, public=True)
    hidden = house.create("canoe", person("Ana"), OPEN)
    listed = {one["table"]: one for one in house.client.get("/api/tables").json()}
    assert hidden.id not in listed
    assert [seat["status"] for seat in listed[table.id]["seats"]] == ["person", "open"]


def test_cards_that_are_dealt_are_no_moves_in_the_lobby(house: Hosted) -> None:
    table = house.create("canyon-1997", person("Ana"), person("Leo"), person("Mia"), public=True)
    listed = {one["table"]: one for one in house.client.get("/api/tables").json()}[table.id]
    assert listed["ply"] > 0
    assert listed["moves"] == 0


def test_who_sits_down_without_a_name_is_not_named_twice(house: Hosted) -> None:
    table = house.create("tortuga", OPEN, OPEN)
    table.sit(0)
    north = table.sit(1, name="Ana")
    north.act("rename", 1, name="Ana Sol")
    told = [item["sentence"] for item in table.get(lang="en")["log"] if item["do"] == "sit"]
    assert told == ["South sits down.", "Ana sits down as North.", "Ana is now called Ana Sol."]
    told = [item["sentence"] for item in table.get(lang="fr")["log"] if item["do"] == "sit"]
    assert told == [
        "Sud s’assied.", "Ana s’assied à la place Nord.", "Ana s’appelle maintenant Ana Sol.",
    ]


def test_idle_tables_leave_the_memory_and_come_back(house: Hosted) -> None:
    south, _ = two_people(house)
    south.play(0, "d2-d3")
    kept = house.house.tables[south.id]
    house.house.loop.call_soon_threadsafe(house.house.forget_table, kept)
    assert south.get()["ply"] == 1
    assert house.house.tables[south.id] is not kept


@pytest.mark.parametrize("game", games(), ids=lambda game: str(game.slug))
def test_figures_can_be_touched(house: Hosted, game: Game[Any]) -> None:
    path = f"/api/games/{game.slug}"
    examples = house.client.get(f"{path}/examples", params={"lang": "en"}).json()
    assert [example["id"] for example in examples] == [example.id for example in game.examples]
    for example in examples[:12]:
        wanted = example["move"] or example["attempt"]
        if wanted is None:
            continue
        body = {"position": example["position"], "line": example["line"], "lang": "en"}
        said = house.client.post(
            f"{path}/explain", json={**body, "atoms": list(game.split(wanted))}
        )
        assert said.status_code == 200, said.text
        assert said.json()["legal"] == (example["move"] is not None), example["id"]
        assert said.json()["scene"]["cells"] if said.json()["legal"] else said.json()["text"]


def test_a_table_is_listed_when_somebody_who_sits_there_says_so(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        south = house.create("tortuga", person("Ana"), OPEN)

        def listed() -> list[str]:
            return [table["table"] for table in house.client.get("/api/tables").json()]

        assert listed() == []
        with south.holding(None).live() as guest:
            assert guest.next("state")["public"] is False
            south.holding(None).act("publish", 0, 401, public=True)
            south.act("publish", 0, public=True)
            told = guest.next("events")
            assert told["state"]["public"] is True
            assert told["events"][-1]["sentence"] == "Ana lists the table in the lobby."
        assert listed() == [south.id]
        south.sit(1, name="Bo")
    with hosted(tmp_path) as house:                 # it is still, when the house opens again
        south = Table(house, south.id, south.token)
        south.count = 10                            # other actions have other ids
        assert [table["table"] for table in house.client.get("/api/tables").json()] == [south.id]
        assert south.get()["public"] is True
        south.act("publish", 0, public=False)
        assert house.client.get("/api/tables").json() == []
        south.act("resign", 0)
        assert south.act("publish", 0, 409, public=True)["code"] == "over"


def test_the_end_names_what_the_last_moves_took_or_jumped() -> None:
    position = escale.game("tortuga").start_with({"first": "south"})
    assert last_blow(position, SPECTATOR, "en") == ""
    for move in ("d1-d3", "e6-e5", "g1-f2", "e5-f4"):
        position = position.play(move)
    assert last_blow(position, SPECTATOR, "en") == "after the jump over d2"
    position = position.play("c1-e2-g2")
    assert last_blow(position, SPECTATOR, "fr") == "après 2 sauts d’un coup"
    assert last_blow(position.play("a4-a3"), SPECTATOR, "en") == "after 2 jumps in one move"
