"""Examples: positions with a caption, and the expected result of a move or of an attempt.

Written once in a game's `examples.toml`, used three times: as a test, as a figure in the rules
page, as a step of a lesson.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from escale.game.errors import BadOption
from escale.game.languages import AUTHORED, catalogue_name, everywhere
from escale.game.texts import spaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example. Only the fields that are given are checked."""

    id: str
    rules: tuple[str, ...]
    """The paragraphs that it shows."""
    position: str
    """A position's text."""
    caption: Mapping[str, str]
    beside: str | None = None
    """The paragraph beside which the page shows it; the other examples are folded away."""
    whole: bool = False
    """Whether its figure shows the whole of a long board, not only where something happens."""
    line: tuple[str, ...] = ()
    """Moves to play first, if the example depends on how the position was reached."""
    move: str | None = None
    """A legal move …"""
    after: str | None = None
    """… and the text of the position that it leads to."""
    attempt: str | None = None
    """An illegal attempt …"""
    refused: str | None = None
    """… the paragraph that the refusal must cite, …"""
    cells: tuple[str, ...] = ()
    """… and the cells that it highlights."""
    legal: tuple[str, ...] | None = None
    """All legal moves of the position (after `line`), in any order."""
    ending: str | None = None
    """The ending of the game, after `move` if it has one, …"""
    winner: str | None = field(default=None)
    """… and the winner: a seat's name, or `nobody`."""

    @classmethod
    def read(cls, path: Path) -> tuple[Example, ...]:
        """The examples in a file."""
        return tuple(
            cls._from_table(table, catalogue_name(path.parent), number)
            for number, table in enumerate(tomllib.loads(path.read_text("utf-8"))["example"], 1)
        )

    @classmethod
    def _from_table(cls, table: dict[str, Any], catalogue: str, number: int) -> Example:
        table = dict(table)
        known = {*cls.__slots__, *AUTHORED} - {"caption"}
        needed = ("id", "rules", "position", *AUTHORED)
        if lacking := [name for name in needed if name not in table]:
            raise BadOption(f"example {number} lacks {', '.join(f'`{name}`' for name in lacking)}")
        if unknown := sorted(table.keys() - known):
            raise BadOption(
                f"example {number} has no field {unknown[0]!r}: expected {', '.join(sorted(known))}"
            )
        authored = {lang: spaced(table.pop(lang), lang) for lang in AUTHORED}
        caption = everywhere(authored, catalogue, f"example.{table['id']}")
        for name in ("rules", "line", "cells", "legal"):
            if name in table:
                table[name] = tuple(table[name])
        return cls(caption=caption, **table)
