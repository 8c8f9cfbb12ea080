"""Breakthrough: step forward, capture aslant, and be the first on the far rank."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from escale.game.definition import Ending
from escale.game.errors import Impossible
from escale.game.grids import square
from escale.game.moves import Atoms
from escale.game.options import Options
from escale.game.position import Position
from escale.game.prompts import Prompt
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Kind
from escale.game.sides import SidesGame
from escale.game.symmetry import Symmetry
from escale.game.usual_refusals import usual_refusal
from escale_breakthrough.evaluation import BreakthroughEvaluation
from escale_breakthrough.rules import BreakthroughState

GRID = square(8)
SEATS = ("south", "north")
FORWARD = (("nw", "n", "ne"), ("sw", "s", "se"))

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "nobody-there": "turn",
    "not-yours": "turn",
    "cannot-move": "step",
    "where-to": "turn",
    "not-adjacent": "forward",
    "occupied": "step",
    "straight-capture": "capture",
}


class Breakthrough(SidesGame[BreakthroughState]):
    """Dan Troyka's game."""

    slug = "breakthrough"
    title = "Breakthrough"
    authors = ("Dan Troyka",)
    publisher = ""
    year = 2000
    minutes = (10, 20)
    age = 7
    mechanisms = ("race", "captures")
    endings = (Ending("through", "win"), Ending("captured", "captured"))
    prompts = (
        Prompt("piece", "piece"),
        Prompt("where", "empty? piece?", path="piece"),
    )
    moving = "forward"
    cites = frozenset(PARAGRAPHS.values())
    grid = GRID
    pieces = MappingProxyType({
        "south": Kind("south", "▲", "S", owner=0),
        "north": Kind("north", "▽", "N", owner=1),
    })
    begins = BreakthroughState
    symmetries = (Symmetry(places=GRID.image(across=True)),)
    search = "alphabeta"
    evaluates = BreakthroughEvaluation

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> BreakthroughState:
        """The seat to move cannot have won already."""
        state = super().set_up(cells, turn, options, counts)
        if not state.enemy or BreakthroughState(state.enemy, state.own, 1 - turn).won:
            raise Impossible("won", seat=SEATS[turn])
        return state

    def ending_cells(self, state: BreakthroughState, ending: str) -> list[str]:
        """The piece on the far rank, or those that are left when the other seat has none."""
        far = GRID.mask(f"{file}{'18'[state.turn]}" for file in "abcdefgh")
        return GRID.named(state.enemy & far if ending == "through" else state.enemy)

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """The usual reasons, and that nobody captures straight on."""
        seat = position.turn
        assert seat is not None
        reach = [GRID.step(atoms[0], direction) for direction in FORWARD[seat]]
        usual = usual_refusal(
            position, atoms, PARAGRAPHS, own=SEATS[seat], reach=[cell for cell in reach if cell]
        )
        if usual is not None or len(atoms) < 2:
            return usual
        return Refusal(
            self, "straight-capture", PARAGRAPHS["straight-capture"], (atoms[1],),
            {"cell": atoms[1]},
        )


GAMES = (Breakthrough(),)
