"""A literal witness of Tortuga: the rules, one by one, with no concern for speed.

The board is a hexagon of side 4 seen with South at the bottom::

                  d7
              c6      e6
          b5      d6      f5
      a4      c5      e5      g4
          b4      d5      f4
      a3      c4      e4      g3
          b3      d4      f3
      a2      c3      e3      g2
          b2      d3      f2
      a1      c2      e2      g1
          b1      d2      f1
              c1      e1
                  d1

Columns a to g hold 4, 5, 6, 7, 6, 5 and 4 cells, numbered from South.  South (seat 0) moves up
and wants d7; North (seat 1) moves down and wants d1.  A turtle on its back is neutral.
"""

from __future__ import annotations

from typing import NamedTuple

Cells = dict[str, str]
"""Every occupied cell, and whose turtle is there: "south", "north" or "neutral"."""

SEATS = ("south", "north")
NEUTRAL = "neutral"
COLUMNS = "abcdefg"
COLUMN_HEIGHTS = (4, 5, 6, 7, 6, 5, 4)
MIDDLE = COLUMNS.index("d")
BASES = ("d1", "d7")
"""Each seat's own base cell: South's, then North's."""

PLY_CAP = 300

LONGEST = ("off", "jumps", "enemies")

CELLS = tuple(
    f"{column}{number}"
    for column, height in zip(COLUMNS, COLUMN_HEIGHTS, strict=True)
    for number in range(1, height + 1)
)

FORMATIONS = {
    # The two rear edges and the cell before the base.
    "edges": ("d1 c1 e1 b1 f1 a1 g1 d2", "d7 c6 e6 b5 f5 a4 g4 d6"),
    "compact": ("d1 d2 c1 c2 e1 e2 b1 f1", "d7 d6 c6 c5 e6 e5 b5 f5"),
}


def start(formation: str = "edges") -> Cells:
    """The table before the first move: eight turtles each."""
    south, north = FORMATIONS[formation]
    cells: Cells = {}
    for cell in south.split():
        cells[cell] = "south"
    for cell in north.split():
        cells[cell] = "north"
    return cells


# --- The board -----------------------------------------------------------------------------------


def point(cell: str) -> tuple[int, int]:
    """Where a cell is drawn: its column, and its height in half cells."""
    column = COLUMNS.index(cell[0])
    number = int(cell[1:])
    return column, 2 * number + abs(column - MIDDLE)


CELL_AT = {point(cell): cell for cell in CELLS}


def forward(cell: str, seat: int) -> list[str]:
    """The cells in front of a turtle of ``seat``: straight on and the two diagonals.

    South: straight on = same column, +1; towards column d = neighbouring column, +1; away from
    d = neighbouring column, same number.  North is the mirror image: -1; towards d, same number;
    away from d, -1.
    """
    column = COLUMNS.index(cell[0])
    number = int(cell[1:])
    if seat == 0:
        straight, towards, away = number + 1, number + 1, number
    else:
        straight, towards, away = number - 1, number, number - 1
    wanted = [(column, straight)]
    for neighbour in (column - 1, column + 1):
        nearer = abs(neighbour - MIDDLE) < abs(column - MIDDLE)
        wanted.append((neighbour, towards if nearer else away))
    found = []
    for next_column, next_number in wanted:
        if 0 <= next_column < len(COLUMNS) and 1 <= next_number <= COLUMN_HEIGHTS[next_column]:
            found.append(f"{COLUMNS[next_column]}{next_number}")
    return found


def right_behind(cell: str, over: str) -> str | None:
    """The cell right behind ``over`` seen from ``cell``, in the same direction; None off board."""
    column, height = point(cell)
    over_column, over_height = point(over)
    return CELL_AT.get((2 * over_column - column, 2 * over_height - height))


# --- Moves ---------------------------------------------------------------------------------------


class Chain(NamedTuple):
    """A chain of jumps, begun or finished."""

    turtle: str
    """The cell where the jumping turtle now is."""
    atoms: tuple[str, ...]
    """How it is told: the turtle's cell, each landing, and each owner chosen for a neutral."""
    jumped: tuple[str, ...]
    """What has been jumped so far, in order: "friend", "enemy" or "neutral"."""
    table: Cells
    """The table as it now stands."""


