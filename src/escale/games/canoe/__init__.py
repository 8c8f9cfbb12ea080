"""Canoë: plant, move or take back pegs until two separate canoes float."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Countdown, Ending, Merit, Supply
from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.position import Position
from escale.game.prompts import Prompt
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Scene, Tally
from escale.game.symmetry import Symmetry
from escale.games.canoe import refusals
from escale.games.canoe.board import BOARD, PRINTED, pegs
from escale.games.canoe.evaluation import CanoeEvaluation
from escale.games.canoe.geometry import BITS, CANOES, MIRRORED, NAMES, along, lying
from escale.games.canoe.rules import CanoeState
from escale.kernel import each_bit

COLOURS = ("light", "dark")
PEGS = 13
WINNING = 2                             # canoes
ASIDE = Symmetry(MIRRORED)
EXCHANGED = Symmetry(
    {"light reserve": "dark reserve", "dark reserve": "light reserve"},
    {"light": "dark", "dark": "light"}, swaps=True,
)


def _room(hole: int, own: int, enemy: int) -> int:
    """How many canoes could still come to lie on a hole."""
    return sum(
        1 for canoe in CANOES
        if canoe.pegs & hole and not canoe.pegs & enemy and not canoe.around & own
    )


class Canoe(Game[CanoeState]):
    """Dale Walton's game, number 8 of the Games Collection."""

    slug = "canoe"
    title = "Canoë"
    authors = ("Dale Walton",)
    publisher = "Pin International"
    year = None
    seat_colours = ("#d9b06c", "#5a3d2e")
    minutes = (10, 20)
    age = 10
    mechanisms = ("pattern",)
    seat_names = COLOURS
    options = (Option("swap", ("off", "on")),)
    endings = (Ending("canoes", "win"), Ending("repetition", "draw"), Ending("length", "draw"))
    buttons = ("swap",)
    prompts = (
        Prompt("swap", "empty swap"),
        Prompt("plant", "empty"),
        Prompt("no-reserve", "piece"),
        Prompt("act", "empty piece"),
        Prompt("take-back", "reserve", path="piece"),
        Prompt("where", "empty reserve", path="piece"),
    )
    moving = "turn"
    cites = frozenset(refusals.PARAGRAPHS.values())
    supplies = tuple(Supply(colour, PEGS) for colour in COLOURS)
    board = BOARD
    printed = PRINTED
    search = "alphabeta"
    evaluates = CanoeEvaluation
    symmetries = (ASIDE, EXCHANGED, ASIDE.then(EXCHANGED))
    themes = MappingProxyType({
        "taken": "take-back", "unties": "valid-canoe", "builds": "canoe", "moved": "move",
        "threat": "win", "placed": "plant",
    })

    def mirrors(self, cells: Cells, turn: int) -> Iterator[tuple[Cells, int]]:
        """While Dark may swap, the colours are not alike."""
        pegs = sum(piece in COLOURS for piece in cells.values())
        for symmetry in self.symmetries:
            if pegs > 1 or not symmetry.swaps:
                yield symmetry.of(cells, turn)

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterator[Merit]:
        """The canoe that a move completes, frees, breaks, brings forward or hinders."""
        own, enemy = (
            sum(1 << BITS[name] for name, piece in cells.items() if piece == colour)
            for colour in (COLOURS[seat], COLOURS[1 - seat])
        )
        bits = [1 << BITS[hole] for hole in atoms if hole in BITS]
        comes = bits[-1] if len(bits) == 2 or not own & bits[0] else 0
        after = (own & ~bits[0] if own & bits[0] else own) | comes
        for canoe in lying(after):
            if canoe not in lying(own):
                name = "completes" if canoe.pegs & comes else "frees"
                yield Merit(name, values={"cells": ", ".join(along(canoe))})
        mine = [canoe for canoe in CANOES if canoe.pegs & comes and not canoe.around & after]
        theirs = [canoe for canoe in CANOES if canoe.pegs & comes and not canoe.around & enemy
                  and not canoe.pegs & own]
        for missing, built, hindered in ((1, "three", "breaks"), (2, "pair", "hinders")):
            for canoe in mine:
                lacking = canoe.pegs & ~after
                if lacking.bit_count() == missing and not lacking & enemy:
                    first, *second = [NAMES[lack] for lack in each_bit(lacking)]
                    yield Merit(built, values={"first": first, "second": "".join(second)})
                    break
            if any((canoe.pegs & ~enemy).bit_count() == missing for canoe in theirs):
                yield Merit(hindered, values={"cell": atoms[-1]})
        if comes and len(bits) == 1:
            holes = [1 << BITS[hole] for (hole, *more) in others if not more and hole in BITS]
            for name, ours, not_ours in (("open", own, enemy), ("blocks", enemy, own)):
                here = _room(comes, ours, not_ours)
                ways = [_room(hole, ours, not_ours) for hole in holes if not hole & own]
                if ways and here > sum(ways) / len(ways):
                    yield Merit(name, here)
        elif comes:
            left = own & ~bits[0]
            here, before = _room(comes, left, enemy), _room(bits[0], left, enemy)
            if here > before:
                yield Merit("opens", here, {"before": before})

    def begin(self, options: Options, seats: int) -> CanoeState:
        """An empty board."""
        return CanoeState(swaps=options["swap"] == "on")

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> CanoeState:
        """Any pegs, at most thirteen of a colour, unless the game was won before."""
        if turn == kernel.CHANCE:
            raise Impossible("chance")
        light, dark = (pegs(cells, colour) for colour in COLOURS)
        for colour, bits in zip(COLOURS, (light, dark), strict=True):
            if bits.bit_count() > PEGS:
                raise Impossible("too-many", piece=colour, most=PEGS, count=bits.bit_count())
        own, enemy = (dark, light) if turn else (light, dark)
        if CanoeState(enemy, own, 1 - turn).won:
            raise Impossible("won", seat=COLOURS[turn])
        return CanoeState(own, enemy, turn, options["swap"] == "on")

    def cells(self, state: CanoeState) -> Cells:
        """Each peg under the name of its colour, and how many are left in reserve."""
        colours = COLOURS if state.turn == 0 else COLOURS[::-1]
        cells: Cells = {
            NAMES[bit]: colour
            for colour, holes in zip(colours, (state.own, state.enemy), strict=True)
            for bit in each_bit(holes)
        }
        reserves = dict(zip(colours, (state.own_reserve, state.enemy_reserve), strict=True))
        return {**cells, **{f"{colour} reserve": reserves[colour] for colour in COLOURS}}

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """The board with the hulls of canoes, and for each colour the pegs left and the canoes."""
        canoes = {colour: lying(pegs(cells, colour)) for colour in COLOURS}
        tallies = {
            colour: (
                Tally("reserve", int(cells[f"{colour} reserve"])),
                Tally("canoes", len(canoes[colour]), WINNING),
            )
            for colour in COLOURS
        }
        hulls = tuple(along(canoe) for colour in COLOURS for canoe in canoes[colour])
        return self.board.scene(cells, turn=turn, tallies=tallies, hulls=hulls)

    def atoms(self, state: CanoeState, move: int) -> Atoms:
        """The hole of a new peg; or a peg and its target, which may be the reserve; or the swap."""
        return atoms(move)

    def spelled(self, state: CanoeState, codes: Sequence[int]) -> list[Atoms]:
        """The atoms of all moves at once: they do not depend on the position."""
        return list(map(atoms, codes))

    def changes(self, state: CanoeState, move: int) -> Iterator[Change]:
        """One peg is placed, taken or moved; a swap takes Light's and places Dark's."""
        colour = COLOURS[state.turn]
        leaves, comes = NAMES.get(move & 63), NAMES.get(move >> 6)
        if leaves is None:
            if comes is None:
                [comes] = (NAMES[bit] for bit in each_bit(state.enemy))
                yield Change.taken("light", comes, "light reserve")
            yield Change.placed(colour, comes, at=f"{colour} reserve")
        elif comes is None:
            yield Change.taken(colour, leaves, f"{colour} reserve")
        else:
            yield Change.moved(colour, leaves, comes)

    def motifs(self, state: CanoeState, move: int) -> Iterator[str]:
        """A canoe that is built, or taken apart."""
        before, after = len(lying(state.own)), len(lying(state.child(move).enemy))
        if before != after:
            yield "builds" if after > before else "unties"

    def ending_cells(self, state: CanoeState, ending: str) -> Iterator[str]:
        """The pegs of the canoes, two or more, of the seat that has just moved."""
        if ending == "canoes":
            canoes = sum(canoe.pegs for canoe in lying(state.enemy))
            yield from (NAMES[bit] for bit in each_bit(canoes))

    def countdowns(self, state: CanoeState) -> Iterator[Countdown]:
        """Two hundred plies."""
        yield Countdown("length", state.plies_left())

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)


@cache
def atoms(move: int) -> Atoms:
    """The atoms of a move by its number in the kernel."""
    leaves, comes = NAMES.get(move & 63), NAMES.get(move >> 6)
    return (comes or "swap",) if leaves is None else (leaves, comes or "reserve")


GAMES = (Canoe(),)
