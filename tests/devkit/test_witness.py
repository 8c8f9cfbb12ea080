"""A literal witness beside a game's rules: what they understand differently, in few pieces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import escale
from escale.cli import main
from escale.devkit.witness import read_witness, witness_faults
from tests.games.tortuga import witness as tortuga

GAME = escale.game("tortuga")


def test_rules_and_witness_agree() -> None:
    assert [*witness_faults(GAME, vars(tortuga), positions=100)] == []


def test_a_difference_is_told_of_a_position_with_nothing_beside_it() -> None:
    """This witness never jumps over turtles on their backs: two or three turtles show it."""
    def successors(cells: dict[str, str], turn: int, obligation: str, longest: str) -> Any:
        known = tortuga.successors(cells, turn, obligation=obligation, longest=longest)
        backs = {cell for cell, piece in cells.items() if piece == "neutral"}
        return [after for after in known if all(after.get(cell) == "neutral" for cell in backs)]

    told, = witness_faults(GAME, {"successors": successors}, positions=200)
    text, _, why = told.partition(": ")
    assert len(GAME.position(text).cells) <= 3
    assert why.startswith("the rules lead to ")


def test_an_outcome_that_differs_is_told() -> None:
    told, = witness_faults(
        GAME, {"successors": None, "outcome": lambda cells, turn: (0.5, 0.5)}, positions=5
    )
    assert told.endswith("the outcome is (1.0, 0.0), and (0.5, 0.5) by the witness")


def test_the_command_compares_one_game_with_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "witness.py"
    file.write_text("def successors(cells, turn):\n    return []\n", "utf-8")
    with pytest.raises(SystemExit) as done:
        main(["check", "canoe", "--games", "1", "--positions", "1", "--witness", str(file)])
    assert done.value.code == 1
    out = capsys.readouterr().out
    assert "  FAIL witness\n" in out
    assert "the rules lead to " in out
    for names in ([], ["canoe", "qenj1"]):
        with pytest.raises(SystemExit) as done:
            main(["check", *names, "--witness", str(file)])
        assert done.value.code == 2
    file.write_text("x = 1\n", "utf-8")
    with pytest.raises(escale.EscaleError, match=r"expected a function successors\(cells, turn\)"):
        read_witness(file)
