"""The trie (prefix tree) of the atoms of all legal moves.

Everything that input needs is read from it: what can be pointed at next, whether a move is
complete, typed notation and its completion. So no game has input code of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from escale.game.moves import Atoms, Move

FEW = 1000
"""Ways of moving that are put in order at once; of more, what is looked at."""


class Choices:
    """A node: the atoms that may follow those so far, or none where they are a whole move.

    A position may have forty thousand moves. So a node knows the ways of moving that go through it,
    and puts them in order by their next atom when somebody looks.
    """

    __slots__ = ("_depth", "_move_of", "_next", "_ways")

    def __init__(
        self, ways: Sequence[tuple[Atoms, Any]], move_of: Callable[[Any], Move], depth: int = 0
    ) -> None:
        self._ways = ways
        self._move_of = move_of
        self._depth = depth
        self._next: dict[str, Choices] | None = None

    @classmethod
    def of(
        cls, ways: Iterable[tuple[Atoms, Any]], move_of: Callable[[Any], Move] = lambda move: move
    ) -> Choices:
        """The trie of these ways of moving; `move_of` makes a move of what stands for it.

        ValueError where one way is the beginning of another; with many ways, when it is met.
        """
        root = cls(list(ways), move_of)
        if len(root._ways) <= FEW:
            nodes = [root]
            while nodes:
                nodes.extend(nodes.pop().next.values())
        return root

    @property
    def next(self) -> dict[str, Choices]:
        """Each atom that may follow, with what may follow that."""
        if self._next is None:
            self._next = self._in_order()
        return self._next

    @property
    def move(self) -> Move | None:
        """The move that the atoms so far make, if they make one."""
        if self._whole:
            move: Move = self._move_of(self._ways[0][1])
            return move
        return None

    @property
    def _whole(self) -> bool:
        return len(self._ways) == 1 and len(self._ways[0][0]) == self._depth

    def _in_order(self) -> dict[str, Choices]:
        if self._whole:
            return {}
        depth = self._depth
        found: dict[str, list[tuple[Atoms, Any]]] = {}
        for way in self._ways:
            if len(way[0]) == depth:
                raise ValueError(f"{'-'.join(way[0])}: one way of moving begins with another")
            found.setdefault(way[0][depth], []).append(way)
        return {
            atom: Choices(ways, self._move_of, depth + 1) for atom, ways in found.items()
        }

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