def kind(owner: str, seat: int) -> str:
    """What a turtle is to ``seat``."""
    if owner == NEUTRAL:
        return "neutral"
    return "friend" if owner == SEATS[seat] else "enemy"


def jumps(chain: Chain, seat: int) -> list[Chain]:
    """The chain made longer by one jump, in every legal way."""
    # A chain stops on the enemy base cell.
    if chain.turtle == BASES[1 - seat]:
        return []
    longer = []
    # A jump goes forward over one adjacent turtle, friend, enemy or neutral ...
    for over in forward(chain.turtle, seat):
        if over not in chain.table:
            continue
        # ... to the empty cell right behind it in the same direction.
        landing = right_behind(chain.turtle, over)
        if landing is None or landing in chain.table:
            continue
        # Friends and enemies are never jumped in the same chain; neutrals go with either.
        jumped = (*chain.jumped, kind(chain.table[over], seat))
        if "friend" in jumped and "enemy" in jumped:
            continue
        table = dict(chain.table)
        del table[chain.turtle]
        table[landing] = SEATS[seat]
        atoms = (*chain.atoms, landing)
        if jumped[-1] == "friend":
            # A friend jumped: nothing happens.
            longer.append(Chain(landing, atoms, jumped, table))
        elif jumped[-1] == "enemy":
            # An enemy jumped is turned on its back at once.
            table[over] = NEUTRAL
            longer.append(Chain(landing, atoms, jumped, table))
        else:
            # A neutral jumped is put back on its feet at once, facing as the mover chooses.
            for owner in SEATS:
                turned = dict(table)
                turned[over] = owner
                longer.append(Chain(landing, (*atoms, owner), jumped, turned))
    return longer


def ends(chain: Chain, seat: int) -> list[Chain]:
    """Every way of carrying a begun chain to its end: it goes on while any jump is legal."""
    longer = jumps(chain, seat)
    if not longer:
        return [chain]
    finished = []
    for next_chain in longer:
        finished.extend(ends(next_chain, seat))
    return finished


def chains(cells: Cells, seat: int) -> list[Chain]:
    """Every finished chain of every turtle of ``seat``, whatever the obligations."""
    finished = []
    for turtle in own_turtles(cells, seat):
        for first_jump in jumps(Chain(turtle, (turtle,), (), cells), seat):
            finished.extend(ends(first_jump, seat))
    return finished


def longest_of_their_first_jump(all_chains: list[Chain]) -> list[Chain]:
    """Of the chains with the same turtle and the same first jump, those with the most jumps.

    A chain of friends, of enemies or of neutrals only, a chain that ends on the enemy base: each
    counts by its jumps alone, and none is excepted.  The owner chosen for a neutral is no part of
    the jump, and never changes how the chain can go on: all that has been jumped is behind.
    """
    most: dict[tuple[str, ...], int] = {}
    for chain in all_chains:
        turtle_and_first_landing = chain.atoms[:2]
        known = most.get(turtle_and_first_landing, 0)
        most[turtle_and_first_landing] = max(known, len(chain.jumped))
    return [chain for chain in all_chains if len(chain.jumped) == most[chain.atoms[:2]]]


def steps(cells: Cells, seat: int) -> list[tuple[tuple[str, ...], Cells]]:
    """Every step: one cell forward (three directions) onto an empty cell."""
    found: list[tuple[tuple[str, ...], Cells]] = []
    for turtle in own_turtles(cells, seat):
        for landing in forward(turtle, seat):
            if landing not in cells:
                table = dict(cells)
                del table[turtle]
                table[landing] = SEATS[seat]
                found.append(((turtle, landing), table))
    return found


def own_turtles(cells: Cells, seat: int) -> list[str]:
    """The cells of the turtles that ``seat`` may move: never a neutral."""
    return [cell for cell in CELLS if cells.get(cell) == SEATS[seat]]


