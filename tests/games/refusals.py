"""Cases of refusals: each game has its own in `refusals.py`."""

from __future__ import annotations

from typing import NamedTuple

import escale


class Case(NamedTuple):
    """An attempt, and what is said to it, before the number of the rule."""

    game: str
    table: str
    """Each kind of piece with its places; then, after a semicolon, the turn, how many plies were
    played where it matters, and the options."""
    attempt: str
    key: str
    cells: str
    fr: str
    en: str

    def position(self) -> escale.Position:
        """The table set up."""
        game = escale.game(self.game)
        pieces, words = self.table.split(";")
        kinds = [kind.split() for kind in pieces.split("|") if kind]
        board = game.write_board({place: kind for kind, *places in kinds for place in places})
        turn, *options = words.split()
        plies = [] if options and options[0].isdigit() else ["0"]
        return game.position(" ".join([board, turn, *plies, *options]))
