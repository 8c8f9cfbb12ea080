"""Boards over HTTP: fetched once, kept for ever; and what a move then costs on the wire."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import mean

import pytest

import escale
from escale.game.state_of_play import board_part
from escale.game.viewer import SPECTATOR
from escale.server.edge.limits import Limits
from tests.server.hosting import OPEN, Hosted, hosted, person

MOVES = 60
"""At least so many are weighed: some positions have many choices."""
SMALL = ("canoe", "qenj1", "qenj4", "tortuga")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(Path(tmp_path_factory.mktemp("house")), limits=Limits.none()) as one:
        yield one


def test_a_board_is_found_at_the_address_that_a_table_gives(house: Hosted) -> None:
    table = house.create("canyon-1972", person(), OPEN, options={"canyon": "narrow"})
    play = table.get()["scene"]
    answer = house.client.get(play["board"], headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers.get("content-encoding")
    box = escale.game("canyon-1972")
    part = board_part(box, {"canyon": "narrow"}, 2)
    assert answer.content == part.json
    start = box.start(canyon="narrow")
    assert part.join(play) == start.scene(SPECTATOR)
    page = house.client.get(f"/t/{table.id}", follow_redirects=True).text
    assert f'{{"{play["board"]}":{{' in page                    # the page brings it along


def test_a_board_that_is_not_this_one_is_not_found(house: Hosted) -> None:
    table = house.create("canyon-1972", person(), OPEN, options={"canyon": "narrow"})
    path, _, query = table.get()["scene"]["board"].partition("?")
    for address, status, code in (
        (f"{path}?{query.replace('narrow', 'short')}", 404, "unknown-board"),
        (f"{path[:-16]}{'0' * 16}?{query}", 404, "unknown-board"),
        (f"{path}?{query}&canyon=none", 422, "bad-option"),
        (f"{path}?seats=5&canyon=narrow", 422, "bad-option"),
        (f"{path}?{query}&colour=red", 422, "bad-option"),
        (path.replace("canyon-1972", "chess"), 404, "unknown-game"),
    ):
        refused = house.client.get(address)
        assert (refused.status_code, refused.json()["code"]) == (status, code), address
        assert "immutable" not in refused.headers.get("cache-control", "")


def test_the_board_in_words_is_made_when_it_is_asked_for(house: Hosted) -> None:
    table = house.create("tortuga", person(), person(), options={"first": "south"})
    assert "text" not in table.get()
    before = table.get("/text", lang="en")
    assert "▲" in before["text"]
    table.play(0, "d2-d3")
    after = table.get("/text", lang="en")
    assert after["n"] == before["n"] + 1
    assert after["text"] != before["text"]
    assert table.get("/text", ply=0, lang="en")["text"] == before["text"]
    assert house.client.get(f"/api/tables/{table.id}/text?ply=9").status_code == 404


@pytest.mark.parametrize("slug", [game.slug for game in escale.games()])
def test_a_move_is_few_bytes_for_a_browser(house: Hosted, slug: str) -> None:
    """Over at least a whole game, on the average of all browsers at the table."""
    chance = random.Random(3)
    sizes: list[int] = []
    while len(sizes) < MOVES:
        sizes += _sizes(house, slug, chance, at_most=MOVES)
    assert mean(sizes) < (2048 if slug in SMALL else 4096)


def _sizes(house: Hosted, slug: str, chance: random.Random, at_most: int) -> list[int]:
    """Play at random; how many bytes a browser is sent for each move, on the average."""
    box = escale.game(slug)
    table = house.create(slug, person(), *[OPEN] * (box.seats[0] - 1), options=dict(box.quick))
    seats = [table, *(table.sit(seat, name=str(seat)) for seat in range(1, box.seats[0]))]
    sizes: list[int] = []
    with ExitStack() as stack:
        ears = [stack.enter_context(one.live()) for one in seats]
        for ear in ears:
            ear.next("state")
        state = table.get()
        while state["outcome"] is None and len(sizes) < at_most:
            turn = state["turn"]
            legal = seats[turn].get("/moves")["moves"]
            seats[turn].play(turn, chance.choice(legal)["text"])
            for ear in ears:
                ear.next("events")
            sizes.append(sum(len(ear.heard[-1].encode()) for ear in ears) // len(ears))
            state = table.get()
    return sizes
