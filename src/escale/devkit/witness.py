"""Compares a game's rules with a literal witness: the rules once more, with no concern for speed.

A witness is a module by an author who has not read `rules.py`. It has a function

```python
def successors(cells, turn):        # the tables after every legal move, each as a dictionary
def outcome(cells, turn, plies):    # each seat's share of the win, or None while the game goes on
```

where `cells` is what stands where, as `Game.cells` has it, and `turn` is the number of a seat. It
may take options of the game as further arguments, by their names. `outcome` may be left out.

Positions come from random games, and from tables on which pieces were strewn at random, which
random games hardly ever reach. A difference is told for the smallest position that shows it: pieces
are taken away as long as rules and witness still differ.
"""

from __future__ import annotations

import inspect
import itertools
import random
import runpy
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from escale import kernel
from escale.devkit.starts import option_sets
from escale.game.errors import BadOption, EscaleError
from escale.game.game import Game
from escale.game.position import Position
from escale.game.scene import Cells

Table = frozenset[tuple[str, Any]]
Witness = Mapping[str, Any]
"""The functions of a witness, by their names."""

POSITIONS = 2000
"""How many positions `escale check --witness` compares."""
TRIES = 200
"""How often pieces are strewn again before a game is taken to allow no such table."""


def read_witness(path: Path) -> Witness:
    """The functions in a file; BadOption if it is no witness."""
    try:
        found = runpy.run_path(str(path))
    except (OSError, SyntaxError) as error:
        raise BadOption(f"{path}: {error}") from error
    if not callable(found.get("successors")):
        raise BadOption(f"{path}: expected a function successors(cells, turn)")
    return found


def witness_faults(
    game: Game[Any], witness: Witness, *, positions: int = POSITIONS, seed: int = 1
) -> Iterator[str]:
    """The first difference between the rules and a witness, in the smallest position."""
    chance = random.Random(f"{game.slug} {seed}")
    for position in itertools.islice(_positions(game, chance), positions):
        if differs(position, witness):
            least = smallest(position, lambda other: bool(differs(other, witness)))
            yield f"{least.text}: {differs(least, witness)}"
            return


def differs(position: Position, witness: Witness) -> str:
    """What the rules and the witness say differently about a position; empty if they agree."""
    cells, turn = only_places(position.cells), position.kernel().turn
    ours, theirs = shares(position), None
    if "outcome" in witness:
        asked = _arguments(witness["outcome"], position)
        theirs = witness["outcome"](dict(cells), turn, **asked)
        if (ours is None) != (theirs is None) or ours != (theirs and tuple(theirs)):
            return f"the outcome is {ours}, and {theirs} by the witness"
    if ours is not None:
        return ""
    found = tables(position)
    wanted = {
        frozenset(after.items())
        for after in witness["successors"](dict(cells), turn, **_arguments(
            witness["successors"], position
        ))
    }
    for which, table in (
        ("the rules lead to", next(iter(found - wanted), None)),
        ("only the witness leads to", next(iter(wanted - found), None)),
    ):
        if table is not None:
            return f"{which} {position.game.write_board(dict(table))}"
    return ""


def _arguments(function: Callable[..., Any], position: Position) -> dict[str, Any]:
    """Those of the number of plies and the options that a function of the witness takes."""
    known = {"plies": position.plies, **position.options}
    return {name: known[name] for name in inspect.signature(function).parameters if name in known}


def smallest(position: Position, wrong: Callable[[Position], bool]) -> Position:
    """The position with as few pieces as possible of which something is still `wrong`."""
    shrunk = True
    while shrunk:
        shrunk = False
        for cell in only_places(position.cells):
            cells = {name: what for name, what in position.cells.items() if name != cell}
            fewer = _with_board(position, cells)
            if fewer is not None and wrong(fewer):
                position, shrunk = fewer, True
                break
    return position


def _with_board(position: Position, cells: Cells) -> Position | None:
    """A position with other pieces; None if the rules do not allow it."""
    _, *rest = position.text.split()
    try:
        return position.game.position(" ".join([position.game.write_board(cells), *rest]))
    except EscaleError:
        return None


def _positions(game: Game[Any], chance: random.Random) -> Iterator[Position]:
    """Positions of random games, and after each of them one with strewn pieces."""
    sets = option_sets(game)
    while True:
        for position in walk(game.start_with(chance.choice(sets)), chance):
            yield position
            if (strewn := strew(position, chance)) is not None:
                yield strewn


def strew(position: Position, chance: random.Random) -> Position | None:
    """Some of the kinds of pieces dropped anywhere; None if the game allows no such table."""
    game = position.game
    kinds = sorted({*only_places(position.cells).values()})
    names = [cell.id for cell in game.board.cells]
    for _ in range(TRIES if kinds else 0):
        weights = [chance.random() ** 2 for _ in kinds]
        count = chance.randint(1, max(1, len(names) * 3 // 4))
        cells: dict[str, Any] = {
            cell: chance.choices(kinds, weights)[0] for cell in chance.sample(names, count)
        }
        areas = {place: what for place, what in position.cells.items() if place not in names}
        if (found := _with_board(position, {**areas, **cells})) is not None:
            return found
    return None


def only_places(cells: Mapping[str, Any]) -> dict[str, str]:
    """What stands on the board, without what is beside it."""
    return {cell: piece for cell, piece in cells.items() if isinstance(piece, str)}


def tables(position: Position) -> set[Table]:
    """What the table looks like after every legal move."""
    rules, found = position.kernel(), []
    for code in rules.legal_moves():
        after = rules.copy()
        after.play(code)
        found.append(frozenset(only_places(position.game.cells(after)).items()))
    assert len(set(found)) == len(found), f"{position}: two moves lead to the same table"
    return set(found)


def shares(position: Position) -> tuple[float, ...] | None:
    """Each seat's share of the win in a game that is over."""
    return position.outcome.shares if position.outcome else None


def walk(start: Position, chance: random.Random) -> Iterator[Position]:
    """Every position of a random game at which a seat is to move, and the last one."""
    position = start
    while True:
        if position.turn != kernel.CHANCE:
            yield position
        moves = position.moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))
