"""The legal moves of a position behave like a list, and belong to their position."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import escale
from escale.game.moves import Move


def test_legal_moves_behave_like_a_list() -> None:
    position = escale.game("canoe").start().play("e4")
    moves = position.moves()
    whole = list(moves)
    assert isinstance(moves, Sequence)
    assert len(moves) == len(whole) == 60
    assert (moves, whole) == (whole, moves)
    assert moves == position.moves()
    assert moves != whole[1:]
    assert moves != position.play("f4").moves()
    assert moves.__eq__("e4") is NotImplemented
    assert repr(moves) == repr(whole)
    assert (moves[0], moves[-1], moves[2:5]) == (whole[0], whole[-1], whole[2:5])
    assert [*reversed(moves)] == whole[::-1]
    assert moves.index(whole[7]) == 7
    assert moves.count(whole[7]) == 1
    assert whole[7] in moves
    assert "f4" not in moves
    assert position.parent is not None
    assert position.parent.moves()[0] not in moves              # a move of another position
    for index in (len(whole), -len(whole) - 1):
        with pytest.raises(IndexError, match="there are"):
            moves[index]
    with pytest.raises(ValueError, match="not in list"):
        moves.index(None)
    with pytest.raises(TypeError, match="unhashable"):
        hash(moves)
    assert pickle.loads(pickle.dumps(moves)) == moves == copy.deepcopy(moves)
    assert sorted(moves, key=lambda move: move.text)[0] in whole
    assert Random(3).choice(moves) in whole


def test_a_move_is_played_only_where_it_is_legal() -> None:
    start = escale.game("canoe").start()
    move = start.moves()[0]
    after = start.play(move)
    assert after.last is not None
    assert after.last.position is start
    with pytest.raises(escale.IllegalMove):
        after.play(move)                                        # the hole is taken
    other = after.play(after.moves()[0])
    same = next(one for one in other.moves() if one.code == start.moves()[5].code)
    assert start.play(same).last == start.moves()[5]            # the same hole, another position
    assert start.play(same).parent is start
    with pytest.raises(escale.IllegalMove):
        start.play(Move(start, 0))


@pytest.mark.skipif(not escale.kernel.COMPILED, reason="it is the compiled one that could crash")
def test_a_very_long_line_of_play_leaves_the_memory_without_exhausting_the_stack() -> None:
    position = escale.game("canoe").start().play("e4").play("f4")
    code = position.find("e4-e5").code
    for _ in range(100_000):
        position = position.follow(code)                     # not checked, nor legal for long
    assert len(position.line()) == 100_002
    del position
    gc.collect()


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: game.slug)
def test_a_game_driven_move_by_move_leaves_nothing_to_the_collector(
    game: escale.Game[Any],
) -> None:
    def alive() -> int:
        return sum(isinstance(thing, escale.Position | Move) for thing in gc.get_objects())

    random = Random(5)
    gc.collect()
    gc.freeze()                                             # what other tests left is not counted
    gc.disable()
    try:
        before = alive()
        for _ in range(3):
            position = game.start(seed=2)
            while position.outcome is None:
                position = position.play(random.choice(position.moves()))
        assert alive() > before + 10                            # the last game is whole
        del position
        assert alive() <= before + 1                            # the start, which all games share
    finally:
        gc.unfreeze()
        gc.enable()
