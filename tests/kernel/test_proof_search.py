"""What a proof-number search proves is so, and what is so within a few plies it proves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest

import escale
from escale import kernel
from escale.kernel import Limit, ProofSearch
from tests.kernel import start, uncompiled
from tests.kernel.test_proofs import NODES, SHARE, SLUGS, ends, late
from tests.sizes import sized

PLIES = {"canoe": 2, "canyon-1972": 3, "qenj2": 3}
"""How far is looked: elsewhere four plies. Where moves are many, brute force takes long."""
MOST_MOVES = 100
"""Positions with more are left out: brute force takes long."""
GOALS = (1.0, 0.5)
LIMIT = Limit(nodes=50_000)


def check(positions: Iterable[kernel.State], plies: int, enough: int) -> int:
    """Compare proofs with what brute force says of both seats; how many positions there were."""
    compared = missed = 0
    for position in positions:
        if len(position.legal_moves()) > MOST_MOVES:
            continue
        bounds = kernel.brute_force(position, plies, NODES // 2)
        if bounds is None:
            continue
        low, high = bounds
        for seat, least in itertools.product((0, 1), GOALS):
            sure, possible = (low, high) if seat == 0 else (1 - high, 1 - low)
            found = ProofSearch(position, seat, least, plies=plies).prove(position, LIMIT)
            here = (position, position.plies, seat, least, found, bounds)
            if found is None:
                # What only a third occurrence brings may be missed: there is little of it.
                missed += sure >= least
                continue
            assert possible >= least, here
            assert found.plies <= plies, here
            assert sure >= least, here
            follow(position, found, seat, least)
        compared += 1
        if compared >= enough:
            break
    assert missed <= max(1, 4 * compared // 20)
    return compared


def follow(position: kernel.State, found: kernel.Proof, seat: int, least: float) -> None:
    """The line of a proof is legal, not longer than it says, and ends as it says."""
    here = position.copy()
    for move in found.moves:
        assert move in here.legal_moves()
        here.play(move)
    assert len(found.moves) <= found.plies
    if not here.legal_moves():
        assert here.result()[1][seat] >= least


@pytest.mark.parametrize("slug", SLUGS)
def test_late_positions(slug: str) -> None:
    enough = sized(12, 40, 1)
    assert check(late(slug), PLIES.get(slug, 4), enough) >= enough


@pytest.mark.parametrize("slug", SLUGS)
def test_the_ends_of_played_games(slug: str) -> None:
    enough = sized(12, 40, 1)
    assert check(ends(slug, 400), PLIES.get(slug, 4), enough) >= enough


@pytest.mark.exhaustive
@pytest.mark.skipif(not kernel.COMPILED, reason="takes too long")
@pytest.mark.parametrize("slug", SLUGS)
def test_hundreds_of_positions(slug: str) -> None:
    assert check(ends(slug, 900, first=1000), PLIES.get(slug, 4) + 1, 300) >= 200


@pytest.mark.parametrize("slug", SLUGS)
def test_little_memory_misleads_nobody(slug: str) -> None:
    """With sixteen entries nearly all is lost again and again; what is proven is proven still."""
    limit, plies = Limit(nodes=3000 // SHARE + 20), PLIES.get(slug, 4)
    for position in itertools.islice(ends(slug, 40), 20 if kernel.COMPILED else 2):
        bounds = kernel.brute_force(position, plies, NODES // 2)
        if bounds is None:
            continue
        for seat, least in itertools.product((0, 1), GOALS):
            possible = bounds[1] if seat == 0 else 1 - bounds[0]
            search = ProofSearch(position, seat, least, memory=512, plies=plies)
            assert search.prove(position, limit) is None or possible >= least


def test_mazes() -> None:
    """Games made to mislead: results that depend on the way, seats that move twice, chance."""
    script = "import json; from tests.kernel.mazes import *; print(json.dumps({}))"
    if kernel.COMPILED:
        assert uncompiled(script.format(f"false_proofs({sized(25, 100, 25)})")) == []
    else:
        from tests.kernel import mazes

        assert mazes.false_proofs(40) == []


def test_what_a_search_is_asked_must_make_sense() -> None:
    state = start("tortuga")
    with pytest.raises(ValueError, match="no seat 2"):
        ProofSearch(state, 2)
    with pytest.raises(ValueError, match="a share above 0"):
        ProofSearch(state, 0, 0.0)
    with pytest.raises(ValueError, match="a number of nodes or of seconds"):
        kernel.prove(state, 0, Limit(depth=3))


def test_a_budget_ends_a_search() -> None:
    search = ProofSearch(start("qenj4"), 0)
    assert search.prove(start("qenj4"), Limit(nodes=500)) is None
    assert search.searched <= 500
    assert not search.refuted


@pytest.mark.skipif(not escale.COMPILED, reason="takes too long")
def test_it_remembers_what_it_found() -> None:
    """Asked again for the positions of its own line, it answers at once."""
    for position in itertools.islice(ends("qenj2", 40), 60):
        search = ProofSearch(position, position.turn)
        found = search.prove(position, LIMIT)
        if found is None or found.plies < 3:
            continue
        before, here = search.searched, position.copy()
        for move in found.moves[:2]:
            here.play(move)
        again = search.prove(here, LIMIT)
        assert again is not None
        assert again.plies <= found.plies - 2
        assert search.searched - before < before
        break
    else:
        raise AssertionError("no position is won in three plies")