def is_compulsory(chain: Chain, obligation: str) -> bool:
    """Whether this chain is one of those that the obligation is about."""
    if obligation == "any":
        # Chains that jump at least one enemy.
        return "enemy" in chain.jumped
    if obligation == "start":
        # Only chains whose first jump is over an enemy.
        return chain.jumped[0] == "enemy"
    raise ValueError(f"unknown obligation: {obligation}")


def ways(
    cells: Cells, turn: int, *, obligation: str = "any", longest: str = "off"
) -> list[tuple[tuple[str, ...], Cells]]:
    """Every way of moving, as atoms, with the table it leaves.

    The atoms are the turtle's cell, then each landing cell, and after each landing over a neutral
    turtle the owner chosen for it, "south" or "north".  Several ways may leave the same table.
    """
    if longest not in LONGEST:
        raise ValueError(f"unknown longest: {longest}")
    if winner_by_base(cells, turn) is not None:
        return []
    all_chains = chains(cells, turn)
    if longest == "jumps":
        # A chain that is too short is not legal, so it obliges nobody either.
        all_chains = longest_of_their_first_jump(all_chains)
    compulsory = [chain for chain in all_chains if is_compulsory(chain, obligation)]
    if compulsory and longest == "enemies":
        # Among compulsory chains, only those with the most enemies jumped.
        most = max(chain.jumped.count("enemy") for chain in compulsory)
        compulsory = [chain for chain in compulsory if chain.jumped.count("enemy") == most]
    if compulsory:
        # If some chain is compulsory, the move played must be such a one, freely chosen.
        return [(chain.atoms, chain.table) for chain in compulsory]
    # Otherwise stepping is allowed, and jumping is optional.
    return steps(cells, turn) + [(chain.atoms, chain.table) for chain in all_chains]


def successors(
    cells: Cells, turn: int, *, obligation: str = "any", longest: str = "off"
) -> list[Cells]:
    """The tables after every legal move, each once: a move is what it does."""
    found: dict[frozenset[tuple[str, str]], Cells] = {}
    for _, table in ways(cells, turn, obligation=obligation, longest=longest):
        found.setdefault(frozenset(table.items()), table)
    return list(found.values())


# --- The end -------------------------------------------------------------------------------------


def winner_by_base(cells: Cells, turn: int) -> int | None:
    """The seat one of whose turtles is on the enemy base cell, or None.

    Both at once cannot happen in a game; were it set up so, the seat that moved last has won.
    """
    for seat in (1 - turn, turn):
        if cells.get(BASES[1 - seat]) == SEATS[seat]:
            return seat
    return None


def outcome(
    cells: Cells,
    turn: int,
    *,
    plies: int = 0,
    obligation: str = "any",
    longest: str = "off",
) -> tuple[float, float] | None:
    """Each seat's share of a finished game, or None if ``turn`` has to move.

    ``plies`` have been played.  There is no rule of repetition, for a position can never come
    again.  Were there such a round, it could be gone through again until every turtle is back on
    its own cell.  Look at the northernmost cell where a turtle that moves on the round ever
    stands: it comes there as South's and leaves as North's, so in between North has jumped it,
    with a turtle that came from further north.
    """
    # Win: a turtle reaches the enemy base cell.
    winner = winner_by_base(cells, turn)
    # No legal move: the seat to move loses.
    if winner is None and not ways(cells, turn, obligation=obligation, longest=longest):
        winner = 1 - turn
    if winner is not None:
        return (1.0, 0.0) if winner == 0 else (0.0, 1.0)
    # 300 plies: draw.
    if plies >= PLY_CAP:
        return (0.5, 0.5)
    return None


def perft(cells: Cells, turn: int, depth: int, **options: str) -> int:
    """How many sequences of ``depth`` moves there are; a won game has no continuation.

    The cap on plies is left out: no short sequence meets it.
    """
    if depth == 0:
        return 1
    return sum(
        perft(table, 1 - turn, depth - 1, **options) for table in successors(cells, turn, **options)
    )
