"""A literal witness of Qenj 1, 2, 3 and 4: the rules, one by one, with no concern for speed.

Columns stand side by side, and the East and West ends touch (a ring).  Columns are named a, b,
c ... from West to East, rows 1, 2, 3 ... from North to South::

                      North
             a   b   c   d  ...  l
        1    .   .   .   .       .
        2    .   .   .   .       .          arrows and spears point East,
        3    .   .   .   .       .          from the last column to a again
        4    .   .   .   .       .
                      South

One seat sits North, the other South.  Pieces belong to nobody: in every column a seat may play
only from its own end.  Seat 0 is A, seat 1 is B.  A piece with a force is written "red 2", a
piece without force just "black".

The gold cells of Qenj 3, where its pieces are dealt::

             a   b   c   d   e   f   g   h   i
        1    .   .   .   .   .   .   .   .   .
        2    .   G   .   .   .   .   .   G   .
        3    G   G   G   G   G   G   G   G   G
        4    G   G   G   G   G   G   G   G   G
        5    .   .   .   .   G   .   .   .   .
        6    .   .   .   .   .   .   .   .   .
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

Cells = dict[str, str]
"""Every occupied cell and the piece on it."""

SEATS = ("A", "B")
SIDES = ("north", "south")
REPETITIONS = 3


# --- The four games ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """What one of the four games is made of."""

    number: int
    columns: str
    """The names of the columns, from West to East."""
    rows: int
    """How many cells a column has."""
    colours: tuple[str, ...]
    forces: tuple[int, ...]
    """The forces written on the pieces; none in Qenj 3 and 4."""
    alike: int
    """How many pieces there are of every colour (and of every force of it)."""
    same_colour: int
    """At most so many pieces of the same colour in one column."""
    either_way: bool
    """Whether pieces travel either way round the ring, or with the arrows only."""
    moves: str
    """What moves: "proxime", "stack" (the proxime and any behind it) or "nearest" (1, 2 or 3)."""
    pieces_to_take: int
    """How many pieces a seat must take out to win; 0 where filling a column wins."""
    first: int
    """The seat that moves first."""


GAMES = {
    1: Game(
        number=1,
        columns="abcdefghijkl",
        rows=4,
        colours=("red", "blue", "green", "yellow"),
        forces=(1, 2, 3),
        alike=1,
        same_colour=1,
        either_way=False,
        moves="proxime",
        pieces_to_take=0,
        first=0,
    ),
    2: Game(
        number=2,
        columns="abcdefghijkl",
        rows=9,
        colours=("red", "blue", "yellow"),
        forces=(1, 2, 3),
        alike=4,
        same_colour=3,
        either_way=True,
        moves="stack",
        pieces_to_take=0,
        first=0,
    ),
    3: Game(
        number=3,
        columns="abcdefghi",
        rows=6,
        colours=("black", "white", "red"),
        forces=(),
        alike=7,
        same_colour=2,
        either_way=False,
        moves="nearest",
        pieces_to_take=3,
        first=1,
    ),
    4: Game(
        number=4,
        columns="abcdefghi",
        rows=6,
        colours=("black", "white", "red"),
        forces=(),
        alike=6,
        same_colour=2,
        either_way=False,
        moves="nearest",
        pieces_to_take=2,
        first=1,
    ),
}


def colour(piece: str) -> str:
    """The colour of a piece: "red" for "red 2"."""
    return piece.split()[0]


def force(piece: str) -> int:
    """The force of a piece: 2 for "red 2"."""
    return int(piece.split()[1])


# --- Columns -------------------------------------------------------------------------------------


def column_cells(game: Game, column: str) -> list[str]:
    """All the cells of a column, from North to South."""
    return [f"{column}{row}" for row in range(1, game.rows + 1)]


def occupied(game: Game, cells: Cells, column: str) -> list[str]:
    """The cells of a column that hold a piece, from North to South."""
    return [cell for cell in column_cells(game, column) if cell in cells]


def remaining(game: Game, cells: Cells) -> list[str]:
    """The columns of the ring, from West to East.

    A column that has become empty leaves the ring for good: nothing can ever land in it.
    """
    return [column for column in game.columns if occupied(game, cells, column)]


def from_side(game: Game, cells: Cells, column: str, side: str) -> list[str]:
    """The occupied cells of a column, the nearest to ``side`` first: that one is the proxime."""
    found = occupied(game, cells, column)
    return found if side == "north" else found[::-1]


def further(game: Game, cells: Cells, source: str, distance: int) -> str:
    """The column exactly so many columns further, with the arrows (against them if negative).

    Only the columns that remain are counted; the source is one of them.
    """
    ring = remaining(game, cells)
    return ring[(ring.index(source) + distance) % len(ring)]


def landings(game: Game, cells: Cells, column: str) -> list[str]:
    """Where a piece may land in a column: on an empty cell next to an occupied one.

    In Qenj 1 and 2 that is North or South of the one block; in Qenj 3 and 4 it may be a hole.
    """
    found = []
    for row in range(1, game.rows + 1):
        beside = (f"{column}{row - 1}", f"{column}{row + 1}")
        if f"{column}{row}" not in cells and any(cell in cells for cell in beside):
            found.append(f"{column}{row}")
    return found


def too_many_alike(game: Game, cells: Cells, column: str) -> bool:
    """Whether a column holds more pieces of the same colour than it may."""
    colours = Counter(colour(cells[cell]) for cell in occupied(game, cells, column))
    return any(number > game.same_colour for number in colours.values())


def full(game: Game, cells: Cells, column: str) -> bool:
    """Whether every cell of a column holds a piece."""
    return len(occupied(game, cells, column)) == game.rows


# --- Moves ---------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What a move does."""

    cells: Cells
    taken: str | None
    """The piece taken out of a column that was filled (Qenj 3 and 4), or None."""


