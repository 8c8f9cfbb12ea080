"""A literal witness of Canoë: the rules, one by one, with no concern for speed.

The board has 61 holes, columns a to m, rows 6 (top) to 1::

    6  . O O . . . . . . . O O .
    5  O O O O O O O O O O O O O
    4  O O O O O O O O O O O O O
    3  O O O O O O O O O O O O O
    2  . O O O O O O O O O O O .
    1  . . . O O O O O O O . . .
       a b c d e f g h i j k l m

Light (seat 0) starts; Dark is seat 1.  Each has 13 pegs, all in reserve at the start.
"""

from __future__ import annotations

Cells = dict[str, str]
"""Every hole with a peg in it, and the peg's colour: "light" or "dark"."""

SEATS = ("light", "dark")
PEGS = 13
COLUMNS = "abcdefghijklm"

PLY_CAP = 200
REPETITIONS = 3

SWAPS = ("off", "on")

# The board as drawn: the row's number, then one sign for each of the columns a to m.
DRAWING = (
    (6, ".OO.......OO."),
    (5, "OOOOOOOOOOOOO"),
    (4, "OOOOOOOOOOOOO"),
    (3, "OOOOOOOOOOOOO"),
    (2, ".OOOOOOOOOOO."),
    (1, "...OOOOOOO..."),
)

HOLES = tuple(
    f"{column}{row}"
    for row, signs in DRAWING
    for column, sign in zip(COLUMNS, signs, strict=True)
    if sign == "O"
)

# The four ways a canoe may lie, as (row, column) offsets, rows counted downwards from the top:
# the two middle pegs are orthogonal neighbours, each end is one diagonal step further, and both
# ends are on the same side.
SHAPES = (
    ((0, 0), (1, 1), (1, 2), (0, 3)),
    ((1, 0), (0, 1), (0, 2), (1, 3)),
    ((0, 1), (1, 0), (2, 0), (3, 1)),
    ((0, 0), (1, 1), (2, 1), (3, 0)),
)


def point(hole: str) -> tuple[int, int]:
    """Where a hole is drawn: its row counted downwards from the top, and its column."""
    return 6 - int(hole[1:]), COLUMNS.index(hole[0])


HOLE_AT = {point(hole): hole for hole in HOLES}


def places(shape: tuple[tuple[int, int], ...]) -> list[frozenset[str]]:
    """Every place on the board for a canoe lying this way: all its four holes must exist."""
    found = []
    for top in range(6):
        for left in range(len(COLUMNS)):
            points = [(top + down, left + right) for down, right in shape]
            if all(where in HOLE_AT for where in points):
                found.append(frozenset(HOLE_AT[where] for where in points))
    return found


CANOE_PLACES = [place for shape in SHAPES for place in places(shape)]


def start() -> Cells:
    """The table before the first action: the board is empty."""
    return {}


def neighbours(hole: str) -> list[str]:
    """The neighbouring holes, in the eight directions; only existing holes."""
    row, column = point(hole)
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            where = (row + down, column + right)
            if (down, right) != (0, 0) and where in HOLE_AT:
                found.append(HOLE_AT[where])
    return found


def own_pegs(cells: Cells, seat: int) -> list[str]:
    """The holes of the pegs of ``seat``."""
    return [hole for hole in HOLES if cells.get(hole) == SEATS[seat]]


def reserve(cells: Cells, seat: int) -> int:
    """How many pegs ``seat`` has in reserve: those that are not on the board."""
    return PEGS - len(own_pegs(cells, seat))


# --- Canoes --------------------------------------------------------------------------------------


def groups(cells: Cells, seat: int) -> list[frozenset[str]]:
    """The groups of pegs of ``seat``, connected by the eight neighbours."""
    left = own_pegs(cells, seat)
    found = []
    while left:
        group = {left[0]}
        growing = True
        while growing:
            growing = False
            for hole in left:
                if hole not in group and any(other in group for other in neighbours(hole)):
                    group.add(hole)
                    growing = True
        found.append(frozenset(group))
        left = [hole for hole in left if hole not in group]
    return found


def canoes(cells: Cells, seat: int) -> list[frozenset[str]]:
    """The valid canoes of ``seat``.

    A valid canoe is a group of own pegs that is exactly four pegs in the shape of a canoe: no
    other peg of its colour is beside it.  Enemy pegs never matter.
    """
    return [group for group in groups(cells, seat) if group in CANOE_PLACES]


