"""A hint: the best move that a short search finds, and the reason for it in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit, Line
from escale.opponents.thinking import method_for, think
from escale.study.reasons import Reason, reason
from escale.study.words import words

HINT_NODES = 80_000
HINT_SIMULATIONS = 3000
HINT_SECONDS = 0.2
"""The search ends after this time: a hint must come at once."""
SHOWN_MOVES = 4
"""Moves that are shown as the probable continuation."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The move to play, and the reason."""

    line: Line[Move]
    reason: Reason

    @property
    def move(self) -> Move:
        """The move to play."""
        return self.line.moves[0]

    @property
    def chance(self) -> bool:
        """Whether it wins or takes something, which no player should miss."""
        return self.reason.kind in ("wins", "takes")

    @property
    def look(self) -> str:
        """The atom to look at first: the first one of the move."""
        return self.move.atoms[0]

    def text(self, lang: str) -> str:
        """The move and its reason, in one sentence."""
        return words().say(
            "hint.says", lang, move=self.move.label(lang), reason=self.reason.text(lang)
        )

    def further(self, lang: str) -> str:
        """The probable continuation in a sentence; empty if it is not known.

        It is left out if the game hides something: the others' moves would only be imagined.
        """
        following = self.line.moves[1:SHOWN_MOVES]
        if not following or self.move.position.game.hides:
            return ""
        moves = ", ".join(move.label(lang) for move in following)
        return words().say("hint.next", lang, moves=moves)


def hint(position: Position, *, seed: int = 0) -> Hint:
    """The best move of the seat to move, by what that seat may know.

    The same position and seed give the same hint, unless the time ends the search.
    """
    counted = method_for(position) == "alphabeta"
    limit = Limit(
        nodes=HINT_NODES if counted else None, simulations=None if counted else HINT_SIMULATIONS,
        seconds=HINT_SECONDS,
    )
    found = think(position, limit=limit, seed=seed, lines=2)
    best, *others = found.lines
    return Hint(best, reason(position, best, others[0] if others else None))
