"""Breakthrough: step forward, capture aslant, and be the first on the far rank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Ending
from escale.game.errors import BadPosition
from escale.game.game import Game
from escale.game.grids import square
from escale.game.moves import Atoms
from escale.game.options import Options
from escale.game.position import Position
from escale.game.prompts import Prompt
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Kind
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


class Breakthrough(Game[BreakthroughState]):
    """Dan Troyka's game."""

    slug = "breakthrough"
    title = "Breakthrough"
    authors = ("Dan Troyka",)
    publisher = ""
    year = 2000
    minutes = (10, 20)
    age = 7
    mechanisms = ("race", "captures")
    seat_names = SEATS
    endings = (Ending("through", "win"), Ending("captured", "captured"))
    prompts = (
        Prompt("piece", "piece"),
        Prompt("where", "empty? piece?", path="piece"),
    )
    moving = "forward"
    cites = frozenset(PARAGRAPHS.values())
    board = GRID.board({
        "south": Kind("south", "▲", "S", owner=0),
        "north": Kind("north", "▽", "N", owner=1),
    })
    search = "alphabeta"
    evaluates = BreakthroughEvaluation

    def begin(self, options: Options, seats: int) -> BreakthroughState:
        """Two ranks of pieces each."""
        return BreakthroughState()

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> BreakthroughState:
        """Up to sixteen pieces each; the seat to move cannot have won already."""
        if turn == kernel.CHANCE:
            raise BadPosition("nothing is left to chance at Breakthrough")
        south, north = (GRID.holding(cells, seat) for seat in SEATS)
        for seat, pieces in zip(SEATS, (south, north), strict=True):
            if pieces.bit_count() > 16:
                raise BadPosition(f"{seat} has 16 pieces at most, not {pieces.bit_count()}")
        own, enemy = (north, south) if turn else (south, north)
        if not enemy or BreakthroughState(enemy, own, 1 - turn).won:
            raise BadPosition(f"{SEATS[turn]} has won already: it cannot be its turn")
        return BreakthroughState(own, enemy, turn)

    def cells(self, state: BreakthroughState) -> Cells:
        """Each piece under the name of its seat."""
        sides = ((state.own, SEATS[state.turn]), (state.enemy, SEATS[1 - state.turn]))
        return {cell: seat for pieces, seat in sides for cell in GRID.named(pieces)}

    def atoms(self, state: BreakthroughState, move: int) -> Atoms:
        """The piece, and the cell it goes to."""
        return GRID.names[move & 63], GRID.names[move >> 6]

    def changes(self, state: BreakthroughState, move: int) -> Iterator[Change]:
        """A piece is captured, if one stands there; then the piece moves."""
        at, to = self.atoms(state, move)
        if state.enemy >> (move >> 6) & 1:
            yield Change.captured(SEATS[1 - state.turn], to)
        yield Change.moved(SEATS[state.turn], at, to)

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
