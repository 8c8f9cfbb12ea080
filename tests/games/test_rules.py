"""The legal moves do not depend on any evaluation."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import escale

FOLDERS = sorted(Path(escale.__file__).parent.glob("games/*/rules.py"))


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.parent.name)
def test_rules_know_nothing_of_evaluations(path: Path) -> None:
    named = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            named |= {node.module.removeprefix("cython.cimports."),
                      *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            named |= {name.name for name in node.names}
    assert "escale.kernel.core" in named
    opinions = {"evaluation", "weights", "alphabeta", "mcts", "ismcts"}
    assert not {name for name in named if name.rpartition(".")[2] in opinions}


def test_every_game_is_there() -> None:
    assert {path.parent.name for path in FOLDERS} >= {"tortuga", "canoe", "qenj"}
