"""A literal witness of Canyon (1972): the rules, one by one, with no concern for speed.

The board is 8 x 8, files a to h, ranks 1 to 8; ## is the canyon, and the numbers are the row
values for Red::

    8 |  8  9 10 11 12 13 14 15
    7 |  7  8  9 10 11 12 13 14
    6 |  6  7 ## ## 10 11 12 13
    5 |  5  6 ## ## ## 10 11 12
    4 |  4  5  6 ## ## ## 10 11
    3 |  3  4  5  6 ## ##  9 10
    2 |  2  3  4  5  6  7  8  9
    1 |  1  2  3  4  5  6  7  8
         a  b  c  d  e  f  g  h

Red (seat 0) has its corner at a1 and starts; Yellow (seat 1) has its corner at h8.  This is the
canyon "short".  The canyon "narrow" holds six cells more, b6 b7 c7 f2 g2 g3, and "wide-passes"
four of them, for b7 and g2 are open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Cells = dict[str, str]
"""Every occupied cell, and whose pawn is there: "red" or "yellow"."""

SEATS = ("red", "yellow")
FILES = "abcdefgh"
RANKS = "12345678"
PAWNS = 15

REPETITIONS = 3
NO_PROGRESS_CAP = 100
PLY_CAP = 600

CELLS = tuple(f"{file}{rank}" for rank in RANKS for file in FILES)

# The canyon as drawn, rank 8 first: the middle diagonals 7, 8, 9 without their ends.
DRAWINGS = {
    # Without two cells at each end.
    "short": (
        "........",
        "........",
        "..##....",
        "..###...",
        "...###..",
        "....##..",
        "........",
        "........",
    ),
    # Without the rim.
    "narrow": (
        "........",
        ".##.....",
        ".###....",
        "..###...",
        "...###..",
        "....###.",
        ".....##.",
        "........",
    ),
    # b7 and g2 are open.
    "wide-passes": (
        "........",
        "..#.....",
        ".###....",
        "..###...",
        "...###..",
        "....###.",
        ".....#..",
        "........",
    ),
}

# The cells that nobody enters: 10, 16 or 14.
CANYONS = {
    option: frozenset(
        f"{file}{rank}"
        for rank, signs in zip(reversed(RANKS), drawing, strict=True)
        for file, sign in zip(FILES, signs, strict=True)
        if sign == "#"
    )
    for option, drawing in DRAWINGS.items()
}

# The eight directions, as steps along the files and along the ranks.
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


# --- The board -----------------------------------------------------------------------------------


def value(cell: str, seat: int) -> int:
    """The value of a cell's row.

    For Red it is file + rank - 1, with a = 1; for Yellow it is 16 minus Red's value.
    """
    for_red = (FILES.index(cell[0]) + 1) + int(cell[1]) - 1
    return for_red if seat == 0 else 16 - for_red


def camp(seat: int) -> list[str]:
    """The camp of ``seat``: the 15 cells of its values 1 to 5."""
    return [cell for cell in CELLS if value(cell, seat) <= 5]


def start() -> Cells:
    """The table before the first move: each seat's 15 pawns fill its camp."""
    cells: Cells = {}
    for seat in (0, 1):
        for cell in camp(seat):
            cells[cell] = SEATS[seat]
    return cells


def neighbour(cell: str, direction: tuple[int, int]) -> str | None:
    """The next cell in a direction; None off the board."""
    file = FILES.index(cell[0]) + direction[0]
    rank = RANKS.index(cell[1]) + direction[1]
    if 0 <= file < 8 and 0 <= rank < 8:
        return f"{FILES[file]}{RANKS[rank]}"
    return None


def own_pawns(cells: Cells, seat: int) -> list[str]:
    """The cells of the pawns of ``seat``."""
    return [cell for cell in CELLS if cells.get(cell) == SEATS[seat]]


# --- Moves ---------------------------------------------------------------------------------------


