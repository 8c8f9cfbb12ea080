"""What the author of a game writes: how computers think about it, and what is studied of it."""

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
    """Something that speaks for a move; its sentence is in the game's texts, under `merit`."""

    name: str
    count: int = 1
    """Of what the sentence speaks of one or several."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """What fills the gaps of the sentence; words are names of places, cards and the like."""


class Study(Rules[StateT]):
    """How moves and positions are judged, and what puzzles are about."""

    search: ClassVar[str] = "mcts"
    """How the computer thinks about it: `mcts`, `alphabeta` where that wins matches, or `ismcts`
    where something is hidden."""
    evaluates: ClassVar[type[kernel.Evaluation]] = kernel.Evaluation
    """What a search asks how good a position is; its numbers are in `weights.toml`."""
    symmetries: ClassVar[tuple[Symmetry, ...]] = ()
    """What leaves the rules as they are, all but staying the same: see `mirrors`."""
    themes: ClassVar[Mapping[str, str]] = {}
    """What its puzzles may be about, the rarest first, each with the paragraph of the rules that a
    hint cites; each has a phrase in the game's texts or the study's. See `study/themes.py`."""

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterable[Merit]:
        """What speaks for a move rather than for the `others` of its seat, the best first.

        For games that hide something: `cells` are those that the seat may know, and whatever is
        said must follow from them and the rules. Where nothing is hidden, the study finds reasons
        by itself.
        """
        return ()

    def mirrors(self, cells: Cells, turn: int) -> Iterable[tuple[Cells, int]]:
        """Tables that are the same to the rules, each with the seat to move.

        A table that no list of `symmetries` describes, such as a ring of columns, overrides this.
        """
        return (symmetry.of(cells, turn) for symmetry in self.symmetries)

    def exercise(self, state: StateT, move: int) -> Collection[int] | None:
        """The seats that have done what puzzles ask for, once `move` has ended what they are about.

        None as long as that goes on, and no seats where there is nothing to ask for. Only for games
        whose puzzles ask for something else than the win, such as a hand of cards played as
        announced.
        """
        return None

    def motifs(self, state: StateT, move: int) -> Iterable[str]:
        """What only this game sees in a move, by names that `themes` may have: ruffing a trick."""
        return ()
