"""The trie: what can be pointed at next, what is complete, what is being typed."""

from __future__ import annotations

import pytest

import escale
from escale.game.choices import Choices


def test_the_next_atoms_and_the_whole_moves() -> None:
    choices = escale.game("tortuga").start(first="south").choices()
    assert "d2" in choices.next
    after = choices.after("d2")
    assert after is not None
    assert sorted(after.next) == ["c2", "d3", "e2"]
    whole = choices.after("d2", "d3")
    assert whole is not None
    assert whole.move is not None
    assert whole.move.text == "d2-d3"
    assert choices.after("d2", "d7") is None
    assert choices.after("d9", "d7", "d1") is None


def test_completion() -> None:
    choices = escale.game("tortuga").start(first="south").choices()
    assert choices.complete(["d2", ""]) == [("d2", "d3"), ("d2", "c2"), ("d2", "e2")]
    assert choices.complete(["d"]) == [("d2",), ("d1",)]
    assert choices.complete([]) == [(atom,) for atom in choices.next]
    assert choices.complete(["nowhere", "d"]) == []


def test_forced_atoms() -> None:
    only = escale.game("tortuga").position("4/5/6/1SN4/6/5/4 south 0").choices()
    assert only.forced() == ("d2", "d4")


def test_a_move_that_begins_with_another_is_refused() -> None:
    moves = escale.game("canoe").start().moves()
    with pytest.raises(ValueError, match="begins with another"):
        Choices.of([(("a",), moves[0]), (("a", "b"), moves[1])])
    with pytest.raises(ValueError, match="begins with another"):
        Choices.of([(("a", "b"), moves[0]), (("a",), moves[1])])


def test_forgiving_notation() -> None:
    position = escale.game("tortuga").start(first="south")
    for text in ("d2-d3", "D2-D3", " d2 d3 ", "d2→d3", "d2 > d3", "d2,d3", "d2 – d3"):
        assert position.find(text).text == "d2-d3"