class Lift(NamedTuple):
    """The pieces that a move picks up, and where they must go."""

    source: str
    """Their column."""
    picked: tuple[str, ...]
    """Their cells, the nearest first: the last one is the deepest."""
    target: str
    """The column where they arrive."""


class Landed(NamedTuple):
    """Pieces on their way, some of them already set down."""

    cells: Cells
    where: dict[str, str]
    """For every cell picked up from, the cell where its piece was set down."""
    choices: tuple[str, ...]
    """North or South, for every piece in its turn that could be set down on either."""


def lifts(game: Game, cells: Cells, side: str) -> list[Lift]:
    """Everything that ``side`` can pick up, with the column where it must arrive.

    Whether it is allowed to arrive there is not looked at here.
    """
    found = []
    for source in remaining(game, cells):
        near = from_side(game, cells, source, side)
        if game.moves == "proxime":
            # Qenj 1: the proxime, by its force.
            possible = [(1, force(cells[near[0]]))]
        elif game.moves == "stack":
            # Qenj 2: the proxime and any number of the pieces behind it, by the proxime's force.
            possible = [(number, force(cells[near[0]])) for number in range(1, len(near) + 1)]
        else:
            # Qenj 3 and 4: the k nearest pieces, k columns on, k = 1, 2, 3.
            possible = [(k, k) for k in (1, 2, 3) if k <= len(near)]
        for number, distance in possible:
            targets = [further(game, cells, source, distance)]
            if game.either_way:
                against = further(game, cells, source, -distance)
                # Round a small ring, both ways may lead to the same column.
                if against not in targets:
                    targets.append(against)
            # A move may not end in its source (in a game, that never arises).
            found += [
                Lift(source, tuple(near[:number]), target) for target in targets if target != source
            ]
    return found


def may_arrive(game: Game, cells: Cells, lift: Lift) -> bool:
    """Whether the target column can take the pieces picked up."""
    before = len(occupied(game, cells, lift.source))
    after = len(occupied(game, cells, lift.target)) + len(lift.picked)
    # There must be an empty cell for each.
    if after > game.rows:
        return False
    # Qenj 2: the target must end with more pieces than the source had before the move.
    return game.number != 2 or after > before


