"""Compiled positions can be pickled and copied, each with a history of its own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import escale
from escale import kernel
from tests.kernel import start, starts, uncompiled, walk
from tests.kernel.test_core import to_and_fro

WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
way = pytest.mark.parametrize("again", WAYS.values(), ids=WAYS)
every_start = pytest.mark.parametrize("name", starts())


def met(name: str, plies: int = 60) -> list[kernel.State]:
    """Some positions of a random game, the last one included."""
    game = walk(starts()[name], kernel.Random(len(name)), plies)
    return [*game[::7], game[-1]]


def looks(position: kernel.State) -> list[Any]:
    """What can be asked of a position."""
    legal = position.legal_moves()
    return [
        type(position).__name__, position.key(), position.turn, position.plies, position.seats,
        position.occurrences, position.capacity, legal,
        None if legal else position.result(),
    ]


def future(position: kernel.State) -> list[Any]:
    """How a random game goes on from a position."""
    return [looks(after) for after in walk(position, kernel.Random(5), 30)]


@way
@every_start
def test_a_position_comes_back_the_same(name: str, again: Callable[[Any], Any]) -> None:
    for position in met(name):
        twin = again(position)
        assert twin is not position
        assert looks(twin) == looks(position)
        assert future(twin) == future(position)


@way
@every_start
def test_playing_on_in_one_leaves_the_other_alone(name: str, again: Callable[[Any], Any]) -> None:
    for position in met(name):
        moves = position.legal_moves()
        if not moves:
            continue
        twin = again(position)
        position.play(moves[0])
        before, ahead = pickle.dumps(position), future(position)
        twin.play(moves[-1])
        for move in twin.legal_moves()[:1]:
            twin.play(move)
        assert pickle.dumps(position) == before
        assert future(position) == ahead


@way
@pytest.mark.parametrize("plies", [2, 61, 64, 140])
def test_repetitions_are_still_counted(plies: int, again: Callable[[Any], Any]) -> None:
    position = walk(start("canoe"), kernel.Random(plies), plies)[-1]
    to_and_fro(position)
    twin = again(position)
    to_and_fro(twin)
    assert (twin.occurrences, position.occurrences) == (3, 2)
    assert twin.legal_moves() == []
    to_and_fro(position)
    assert position.occurrences == 3


def opinions(slug: str, position: kernel.State) -> list[Any]:
    """What a search would ask along a random game."""
    opinion = escale.game(slug).evaluation
    return [
        (after.key(), opinion.estimate(after), opinion.prefer(after, kernel.Random(1)))
        for after in walk(position, kernel.Random(5), 120)
        if after.legal_moves() and (after.turn != kernel.CHANCE or opinion.estimate(after))
    ]


def test_a_process_that_has_met_no_such_table_thinks_the_same_of_it() -> None:
    tables = [(game, seats) for game in escale.games()
              for seats in range(game.seats[0], game.seats[1] + 1)]
    slugs = [game.slug for game, _ in tables]
    states = [walk(game.start(seats=seats, seed=seats).kernel(), kernel.Random(3), 9)[-1]
              for game, seats in tables]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        found = list(elsewhere.map(opinions, slugs, states))
    assert found == list(map(opinions, slugs, states))


def test_a_pickle_of_another_build_is_refused() -> None:
    position: Any = start("canoe")
    rebuild, (kind, content, keys, key) = position.__reduce__()
    with pytest.raises(ValueError, match="another build"):
        rebuild(kind, content, keys, key ^ 1)
    if kernel.COMPILED:
        strangers: list[Any] = [content[:-1], content + b"\0", {}]
        for strange in strangers:
            with pytest.raises(ValueError, match="another build"):
                rebuild(kind, strange, keys, key)


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to read")
def test_a_pickle_of_a_compiled_position_is_refused_uncompiled() -> None:
    data = pickle.dumps(start("canoe"))
    said = uncompiled(f"""if True:
        import json, pickle
        try:
            pickle.loads({data!r})
        except ValueError as error:
            print(json.dumps(str(error)))
    """)
    assert "compiled" in said


@way
def test_random_numbers_go_on_where_they_were(again: Callable[[Any], Any]) -> None:
    random = kernel.Random(2**64 - 3)
    random.below(6)
    twin = again(random)
    ahead = [twin.below(1 << 31) for _ in range(9)]
    assert [random.below(1 << 31) for _ in range(9)] == ahead


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to compare with")
def test_random_numbers_go_on_uncompiled() -> None:
    random = kernel.Random(11)
    data = pickle.dumps(random)
    script = f"""if True:
        import json, pickle
        random = pickle.loads({data!r})
        print(json.dumps([random.below(1000) for _ in range(9)]))
    """
    assert uncompiled(script) == [random.below(1000) for _ in range(9)]
