"""Prompts: the questions to a player at the nodes of the trie of choices.

A game lists its prompts, each for the *kinds* of the atoms chosen so far and of those that may
follow. The first one that fits is asked; its sentence is `prompt.NAME` of the game's texts:

```python
prompts = (
    Prompt("turtle", "piece"),                          # the first choice: a piece
    Prompt("where", "empty", path="piece"),             # then an empty cell
    Prompt("go-on", "empty stop?", path="piece empty *"),
)
```

The browser asks in the same way while a move is chosen (`web/static/js/prompt.js`), from the same
list: nothing has to be sent for it but the situation, once a move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from escale.game.texts import Texts

if TYPE_CHECKING:
    from escale.game.position import Position

NAMED_ATOMS = 4
"""If at most this many atoms may follow, a prompt that has a sentence `few` names them."""
ANY = "*"
"""In a prompt's path: any number of atoms."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A kind of question.

    The kind of an atom is the group that the game puts it in (`groups`); for a cell, `piece` or
    `empty` as it stands before the move; for all others, the atom itself.
    """

    name: str
    """The key of its sentence, under `prompt` in the game's texts."""
    next: str
    """The kinds of the atoms that may follow; those with a question mark may be missing."""
    path: str = ""
    """The kinds of the atoms chosen so far, in order; a star stands for any number of them."""
    when: str = ""
    """The only situation in which it is asked; empty for all situations."""

    def fits(self, situation: str, path: Sequence[str], following: Collection[str]) -> bool:
        """Whether it is the question at this node."""
        if self.when and self.when != situation:
            return False
        words = self.next.split()
        known = {word.rstrip("?") for word in words}
        needed = {word for word in words if not word.endswith("?")}
        if not needed <= set(following) <= known:
            return False
        chosen, pattern = list(path), self.path.split()
        if ANY not in pattern:
            return chosen == pattern
        star = pattern.index(ANY)
        head, tail = pattern[:star], pattern[star + 1:]
        return (
            len(chosen) >= len(head) + len(tail)
            and chosen[:star] == head and chosen[len(chosen) - len(tail):] == tail
        )


@dataclass(frozen=True, slots=True)
class Situation:
    """A fact of a position on which its questions depend, beyond the atoms."""

    name: str = ""
    """A name such as `must-jump`; prompts refer to it."""
    values: Mapping[str, int | str] = field(default_factory=dict)
    """The values for gaps of the sentences: numbers, names of cells, or keys of the texts."""

    def said(self, texts: Texts, lang: str) -> dict[str, str]:
        """The values as people read them."""
        return {
            name: texts.say(str(value), lang) if str(value) in texts else str(value)
            for name, value in self.values.items()
        }


class Questions:
    """The questions of one position, at every node of its choices."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.situation = position.situation
        self._cells = position.cells

    def kind(self, atom: str) -> str:
        """The kind of an atom."""
        for group, atoms in self.game.groups.items():
            if atom in atoms:
                return group
        if atom in self.game.cell_names:
            return "piece" if atom in self._cells else "empty"
        return atom

    def find(self, atoms: Sequence[str], following: Iterable[str]) -> Prompt | None:
        """The prompt for the atoms that may follow; None if no prompt of the game fits."""
        path, kinds = [*map(self.kind, atoms)], {*map(self.kind, following)}
        fitting = (one for one in self.game.prompts if one.fits(self.situation.name, path, kinds))
        return next(fitting, None)

    def ask(self, atoms: Sequence[str], following: Collection[str], lang: str) -> str:
        """The sentence that asks for the next atom; empty if there is no question."""
        prompt = self.find(atoms, following)
        if prompt is None:
            return ""
        game = self.game
        key = f"prompt.{prompt.name}"
        if len(following) <= NAMED_ATOMS and f"{key}.few" in game.texts:
            key += ".few"
        ends = {"first": atoms[0], "last": atoms[-1]} if atoms else {}
        return game.texts.say(
            key, lang, **self.situation.said(game.texts, lang),
            **{name: game.word(atom, lang) for name, atom in ends.items()},
            next=either([game.word(atom, lang) for atom in following], game.texts, lang),
        )


def either(words: Sequence[str], texts: Texts, lang: str) -> str:
    """A choice among words: `a, b or c`."""
    *others, last = words
    return texts.say("either", lang, others=", ".join(others), last=last) if others else last
