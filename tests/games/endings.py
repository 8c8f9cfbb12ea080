"""What shows why a game ended, and what counts down to its end: what the tests of all games share.

Each game's own `test_endings.py` says by its witness which cells show an ending, and what is left.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import escale
from escale.game.viewer import ALL, SPECTATOR, Seat
from tests.sizes import sized

FINISHED = sized(500, 5_000, 60)
"""How many finished games each game is asked about."""
COUNTED = sized(60, 500, 6)
"""How many games are played on close to their end."""

Left = dict[str, int | None]
"""What a witness has left of each countdown, by its name."""


def to_the_end(position: escale.Position, chance: random.Random) -> escale.Position:
    """The last position of a game that goes on at random."""
    while position.turn is not None:
        position = position.play(chance.choice(position.moves()))
    return position


def at_ply(position: escale.Position, plies: int, *more: str) -> escale.Position:
    """The same table, that many plies after the beginning."""
    board, turn, _, *words = position.text.split()
    return position.game.position(" ".join([board, turn, str(plies), *words, *more]))


def examples(game: escale.Game[Any]) -> Iterator[escale.Position]:
    """How the game's examples end: in every way there is, those too that chance hardly meets."""
    for example in game.examples:
        if example.ending is not None:
            position = game.position(example.position, line=example.line)
            yield position.play(example.move) if example.move else position


def check_cells(
    game: escale.Game[Any], ended: Iterator[escale.Position],
    literal: Callable[[escale.Position], set[str]], *often: str,
) -> None:
    """The cells of so many outcomes are those that a witness finds; some occur by themselves."""
    met: Counter[str] = Counter()
    for position in itertools.chain(examples(game), itertools.islice(ended, FINISHED)):
        outcome = position.outcome
        assert outcome is not None
        assert len(set(outcome.cells)) == len(outcome.cells)
        assert set(outcome.cells) == literal(position), (outcome.name, position)
        met[outcome.name] += 1
        if met[outcome.name] > 20:
            continue
        # It follows from the position, is the same for all, and is lit.
        again = position.game.position(position.text)
        assert again.outcome == outcome
        for viewer in (ALL, SPECTATOR, Seat(0)):
            view = position.seen_by(viewer)
            assert view.outcome == outcome
            lit = {at for at, reason in view.scene.highlights.items() if reason == "end"}
            assert lit == set(outcome.cells)
            places = {cell.id for cell in view.scene.cells}
            assert lit <= places | {area.id for area in view.scene.areas}
        assert bool(outcome.where("fr")) == bool(outcome.cells)
    assert met.keys() == {ending.name for ending in game.endings}
    if escale.COMPILED:                 # uncompiled, there are too few games to meet them
        assert all(met[name] > 10 for name in often), met


def left_of(position: escale.Position) -> Left:
    """What the game says is left."""
    return {countdown.name: countdown.left for countdown in position.countdowns}


def occurrences(met: Counter[Any], position: escale.Position) -> int:
    """How often this table has been there with this seat to move, now included."""
    key = position.kernel().turn, frozenset(position.cells.items())
    met[key] += 1
    return met[key]


def check_repetition(position: escale.Position) -> None:
    """A position that has occurred twice says that it ends the game when it comes again."""
    assert "repetition" not in left_of(position)
    twice = position.game.position(f"{position.text} seen=2")
    assert left_of(twice) == {**left_of(position), "repetition": None}
    assert all(countdown.near for countdown in twice.countdowns if countdown.left is None)
