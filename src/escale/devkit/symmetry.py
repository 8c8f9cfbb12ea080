"""Checks that positions which a game's symmetries declare equal are equal to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from escale import kernel
from escale.devkit.starts import looked_at, random_starts
from escale.game.definition import Study
from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.game.position import Position
from escale.game.scene import Cells

MIRRORS = 8
"""Mirrored positions of one position that are compared at most, evenly chosen from all."""
RESULTS = 5
"""Moves of one position whose results are looked for among those of its mirror image."""


def symmetry_faults(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """Mirrored positions with another number of moves, other results of them, or another value."""
    for start, random in random_starts(game, min(games, 12), seed):
        position, number = start, 0
        while position.turn is not None:
            moves, chance = position.moves(), position.turn == kernel.CHANCE
            if looked_at(number) and not chance:
                for mirror in mirrored(position):
                    yield from _differences(position, mirror)
                    yield from _other_results(position, mirror)
            position = position.play(
                position.draw(random) if chance else moves[random.below(len(moves))]
            )
            number += 1


def mirrored(position: Position) -> Iterator[Position]:
    """Some positions that are the same to the rules, as far as they can be set up."""
    game, turn = position.game, position.turn
    assert turn is not None
    state: Any = position.kernel()
    counts = game.counts(state)
    rest = [word for word in position.text.split()[2:] if word.partition("=")[0] not in counts]
    mirrors = list(game.mirrors(position.cells, turn))
    for cells, whose in mirrors[:: -(-len(mirrors) // MIRRORS) or 1]:
        exchanged = whose != turn
        ways = [
            sorted({value, _exchanged(game, value)}, key=lambda one: (one == value) == exchanged)
            for value in counts.values()
        ]
        for values in itertools.product(*ways):
            words = [f"{name}={value}" for name, value in zip(counts, values, strict=True)]
            head = [game.write_board(cells), game.turn_name(whose), rest[0]]
            try:
                mirror = game.position(" ".join([*head, *words, *rest[1:]]))
            except EscaleError:             # such as a set-up, which has an order
                continue
            if mirror.cells == cells:
                yield mirror
                break


def _exchanged(game: Game[Any], value: str) -> str:
    """A count when the seats have changed places: another seat's name, or two numbers reversed."""
    names = game.seat_names
    if value in names[:2]:
        return names[1 - names.index(value)]
    numbers = re.fullmatch(r"(\d+)([-,])(\d+)", value)
    return f"{numbers[3]}{numbers[2]}{numbers[1]}" if numbers else value


def _differences(position: Position, mirror: Position) -> Iterator[str]:
    here, there = len(position.moves()), len(mirror.moves())
    if here != there:
        yield f"{position.text} has {here} moves, and its mirror image {mirror.text} {there}"
    evaluation = position.game.evaluation
    for value in (evaluation.evaluate, evaluation.draw_odds):
        here, there = value(position.kernel()), value(mirror.kernel())
        if here != there:
            yield f"{position.text} is worth {here}, and its mirror image {mirror.text} {there}"


def _other_results(position: Position, mirror: Position) -> Iterator[str]:
    """A move to which none from the mirror image corresponds, though they are equally many.

    Only for games with a list of symmetries: others may name the cells of an image otherwise.
    """
    game, moves = position.game, position.moves()
    if type(game).mirrors is not Study.mirrors:
        return
    results = [mirror.play(move) for move in mirror.moves()]
    reached = {_table(after.cells, after.kernel().turn) for after in results}
    for move in moves[:: -(-len(moves) // RESULTS) or 1]:
        after = position.play(move)
        here: tuple[Cells, int] = (after.cells, after.kernel().turn)
        if not any(_table(*one) in reached for one in (here, *game.mirrors(*here))):
            yield f"{position.text}: {move.text} has no equal from its mirror image {mirror.text}"
            return


def _table(cells: Cells, turn: int) -> tuple[object, int]:
    return frozenset(cells.items()), turn
