"""Tortuga: turtles jump forward, fall on their backs and change sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from escale import kernel
from escale.games.tortuga import refusals
from escale.games.tortuga.board import (
    BASES,
    BITS,
    BOARD,
    FORMATIONS,
    FORWARD,
    NAMES,
    occupied,
    step,
)
from escale.games.tortuga.rules import Tortuga as Rules
from escale.play.bits import each_bit
from escale.play.errors import BadPosition
from escale.play.game import Ending, Game
from escale.play.moves import Atoms, Event
from escale.play.options import Option, Options
from escale.play.position import Position
from escale.play.refusals import Refusal
from escale.play.scene import Cells

SEATS = ("south", "north")


class Tortuga(Game[Rules]):
    """Vincent Everaert's game of 2007."""

    slug = "tortuga"
    title = "Tortuga"
    authors = ("Vincent Everaert",)
    publisher = "Gigamic"
    year = 2007
    minutes = (10, 20)
    age = 7
    mechanisms = ("race", "jumps")
    seat_names = SEATS
    options = (
        Option("formation", ("edges", "compact")),
        Option("first", ("lot", "south", "north")),
        Option("obligation", ("any", "start")),
        Option("longest", ("off", "on")),
    )
    endings = (
        Ending("base", 20),
        Ending("stuck", 21),
        Ending("repetition", 22),
        Ending("length", 22),
    )
    buttons = SEATS
    moving = 9
    drawing = 7
    board = BOARD
    search = "alphabeta"

    def begin(self, options: Options, seats: int) -> Rules:
        """Two teams of eight, and a lot to draw unless an option settles who starts."""
        first = options["first"]
        turn = kernel.CHANCE if first == "lot" else SEATS.index(first)
        return self._rules(FORMATIONS[options["formation"]], turn, options)

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> Rules:
        """Any turtles, if at most one base has been reached, and by the seat that moved last."""
        if len(cells) > 16:
            raise BadPosition(f"there are 16 turtles, not {len(cells)}")
        for seat, base in enumerate(BASES):
            enemy = SEATS[1 - seat]
            if cells.get(base) == enemy and turn != seat:
                raise BadPosition(
                    f"{enemy} stands on {base} and has won: it would be {SEATS[seat]}'s turn"
                )
        if turn == kernel.CHANCE and cells not in FORMATIONS.values():
            raise BadPosition("the lot is drawn before the first move only")
        return self._rules(cells, turn, options)

    def _rules(self, cells: Cells, turn: int, options: Options) -> Rules:
        south, north, neutral = (occupied(cells, name) for name in (*SEATS, "neutral"))
        own, enemy = (north, south) if turn == 1 else (south, north)
        return Rules(
            own, enemy, neutral, turn,
            options["obligation"] == "start", options["longest"] == "on",
        )

    def cells(self, rules: Rules) -> Cells:
        """Each turtle under the name of its seat, or `neutral`."""
        south, north = (rules.enemy, rules.own) if rules.turn == 1 else (rules.own, rules.enemy)
        sides = (("south", south), ("north", north), ("neutral", rules.neutral))
        return {NAMES[bit]: name for name, turtles in sides for bit in each_bit(turtles)}

    def atoms(self, rules: Rules, move: int) -> Atoms:
        """The turtle, each landing cell, and whose side a righted turtle joins."""
        if rules.turn == kernel.CHANCE:
            return (SEATS[move],)
        atoms = [NAMES[move & 63]]
        for _, over, to, side in self._hops(rules, move):
            atoms.append(to)
            if over and rules.neutral >> BITS[over] & 1:
                atoms.append(side)
        return tuple(atoms)

    def events(self, rules: Rules, move: int) -> Iterator[Event]:
        """Each hop, and what becomes of the turtle beneath it."""
        if rules.turn == kernel.CHANCE:
            yield Event(kind="drawn", to=SEATS[move])
            return
        mover = SEATS[rules.turn]
        for at, over, to, side in self._hops(rules, move):
            if not over:
                yield Event(kind="moved", piece=mover, at=at, to=to)
                continue
            yield Event(kind="jumped", piece=mover, at=at, to=to, over=over)
            if rules.enemy >> BITS[over] & 1:
                yield Event(kind="turned", piece="neutral", at=over)
            elif rules.neutral >> BITS[over] & 1:
                yield Event(kind="turned", piece=side, at=over)

    def _hops(
        self, rules: Rules, move: int
    ) -> Iterator[tuple[str, str | None, str, str]]:
        """Each hop: from, over (None for a plain step), to, and the side given to a neutral."""
        turn = rules.turn
        at = NAMES[move & 63]
        codes = move >> 12
        if codes & 7 == 7:
            yield at, None, step(at, FORWARD[turn][(codes >> 3) - 1]), ""
            return
        while codes:
            code = (codes & 7) - 1
            codes >>= 3
            direction = FORWARD[turn][code % 3]
            over = step(at, direction)
            to = step(over, direction)
            yield at, over, to, SEATS[turn if code < 3 else 1 - turn]
            at = to

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)


GAMES = (Tortuga(),)
