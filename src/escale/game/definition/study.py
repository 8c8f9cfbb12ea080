"""The parts of a game that its author writes: how computers think about it and study it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from escale import kernel
from escale.game.definition.rules import Rules, StateT
from escale.game.moves import Atoms
from escale.game.scene import Cells
from escale.game.symmetry import Symmetry


@dataclass(frozen=True, slots=True)
class Merit:
    """A reason for a move; its sentence is in the game's texts, under `merit`."""

    name: str
    count: int = 1
    """The number of things of which the sentence speaks: one or several."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """The values for the gaps of the sentence; words are names of places, cards and the like."""


class Study(Rules[StateT]):
    """How moves and positions are judged, and the subjects of puzzles."""

    search: ClassVar[str] = "mcts"
    """How the computer thinks about it: `mcts`, `alphabeta` if that wins matches, or `ismcts` if
    something is hidden.
    """
    evaluates: ClassVar[type[kernel.Evaluation]] = kernel.Evaluation
    """The evaluation that searches use; its numbers are in `weights.toml`."""
    symmetries: ClassVar[tuple[Symmetry, ...]] = ()
    """Symmetries of the rules, except the identity: see `mirrors`."""
    themes: ClassVar[Mapping[str, str]] = {}
    """The possible themes of its puzzles, the rarest first, each with the paragraph of the rules
    that a hint cites; each has a phrase in the game's texts or the study's. See `study/themes.py`.
    """
    puzzle_contact: ClassVar[frozenset[str]] = frozenset()
    """Themes of which every puzzle must have one, if there are any: in a race, those that show that
    the two sides meet.
    """

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterable[Merit]:
        """The reasons for a move instead of the `others` of its seat, the best reason first.

        `cells` are those that the seat may know, and every reason must follow from them and the
        rules. For open games the study finds most reasons by itself, and asks for shapes and the
        like, which only the game knows.
        """
        return ()

    def mirrors(self, cells: Cells, turn: int) -> Iterable[tuple[Cells, int]]:
        """Tables that the rules do not distinguish, each with the seat to move.

        A table that no list of `symmetries` describes, such as a ring of columns, overrides this.
        """
        return (symmetry.of(cells, turn) for symmetry in self.symmetries)

    def exercise(self, state: StateT, move: int) -> Collection[int] | None:
        """The seats that have fulfilled the task of puzzles, if `move` has ended it.

        None while the task goes on; an empty set if no seat has a task. This is only for games
        whose puzzles have another task than to win, such as to take as many tricks as were bid.
        """
        return None

    def motifs(self, state: StateT, move: int) -> Iterable[str]:
        """Themes of a move that only this game has, by names in `themes`: ruffing a trick."""
        return ()
