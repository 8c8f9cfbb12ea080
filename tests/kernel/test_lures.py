"""Lures: which moves are tried, what they are weighed by, and when nobody is lured."""

from __future__ import annotations

import math
from typing import Any

import pytest

from escale import kernel
from escale.kernel import lures
from escale.kernel.weights import ODDS
from tests.kernel import start, walk

NODES, LURE = (4000, 60) if kernel.COMPILED else (160, 4)
GAMES: dict[str, dict[str, str]] = {
    "qenj1": {"setup": "quick"}, "qenj4": {}, "tortuga": {}, "canoe": {},
}


def positions(slug: str, games: int) -> list[kernel.Position]:
    """Early ones of some games, in which a seat has to choose."""
    return [
        position
        for seed in range(games)
        for position in walk(start(slug, **GAMES[slug]), kernel.Random(seed), 12)[::3]
        if position.turn != kernel.CHANCE and len(position.legal()) > 1
    ]


def think(position: kernel.Position, **settings: Any) -> kernel.Thought:
    return kernel.think(position, "alphabeta", seed=7, sure=1, **settings)


def witness(position: kernel.Position, scorn: int) -> int:
    """The move to choose, weighed in the plainest way."""
    seat = position.turn
    draw = 1 / (1 + math.exp(scorn / ODDS))

    def after(here: kernel.Position, move: int) -> kernel.Position:
        there = here.copy()
        there.make(move)
        return there

    def share(here: kernel.Position, nodes: int) -> float:
        if not here.legal():
            certain = here.shares()[1][seat]
            return draw if certain == 0.5 else certain
        seen = think(here, nodes=nodes, scorn=scorn if here.turn == seat else -scorn)
        return draw if seen.proven and seen.shares[seat] == 0.5 else seen.shares[seat]

    def hope(here: kernel.Position) -> float:
        replies = [
            kernel.think(here, "mcts", simulations=LURE, seed=seed, solve=False).move
            for seed in (8, 9, 10)
        ]
        natural = sum(share(after(here, reply), NODES // 8) for reply in replies) / 3
        return (share(here, NODES // 8) + natural) / 2

    best = think(position, nodes=NODES, scorn=scorn)
    if best.proven or not 0.05 < best.shares[seat] < 0.97:
        return best.move
    if scorn and best.shares[seat] == draw:
        return best.move
    if after(position, best.move).turn != 1 - seat:
        return best.move
    others = [
        move for move in position.legal()
        if move != best.move
        and after(position, move).turn == 1 - seat and after(position, move).legal()
    ]
    others.sort(key=lambda move: -share(after(position, move), NODES // 40))
    least = max(share(after(position, best.move), NODES // 8) - 0.15, 0.05)
    tried = [
        move for move in others[:5] if share(after(position, move), NODES // 8) >= least
    ]
    if not tried:
        return best.move
    hopes = {move: hope(after(position, move)) for move in tried}
    lure = max(hopes, key=lambda move: hopes[move])
    return lure if hopes[lure] > hope(after(position, best.move)) + 0.01 else best.move


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("scorn", [0, 500])
def test_a_lure_is_chosen_as_the_witness_does(slug: str, scorn: int) -> None:
    lured = 0
    for position in positions(slug, 12 if kernel.COMPILED else 1):
        best = think(position, nodes=NODES, scorn=scorn)
        found = think(position, nodes=NODES, scorn=scorn, lure=LURE)
        assert found.move == witness(position, scorn)
        assert found.line[0] == found.move
        assert found.move in position.legal()
        assert found.nodes >= best.nodes
        assert found.proven == best.proven
        if found.move == best.move:
            assert (found.shares, found.line) == (best.shares, best.line)
        lured += found.move != best.move
    assert lured or not kernel.COMPILED


def test_without_a_lure_it_is_alpha_beta() -> None:
    for position in positions("tortuga", 2):
        plain = think(position, nodes=NODES)._replace(milliseconds=0)
        assert think(position, nodes=NODES, lure=0)._replace(milliseconds=0) == plain


def test_nobody_is_lured_where_the_result_is_proven() -> None:
    proven = 0
    for seed in range(20 if kernel.COMPILED else 6):
        for position in walk(start("canoe"), kernel.Random(seed), 400)[-4:-1]:
            plain = think(position, nodes=NODES)._replace(milliseconds=0)
            if plain.proven:
                proven += 1
                found = think(position, nodes=NODES, lure=LURE)._replace(milliseconds=0)
                assert found == plain
    assert proven


def test_moves_left_out_lure_nobody() -> None:
    for position in positions("tortuga", 2):
        *out, last = position.legal()
        assert think(position, nodes=NODES, lure=LURE, without=out).move == last


def test_when_time_is_over_the_best_move_is_played() -> None:
    position = start("tortuga")
    best = think(position, nodes=NODES)
    found = think(position, nodes=NODES, lure=10**9, seconds=best.milliseconds / 1000 + 0.3)
    assert found.move == best.move
    assert found.milliseconds < 5000


def test_lures_need_nodes() -> None:
    with pytest.raises(ValueError, match="lures need a number of nodes"):
        think(start("tortuga"), seconds=1, lure=LURE)


def test_a_draw_is_worth_less_to_who_scorns_it() -> None:
    assert lures.worth_of_draw(0) == 0.5
    assert lures.worth_of_draw(500) == pytest.approx(0.1192, abs=1e-4)
