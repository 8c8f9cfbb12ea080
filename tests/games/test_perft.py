"""Perft tables, counted by the witnesses, against the compiled rules."""

from __future__ import annotations

from typing import Any

import pytest

import escale
from escale.kernel import perft
from tests.games import part_of
from tests.games.facts import load
from tests.games.perft import file_of
from tests.sizes import NODES

TABLES = [
    pytest.param(game, table, id=f"{game.slug}: {table['name']}")
    for game in escale.games() if part_of(game, "perft")
    for table in load(file_of(game), "table")
]


def start(game: escale.Game[Any], table: dict[str, Any]) -> escale.Position:
    """The position that a table counts from."""
    options = table.get("options", {})
    turn = game.seat_names[table["turn"]]
    if "position" in table:
        return game.position(table["position"], options=options)
    if "cells" in table:
        return game.position(f"{game.write_board(table['cells'])} {turn} 0", options=options)
    return game.position(f"{game.write_board(game.start(**options).cells)} {turn} 0",
                         options=options)


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_perft(game: escale.Game[Any], table: dict[str, Any]) -> None:
    position = start(game, table).kernel()
    counted = [nodes for nodes in table["nodes"] if nodes <= NODES]
    assert [perft(position, depth) for depth in range(1, len(counted) + 1)] == counted
