"""The trie (prefix tree) of the atoms of all legal moves.

Everything that input needs is read from it: what can be pointed at next, whether a move is
complete, typed notation and its completion. So no game has input code of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from escale.game.moves import Move


@dataclass(slots=True)
class Choices:
    """A node: the atoms that may follow those so far, or none where they are a whole move."""

    next: dict[str, Choices] = field(default_factory=dict)
    """Each atom that may follow, with what may follow that."""
    move: Move | None = None
    """The move that the atoms so far make, if they make one."""

    @classmethod
    def of(cls, ways: Iterable[tuple[tuple[str, ...], Move]]) -> Choices:
        """The trie of these ways of moving; ValueError if one is the beginning of another."""
        root = cls()
        for atoms, move in ways:
            node = root
            for atom in atoms:
                if node.move is not None:
                    break
                after = node.next.get(atom)
                if after is None:
                    after = node.next[atom] = cls()
                node = after
            if node.move is not None or node.next:
                raise ValueError(f"{'-'.join(atoms)}: one way of moving begins with another")
            node.move = move
        return root

    def after(self, *atoms: str) -> Choices | None:
        """What may follow these atoms, or None where they lead nowhere."""
        node: Choices | None = self
        for atom in atoms:
            if node is None:
                return None
            node = node.next.get(atom)
        return node

    def moves(self) -> Iterator[Move]:
        """Every move below this node; one that can be made in several ways comes several times."""
        if self.move is not None:
            yield self.move
        for node in self.next.values():
            yield from node.moves()

    def reach(self) -> list[str]:
        """Every atom that may still follow, nearest first: what to highlight around a piece."""
        found: dict[str, None] = {}
        nodes = [self]
        while nodes:
            for node in nodes:
                found.update(dict.fromkeys(node.next))
            nodes = [after for node in nodes for after in node.next.values()]
        return list(found)

    def forced(self) -> tuple[str, ...]:
        """The atoms that follow without any choice."""
        atoms = []
        node = self
        while len(node.next) == 1:
            [(atom, node)] = node.next.items()
            atoms.append(atom)
        return tuple(atoms)

    def complete(self, typed: Iterable[str]) -> list[tuple[str, ...]]:
        """Every sequence of atoms, at most one longer, that begins like what is being typed.

        The last atom typed may be unfinished: after `d2`, `d` is completed to `d3` and `d4`.
        """
        *done, last = [*typed] or [""]
        node = self.after(*done)
        if node is None:
            return []
        return [(*done, atom) for atom in node.next if atom.startswith(last)]
