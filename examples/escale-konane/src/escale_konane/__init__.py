"""Konane: straight jumps over the other side's stones, until a player cannot jump any more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from escale.game.definition import Ending
from escale.game.errors import Impossible
from escale.game.grids import square
from escale.game.moves import Atoms
from escale.game.options import Options
from escale.game.position import Position
from escale.game.prompts import Prompt, Situation
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Kind
from escale.game.sides import SidesGame
from escale.game.symmetry import Symmetry
from escale.game.usual_refusals import usual_refusal
from escale_konane.rules import KonaneState

GRID = square(8)
SEATS = ("black", "white")

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "nobody-there": "jump",
    "not-yours": "jump",
    "cannot-move": "jump",
    "where-to": "jump",
    "not-adjacent": "jump",
    "not-this-one": "first-stone",
    "not-beside": "second-stone",
}


class Konane(SidesGame[KonaneState]):
    """The game of the Hawaiian Islands."""

    slug = "konane"
    title = "Konane"
    authors = ("Hawaii",)
    publisher = ""
    year = None
    minutes = (10, 20)
    age = 7
    mechanisms = ("jumps", "captures")
    recurs = False
    endings = (Ending("stuck", "win"),)
    prompts = (
        Prompt("first", "piece", when="first"),
        Prompt("second", "piece", when="second"),
        Prompt("stone", "piece"),
        Prompt("where", "empty", path="piece"),
    )
    moving = "jump"
    cites = frozenset(PARAGRAPHS.values())
    ways_in_atoms = False                       # a row of jumps is written by its two ends
    grid = GRID
    pieces = MappingProxyType({
        "black": Kind("black", "●", "B", owner=0),
        "white": Kind("white", "○", "W", owner=1),
    })
    begins = KonaneState
    symmetries = (Symmetry(places=GRID.image(across=True, along=True)),)

    def situation(self, state: KonaneState) -> Situation:
        """Whether a stone is taken away, and which one."""
        gone = 64 - (state.own | state.enemy).bit_count()
        return Situation(("first", "second")[gone] if gone < 2 else "")

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> KonaneState:
        """Every stone on a cell of its colour; with the first two, the turn is known."""
        black, white = KonaneState().own, KonaneState().enemy
        state = super().set_up(cells, turn, options, counts)
        mine, theirs = (white, black) if turn else (black, white)
        if strays := GRID.named(state.own & ~mine | state.enemy & ~theirs):
            raise Impossible("stray", cells=strays)
        if (gone := 64 - (state.own | state.enemy).bit_count()) < 2 and gone != turn:
            raise Impossible("beginning", seat=SEATS[gone])
        return state

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """Which stones may be taken away first; then the usual reasons."""
        seat = position.turn
        assert seat is not None
        situation = self.situation(position.kernel()).name
        if situation and position.cells.get(atoms[0]) == SEATS[seat]:
            name = "not-this-one" if situation == "first" else "not-beside"
            return Refusal(self, name, PARAGRAPHS[name], atoms[:1], {"cell": atoms[0]})
        reach = {move.atoms[-1] for move in position.moves() if move.atoms[0] == atoms[0]}
        return usual_refusal(position, atoms, PARAGRAPHS, own=SEATS[seat], reach=sorted(reach))


GAMES = (Konane(),)
