"""Tortuga: turtles jump forward, fall on their backs and change sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Countdown, Ending, Merit, Supply
from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.position import Position
from escale.game.prompts import Prompt, Situation
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Scene, Tally
from escale.game.symmetry import Symmetry
from escale.games.tortuga import refusals
from escale.games.tortuga.board import BOARD, FORMATIONS, PRINTED
from escale.games.tortuga.evaluation import TortugaEvaluation
from escale.games.tortuga.geometry import ASIDE as OFF_CENTRE
from escale.games.tortuga.geometry import (
    BASES,
    BITS,
    FORWARD,
    GRID,
    HEIGHTS,
    MIRRORED,
    NAMES,
    OPPOSITE,
)
from escale.games.tortuga.rules import TortugaState
from escale.kernel import each_bit
from escale.kernel.core import NO_MORE

SEATS = ("south", "north")
ATOMS = (*BITS, *SEATS)
ASIDE = Symmetry(MIRRORED)
ACROSS = Symmetry(OPPOSITE, {"south": "north", "north": "south"}, swaps=True)
LONGEST = Option("longest", ("off", "jumps", "enemies"))


class Tortuga(Game[TortugaState]):
    """Vincent Everaert's game of 2007."""

    slug = "tortuga"
    title = "Tortuga"
    authors = ("Vincent Everaert",)
    publisher = "Gigamic"
    year = 2007
    seat_colours = ("#4c9a5f", "#d9622b")
    minutes = (10, 20)
    age = 7
    mechanisms = ("race", "jumps")
    seat_names = SEATS
    options = (
        Option("formation", ("edges", "compact")),
        Option("first", ("chance", "south", "north")),
        Option("obligation", ("any", "start")),
        LONGEST,
    )
    endings = (
        Ending("base", "win"),
        Ending("stuck", "stuck"),
        Ending("length", "draw"),
    )
    recurs = False
    buttons = SEATS
    groups = MappingProxyType({"side": SEATS})
    prompts = (
        Prompt("must-jump", "piece", when="must-jump"),
        Prompt("turtle", "piece"),
        Prompt("jump", "empty", path="piece", when="must-jump"),
        Prompt("where", "empty", path="piece"),
        Prompt("side", "side", path="piece empty *"),
        Prompt("go-on", "empty", path="piece empty *"),
    )
    moving = "forward"
    cites = frozenset(refusals.PARAGRAPHS.values())
    drawing = "first-player"
    supplies = tuple(Supply(name, 16) for name in (*SEATS, "neutral"))
    board = BOARD
    printed = PRINTED
    search = "alphabeta"
    evaluates = TortugaEvaluation
    symmetries = (ASIDE, ACROSS, ASIDE.then(ACROSS))
    themes = MappingProxyType({
        "end-stuck": "stuck", "gift": "neutral-jumped", "rally": "neutral-jumped",
        "sacrifice": "enemy-jumped", "forced": "must-jump", "chain": "chain",
        "must-jump": "must-jump", "capture": "enemy-jumped", "threat": "win", "quiet": "step",
    })

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterator[Merit]:
        """How far a turtle comes."""
        def height(cell: str) -> int:
            return HEIGHTS[BITS[cell]] * (1 if seat == 0 else -1)

        def advance(move: Atoms) -> int:
            return height([atom for atom in move if atom in BITS][-1]) - height(move[0])

        if all(advance(atoms) > advance(other) for other in others):
            yield Merit("bounds")
        own = [cell for cell, piece in cells.items() if piece == self.seat_names[seat]]
        foremost = max(map(height, own))
        end = [atom for atom in atoms if atom in BITS][-1]
        if height(atoms[0]) < foremost < height(end):
            yield Merit("leads")
        if height(atoms[0]) == min(map(height, own)) < foremost:
            yield Merit("rear")
        if OFF_CENTRE[BITS[end]] < OFF_CENTRE[BITS[atoms[0]]]:
            yield Merit("centre")

    def begin(self, options: Options, seats: int) -> TortugaState:
        """Two teams of eight; chance decides which seat starts, unless an option does."""
        first = options["first"]
        turn = kernel.CHANCE if first == "chance" else SEATS.index(first)
        return self._rules(FORMATIONS[options["formation"]], turn, options)

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> TortugaState:
        """Any turtles, if at most one base has been reached, by the seat that moved last."""
        if len(cells) > 16:
            raise Impossible("turtles", count=len(cells))
        for seat, base in enumerate(BASES):
            enemy = SEATS[1 - seat]
            if cells.get(base) == enemy and turn != seat:
                raise Impossible(f"{enemy}-won", base=base)
        if turn == kernel.CHANCE and cells not in FORMATIONS.values():
            raise Impossible("first-move")
        return self._rules(cells, turn, options)

    def _rules(self, cells: Cells, turn: int, options: Options) -> TortugaState:
        south, north, neutral = (GRID.holding(cells, name) for name in (*SEATS, "neutral"))
        own, enemy = (north, south) if turn == 1 else (south, north)
        return TortugaState(
            own, enemy, neutral, turn,
            options["obligation"] == "start", LONGEST.values.index(options["longest"]),
        )

    def cells(self, state: TortugaState) -> Cells:
        """Each turtle under the name of its seat, or `neutral`."""
        south, north = (state.enemy, state.own) if state.turn == 1 else (state.own, state.enemy)
        sides = (("south", south), ("north", north), ("neutral", state.neutral))
        return {NAMES[bit]: name for name, turtles in sides for bit in each_bit(turtles)}

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """The board, and the number of turtles that each seat has on their feet."""
        standing = list(cells.values())
        tallies = {seat: (Tally("turtles", standing.count(seat)),) for seat in SEATS}
        return self.board.scene(cells, turn=turn, tallies=tallies)

    def atoms(self, state: TortugaState, move: int) -> Atoms:
        """The turtle, each landing cell, and the side that a neutral turtle joins."""
        if state.turn == kernel.CHANCE:
            return (SEATS[move],)
        atoms, number = [], state.atom(move, 0)
        while number != NO_MORE:
            atoms.append(ATOMS[number])
            number = state.atom(move, len(atoms))
        return tuple(atoms)

    def changes(self, state: TortugaState, move: int) -> Iterator[Change]:
        """Each hop, and what happens to the turtle below it."""
        if state.turn == kernel.CHANCE:
            yield Change(kind="drawn", to=SEATS[move])
            return
        mover = SEATS[state.turn]
        for at, over, to, side in self._hops(state, move):
            if not over:
                yield Change.moved(mover, at, to)
                continue
            yield Change.jumped(mover, at, to, over)
            if state.enemy >> BITS[over] & 1:
                yield Change.turned("neutral", over)
            elif state.neutral >> BITS[over] & 1:
                yield Change.turned(side, over)

    def _hops(
        self, state: TortugaState, move: int
    ) -> Iterator[tuple[str, str | None, str, str]]:
        """Each hop: from, over (None for a plain step), to, and a neutral turtle's new side."""
        at, *rest = self.atoms(state, move)
        for to, then in pairwise([*rest, ""]):
            if to in SEATS:
                continue
            jump = BITS[to] - BITS[at] not in FORWARD[state.turn]
            yield at, NAMES[(BITS[at] + BITS[to]) // 2] if jump else None, to, then
            at = to

    def situation(self, state: TortugaState) -> Situation:
        """Whether an enemy must be jumped: every legal move jumps one."""
        enemies = [
            any(over and state.enemy >> BITS[over] & 1 for _, over, _, _ in self._hops(state, move))
            for move in state.legal_moves() if state.turn != kernel.CHANCE
        ]
        return Situation("must-jump" if enemies and all(enemies) else "")

    def ending_cells(self, state: TortugaState, ending: str) -> Iterator[str]:
        """The base that was reached, or the turtles that cannot move."""
        if ending == "base":
            yield BASES[state.turn]
        elif ending == "stuck":
            yield from (NAMES[bit] for bit in each_bit(state.own))

    def countdowns(self, state: TortugaState) -> Iterator[Countdown]:
        """Three hundred plies."""
        yield Countdown("length", state.plies_left())

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)


GAMES = (Tortuga(),)
