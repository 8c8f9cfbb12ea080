"""Factored actions: one step is one atom, from a fixed list of a few dozen for each game.

A flat list of moves would be too long: some positions have 26,694 legal moves. But moves are made
of atoms, and a game has only as many as a player can point at. A `Decision` is a position and the
atoms of a move that has been begun in it; the atoms that may follow are its legal actions.

```python
>>> import escale
>>> from escale.adapters.actions import Decision
>>> decision = Decision(escale.game("tortuga").start(first="south"))
>>> [decision.actions.atoms[number] for number in decision.legal][:3]
['a1', 'b1', 'c1']
>>> decision = decision.step(decision.actions.numbers["a1"])
>>> decision.chosen, [decision.actions.atoms[number] for number in decision.legal]
(('a1',), ['a2', 'b2'])
>>> decision.step(decision.actions.numbers["a2"]).position.turn
1

```

Every legal move is made in exactly one way, that of its notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from escale.game.choices import Leaf, Tree, tree_of
from escale.game.game import Game
from escale.game.moves import Atoms, Move
from escale.game.options import Options
from escale.game.position import Position
from escale.kernel import CHANCE, Random


class Actions:
    """The atoms of a game, in a fixed order: the cells of the board, the areas beside it, buttons,
    the other groups of atoms as the game lists them, then the rest by their names."""

    def __init__(self, game: Game[Any], options: Options) -> None:
        known = game.vocabulary(options)
        listed = [
            *(cell.id for cell in game.board.cells), *(area.atom for area in game.board.areas),
            *game.buttons, *(atom for group in game.groups.values() for atom in group),
        ]
        self.atoms = tuple(dict.fromkeys([*(a for a in listed if a in known), *sorted(known)]))
        """Each action's atom."""
        self.numbers = {atom: number for number, atom in enumerate(self.atoms)}
        """Each atom's action."""

    def __len__(self) -> int:
        return len(self.atoms)

    def of(self, move: Move) -> tuple[int, ...]:
        """The actions that make a move."""
        return tuple(self.numbers[atom] for atom in move.atoms)


def actions_of(game: Game[Any], options: Options) -> Actions:
    """The actions of a game with these options: always the same object."""
    return _actions(game, *options.items())


@lru_cache(maxsize=256)
def _actions(game: Game[Any], *options: tuple[str, str]) -> Actions:
    return Actions(game, game.choose(dict(options)))


class Decision:
    """A position, and the atoms of a move that has been begun in it. It never changes."""

    __slots__ = ("_legal", "_node", "actions", "chosen", "position")

    def __init__(self, position: Position, chosen: Atoms = ()) -> None:
        node: Any = _tree(position)
        for atom in chosen:
            node = node[atom]
        self.position = position
        self.chosen = chosen
        """The atoms so far."""
        self.actions = actions_of(position.game, position.options)
        self._node: Tree = node
        self._legal: list[int] | None = None

    @property
    def turn(self) -> int | None:
        """The seat that decides, `escale.CHANCE`, or None when the game is over."""
        return self.position.turn

    @property
    def legal(self) -> list[int]:
        """The actions that may follow, in ascending order; none when the game is over."""
        if self._legal is None:
            numbers = self.actions.numbers
            self._legal = sorted(numbers[atom] for atom in self._node)
        return self._legal

    def step(self, action: int) -> Decision:
        """The decision after one more atom; ValueError if the action is not legal."""
        atom = self.actions.atoms[action] if 0 <= action < len(self.actions) else None
        if atom is None or atom not in self._node:
            raise ValueError(f"action {action} ({atom}) is not legal after {self.chosen}: "
                             f"{self.position!r} allows {self.legal}")
        after: Tree | Leaf = self._node[atom]
        if not isinstance(after, dict):
            return Decision(self.position.follow(after[0]))
        deeper = Decision.__new__(Decision)
        deeper.position, deeper.actions = self.position, self.actions
        deeper.chosen, deeper._node, deeper._legal = (*self.chosen, atom), after, None
        return deeper

    # A value that never changes is its own copy.

    def __copy__(self) -> Decision:
        return self

    def __deepcopy__(self, memo: object) -> Decision:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Decision, (self.position, self.chosen)

    # ---- chance ----

    @property
    def chances(self) -> list[tuple[int, float]]:
        """Each legal action with its probability, while it is the turn of chance."""
        state, numbers = self.position.kernel(), self.actions.numbers
        weights = {
            numbers[atom]: sum(map(state.chance_weight, _codes(after)))
            for atom, after in self._node.items()
        }
        total = sum(weights.values())
        return [(number, weights[number] / total) for number in self.legal]

    def settled(self, random: Random) -> Decision:
        """The next decision of a seat; the chance outcomes before it are drawn from `random`.

        When the game is over, it is this one.
        """
        decision = self
        while decision.turn == CHANCE:
            position = decision.position
            decision = Decision(position.follow(position.draw(random).code))
        return decision


def _tree(position: Position) -> Tree:
    """The legal moves by the atoms of their notation."""
    state = position.kernel()
    codes = state.legal_moves()
    tree: Tree = tree_of(zip(position.game.spelled(state, codes), codes, strict=True))
    return tree


def _codes(node: Tree | Leaf) -> Iterator[int]:
    """The moves below a node, by their numbers in the kernel."""
    if isinstance(node, dict):
        for after in node.values():
            yield from _codes(after)
    else:
        yield node[0]