class Hop(NamedTuple):
    """One jump of a chain."""

    landing: str
    captured: frozenset[str]
    """Every enemy cell captured so far in the chain, this jump included."""


def steps(cells: Cells, pawn: str, canyon: str = "short") -> list[str]:
    """Where the pawn can step: to a free neighbour, in any of the eight directions."""
    found = []
    for direction in DIRECTIONS:
        landing = neighbour(pawn, direction)
        if landing is not None and landing not in CANYONS[canyon] and landing not in cells:
            found.append(landing)
    return found


def hops(
    cells: Cells, pawn: str, where: str, captured: frozenset[str], canyon: str = "short"
) -> list[Hop]:
    """The next jumps of a pawn that left ``pawn``, is now at ``where`` and took ``captured``."""
    # The pawn has left its cell, and captured pawns leave at once, hop by hop.
    others = {cell: owner for cell, owner in cells.items() if cell not in captured}
    del others[pawn]
    found = []
    for direction in DIRECTIONS:
        # A jump goes over one adjacent pawn, friend or enemy ...
        over = neighbour(where, direction)
        if over is None or over not in others:
            continue
        # ... to the free cell directly behind it; nobody enters the canyon.
        landing = neighbour(over, direction)
        if landing is None or landing in CANYONS[canyon] or landing in others:
            continue
        # Enemies jumped are captured; friends stay.
        enemy = others[over] != cells[pawn]
        found.append(Hop(landing, captured | {over} if enemy else captured))
    return found


def moved(cells: Cells, pawn: str, end: str, captured: frozenset[str]) -> Cells:
    """The table after the pawn went from its cell to ``end`` and took ``captured``."""
    table = {cell: owner for cell, owner in cells.items() if cell not in captured}
    owner = table.pop(pawn)
    table[end] = owner
    return table


def chain_ends(cells: Cells, pawn: str, canyon: str = "short") -> list[Hop]:
    """Every place where a chain of the pawn's jumps can stop, with what it took: exact.

    Cells may be passed twice, the starting cell too: what counts is where the pawn stands and
    whom it has taken.  Any prefix of a chain is a move, so every (cell, captured set) reached is
    an end, but for the start itself with nothing taken: a chain that changes nothing is no move.
    """
    nothing_done = Hop(pawn, frozenset())
    reached = [nothing_done]
    for here in reached:  # The list grows while it is read.
        for hop in hops(cells, pawn, here.landing, here.captured, canyon):
            if hop not in reached:
                reached.append(hop)
    return reached[1:]


def successors(cells: Cells, turn: int, *, canyon: str = "short") -> list[Cells]:
    """The tables after every legal move, each once: a move is what it does.

    An empty list means that ``turn`` has no legal move and passes.  Whether the game has ended is
    not looked at here: see ``outcome``.

    Two chains with the same end and the same captures are one move.  So are the chains of two
    different pawns that both come back to where they started and take the same enemies.
    """
    found: dict[frozenset[tuple[str, str]], Cells] = {}
    for pawn in own_pawns(cells, turn):
        # A move is either one step ...
        for landing in steps(cells, pawn, canyon):
            table = moved(cells, pawn, landing, frozenset())
            found.setdefault(frozenset(table.items()), table)
        # ... or a chain of jumps.  Capturing is never compulsory.
        for end in chain_ends(cells, pawn, canyon):
            table = moved(cells, pawn, end.landing, end.captured)
            found.setdefault(frozenset(table.items()), table)
    return list(found.values())


