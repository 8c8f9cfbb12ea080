"""Finds a move by its notation without spelling every legal move."""

from __future__ import annotations

from collections.abc import Callable, Collection


class NotationCache:
    """The kernel's move that a text meant last time; usually it means the same again."""

    KEPT_CODES = 20_000

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}

    def __contains__(self, text: str) -> bool:
        return text in self._codes

    def find(
        self, text: str, legal: Collection[int], notation: Callable[[int], str]
    ) -> int | None:
        """The legal move that has this notation, without spelling all of them if possible."""
        guess = self._codes.get(text)
        if guess is not None and guess in legal and notation(guess) == text:
            return guess
        for code in legal:
            if notation(code) == text:
                if len(self._codes) >= self.KEPT_CODES:
                    self._codes.clear()
                self._codes[text] = code
                return code
        return None