def set_down(game: Game, cells: Cells, lift: Lift, unstack: str) -> list[Landed]:
    """Every way to set the pieces down, one by one, in the target column.

    Each lands next to an occupied cell, and a piece just landed counts.  In Qenj 2 the bottom of
    the stack goes first: the farthest piece picked up lands first and the proxime last; with
    ``unstack="free"``, and always in Qenj 3 and 4, the order is any.
    """
    bottom_first = game.number == 2 and unstack == "bottom"
    without = {cell: piece for cell, piece in cells.items() if cell not in lift.picked}
    partial = [Landed(without, {}, ())]
    for _ in lift.picked:
        # The same pieces on the same cells in another order: once is enough.
        longer: dict[frozenset[tuple[str, str]], Landed] = {}
        for so_far in partial:
            left = [cell for cell in lift.picked if cell not in so_far.where]
            for cell in left[-1:] if bottom_first else left:
                possible = landings(game, so_far.cells, lift.target)
                for landing in possible:
                    choices = so_far.choices
                    if len(possible) > 1:
                        choices = (*choices, "north" if landing == possible[0] else "south")
                    table = {**so_far.cells, landing: cells[cell]}
                    where = {**so_far.where, cell: landing}
                    longer.setdefault(frozenset(where.items()), Landed(table, where, choices))
        partial = list(longer.values())
    return partial


def ways(
    game: Game, cells: Cells, side: str, *, unstack: str = "bottom"
) -> list[tuple[tuple[str, ...], Result]]:
    """Every way of moving as atoms, with what it does.

    Qenj 1: (cell of the proxime, landing cell).  Qenj 2: (cell of the deepest piece picked up,
    letter of the arrival column, then "north" or "south" for each piece that could be set down on
    either, in the order in which they are set down).  Qenj 3 and 4, and Qenj 2 with
    ``unstack="free"``: (cell of the deepest piece picked up, landing cell of each piece, the
    nearest first, and if the column is filled, the cell of the piece taken out).
    """
    found: list[tuple[tuple[str, ...], Result]] = []
    for lift in lifts(game, cells, side):
        if not may_arrive(game, cells, lift):
            continue
        for landed in set_down(game, cells, lift, unstack):
            # A move that would leave too many pieces of the same colour in a column is forbidden.
            if too_many_alike(game, landed.cells, lift.target):
                continue
            deepest = lift.picked[-1]
            atoms: tuple[str, ...]
            if game.number == 2 and unstack == "bottom":
                atoms = (deepest, lift.target, *landed.choices)
            else:
                atoms = (deepest, *(landed.where[cell] for cell in lift.picked))
            if game.pieces_to_take and full(game, landed.cells, lift.target):
                # Qenj 3 and 4: filling a column takes out one of its pieces, at the mover's
                # choice; the others stay where they are.
                for cell in column_cells(game, lift.target):
                    table = dict(landed.cells)
                    taken = table.pop(cell)
                    found.append(((*atoms, cell), Result(table, taken)))
            else:
                found.append((atoms, Result(landed.cells, None)))
    return found


def successors(game: Game, cells: Cells, side: str, *, unstack: str = "bottom") -> list[Result]:
    """What every legal move of ``side`` does, each once: a move is what it does.

    An empty list means that the seat on this side has no legal move and passes.  Whether the game
    has ended is not looked at here: see ``outcome``.
    """
    found: dict[frozenset[tuple[str, str]], Result] = {}
    for _, result in ways(game, cells, side, unstack=unstack):
        found.setdefault(frozenset(result.cells.items()), result)
    return list(found.values())


# --- Set-up --------------------------------------------------------------------------------------


def bag(game: Game) -> Counter[str]:
    """All the pieces of the game."""
    if game.forces:
        kinds = [f"{name} {strength}" for name in game.colours for strength in game.forces]
    else:
        kinds = list(game.colours)
    return Counter(dict.fromkeys(kinds, game.alike))


def colours_in_bag(game: Game) -> Counter[str]:
    """How many pieces of each colour there are, whatever their forces."""
    found: Counter[str] = Counter()
    for piece, number in bag(game).items():
        found[colour(piece)] += number
    return found


def phases(game: Game, setup: str = "full") -> tuple[tuple[str, int | None], ...]:
    """The phases before the first move, each with the seat that chooses, or None for chance.

    "columns": the columns are shuffled.  "colours": A chooses where the colours go, the forces
    being hidden.  "forces": they are dealt and shown.  "pieces": the pieces are dealt.  "side": a
    seat chooses to sit North or South.

    With ``setup="quick"`` (Qenj 1 and 2), the colours too are dealt at random.
    """
    if game.number == 1:
        shuffle: tuple[tuple[str, int | None], ...] = (("columns", None),)
    else:
        shuffle = ()
    if game.number in (1, 2) and setup == "full":
        return (*shuffle, ("colours", 0), ("forces", None), ("side", 1))
    if game.number in (1, 2):
        return (*shuffle, ("pieces", None), ("side", 1))
    if game.number == 3:
        return (("pieces", None), ("side", 0))
    return (("pieces", None),)


