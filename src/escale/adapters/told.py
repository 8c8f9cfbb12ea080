"""What everybody has been told in a game, from its beginning, as text."""

from __future__ import annotations

from typing import Any

from escale.game.position import Position
from escale.game.viewer import SPECTATOR
from escale.kernel import CHANCE


class Told:
    """The moves of a game as all were told them. It never changes; `after` makes a new one.

    A move that is made in secret is told as far as anybody may know it; when such moves are shown,
    the table is told as everybody sees it then.
    """

    __slots__ = ("before", "text")

    def __init__(self, before: Told | None = None, text: str = "") -> None:
        self.before = before
        self.text = text
        """What was told last."""

    def after(self, before: Position, code: int, after: Position) -> Told:
        """With one more move, of this number in the kernel, from one position to the next."""
        game = before.game
        text = game.join(before.spell(code))
        if before.turn == CHANCE:
            text = game.seen_chance(text, SPECTATOR)
        elif after.unshown:
            text = game.seen_move(text, SPECTATOR)
        elif before.unshown:
            text = f"{text} [{after.text_for(SPECTATOR)}]"
        return Told(self, text)

    def __str__(self) -> str:
        return " ".join(self._texts())

    def _texts(self) -> list[str]:
        texts = []
        last = self
        while last.before is not None:
            texts.append(last.text)
            last = last.before
        return texts[::-1]

    def __deepcopy__(self, memo: object) -> Told:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _told, (self._texts(),)      # flat: one within another would exhaust the stack


def _told(texts: list[str]) -> Told:
    told = Told()
    for text in texts:
        told = Told(told, text)
    return told
