# cython: annotation_typing=False
"""The trie (prefix tree) of the atoms of all legal moves.

Everything that input needs is read from it: the next atoms, whether a move is complete, typed
notation and its completion. So no game has input code of its own.

It consists of nested dictionaries, built in one pass over the ways of moving. It is compiled,
because every move at a table needs it; a `Choices` is created when a node is requested.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import cython

if TYPE_CHECKING:
    from escale.game.moves import Atoms, Move

Tree = dict[str, Any]
"""Each atom with the tree of its continuations, or with a `Leaf`."""
Leaf = tuple[Any, "Atoms", bool]
"""The value for a move, the atoms of its notation (of several ways, the first), and whether these
are the atoms on the way to this leaf.
"""


@cython.locals(  # type: ignore[untyped-decorator]
    root=dict, notations=dict, node=dict, atoms=tuple, notation=tuple, last=cython.Py_ssize_t,
    i=cython.Py_ssize_t,
)
def tree_of(ways: Iterable[tuple[Atoms, Any]]) -> Tree:
    """Sort ways of moving by their atoms; ValueError if one is the beginning of another."""
    root: Tree = {}
    notations: dict[Any, Atoms] = {}
    for atoms, what in ways:
        notation = notations.setdefault(what, atoms)
        node, last = root, len(atoms) - 1
        for i in range(last):
            atom = atoms[i]
            after = node.get(atom)
            if after is None:
                node[atom] = after = {}
            elif not isinstance(after, dict):
                raise _overlap(atoms)
            node = after
        if last < 0 or atoms[last] in node:
            raise _overlap(atoms)
        node[atoms[last]] = what, notation, notation is atoms
    return root


def _overlap(atoms: Atoms) -> ValueError:
    return ValueError(f"{'-'.join(atoms)}: one way of moving begins with another")


class Choices:
    """A node: the atoms that may follow those chosen so far; none if these are a whole move."""

    __slots__ = ("_move_of", "_next", "_node")

    def __init__(self, node: Tree | Leaf, move_of: Callable[[Any, Atoms], Move]) -> None:
        self._node = node
        self._move_of = move_of
        self._next: dict[str, Choices] | None = None

    @classmethod
    def of(
        cls, ways: Iterable[tuple[Atoms, Any]],
        move_of: Callable[[Any, Atoms], Move] = lambda move, notation: move,
    ) -> Choices:
        """The trie of these ways of moving; `move_of` creates a move from its value.

        If several ways make one move, the first is its notation. ValueError if one way is the
        beginning of another.
        """
        return cls(tree_of(ways), move_of)

    @property
    def next(self) -> dict[str, Choices]:
        """Each atom that may follow, with its own node."""
        if self._next is None:
            node = self._node
            self._next = {
                atom: Choices(after, self._move_of) for atom, after in node.items()
            } if isinstance(node, dict) else {}
        return self._next

    @property
    def move(self) -> Move | None:
        """The move that the atoms so far make, if they are a whole move."""
        return None if isinstance(self._node, dict) else self._move_of(*self._node[:2])

    def tree(
        self, leaf: Callable[[Move, Atoms], Any], before: Atoms, room: int, own: Any = None
    ) -> Tree:
        """The tree as nested plain objects: an atom leads to another object, or to the value of
        `leaf` for its move.

        `leaf` gets the move and the atoms that make it here, those `before` included. If `own` is
        given, it replaces every move whose notation is just these atoms. After `room` atoms, the
        nearest first, an atom leads to None instead of a tree.
        """
        root: Tree = {}
        waiting = deque([(self._node, root, before)])
        while waiting:
            node, out, path = waiting.popleft()
            if not isinstance(node, dict):
                continue
            for atom, after in node.items():
                if not isinstance(after, dict):
                    out[atom] = own if own is not None and after[2] \
                        else leaf(self._move_of(*after[:2]), (*path, atom))
                elif room <= 0:
                    out[atom] = None
                else:
                    below: Tree = {}
                    out[atom] = below
                    waiting.append((after, below, (*path, atom)))
                room -= 1
        return root

    def after(self, *atoms: str) -> Choices | None:
        """The node after these atoms, or None if they lead nowhere."""
        node: Choices | None = self
        for atom in atoms:
            if node is None:
                return None
            node = node.next.get(atom)
        return node

    def moves(self) -> Iterator[Move]:
        """Every move below this node; a move with several ways comes several times."""
        if self.move is not None:
            yield self.move
        for node in self.next.values():
            yield from node.moves()

    def reach(self) -> list[str]:
        """Every atom that may still follow, nearest first, for highlighting around a piece."""
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
        """All sequences of atoms that begin like the typed text and are at most one atom longer.

        The last atom typed may be unfinished: after `d2`, `d` is completed to `d3` and `d4`.
        """
        *done, last = [*typed] or [""]
        node = self.after(*done)
        if node is None:
            return []
        return [(*done, atom) for atom in node.next if atom.startswith(last)]
