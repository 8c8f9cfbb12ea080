"""Positions, moves and outcomes are values: they can be pickled, copied and sent elsewhere."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets

WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
way = pytest.mark.parametrize("again", WAYS.values(), ids=WAYS)
every_game = pytest.mark.parametrize("game", escale.games(), ids=lambda game: game.slug)


def played(start: escale.Position, seed: int, plies: int = 2000) -> escale.Position:
    """Where a random game is after so many moves."""
    chance = Random(seed)
    position = start
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
    return position


def met(game: escale.Game[Any]) -> list[escale.Position]:
    """Positions with all options and numbers of seats, early and late, with a seed or without."""
    found = []
    for options in option_sets(game):
        for seats in range(game.seats[0], game.seats[1] + 1):
            for seed in (None, 7):
                start = game.start_with(options, seats=seats, seed=seed)
                found += [played(start, number, 8 * number) for number in range(3)]
    return [*found, played(game.start(), 1)]


def looks(position: escale.Position) -> list[Any]:
    """What can be asked of a position."""
    return [
        position.game.slug, position.text, position.turn, position.plies, position.chance_count,
        position.fair_random, position.options, position.options.words(), position.cells,
        [(move.text, move.changes) for move in position.moves()[:60]], position.outcome,
        [move.text for move in position.line()],
    ]


def future(position: escale.Position) -> list[Any]:
    """How a random game goes on; with a seed, its lots follow from that."""
    return looks(played(position, 3, 12))


@way
@every_game
def test_a_position_comes_back_the_same(
    game: escale.Game[Any], again: Callable[[Any], Any]
) -> None:
    for position in met(game):
        twin = again(position)
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.game is game
        assert looks(twin) == looks(position)
        assert twin.parent == position.parent
        assert twin.last == position.last
        if twin.fair_random or not game.drawing:
            assert future(twin) == future(position)
        assert looks(twin) == looks(position)       # whatever was played from the other


@way
@every_game
def test_a_whole_game_comes_back_with_its_outcome(
    game: escale.Game[Any], again: Callable[[Any], Any]
) -> None:
    position = played(game.start(seed=2), 2)
    outcome = position.outcome
    assert outcome is not None
    assert again(outcome) == outcome
    assert again(outcome).game is game
    assert again(outcome).text("fr") == outcome.text("fr")
    twin = again(position)
    assert twin.outcome == outcome
    assert [move.position.text for move in twin.line()] == [
        move.position.text for move in position.line()
    ]


@way
@every_game
def test_a_move_comes_back_with_its_position(
    game: escale.Game[Any], again: Callable[[Any], Any]
) -> None:
    position = played(game.start(seed=5), 5, 6)
    for move in position.moves()[:20]:
        text = move.text                            # looked at, and then not
        twin, there = again((move, move.position))
        assert (twin, twin.text, twin.changes) == (move, text, move.changes)
        assert twin.position is there
        assert position.play(twin) == there.play(move)


@way
@every_game
def test_a_game_is_always_the_one_on_the_shelf(
    game: escale.Game[Any], again: Callable[[Any], Any]
) -> None:
    game.texts, game.board, game.examples           # kept by the game, not in a pickle
    assert again(game) is game
    assert again(game) is escale.game(game.slug)
    assert len(pickle.dumps(game)) < 200


@way
def test_a_repetition_goes_on(again: Callable[[Any], Any]) -> None:
    position = escale.game("canoe").start().play("e4").play("f4")
    there_and_back = ("e4-e5", "f4-f5", "e5-e4", "f5-f4")
    for move in there_and_back:
        position = position.play(move)
    twin = again(position)
    assert twin.text.endswith("seen=2")
    for move in there_and_back:
        assert twin.outcome is None
        twin = twin.play(move)
    assert twin.outcome is not None
    assert twin.outcome.name == "repetition"
    assert position.outcome is None


@every_game
def test_a_long_game_does_not_exhaust_the_stack(game: escale.Game[Any]) -> None:
    position = played(game.start(seed=4), 4)
    most = sys.getrecursionlimit()
    data = pickle.dumps(position)
    sys.setrecursionlimit(max(150, depth() + 60))
    try:
        assert pickle.loads(data) == position
        assert pickle.dumps(position) == data
    finally:
        sys.setrecursionlimit(most)


def depth() -> int:
    """How deep the stack is now."""
    frame, found = sys._getframe(), 0
    while frame.f_back is not None:
        frame, found = frame.f_back, found + 1
    return found


def test_positions_are_sent_to_other_processes_and_back() -> None:
    positions = [played(game.start(seed=9), 9, 10) for game in escale.games()]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        for position, found in zip(positions, elsewhere.map(went_on, positions), strict=True):
            assert found == played(position, 6, 5)
            assert found.line()[:10] == played(position, 6, 5).line()[:10]


def went_on(position: escale.Position) -> escale.Position:
    """Some moves later."""
    return played(position, 6, 5)
