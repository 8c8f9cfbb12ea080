"""Checks keys: two tables with one key would be taken for a repetition, and for one node of a tree.

Random games seldom meet what a wrong key confuses. So all positions that one move leads to are
compared, and each position with itself when the other seats are to move.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from escale import kernel
from escale.devkit.starts import looked_at, random_starts
from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.game.position import Position

GAMES = 12
"""The most random games that are played."""
CHILDREN = 60
"""The most moves of a position whose results are compared."""


def key_faults(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """Pairs of positions whose keys do not tell them apart, or apart only by their keys."""
    tables: dict[Hashable, tuple[Hashable, str]] = {}
    keys: dict[Hashable, tuple[int, str]] = {}
    for start, random in random_starts(game, min(games, GAMES), seed):
        position, number = start, 0
        options = (tuple(sorted(start.options.items())), start.seats)
        while position.turn is not None:
            if looked_at(number):
                for met in _around(position):
                    state: Any = met.kernel()
                    key, table = state.key(), (state.turn, frozenset(met.cells.items()))
                    known, text = tables.setdefault((options, key), (table, met.text))
                    if known != table:
                        yield f"`_key` is the same for {text} and {met.text}"
                        return
                    other, text = keys.setdefault((options, table), (key, met.text))
                    if other != key:
                        yield f"`_key` differs between {text} and {met.text}, which are the same"
                        return
            moves = position.moves()
            position = position.play(
                position.draw(random) if position.turn == kernel.CHANCE
                else moves[random.below(len(moves))]
            )
            number += 1


def _around(position: Position) -> Iterator[Position]:
    """A position, what its moves lead to, and the same with other seats to move."""
    game = position.game
    yield position
    moves = position.moves()
    for move in moves[:: -(-len(moves) // CHILDREN) or 1]:
        yield position.play(move)
    board, turn, *rest = position.text.split()
    for name in game.seat_names[: position.seats]:
        if name != turn:
            try:
                yield game.position(" ".join((board, name, *rest)))
            except EscaleError:         # it cannot be the turn of every seat
                continue