def shuffle_allowed(game: Game, dots: tuple[int, ...]) -> bool:
    """Whether these are the rows of the dots of Qenj 1, from West to East, after a shuffle.

    Three columns have their dot on the first cell from the North, three on the second, three on
    the third and three on the fourth.
    """
    assert game.number == 1
    return Counter(dots) == Counter({1: 3, 2: 3, 3: 3, 4: 3})


GOLD = (
    ".........",
    ".G.....G.",
    "GGGGGGGGG",
    "GGGGGGGGG",
    "....G....",
    ".........",
)


def home_cells(game: Game, dots: tuple[int, ...] = ()) -> list[str]:
    """The cells that hold a piece when the game starts; ``dots`` are needed for Qenj 1 only."""
    if game.number == 1:
        # One piece on every dot.
        return [f"{column}{row}" for column, row in zip(game.columns, dots, strict=True)]
    if game.number == 2:
        # The three middle cells of all the columns.
        return [f"{column}{row}" for column in game.columns for row in (4, 5, 6)]
    if game.number == 3:
        # The gold cells.
        return [
            f"{column}{row}"
            for place, column in enumerate(game.columns)
            for row in range(1, game.rows + 1)
            if GOLD[row - 1][place] == "G"
        ]
    # The two middle cells of every column.
    return [f"{column}{row}" for column in game.columns for row in (3, 4)]


def setup_moves(
    game: Game,
    phase: str,
    *,
    placed: dict[str, str] | None = None,
    dots: tuple[int, ...] = (),
) -> list[tuple[str, ...]]:
    """What the choosing seat can do in a phase of the set-up, as atoms; nothing where chance acts.

    "colours": (cell, colour) for every home cell still empty and every colour of which a piece is
    left; ``placed`` holds the colours put down so far.  The order of the cells is free, and no
    arrangement is forbidden: in Qenj 2 a column may get three pieces of the same colour.
    "side": ("north",) or ("south",).
    """
    if phase == "colours" and game.number in (1, 2):
        down = {} if placed is None else placed
        left = colours_in_bag(game)
        left.subtract(Counter(down.values()))
        return [
            (cell, name)
            for cell in home_cells(game, dots)
            for name in game.colours
            if cell not in down and left[name] > 0
        ]
    if phase == "side" and game.number in (1, 2, 3):
        return [("north",), ("south",)]
    return []


def deal_allowed(
    game: Game,
    cells: Cells,
    *,
    dots: tuple[int, ...] = (),
    placed: dict[str, str] | None = None,
) -> bool:
    """Whether a deal may be the table before the first move.

    Every home cell holds a piece and no other cell does, and these are the pieces of the bag.  If
    A has placed the colours, they are where A has put them.  In Qenj 3 the pieces are redrawn
    until no column holds three of a colour.
    """
    if sorted(cells) != sorted(home_cells(game, dots)):
        return False
    if Counter(cells.values()) != bag(game):
        return False
    if placed is not None and placed != {cell: colour(piece) for cell, piece in cells.items()}:
        return False
    return not any(too_many_alike(game, cells, column) for column in game.columns)


def seat_north(game: Game, chosen: str | None = None) -> int:
    """The seat that sits North; ``chosen`` is the side that the choosing seat wants.

    In Qenj 1 and 2, B chooses; in Qenj 3, A; in Qenj 4, A sits South and B North.
    """
    if game.number == 4:
        return 1
    chooser = 0 if game.number == 3 else 1
    return chooser if chosen == "north" else 1 - chooser


# --- A game --------------------------------------------------------------------------------------

Position = tuple[frozenset[tuple[str, str]], int, tuple[int, int]]
"""What makes two positions the same: the table, the seat to move, the pieces taken out."""

Outcome = tuple[tuple[float, float], str]
"""Each seat's share of the game, and why it has ended."""


@dataclass(frozen=True)
class State:
    """A game under way, the set-up being over."""

    game: Game
    cells: Cells
    turn: int
    north: int
    """The seat that sits North."""
    taken: tuple[int, int]
    """How many pieces each seat has taken out."""
    plies: int
    passes: int
    """How many of the last turns in a row were passes."""
    occurrences: dict[Position, int]
    """How often each position has occurred, the present one included."""
    unstack: str = "bottom"

    @property
    def side(self) -> str:
        """The side of the seat to move."""
        return "north" if self.turn == self.north else "south"


