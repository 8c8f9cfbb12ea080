"""The first positions of random games, with every combination of options."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from escale import kernel
from escale.game.game import Game
from escale.game.position import Position

CHECKED_POSITIONS = 50
"""All of the first positions of a random game are checked; after these, fewer and fewer are."""


def looked_at(number: int) -> bool:
    """Whether the position with this number in a random game is checked."""
    return kernel.Random(number).below(1 + number // CHECKED_POSITIONS) == 0


def option_sets(game: Game[Any]) -> list[dict[str, str]]:
    """Every combination of the game's options."""
    names = [option.name for option in game.options]
    values = itertools.product(*(option.values for option in game.options))
    return [dict(zip(names, chosen, strict=True)) for chosen in values]


def random_starts(
    game: Game[Any], games: int, seed: int
) -> Iterator[tuple[Position, kernel.Random]]:
    """The first positions of random games, each with its random numbers."""
    sets = option_sets(game)
    for number in range(games):
        options = sets[number % len(sets)]
        seats = game.seats[0] + number % (game.seats[1] - game.seats[0] + 1)
        random = kernel.Random(seed * 1_000_003 + number)
        yield game.start_with(options, seats=seats), random
