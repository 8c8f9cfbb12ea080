"""What people and computers at a table are called in its sentences, and who acts for whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.hosting import MOUSSE, OPEN, Hosted, Table, hosted, person

SOUTH = {"options": {"first": "south"}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house")) as running:
        yield running


def told(table: Table, lang: str = "en") -> list[str]:
    """The sentences of the log."""
    return [item["sentence"] for item in table.get(lang=lang)["log"]]


def two_people(house: Hosted, north: str = "Bo") -> tuple[Table, Table]:
    ana = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    return ana, ana.sit(1, name=north)


def test_sentences_name_people_and_not_seats(house: Hosted) -> None:
    ana, bo = two_people(house)
    ana.act("offer", 0, what="draw")
    bo.act("answer", 1, yes=False)
    bo.act("offer", 1, what="draw")
    bo.act("answer", 1, yes=False)
    ana.act("resign", 0)
    assert told(ana)[-6:] == [
        "Ana offers a draw.", "Bo declines the draw that Ana offered.",
        "Bo offers a draw.", "Bo withdraws the offer.",
        "Ana resigns.", "Ana resigns: Bo wins.",
    ]
    assert ana.get(lang="fr")["outcome"]["text"] == "Ana abandonne\xa0: Bo gagne."


def test_those_who_would_be_called_the_same_are_told_apart(house: Hosted) -> None:
    ana, _ = two_people(house, "Ana")
    names = [seat["called"] for seat in ana.get(lang="en")["seats"]]
    assert names == ["Ana (South)", "Ana (North)"]
    table = house.create("canyon-1997", person("Zoé"), *[MOUSSE] * 5)
    names = [seat["called"] for seat in table.get(lang="fr")["seats"]]
    assert names[:3] == ["Zoé", "Mousse (Héron)", "Mousse (Castor)"]
    assert len(set(names)) == 6


def test_a_guest_who_gave_no_name_is_one_in_the_language_of_the_reader(house: Hosted) -> None:
    table = house.create("tortuga", person("Invité"), OPEN, **SOUTH)
    bo = table.sit(1, name="Bo")
    for lang, name in (("fr", "Invité"), ("en", "Guest")):
        seat = table.get(lang=lang)["seats"][0]
        assert (seat["name"], seat["called"]) == (name, name)
    bo.act("hand", 1, level="mousse")
    table.act("resign", 0)
    assert told(table)[-2] == "Guest resigns."
    assert told(table, "fr")[-2] == "Invité abandonne."


def test_a_stand_in_is_named_and_its_moves_are_its_own(house: Hosted) -> None:
    ana, bo = two_people(house)
    ana.play(0, "d2-d3")
    bo.act("hand", 1, level="mousse")
    state = ana.wait_for(turn=0)
    assert state["seats"][1]["called"] == "Cabin boy for Bo"
    bo.act("take", 1)
    log = ana.get(lang="en")["log"]
    assert [item["sentence"] for item in log if item["do"] == "sit"][-2:] \
        == ["Cabin boy now plays for Bo.", "Bo takes the seat back."]
    moves = [item.get("by") for item in log if item["do"] == "play"]
    assert moves == [None, "Cabin boy for Bo"]


def test_who_plays_on_against_a_stand_in_gains_no_hints(house: Hosted) -> None:
    ana, bo = two_people(house)
    bo.act("hand", 1, level="mousse")
    assert refused(ana, 0) == "no-hints"
    alone = house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
    assert refused(alone, 0) is None
    alone.act("hand", 0, level="mousse")        # one's own stand-in takes nothing away
    alone.act("take", 0)
    alone.wait_for(turn=0)
    assert refused(alone, 0) is None


def refused(table: Table, seat: int) -> str | None:
    """Why a hint is refused."""
    answer: Any = table.hosted.client.post(
        f"/api/tables/{table.id}/hint", json={"as": seat}, headers=table.headers
    )
    code: str | None = answer.json().get("code")
    return code


def to_bid(table: Table, *others: Table) -> list[dict[str, Any]]:
    """Place the canoes; the states of all when bids are chosen."""
    while True:
        state = table.get()
        if len(state["choosing"]) > 1 or state["choosing"] == []:
            return [one.get() for one in (table, *others)]
        seat = state["turn"]
        for one in (table, *others):
            if seat in one.get()["you"]["seats"]:
                move = one.get("/moves", **{"as": seat})["moves"][0]["text"]
                one.play(seat, move)


def test_all_bid_at_once_in_any_order(house: Hosted) -> None:
    first = house.create("canyon-1997", person("Ana"), OPEN, OPEN)
    others = first.sit(1, name="Bo"), first.sit(2, name="Chloé")
    states = to_bid(first, *others)
    order = states[0]["choosing"]
    assert sorted(order) == [0, 1, 2]
    known = states[0]["n"]
    tables = [first, *others]
    for seat, state in enumerate(states):
        assert state["choices"] is not None
        assert [move["text"] for move in tables[seat].get("/moves")["moves"]] \
            == [f"bid{number}" for number in range(9)]
    last, middle, front = order[2], order[1], order[0]
    tables[last].play(last, "bid3", n=known)
    # What others choose unseen makes nobody's choice stale.
    tables[front].play(front, "bid0", n=known)
    state = tables[middle].get()
    assert (state["choosing"], state["unshown"]) == ([middle], 2)
    assert tables[last].act("play", last, status=409, n=known, move="bid1")["code"] \
        == "not-your-turn"
    tables[middle].play(middle, "bid1", n=known)
    state = first.get(lang="en")
    assert len(state["choosing"]) == 1
    assert state["turn"] == front
    names = [seat["label"] for seat in state["seats"]]
    assert state["log"][-1]["sentence"].endswith(
        f"{names[front]} bids 0 tricks. {names[middle]} bids 1 trick. "
        f"{names[last]} bids 3 tricks."
    )


def test_computers_bid_without_waiting_for_people(house: Hosted) -> None:
    table = house.create("canyon-1997", person("Ana"), MOUSSE, MOUSSE)
    while True:
        state = table.wait_for(thinking=False)
        if state["unshown"]:
            break
        table.play(0, table.get("/moves")["moves"][0]["text"])
    assert state["choosing"] == [0]
    assert state["unshown"] == 2
    table.play(0, "bid2")
    state = table.wait_for(unshown=0)
    assert state["moves"] >= 6


def test_a_canoe_says_what_its_move_comes_from(house: Hosted) -> None:
    table = house.create(
        "canyon-1997", person("Ana"), person("Bo"), person("Chloé"), options={"short": "on"}
    )
    changes: list[dict[str, Any]] = []
    while not changes:
        state = table.get()
        seat = state["choosing"][0]
        table.play(seat, table.get("/moves", **{"as": seat})["moves"][0]["text"])
        [item, *_] = table.get("/events", since=state["n"], lang="en")["events"]
        if any(change["kind"].startswith("earned") for change in item["changes"]):
            changes = item["changes"]
    assert item["sentence"] == " ".join(change["sentence"] for change in changes)
    [earned, *_] = [change["sentence"] for change in changes if change["kind"].startswith("earned")]
    assert earned.startswith(("Otter", "Heron", "Beaver"))
    bid = "missed bid: " if "missed" in earned else "exact bid: "
    assert bid in earned
    assert item["pauses"]
    assert item["pauses"][0]["after"] == [one["kind"] for one in changes].index("trick-taken")