def ways(
    cells: Cells, turn: int, *, canyon: str = "short", longest: int = 6
) -> list[tuple[tuple[str, ...], Cells]]:
    """The ways of moving as atoms (pawn, landing, landing, ...), with the tables they leave.

    Only simple chains are listed, of at most ``longest`` jumps: on its way, the pawn never stands
    on the same cell again with the same captures.  Longer chains are legal too; ``successors``
    knows all the tables.
    """
    found: list[tuple[tuple[str, ...], Cells]] = []
    for pawn in own_pawns(cells, turn):
        found += [
            ((pawn, landing), moved(cells, pawn, landing, frozenset()))
            for landing in steps(cells, pawn, canyon)
        ]
        chains: list[list[Hop]] = [[Hop(pawn, frozenset())]]
        for _ in range(longest):
            longer = [
                [*chain, hop]
                for chain in chains
                for hop in hops(cells, pawn, chain[-1].landing, chain[-1].captured, canyon)
                if hop not in chain
            ]
            for chain in longer:
                atoms = tuple(hop.landing for hop in chain)
                found.append((atoms, moved(cells, pawn, chain[-1].landing, chain[-1].captured)))
            chains = longer
    return found


# --- The end -------------------------------------------------------------------------------------


def sums(cells: Cells) -> tuple[int, int]:
    """What the row values of each seat's pawns add up to; a seat without pawns has 0."""
    red = sum(value(cell, 0) for cell in own_pawns(cells, 0))
    yellow = sum(value(cell, 1) for cell in own_pawns(cells, 1))
    return red, yellow


def best_sum(cells: Cells, seat: int, canyon: str = "short") -> int:
    """The best that the remaining pawns of ``seat`` could have with the enemy where it is.

    They may stand on any cells that are not held by the enemy and are not canyon.
    """
    enemy = SEATS[1 - seat]
    open_cells = [
        cell for cell in CELLS if cell not in CANYONS[canyon] and cells.get(cell) != enemy
    ]
    values = sorted((value(cell, seat) for cell in open_cells), reverse=True)
    return sum(values[: len(own_pawns(cells, seat))])


def ended(cells: Cells, mover: int, *, canyon: str = "short") -> bool:
    """Whether the game has ended with the move that ``mover`` has just made.

    It has if the mover's row values add up to the best that its remaining pawns could have, or
    if a seat has no pawn left.  Only the mover is looked at: the other seat may well have its own
    best sum, and the game goes on.  After a pass there is nothing to look at.
    """
    if not own_pawns(cells, 0) or not own_pawns(cells, 1):
        return True
    return sums(cells)[mover] == best_sum(cells, mover, canyon)


# --- A game --------------------------------------------------------------------------------------

Position = tuple[frozenset[tuple[str, str]], int]
"""What makes two positions the same: the table and the seat to move."""

Outcome = tuple[tuple[float, float], str, tuple[int, int]]
"""Each seat's share, why the game has ended, and the two sums."""


def position(cells: Cells, turn: int) -> Position:
    """The position, for counting how often it has occurred."""
    return frozenset(cells.items()), turn


@dataclass(frozen=True)
class State:
    """A game under way."""

    cells: Cells
    turn: int
    plies: int
    """Turns played, passes included."""
    passes: int
    """How many of the last turns in a row were passes."""
    best: tuple[int, int]
    """The highest sum that each seat has had since the last capture of either side.

    The sums that the capture has left count, and before the first capture those of the start.
    """
    since: int
    """Turns since the last capture or new best sum of either seat, passes included."""
    occurrences: dict[Position, int]
    """How often each position has occurred, the present one included."""
    canyon: str = "short"


def begin(cells: Cells | None = None, turn: int = 0, *, canyon: str = "short") -> State:
    """A game that starts from this table; Red starts from the usual one."""
    table = start() if cells is None else dict(cells)
    return State(
        cells=table,
        turn=turn,
        plies=0,
        passes=0,
        best=sums(table),
        since=0,
        occurrences={position(table, turn): 1},
        canyon=canyon,
    )


def counted(state: State, cells: Cells, turn: int) -> dict[Position, int]:
    """The occurrences with one more for this position."""
    here = position(cells, turn)
    return {**state.occurrences, here: state.occurrences.get(here, 0) + 1}


