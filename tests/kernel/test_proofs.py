"""What a search calls proven is true: checked by exhaustive search without any table."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest

import escale
from escale import kernel
from escale.devkit.starts import option_sets
from escale.games.canoe.geometry import BITS as HOLES
from escale.games.canoe.rules import CanoeState
from escale.games.tortuga.geometry import BITS as CELLS
from escale.games.tortuga.rules import TortugaState
from tests.kernel import search, uncompiled, walk
from tests.sizes import sized

SLUGS = [game.slug for game in escale.games() if game.seats == (2, 2)]
SHARE = 1 if kernel.COMPILED else 50
"""How much less is tried where everything runs uncompiled."""
NODES = 40_000 // SHARE
"""What an exhaustive search may take; longer proofs are not checked here."""
BUDGETS = {"mcts": ("simulations", 200 // min(SHARE, 4)), "alphabeta": ("nodes", 5_000 // SHARE)}
MOST_GAMES = 1000
"""How many games are looked through for claims: how soon they come depends on how it is played."""
LIMITS = {"tortuga": 300, "canoe": 200}
"""Plies after which a game is over."""


def check(positions: Iterable[kernel.State], nodes: int = NODES, enough: int = 10**9) -> int:
    """Think about positions in both ways, and check every claim; how many there were."""
    checked = 0
    for number, position in enumerate(positions):
        for method, (unit, amount) in BUDGETS.items():
            thought = search(position, method, seed=number, **{unit: amount})
            assert (thought.plies_to_end is not None) == thought.proven
            if thought.plies_to_end is None:
                continue
            bounds = kernel.brute_force(position, thought.plies_to_end, nodes)
            if bounds is not None:
                assert bounds == (thought.shares[0], thought.shares[0]), (number, method, thought)
                assert sum(thought.shares) == 1
                checked += 1
        if checked >= enough:
            break
    return checked


def on_turn(positions: Iterable[kernel.State]) -> list[kernel.State]:
    return [position for position in positions if position.turn >= 0 and position.legal_moves()]


def late(slug: str, games: int = MOST_GAMES) -> Iterator[kernel.State]:
    """The last positions of random games, with every option in turn."""
    game = escale.game(slug)
    sets = option_sets(game)
    for number in range(games):
        start = game.start_with(sets[number % len(sets)], seed=number).kernel()
        yield from on_turn(walk(start, kernel.Random(number), 400)[-5:])


@pytest.mark.parametrize("slug", SLUGS)
def test_late_positions(slug: str) -> None:
    enough = sized(20, 60, 1)
    assert check(late(slug), enough=enough) >= enough


def ends(slug: str, games: int, first: int = 0) -> Iterator[kernel.State]:
    """The last positions of games in which both sides search, each a little differently."""
    game = escale.game(slug)
    sets = [options for options in option_sets(game) if options.get("unstack") != "free"]
    for number in range(first, first + games):
        position = game.start_with(sets[number % len(sets)], seed=number).kernel()
        random = kernel.Random(number)
        line = []
        while position.legal_moves():
            line.append(position.copy())
            if position.turn < 0:
                position.play(kernel.draw_chance(position, random))
            else:
                position.play(search(
                    position, "alphabeta", nodes=60, noise=300, seed=random.below(1 << 30)
                ).move)
        yield from on_turn(line[-6:])


@pytest.mark.parametrize("slug", SLUGS)
def test_the_ends_of_played_games(slug: str) -> None:
    enough = sized(30, 100, 1)
    assert check(ends(slug, MOST_GAMES), enough=enough) >= enough


@pytest.mark.exhaustive
@pytest.mark.skipif(not kernel.COMPILED, reason="takes too long")
@pytest.mark.parametrize("slug", SLUGS)
def test_thousands_of_claims(slug: str) -> None:
    assert check(ends(slug, 900, first=1000), 400_000) >= 2000


def strewn(chance: random.Random) -> TortugaState:
    """A few turtles anywhere, but on no base."""
    cells = sorted(CELLS.keys() - {"d1", "d7"})
    sides = [0, 0, 0]
    for cell in chance.sample(cells, chance.randrange(2, 8)):
        sides[chance.randrange(3)] |= 1 << CELLS[cell]
    own, enemy, neutral = sides
    return TortugaState(
        own, enemy, neutral, chance.randrange(2), chance.random() < 0.3, chance.random() < 0.3,
    )


def test_every_small_table_of_tortuga_is_solved() -> None:
    chance = random.Random(5)
    solved = 0
    for number in range(1200 // SHARE):
        position = strewn(chance)
        position.resume(chance.choice([0, 0, 296, 298]), chance.choice([1, 1, 2]))
        bounds = kernel.brute_force(position, 60, NODES // 5) if position.legal_moves() else None
        if bounds is None:
            continue
        for method, unit in (("mcts", "simulations"), ("alphabeta", "nodes")):
            thought = search(position, method, seed=number, **{unit: 200_000})
            assert thought.proven
            assert bounds == (thought.shares[0], thought.shares[0])
            assert thought.plies_to_end is not None
            found = kernel.brute_force(position, thought.plies_to_end)
            assert found == bounds
        solved += 1
    assert solved >= (600 if kernel.COMPILED else 0)


@pytest.mark.parametrize("slug", LIMITS)
def test_before_the_last_ply(slug: str) -> None:
    def positions() -> Iterator[kernel.State]:
        for position in late(slug, 200 // SHARE):
            chance = random.Random(position.key())
            position.resume(LIMITS[slug] - chance.randrange(1, 4), chance.choice([1, 2]))
            yield from on_turn([position])

    assert check(positions()) >= (200 if kernel.COMPILED else 0)


BOATS = {
    "light": ("a3 b4 c4 d3", "g3 h4 i4 j3"),
    "dark": ("a5 d5 b6 c6", "j5 m5 k6 l6"),
}
"""Two canoes for each colour."""


def nearly(chance: random.Random) -> CanoeState:
    """A table on which each colour lacks a peg or two of its canoes."""
    sides = []
    for boats in BOATS.values():
        holes = " ".join(boats).split()
        chance.shuffle(holes)
        sides.append(sum(1 << HOLES[hole] for hole in holes[chance.randrange(1, 3):]))
    turn = chance.randrange(2)
    return CanoeState(sides[turn], sides[1 - turn], turn)


def test_there_and_back_again() -> None:
    """Positions that have been before, with the moves that would make a third time of it."""

    def positions() -> Iterator[kernel.State]:
        for seed in range(50 // SHARE):
            chance = random.Random(seed)
            position = nearly(chance)
            for move in back_and_forth(position, chance) * 2:
                if move not in position.legal_moves():
                    break
                position.play(move)
                yield from on_turn([position.copy()])

    assert check(positions()) >= (100 if kernel.COMPILED else 0)


def back_and_forth(position: kernel.State, chance: random.Random) -> list[int]:
    """Both colours plant a peg and take it back: four moves that change nothing."""
    empty = [hole for hole in range(61) if 63 | hole << 6 in position.legal_moves()]
    one, other = chance.sample(empty, 2)
    return [63 | one << 6, 63 | other << 6, one | 63 << 6, other | 63 << 6]


def test_mazes() -> None:
    """Games made to mislead: results that depend on the way, seats that move twice."""
    if kernel.COMPILED:
        script = "import json; from tests.kernel.mazes import *; print(json.dumps({}))"
        assert uncompiled(script.format("faults(150)")) == []
        assert uncompiled(script.format("faults_with_lots(60)")) == []
    else:
        from tests.kernel import mazes

        assert mazes.faults(60) == []
        assert mazes.faults_with_lots(30) == []
