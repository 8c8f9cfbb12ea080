"""How the four Qenj evaluate positions: what is counted is what can be played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import escale
from escale import kernel
from escale.games.qenj import GAMES
from escale.games.qenj.geometry import FAMILY
from escale.games.qenj.ring import PHASES
from escale.games.qenj.rules import QenjState
from escale.kernel import Evaluation
from escale.kernel.weights import DRAWS, ODDS, features, flat, part_of
from tests.kernel import search, start, walk

PLAY = PHASES.index("play")
SLUGS = [game.slug for game in GAMES]


def evaluation(slug: str) -> Evaluation:
    return escale.game(slug).evaluation


def positions(slug: str) -> Iterator[QenjState]:
    """Positions of random games in which the seat on turn can move, with nothing repeated."""
    options = dict(escale.game(slug).quick)
    for seed in range(12 if kernel.COMPILED else 3):
        for position in walk(start(slug, **options), kernel.Random(seed), 40):
            assert isinstance(position, QenjState)
            if position.phase == PLAY and position.won < 0 and position.legal_moves()[:1] > [15]:
                yield position


def draw_chance(position: kernel.State) -> None:
    """Let chance have its turn."""
    while position.turn == kernel.CHANCE:
        position.play(kernel.draw_chance(position, kernel.Random(1)))


def reached(position: QenjState, turn: int) -> Counter[int]:
    """How many stacks the seat could move, by the number of cells their column is then short of."""
    cells = FAMILY["cells"][position.game]
    before = QenjState(
        position.game, position.words(), turn, PLAY, 0, position.north,
        (position.out_a, position.out_b),
    )
    found = {}
    for move in before.legal_moves():
        if move == 15:
            continue
        after = before.copy()
        assert isinstance(after, QenjState)
        after.play(move)
        grown = [
            sum(word >> 5 * row & 31 > 0 for row in range(cells))
            for word, old in zip(after.words(), before.words(), strict=True)
            if word & ~old
        ]
        full = after.out_a + after.out_b > before.out_a + before.out_b
        found[move & 255] = 0 if full else cells - max(grown)
    return Counter(min(short, 3) for short in found.values())


def named(numbers: dict[str, Any], values: list[int]) -> dict[str, list[int]]:
    """Values by the names of the numbers that they go with."""
    left = iter(values)
    return {
        name: [next(left) for _ in found] for name, found in flat(numbers).items()
        if not name.startswith(DRAWS)
    }


def test_what_is_counted_at_qenj1_can_be_played() -> None:
    opinion = evaluation("qenj1")
    numbers = opinion.numbers
    some = list(positions("qenj1"))
    met: Counter[str] = Counter()
    for position, for_wins, for_draws in zip(
        some, features(opinion, list(some)), features(opinion, list(some), draws=True), strict=True
    ):
        of = named(numbers, for_wins)
        assert of == {**named(numbers[DRAWS], for_draws), "apart": [0]}
        own, other = (reached(position, seat) for seat in (position.turn, 1 - position.turn))
        moves, others = own.total(), other.total()
        assert of["win"] == [int(own[0] > 0)]
        assert of["threats"] == [int(min(other[0], 3) == n) for n in (1, 2, 3)]
        assert of["mobility"] == [
            int((min(moves, 8), min(others, 8)) == (n, m)) for n in range(9) for m in range(9)
        ]
        columns = sum(word > 0 for word in position.words())
        assert of["columns"] == [int(columns == n) for n in range(4, 13)]
        assert of["near"] == [other[1], own[1]]
        landings = [
            [move for move in QenjState(
                0, position.words(), seat, PLAY, 0, position.north
            ).legal_moves() if move != 15]
            for seat in (1 - position.turn, position.turn)
        ]
        assert of["landings"] == [len(found) for found in landings]
        sources = [{move & 15 for move in found} for found in landings]
        assert of["shared"] == [len(sources[0] & sources[1])]
        met["win"] += of["win"][0]
        met["threat"] += sum(of["threats"])
        met["shared"] += of["shared"][0]
        met["few"] += moves < 4
    if kernel.COMPILED:
        assert all(met[name] for name in ("win", "threat", "shared", "few"))


def test_only_qenj1_knows_of_draws() -> None:
    for slug in SLUGS:
        opinion = evaluation(slug)
        assert bool(part_of(opinion.numbers, draws=True)) == (slug == "qenj1")
        for position in positions(slug):
            assert (opinion.draw_odds(position) == -8000) == (slug != "qenj1")
    assert evaluation("qenj1").draw_odds(start("qenj1")) == -8000       # nothing is laid out yet


@pytest.mark.parametrize("slug", SLUGS[1:])
def test_what_is_counted_can_be_played(slug: str) -> None:
    opinion = evaluation(slug)
    goal = FAMILY["out"][int(slug[-1]) - 1]
    some = list(positions(slug))
    met: Counter[str] = Counter()
    for position, found in zip(some, features(opinion, list(some)), strict=True):
        of = named(opinion.numbers, found)
        own, other = (reached(position, seat) for seat in (position.turn, 1 - position.turn))
        out = (position.out_a, position.out_b)
        mine, theirs = out[position.turn], out[1 - position.turn]
        assert of["moves"] == [own[short] - other[short] for short in (3, 2, 1)]
        assert of["few"] == [(own.total() == n) - (other.total() == n) for n in range(4)]
        assert of["tempo"] == [1]
        met["few"] += own.total() < 4
        last, threatened = mine + 1 >= goal, theirs + 1 >= goal
        assert of["win"] == [int(bool(own[0]) and last)]
        ways = [int(min(other[0], 3) == n) for n in (1, 2, 3)]
        assert of["threats"] == [way * threatened for way in ways]
        if goal:
            fills = [int(min(own[0], 3) == n) for n in (1, 2, 3)]
            assert of["fills"] == [fill * (not last) for fill in fills]
            assert of["their_fills"] == [way * (not threatened) for way in ways]
            assert of["out"] == [(mine == n) - (theirs == n) for n in (1, 2)]
        met["win"] += of["win"][0]
        met["threat"] += sum(of["threats"])
    if kernel.COMPILED:
        assert met["win"]
        assert met["threat"]
        assert met["few"]


@pytest.mark.parametrize("slug", SLUGS)
def test_quiet_just_when_two_stacks_can_be_moved(slug: str) -> None:
    opinion = evaluation(slug)
    for position in positions(slug):
        stacks = {move & 255 for move in position.legal_moves()}
        assert opinion.quiet(position) == (len(stacks) > 1)
        for move in position.legal_moves()[:20]:
            after = position.copy()
            after.play(move)
            assert len(after.legal_moves()) > 1 or not opinion.quiet(after)


def test_a_win_at_once_is_found_just_when_there_is_one() -> None:
    met: Counter[bool] = Counter()
    for position in positions("qenj1"):
        winning = set()
        for move in position.legal_moves():
            after = position.copy()
            assert isinstance(after, QenjState)
            after.play(move)
            if after.won == position.turn:
                winning.add(move)
        found = evaluation("qenj1").winning_move(position)
        assert found in winning if winning else found is None
        met[bool(winning)] += 1
    assert met[False]
    assert met[True] or not kernel.COMPILED


@pytest.mark.parametrize("slug", ["qenj2", "qenj3", "qenj4"])
def test_the_others_do_not_look_for_it(slug: str) -> None:
    assert all(evaluation(slug).winning_move(position) is None for position in positions(slug))


def test_no_win_at_once_when_the_game_is_over_or_not_begun() -> None:
    position = start("qenj1")
    while position.legal_moves():
        assert isinstance(position, QenjState)
        if position.phase != PLAY:
            assert evaluation("qenj1").winning_move(position) is None
        position.play(position.legal_moves()[0])
    assert evaluation("qenj1").winning_move(position) is None


@pytest.mark.parametrize("nodes", [1000, 20_000])
def test_qenj1_is_set_up_with_like_colours_out_of_reach(nodes: int) -> None:
    position = start("qenj1")
    assert isinstance(position, QenjState)
    draw_chance(position)
    while position.turn == 0:
        position.play(search(position, "alphabeta", nodes=nodes, seed=position.step).move)
    colours = [
        next(word >> 5 * row & 31 for row in range(4) if word >> 5 * row & 31) >> 2
        for word in position.words()
    ]
    assert len(colours) == 12
    assert all(len({colours[(i + step) % 12] for step in range(4)}) == 4 for i in range(12))


def test_a_layout_is_valued_as_it_stands() -> None:
    weight = evaluation("qenj1").numbers["apart"]
    colours = (1, 2, 3, 4) * 3, (1,) * 3 + (2,) * 3 + (3,) * 3 + (4,) * 3
    for row, alike in zip(colours, (0, 12), strict=True):
        position = start("qenj1")
        draw_chance(position)
        for colour in row:
            assert evaluation("qenj1").estimate(position) is None
            position.play(colour)
        near = sum(row[i] == row[(i + step) % 12] for i in range(12) for step in (1, 2, 3))
        assert near == alike
        shares = evaluation("qenj1").estimate(position)
        assert shares is not None
        value = weight * (2 * (36 - near) - 9 * near)
        assert shares == pytest.approx([1 / (1 + math.exp(-value / ODDS)), 1 - shares[0]])


@pytest.mark.parametrize("nodes", [60, 1000])
def test_qenj2_is_set_up_in_columns_of_one_colour(nodes: int) -> None:
    position = start("qenj2")
    assert isinstance(position, QenjState)
    while position.turn == 0:
        position.play(search(position, "alphabeta", nodes=nodes, seed=position.step).move)
    draw_chance(position)
    assert position.phase == PHASES.index("sides")
    for word in position.words():
        assert len({(word >> 5 * row & 31) >> 2 for row in (3, 4, 5)}) == 1
