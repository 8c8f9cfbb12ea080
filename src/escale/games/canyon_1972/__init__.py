"""Canyon (1972): jump, capture, and get round the canyon to the rows that count most."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Countdown, Ending, Field, Supply
from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.position import Position
from escale.game.prompts import Prompt
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Label, Scene, Tally
from escale.game.slots import Slot
from escale.game.symmetry import Symmetry
from escale.games.canyon_1972 import chains, refusals
from escale.games.canyon_1972.board import BOARD, PRINTED, SEATS, TALLIES, landscape, lettering
from escale.games.canyon_1972.chains import ATOMS, PASS, STOP
from escale.games.canyon_1972.evaluation import CanyonEvaluation
from escale.games.canyon_1972.geometry import (
    BEST,
    BITS,
    CANYON,
    GRID,
    MIRRORED,
    NAMES,
    OPPOSITE,
    PAWNS,
    by_jump,
    worth,
)
from escale.games.canyon_1972.rules import CanyonState
from escale.kernel import each_bit

CAMP = 5                                # a camp is the rows up to this value
MOST_QUIET = 100                        # plies without progress, and
MOST_PASSES = 2                         # passes in a row, which end the game

ASIDE = Symmetry(MIRRORED)
ACROSS = Symmetry(OPPOSITE, {"red": "yellow", "yellow": "red"}, swaps=True)


class Canyon(Game[CanyonState]):
    """Tom Werneck and Frank Ullmann's game of 1972."""

    slug = "canyon-1972"
    title = "Canyon"
    authors = ("Tom Werneck", "Frank Ullmann")
    publisher = "Heyne"
    year = 1972
    seat_colours = ("#c4382c", "#e3b32e")
    minutes = (20, 30)
    age = 8
    mechanisms = ("race", "jumps", "captures")
    seat_names = SEATS
    options = (Option("canyon", ("short", "narrow", "wide-passes")),)
    endings = (
        Ending("finished", "finished"),
        Ending("no-pawns", "no-pawns"),
        Ending("passes", "both-pass"),
        Ending("repetition", "repetition"),
        Ending("no-progress", "no-progress"),
        Ending("length", "length"),
    )
    buttons = (STOP, PASS)
    prompts = (
        Prompt("pass", PASS),
        Prompt("pawn", "piece"),
        Prompt("where", "empty? piece?", path="piece"),         # a pawn may come back to its cell
        Prompt("stop-or-go", f"empty? piece? {STOP}", path="piece *"),
    )
    counters = ("best", "quiet", "passed")
    supplies = tuple(Supply(seat, PAWNS) for seat in SEATS)
    fields = (Field("best"), Field("quiet"), Field("passed", ("1", "2")))
    moving = "turn"
    cites = frozenset(refusals.PARAGRAPHS.values())
    board = BOARD
    printed = PRINTED
    search = "alphabeta"
    evaluates = CanyonEvaluation
    symmetries = (ASIDE, ACROSS, ASIDE.then(ACROSS))
    themes = MappingProxyType({
        "end-no-pawns": "no-pawns", "sacrifice": "capture", "capture": "capture",
        "denies": "values", "exposed": "capture", "threat": "finished", "chain": "chain",
        "jumped": "jump", "end-finished": "finished", "quiet": "step",
    })
    puzzle_contact = frozenset({"end-no-pawns", "sacrifice", "capture", "denies", "exposed"})

    def begin(self, options: Options, seats: int) -> CanyonState:
        """Fifteen pawns in each camp; Red starts."""
        red = sum(1 << bit for cell, bit in BITS.items() if worth(cell) <= CAMP)
        yellow = sum(1 << bit for cell, bit in BITS.items() if 16 - worth(cell) <= CAMP)
        return CanyonState(red, yellow, 0, CANYON[options["canyon"]])

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> CanyonState:
        """Any pawns outside the canyon, at most fifteen for each seat."""
        if turn == kernel.CHANCE:
            raise Impossible("chance")
        canyon = CANYON[options["canyon"]]
        sides = [GRID.holding(cells, seat) for seat in SEATS]
        for seat, bits in zip(SEATS, sides, strict=True):
            if bits.bit_count() > PAWNS:
                raise Impossible("too-many", piece=seat, most=PAWNS, count=bits.bit_count())
            if bits & canyon:
                inside = [NAMES[bit] for bit in each_bit(bits & canyon)]
                raise Impossible("canyon", cells=inside)
        if not any(sides):
            raise Impossible("no-pawns")
        passed = _count(counts, "passed", MOST_PASSES)
        quiet = _count(counts, "quiet", MOST_QUIET)
        if quiet < passed:
            raise Impossible("quiet-passes", passed=passed)
        best = [0, 0]
        if "best" in counts:
            if not re.fullmatch("[0-9]{1,3},[0-9]{1,3}", counts["best"]):
                raise Impossible("best-form", got=counts["best"][:40])
            best = [int(number) for number in counts["best"].split(",")]
        other = 1 - turn
        state = CanyonState(
            sides[turn], sides[other], turn, canyon, best[turn], best[other], quiet, passed
        )
        if "best" in counts and [*self._by_seat(state, state.own_best, state.enemy_best)] != best:
            raise Impossible("best-below")
        for seat, bits, claimed in zip(SEATS, sides, best, strict=True):
            most = BEST[bits.bit_count()]
            if claimed > most:
                raise Impossible("best-above", seat=seat, most=most, claimed=claimed)
        return state

    def counts(self, state: CanyonState) -> dict[str, str]:
        """The highest sums since the last capture, if one is lower now; quiet plies; passes."""
        counts = {}
        if (state.own_best, state.enemy_best) != (state.own_sum, state.enemy_sum):
            best = self._by_seat(state, state.own_best, state.enemy_best)
            counts["best"] = ",".join(map(str, best))
        if state.quiet:
            counts["quiet"] = str(state.quiet)
        if state.passed:
            counts["passed"] = str(state.passed)
        return counts

    def slots(self) -> tuple[Slot, ...]:
        """The counts alone."""
        return (
            Slot("best", most=BEST[PAWNS], numbers=2), Slot("quiet", most=MOST_QUIET),
            Slot("passed", most=MOST_PASSES),
        )

    def scores(self, state: CanyonState) -> tuple[int, ...]:
        """The sum of each seat's row values."""
        return self._by_seat(state, state.own_sum, state.enemy_sum)

    def _by_seat(self, state: CanyonState, own: int, enemy: int) -> tuple[int, int]:
        return (own, enemy) if state.turn == 0 else (enemy, own)

    def cells(self, state: CanyonState) -> Cells:
        """Each pawn under the name of its seat."""
        sides = zip(SEATS, self._by_seat(state, state.own, state.enemy), strict=True)
        return {NAMES[bit]: seat for seat, bits in sides for bit in each_bit(bits)}

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """The board with its canyon; for each seat its sum, the best possible one, its captures."""
        scene = self.board.scene(cells, turn=turn)
        red, yellow = (GRID.holding(cells, seat) for seat in SEATS)
        state = CanyonState(red, yellow, 0, CANYON[options["canyon"]])
        pawns = zip(self.scores(state), state.possible(), (yellow, red), strict=True)
        tallies = {
            seat: (Tally("points", now, most), Tally("captured", PAWNS - enemies.bit_count()))
            for seat, (now, most, enemies) in zip(SEATS, pawns, strict=True)
        }
        sums = [
            Label(*spot, f"{points.number}/{points.of}", "tally")
            for spot, (points, _) in zip(TALLIES, tallies.values(), strict=True)
        ]
        return replace(
            scene, cells=landscape(options["canyon"]), tallies=tallies,
            labels=(*lettering(options["canyon"]), *sums),
        )

    def empty_board(self) -> Scene:
        """The board as the default option has it, without sums."""
        options = self.choose({})
        scene = self.scene({}, turn=None, options=options)
        return replace(scene, labels=tuple(lettering(options["canyon"])))

    # ---- moves: see `chains` ----

    def atoms(self, state: CanyonState, move: int) -> Atoms:
        """The pawn, each landing, and `stop` where the chain could go on."""
        [atoms] = self.spelled(state, [move])
        return atoms

    def spelled(self, state: CanyonState, codes: Sequence[int]) -> list[Atoms]:
        """The shortest way of each move."""
        found = chains.spelled(state.own, state.enemy, state.canyon, codes)
        return [tuple([ATOMS[number] for number in numbers]) for numbers in found]

    def other_ways(self, state: CanyonState, moves: Collection[int]) -> Iterator[tuple[Atoms, int]]:
        """Longer ways, up to a limit."""
        for numbers, move in chains.other_ways(state.own, state.enemy, state.canyon, moves):
            yield tuple([ATOMS[number] for number in numbers]), move

    def changes(self, state: CanyonState, move: int) -> Iterator[Change]:
        """Each hop, and the pawn that it captures."""
        pawn, prey = SEATS[state.turn], SEATS[1 - state.turn]
        if move == 0:
            yield Change(kind="passed")
            return
        cells = [BITS[atom] for atom in self.atoms(state, move) if atom != STOP]
        left = state.enemy
        for at, to in pairwise(cells):
            if not by_jump(at, to):
                yield Change.moved(pawn, NAMES[at], NAMES[to])
                continue
            over = (at + to) // 2
            yield Change.jumped(pawn, NAMES[at], NAMES[to], NAMES[over])
            if left >> over & 1:
                left ^= 1 << over
                yield Change.captured(prey, NAMES[over])

    def ending_cells(self, state: CanyonState, ending: str) -> Iterator[str]:
        """Of the seat that has just moved, the pawns that cannot stand better or are alone."""
        if ending in ("finished", "no-pawns"):
            yield from (NAMES[bit] for bit in each_bit(state.enemy or state.own))

    def countdowns(self, state: CanyonState) -> Iterator[Countdown]:
        """A hundred plies without progress, six hundred in all."""
        yield Countdown("no-progress", state.quiet_left())
        yield Countdown("length", state.plies_left())

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)


def _count(counts: Mapping[str, str], name: str, most: int) -> int:
    """A count in a position's text, 0 if it is left out."""
    text = counts.get(name, "0")
    if not re.fullmatch("[0-9]{1,3}", text) or int(text) > most:
        raise Impossible("count", name=name, most=most, got=text[:40])
    return int(text)


GAMES = (Canyon(),)
