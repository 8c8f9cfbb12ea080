"""Examples: positions with a caption, and the expected result of a move or of an attempt.

Written once in a game's `examples.toml`, used three times: as a test, as a figure in the rules
page, as a step of a lesson.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from escale.game.errors import EscaleError, IllegalMove
from escale.game.languages import AUTHORED, catalogue_name, everywhere
from escale.game.texts import spaced

if TYPE_CHECKING:
    from escale.game.game import Game
    from escale.game.position import Position


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
            cls._from_table(table, catalogue_name(path.parent))
            for table in tomllib.loads(path.read_text("utf-8"))["example"]
        )

    @classmethod
    def _from_table(cls, table: dict[str, Any], catalogue: str) -> Example:
        table = dict(table)
        authored = {lang: spaced(table.pop(lang), lang) for lang in AUTHORED}
        caption = everywhere(authored, catalogue, f"example.{table['id']}")
        for name in ("rules", "line", "cells", "legal"):
            if name in table:
                table[name] = tuple(table[name])
        return cls(caption=caption, **table)

    def reach(self, game: Game[Any]) -> Position:
        """The cells when the example begins."""
        return reach(game, self.position, self.line)

    def faults(self, game: Game[Any]) -> list[str]:
        """Statements of the example that are not true; empty if all are."""
        faults: list[str] = []
        try:
            position = self.reach(game)
            if self.legal is not None:
                found = sorted(move.text for move in position.moves())
                if found != sorted(self.legal):
                    faults.append(f"legal moves are {found}, not {sorted(self.legal)}")
            if self.attempt is not None:
                faults += self._faults_of_attempt(position)
            if self.move is not None:
                position = position.play(self.move)
                if self.after is not None and position.text != self.after:
                    faults.append(f"{self.move} leads to {position.text!r}, not {self.after!r}")
        except EscaleError as error:
            return [*faults, str(error)]
        outcome = position.outcome
        ending = outcome.name if outcome else None
        if ending != self.ending:
            faults.append(f"ending is {ending}, not {self.ending}")
        winner = outcome.winner_name if outcome else None
        if winner != self.winner:
            faults.append(f"winner is {winner}, not {self.winner}")
        return faults

    def _faults_of_attempt(self, position: Position) -> list[str]:
        assert self.attempt is not None
        try:
            position.play(self.attempt)
        except IllegalMove as no:
            faults = []
            if no.refusal.paragraph != self.refused:
                faults.append(f"{self.attempt} is refused by {no.refusal.paragraph}, "
                              f"not {self.refused}: {no.refusal.text('en')}")
            if self.cells and set(no.refusal.cells) != set(self.cells):
                faults.append(f"{self.attempt} highlights {no.refusal.cells}, not {self.cells}")
            return faults
        return [f"{self.attempt} is legal"]


def reach(game: Game[Any], text: str, line: Iterable[str]) -> Position:
    """The position after a text's position and some moves."""
    position = game.position(text)
    for move in line:
        position = position.play(move)
    return position
