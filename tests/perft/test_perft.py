"""Perft tables, counted by the witnesses, against the compiled rules."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.kernel import perft
from tests.sizes import NODES

TABLES = [
    pytest.param(path.stem.replace("_", "-"), table, id=f"{path.stem}: {table['name']}")
    for path in sorted(Path(__file__).parent.glob("*.toml"))
    for table in tomllib.loads(path.read_text("utf-8"))["table"]
]


def start(slug: str, table: dict[str, Any]) -> escale.Position:
    """The position that a table counts from."""
    game = escale.game(slug)
    options = table.get("options", {})
    turn = game.seat_names[table["turn"]]
    if "position" in table:
        return game.position(table["position"], options=options)
    if "cells" in table:
        return game.position(f"{game.write_board(table['cells'])} {turn} 0", options=options)
    return game.position(f"{game.write_board(game.start(**options).cells)} {turn} 0",
                         options=options)


@pytest.mark.parametrize(("slug", "table"), TABLES)
def test_perft(slug: str, table: dict[str, Any]) -> None:
    position = start(slug, table).kernel()
    counted = [nodes for nodes in table["nodes"] if nodes <= NODES]
    assert [perft(position, depth) for depth in range(1, len(counted) + 1)] == counted