# --- Actions -------------------------------------------------------------------------------------


def may_swap(cells: Cells, turn: int, plies: int, swap: str) -> bool:
    """Whether ``turn`` may swap: with the option on, and as Dark's first turn only.

    Dark's first turn comes after one ply, by which Light has planted its first peg: there was
    nothing else to do.  The same table may come again later; then it is too late.  In a table set
    up otherwise there is no single peg of Light's to swap.
    """
    if swap not in SWAPS:
        raise ValueError(f"unknown swap: {swap}")
    return swap == "on" and turn == 1 and plies == 1 and list(cells.values()) == ["light"]


def ways(
    cells: Cells, turn: int, *, swap: str = "off", plies: int = 0
) -> list[tuple[tuple[str, ...], Cells]]:
    """Every action of ``turn`` as atoms, with the table it leaves; none once the game is won.

    Planting is (hole,), taking back is (hole, "reserve"), moving is (hole, hole), and swapping is
    ("swap",).  ``plies`` have been played: it only matters to the swap.
    """
    if winner_by_canoes(cells, turn) is not None:
        return []
    found: list[tuple[tuple[str, ...], Cells]] = []
    # Plant a peg from one's reserve in any empty hole.
    if reserve(cells, turn) > 0:
        empty = [hole for hole in HOLES if hole not in cells]
        found.extend(((hole,), {**cells, hole: SEATS[turn]}) for hole in empty)
    for hole in own_pegs(cells, turn):
        without = dict(cells)
        del without[hole]
        # Take one of one's own pegs back into one's reserve.
        found.append(((hole, "reserve"), without))
        # Move one of one's own pegs to an empty neighbouring hole.
        empty = [landing for landing in neighbours(hole) if landing not in cells]
        found.extend(((hole, landing), {**without, landing: SEATS[turn]}) for landing in empty)
    # Swap: Light's peg returns to Light's reserve, and a Dark peg takes its hole.
    if may_swap(cells, turn, plies, swap):
        found.append((("swap",), dict.fromkeys(cells, "dark")))
    return found


def successors(cells: Cells, turn: int, *, swap: str = "off", plies: int = 0) -> list[Cells]:
    """The tables after every legal action, each once: a move is what it does."""
    found: dict[frozenset[tuple[str, str]], Cells] = {}
    for _, table in ways(cells, turn, swap=swap, plies=plies):
        found.setdefault(frozenset(table.items()), table)
    return list(found.values())


# --- The end -------------------------------------------------------------------------------------


def winner_by_canoes(cells: Cells, turn: int) -> int | None:
    """The seat that has two valid canoes of its own, or None.

    An action never changes the other seat's canoes, so in a game only the seat that acted last
    can have just got two.  In a table set up by hand, that seat is looked at first.
    """
    for seat in (1 - turn, turn):
        if len(canoes(cells, seat)) >= 2:
            return seat
    return None


def outcome(
    cells: Cells, turn: int, *, plies: int = 0, occurrences: int = 1
) -> tuple[float, float] | None:
    """Each seat's share of a finished game, or None if ``turn`` has to act.

    ``plies`` have been played, and this table with this seat to act has occurred ``occurrences``
    times, this one included.  Whether one may still swap is no part of a position: the table and
    the seat to act are.
    """
    # Win: two valid canoes of one's own after one's own action of any kind.
    winner = winner_by_canoes(cells, turn)
    if winner is not None:
        return (1.0, 0.0) if winner == 0 else (0.0, 1.0)
    # Third repetition or 200 plies: draw.
    if occurrences >= REPETITIONS or plies >= PLY_CAP:
        return (0.5, 0.5)
    # There is no pass, and a stuck player cannot occur (26 pegs, 61 holes).
    return None


def perft(cells: Cells, turn: int, depth: int, *, swap: str = "off", plies: int = 0) -> int:
    """How many sequences of ``depth`` actions there are; a won game has no continuation.

    Repetitions and the cap on plies are left out: no short sequence meets them.
    """
    if depth == 0:
        return 1
    return sum(
        perft(table, 1 - turn, depth - 1, swap=swap, plies=plies + 1)
        for table in successors(cells, turn, swap=swap, plies=plies)
    )
