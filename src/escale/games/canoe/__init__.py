"""Canoë: plant, move or take back pegs until two separate canoes float."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from escale import kernel
from escale.games.canoe import refusals
from escale.games.canoe.board import BOARD, NAMES, pegs
from escale.games.canoe.rules import Canoe as Rules
from escale.play.bits import each_bit
from escale.play.errors import BadPosition
from escale.play.game import Ending, Game
from escale.play.moves import Atoms, Event
from escale.play.options import Options
from escale.play.position import Position
from escale.play.refusals import Refusal
from escale.play.scene import Cells

COLOURS = ("light", "dark")
PEGS = 13


class Canoe(Game[Rules]):
    """Dale Walton's game, number 8 of the Games Collection."""

    slug = "canoe"
    title = "Canoë"
    authors = ("Dale Walton",)
    publisher = "Pin International"
    year = None
    minutes = (10, 20)
    age = 10
    mechanisms = ("pattern",)
    seat_names = COLOURS
    endings = (Ending("canoes", 16), Ending("repetition", 17), Ending("length", 17))
    moving = 5
    board = BOARD
    search = "alphabeta"

    def begin(self, options: Options, seats: int) -> Rules:
        """An empty board."""
        return Rules()

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> Rules:
        """Any pegs, thirteen of a colour at most, if nobody should have won before."""
        if turn == kernel.CHANCE:
            raise BadPosition("no lot is drawn in Canoë")
        light, dark = (pegs(cells, colour) for colour in COLOURS)
        for colour, bits in zip(COLOURS, (light, dark), strict=True):
            if bits.bit_count() > PEGS:
                raise BadPosition(f"there are {PEGS} {colour} pegs, not {bits.bit_count()}")
        own, enemy = (dark, light) if turn else (light, dark)
        if Rules(enemy, own, 1 - turn).won:
            raise BadPosition(f"{COLOURS[turn]} has two canoes and has won: it cannot be its turn")
        return Rules(own, enemy, turn)

    def cells(self, rules: Rules) -> Cells:
        """Each peg under the name of its colour, and how many are left in reserve."""
        colours = COLOURS if rules.turn == 0 else COLOURS[::-1]
        cells: Cells = {
            NAMES[bit]: colour
            for colour, holes in zip(colours, (rules.own, rules.enemy), strict=True)
            for bit in each_bit(holes)
        }
        reserves = dict(zip(colours, (rules.own_reserve, rules.enemy_reserve), strict=True))
        return {**cells, **{f"{colour} reserve": reserves[colour] for colour in COLOURS}}

    def atoms(self, rules: Rules, move: int) -> Atoms:
        """An empty hole to plant in; or a peg, and the reserve or the hole it goes to."""
        leaves, comes = NAMES.get(move & 63), NAMES.get(move >> 6, "reserve")
        return (comes,) if leaves is None else (leaves, comes)

    def events(self, rules: Rules, move: int) -> Iterator[Event]:
        """One peg is placed, taken or moved."""
        colour = COLOURS[rules.turn]
        leaves, comes = NAMES.get(move & 63), NAMES.get(move >> 6)
        if leaves is None:
            yield Event(kind="placed", piece=colour, at=f"{colour} reserve", to=comes)
        elif comes is None:
            yield Event(kind="taken", piece=colour, at=leaves, to=f"{colour} reserve")
        else:
            yield Event(kind="moved", piece=colour, at=leaves, to=comes)

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)


GAMES = (Canoe(),)