def begin(
    game: Game,
    cells: Cells,
    north: int,
    *,
    turn: int | None = None,
    taken: tuple[int, int] = (0, 0),
    unstack: str = "bottom",
) -> State:
    """A game that starts from this table; the seat that moves first is the game's own."""
    mover = game.first if turn is None else turn
    here = (frozenset(cells.items()), mover, taken)
    return State(game, dict(cells), mover, north, taken, 0, 0, {here: 1}, unstack)


def arrived(state: State, cells: Cells, taken: tuple[int, int], passes: int) -> State:
    """The state after a turn that leaves this table."""
    turn = 1 - state.turn
    here = (frozenset(cells.items()), turn, taken)
    occurrences = {**state.occurrences, here: state.occurrences.get(here, 0) + 1}
    return State(
        game=state.game,
        cells=dict(cells),
        turn=turn,
        north=state.north,
        taken=taken,
        plies=state.plies + 1,
        passes=passes,
        occurrences=occurrences,
        unstack=state.unstack,
    )


def after(state: State, result: Result) -> State:
    """The game after the seat to move has made the move that does this."""
    if outcome(state) is not None:
        raise ValueError("the game has ended")
    if result not in successors(state.game, state.cells, state.side, unstack=state.unstack):
        raise ValueError("not a legal move")
    return made(state, result)


def made(state: State, result: Result) -> State:
    """The same, without asking whether the move is legal."""
    taken = state.taken
    if result.taken is not None:
        taken = (taken[0] + 1, taken[1]) if state.turn == 0 else (taken[0], taken[1] + 1)
    return arrived(state, result.cells, taken, 0)


def after_pass(state: State) -> State:
    """The game after the seat to move, having no legal move, has passed."""
    if outcome(state) is not None:
        raise ValueError("the game has ended")
    if successors(state.game, state.cells, state.side, unstack=state.unstack):
        raise ValueError("only a seat without a legal move passes")
    return arrived(state, state.cells, state.taken, state.passes + 1)


def won(seat: int) -> tuple[float, float]:
    """The shares when ``seat`` wins."""
    return (1.0, 0.0) if seat == 0 else (0.0, 1.0)


def more_taken(taken: tuple[int, int]) -> tuple[float, float]:
    """Who has taken out more wins; equal is a draw (so it always is in Qenj 1 and 2)."""
    if taken[0] == taken[1]:
        return 0.5, 0.5
    return won(0 if taken[0] > taken[1] else 1)


def outcome(state: State) -> Outcome | None:
    """How the game has ended, or None if the seat to move has to play.

    "filled": in Qenj 1 and 2, the seat that has just moved has filled a column and wins.
    "taken": in Qenj 3 a seat has taken out its third piece, in Qenj 4 its second, and wins.
    "stuck": both seats have passed, one after the other; a draw in Qenj 1 and 2, and in Qenj 3
    and 4 who has taken out more wins.
    "repetition": this position has occurred for the third time; the same.  In Qenj 2 no position
    can come back: the sum of the squared column sizes grows with every move.

    A table with a full column is over for Qenj 1 and 2 even before the first move; the seat that
    is not to move is then the one that has filled it.
    """
    game = state.game
    if game.pieces_to_take:
        for seat in (0, 1):
            if state.taken[seat] >= game.pieces_to_take:
                return won(seat), "taken"
    elif any(full(game, state.cells, column) for column in game.columns):
        return won(1 - state.turn), "filled"
    if state.passes >= 2:
        return more_taken(state.taken), "stuck"
    here = (frozenset(state.cells.items()), state.turn, state.taken)
    if state.occurrences[here] >= REPETITIONS:
        return more_taken(state.taken), "repetition"
    return None


def perft(state: State, depth: int) -> int:
    """How many sequences of ``depth`` turns there are; a game that has ended has no continuation.

    A pass is one continuation.
    """
    if depth == 0:
        return 1
    if outcome(state) is not None:
        return 0
    results = successors(state.game, state.cells, state.side, unstack=state.unstack)
    if not results:
        return perft(after_pass(state), depth - 1)
    return sum(perft(made(state, result), depth - 1) for result in results)
