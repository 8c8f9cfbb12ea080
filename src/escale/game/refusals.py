"""Refusals: the reason why an attempt is not legal, and the paragraph that forbids it.

The move generator alone decides what is legal. This module, and the hints of the game, only look
for the words that explain it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from escale.kernel import CHANCE

if TYPE_CHECKING:
    from escale.game.game import Game
    from escale.game.position import Position


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an attempt is not a legal move."""

    game: Game[Any]
    key: str
    """The key of its sentence, under `refusal` in the game's texts or the house's."""
    paragraph: str | None = None
    """The paragraph of the rules that forbids it, by its name."""
    cells: tuple[str, ...] = ()
    """The places to highlight on the board."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values for the sentence's gaps."""

    @property
    def rule(self) -> str | None:
        """The paragraph's name, such as `tortuga#must-jump`."""
        return None if self.paragraph is None else f"{self.game.slug}#{self.paragraph}"

    def text(self, lang: str) -> str:
        """The whole answer in one sentence or two."""
        values = {name: self._said(name, value, lang) for name, value in self.values.items()}
        sentence = self.game.texts.say(f"refusal.{self.key}", lang, **values).replace("….", "…")
        if self.paragraph is None:
            return sentence
        number = self.game.rules[lang].numbers[self.paragraph]
        return sentence + self.game.texts.say("refusal-rule", lang, number=number)

    def _said(self, name: str, value: Any, lang: str) -> Any:
        """The value for a gap: atoms and moves by their names for people."""
        if name == "move":
            return self.game.spell(self.game.split(value), lang)
        if name in ("atom", "next"):
            words = [value] if isinstance(value, str) else value
            value = [self.game.word(str(word), lang) for word in words]
        return ", ".join(value) if isinstance(value, (list, tuple)) else value


def explain(position: Position, attempt: str | tuple[str, ...]) -> Refusal:
    """The reason why `attempt` is illegal; legal moves must not be passed."""
    game = position.game
    atoms = game.split(attempt) if isinstance(attempt, str) else tuple(attempt)
    if position.outcome is not None:
        return Refusal(game, "over", position.outcome.paragraph)
    if not atoms:
        return Refusal(game, "empty", values={"next": _some(position.choices().next)})
    known = game.vocabulary(position.options)
    if not known.issuperset(atoms):         # perhaps words of an atom's label
        said = game.split(" ".join(atoms))
        atoms = said if known.issuperset(said) else atoms
    for atom in atoms:
        if atom not in known:
            if near := _similar(game, known, atom):
                return Refusal(game, "unknown-near", values={"word": atom[:40], "next": near})
            possible = _some(position.choices().next)
            return Refusal(game, "unknown", values={"word": atom[:40], "next": possible})
    if position.turn == CHANCE:
        outcomes = _some(position.choices().next)
        return Refusal(game, "chance", game.drawing, cells=atoms, values={"next": outcomes})
    hint = game.refuse(position, atoms)
    if hint is not None:
        return hint
    legal = position.choices()
    for atom in atoms:
        if atom not in legal.next:
            return Refusal(
                game, "not-here", game.moving,
                cells=(atom,), values={"atom": atom, "next": _some(legal.next)},
            )
        legal = legal.next[atom]
    return Refusal(game, "unfinished", values={"next": _some(legal.next)})


def _similar(game: Game[Any], known: Collection[str], word: str) -> list[str]:
    """Atoms that are written almost like a word, in notation or in some language."""
    close = difflib.get_close_matches(word, [*known, *game.names], 3)
    return list(dict.fromkeys(game.names.get(name, name) for name in close))


def _some(names: Mapping[str, object], most: int = 12) -> list[str]:
    """The first names, with an ellipsis if some are left out."""
    chosen = list(names)[:most]
    return [*chosen, "…"] if len(names) > most else chosen