def after(state: State, new_cells: Cells) -> State:
    """The game after the seat to move has made the move that leaves ``new_cells``."""
    if outcome(state) is not None:
        raise ValueError("the game has ended")
    if new_cells not in successors(state.cells, state.turn, canyon=state.canyon):
        raise ValueError("not a legal move")
    return made(state, new_cells)


def made(state: State, new_cells: Cells) -> State:
    """The same, without asking whether the move is legal."""
    new_sums = sums(new_cells)
    capture = len(new_cells) < len(state.cells)
    # A capture makes a new beginning for both seats: what they have after it is all that they
    # have had since.
    if capture:
        best = new_sums
    else:
        best = max(state.best[0], new_sums[0]), max(state.best[1], new_sums[1])
    # A new best sum is higher than every sum that this seat has had since the last capture.
    new_best = new_sums[0] > state.best[0] or new_sums[1] > state.best[1]
    return State(
        cells=dict(new_cells),
        turn=1 - state.turn,
        plies=state.plies + 1,
        passes=0,
        best=best,
        since=0 if capture or new_best else state.since + 1,
        occurrences=counted(state, new_cells, 1 - state.turn),
        canyon=state.canyon,
    )


def after_pass(state: State) -> State:
    """The game after the seat to move, having no legal move, has passed."""
    if outcome(state) is not None:
        raise ValueError("the game has ended")
    if successors(state.cells, state.turn, canyon=state.canyon):
        raise ValueError("only a seat without a legal move passes")
    return State(
        cells=state.cells,
        turn=1 - state.turn,
        plies=state.plies + 1,
        passes=state.passes + 1,
        best=state.best,
        since=state.since + 1,
        occurrences=counted(state, state.cells, 1 - state.turn),
        canyon=state.canyon,
    )


def shares(both: tuple[int, int]) -> tuple[float, float]:
    """Both sums are compared: higher wins, equal is a draw."""
    if both[0] > both[1]:
        return 1.0, 0.0
    if both[1] > both[0]:
        return 0.0, 1.0
    return 0.5, 0.5


def outcome(state: State) -> Outcome | None:
    """How the game has ended, or None if the seat to move has to play.

    Whatever the reason, the sums are compared (a seat without pawns has 0, and the other has
    more), so the order in which the reasons are tried never changes who wins: it only settles
    which reason is named when several hold at once.  The rules do not settle that; here it is

    1. "no-pawns": a seat has no pawn left.  It is named before "finished" because it ends the
       game whatever the sums are; both hold when the last capture completes the mover's best sum.
    2. "finished": the seat that has just moved has the best sum its pawns could have.
    3. "passes": two passes in a row.
    4. "repetition": this position has occurred for the third time.
    5. "no-progress": 100 plies without a capture and without a new best sum for either seat.
    6. "length": 600 plies.

    A table from which a game begins is not looked at for "finished": nobody has moved yet.
    """
    reason = None
    just_moved = state.plies > 0 and state.passes == 0
    if not own_pawns(state.cells, 0) or not own_pawns(state.cells, 1):
        reason = "no-pawns"
    elif just_moved and ended(state.cells, 1 - state.turn, canyon=state.canyon):
        reason = "finished"
    elif state.passes >= 2:
        reason = "passes"
    elif state.occurrences[position(state.cells, state.turn)] >= REPETITIONS:
        reason = "repetition"
    elif state.since >= NO_PROGRESS_CAP:
        reason = "no-progress"
    elif state.plies >= PLY_CAP:
        reason = "length"
    if reason is None:
        return None
    both = sums(state.cells)
    return shares(both), reason, both


def perft(state: State, depth: int) -> int:
    """How many sequences of ``depth`` turns there are; a game that has ended has no continuation.

    A pass is one continuation.
    """
    if depth == 0:
        return 1
    if outcome(state) is not None:
        return 0
    tables = successors(state.cells, state.turn, canyon=state.canyon)
    if not tables:
        return perft(after_pass(state), depth - 1)
    return sum(perft(made(state, table), depth - 1) for table in tables)
