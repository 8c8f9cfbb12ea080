"""Analysis: lines that get better while one looks, within a budget."""

from __future__ import annotations

from typing import Any

import pytest

import escale
from escale.game.errors import NotNow
from escale.game.game import Game
from escale.game.position import Position
from escale.games import games
from escale.kernel import Limit, Random
from escale.opponents import think
from escale.study import analysis
from escale.study.analysis import (
    BUDGET_GROWTH,
    FIRST_BUDGET,
    SEARCH_SECONDS,
    assumed,
    deepen,
    verdict,
)
from escale.study.puzzles import puzzles_of


def somewhere(game: Game[Any], seats: int | None = None) -> Position:
    """A position of a game that goes on, a few moves from its beginning."""
    position = game.start(seed=5, seats=seats)
    for _ in range(4):
        position = position.play(position.moves()[-1])
    assert position.turn is not None
    return position


@pytest.mark.parametrize("game", games(), ids=lambda game: str(game.slug))
def test_several_lines_with_a_growing_budget(game: Game[Any]) -> None:
    position = somewhere(game)
    budgets: list[int] = []
    for look in deepen(position, whole=0.2):
        found = look.found
        budgets.append(found.simulations or found.nodes)
        assert 1 <= len(found.lines) <= min(3, len(position.moves()))
        firsts = [line.moves[0].text for line in found.lines]
        assert len(set(firsts)) == len(firsts)
        for line in found.lines:
            position.play(line.moves[0])
            assert sum(line.shares) == pytest.approx(1)
            for lang in ("fr", "en"):
                assert verdict(position, line, lang)
    assert look.last
    assert budgets == sorted(budgets)


def test_a_look_keeps_to_its_budget() -> None:
    """By a clock that a search moves on: one second for each hundred thousand nodes."""
    now = 0.0

    def search(*arguments: Any, **settings: Any) -> Any:
        nonlocal now
        way = arguments[1]
        now += dict(way.settings)["nodes"] / 100_000
        return think(arguments[0], None, Limit(nodes=50), lines=1)._replace(
            nodes=dict(way.settings)["nodes"]
        )

    position = somewhere(escale.game("tortuga"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "think", search)
        found = [look.found.nodes for look in deepen(position, clock=lambda: now)]
        first = FIRST_BUDGET["nodes"]
        assert found[:3] == [first, first * BUDGET_GROWTH, first * BUDGET_GROWTH**2]
        assert max(found) <= 100_000 * SEARCH_SECONDS, "no search takes longer than a moment"
        now = 0.0
        spent = sum(look.found.nodes for look in deepen(position, whole=0.5, clock=lambda: now))
        assert spent / 100_000 <= 0.5


def test_what_is_proven_is_called_proven_and_ends_the_look() -> None:
    position = _won()
    *_, look = deepen(position)
    line = look.found.lines[0]
    assert (line.proven, look.last) == (True, True)
    assert "proven" in verdict(position, line, "en")
    assert "prouvé" in verdict(position, line, "fr")
    assert look.found.nodes < 100_000


def _won() -> Position:
    """A position of Tortuga in which the seat to move wins at once."""
    for example in escale.game("tortuga").examples:
        if example.move is not None and example.ending == "base":
            return escale.game("tortuga").position(example.position, line=example.line)
    raise AssertionError("there is no such example")


def test_nobody_to_move_is_said() -> None:
    with pytest.raises(NotNow):
        next(deepen(escale.game("tortuga").start()))


@pytest.mark.parametrize("seats", [3, 6])
def test_a_seat_is_analysed_by_what_it_may_know(seats: int) -> None:
    game = escale.game("canyon-1997")
    position = _bidding(game, seats)
    assert position.turn is not None
    other = position.imagine(position.turn, Random(9))
    assert other.text != position.text

    def first(where: Position, *, open_cards: bool) -> list[tuple[str, tuple[float, ...]]]:
        look = next(iter(deepen(where, open_cards=open_cards)))
        return [(line.moves[0].text, line.shares) for line in look.found.lines]

    assert _method(position, open_cards=False) == "ismcts"
    assert _method(position, open_cards=True) == "mcts"
    # What it cannot distinguish is judged alike; with open cards it is not.
    assert first(position, open_cards=False) == first(other, open_cards=False)
    assert first(position, open_cards=True) != first(other, open_cards=True)
    assert assumed(position, "en", open_cards=True) != assumed(position, "en", open_cards=False)
    assert assumed(somewhere(escale.game("canoe")), "en", open_cards=True) == ""


def _method(position: Position, *, open_cards: bool) -> str:
    return next(iter(deepen(position, open_cards=open_cards))).found.method


def _bidding(game: Game[Any], seats: int) -> Position:
    """The first position in which every seat has a hand."""
    position = game.start(seed=2, seats=seats)
    while ".h" not in position.text.partition("/")[2]:
        position = position.play(position.moves()[0])
    return position


def test_a_proof_is_found_beside_the_search() -> None:
    """A win that few nodes of alpha-beta do not prove is proven by proof numbers, and is legal."""
    game, found = escale.game("tortuga"), 0
    for puzzle in puzzles_of(game).values():
        position = puzzle.start(game)
        short = think(position, limit=Limit(nodes=150), lines=2)
        if short.proven:
            continue
        proven = analysis._with_proof(position, short._replace(nodes=100_000))
        assert proven.proven
        assert proven.shares[position.turn or 0] == 1
        assert len(proven.lines) == 2
        assert len({line.moves[0].code for line in proven.lines}) == 2
        here = position
        for move in proven.line:
            here = here.play(move.text)
        found += 1
    assert found > 5
