"""Cases of refusals: each game has its own in `refusals.py`."""

from __future__ import annotations

from typing import NamedTuple

import escale


class Case(NamedTuple):
    """An attempt, and what is said to it, before the number of the rule."""

    game: str
    table: str
    """Each kind of piece with its places; then, after a semicolon, the turn and the options."""
    attempt: str
    key: str
    cells: str
    fr: str
    en: str

    def position(self) -> escale.Position:
        """The table set up."""
        game = escale.game(self.game)
        pieces, words = self.table.split(";")
        kinds = [kind.split() for kind in pieces.split("|")]
        board = game.write_board({place: kind for kind, *places in kinds for place in places})
        turn, *options = words.split()
        return game.position(" ".join([board, turn, "0", *options]))
