"""The moves of a game as text that all seats may read."""

from __future__ import annotations

from typing import Any

from escale.game.position import Position
from escale.game.viewer import SPECTATOR
from escale.kernel import CHANCE


class PublicMoves:
    """The moves of a game as spectators see them. It never changes; `after` makes a new one.

    What is hidden of a move is left out, as in `Game.seen_move`. When secret moves are shown, the
    text has the table as spectators see it at that moment.
    """

    __slots__ = ("before", "text")

    def __init__(self, before: PublicMoves | None = None, text: str = "") -> None:
        self.before = before
        self.text = text
        """The last move."""

    def after(self, before: Position, code: int, after: Position) -> PublicMoves:
        """The text with one more move added, by its number in the kernel, between two positions."""
        game = before.game
        text = game.join(before.spell(code))
        if before.turn == CHANCE:
            text = game.seen_chance(text, SPECTATOR)
        elif after.unshown:
            text = game.seen_move(text, SPECTATOR)
        elif before.unshown:
            text = f"{text} [{after.text_for(SPECTATOR)}]"
        return PublicMoves(self, text)

    def __str__(self) -> str:
        return " ".join(self._texts())

    def _texts(self) -> list[str]:
        texts = []
        last = self
        while last.before is not None:
            texts.append(last.text)
            last = last.before
        return texts[::-1]

    def __deepcopy__(self, memo: object) -> PublicMoves:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._texts(),)      # flat: nested, they would exhaust the stack


def _restored(texts: list[str]) -> PublicMoves:
    moves = PublicMoves()
    for text in texts:
        moves = PublicMoves(moves, text)
    return moves
