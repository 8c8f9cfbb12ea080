"""Counting sequences of moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from escale import kernel
from tests.kernel import start, starts, walk

STARTS = starts()


def count(position: kernel.State, depth: int) -> int:
    """The same, with nothing but copies."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize("name", STARTS)
def test_perft_counts_what_copies_count(name: str) -> None:
    for depth in range(3):
        assert kernel.perft(STARTS[name], depth) == count(STARTS[name], depth)


@pytest.mark.parametrize("name", STARTS)
def test_perft_where_games_end(name: str) -> None:
    """The last plies of random games: ends, and repetitions across the shared history."""
    for seed in range(3):
        for position in walk(STARTS[name], kernel.Random(seed), 400)[-4:]:
            if len(position.legal_moves()) < 200:
                assert kernel.perft(position, 2) == count(position, 2)


def test_known_counts() -> None:
    assert [kernel.perft(start("tortuga", first="south"), n) for n in range(5)] == [
        1, 16, 256, 4478, 77429,
    ]
    assert [kernel.perft(start("canoe"), n) for n in range(4)] == [1, 61, 3660, 242492]


def test_the_position_stays_as_it_is() -> None:
    position = start("canoe")
    before = (position.key(), position.plies, position.occurrences, position.legal_moves())
    kernel.perft(position, 2)
    assert (position.key(), position.plies, position.occurrences, position.legal_moves()) == before


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga", first="south")
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: kernel.perft(position, 3), range(8))) == {4478}


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth must be 0 or more, not -1"):
        kernel.perft(start("tortuga"), -1)


def test_a_finished_game_has_no_sequences() -> None:
    over = walk(start("tortuga"), kernel.Random(1), 400)[-1]
    assert over.legal_moves() == []
    assert [kernel.perft(over, depth) for depth in range(3)] == [1, 0, 0]
