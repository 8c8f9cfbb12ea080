"""How much earlier games are decided for certain by proof-number search than by alpha-beta.

`python -m bench proofs --games 4 --seconds 1` plays games between Pilotes and searches their
positions from the end backwards, each by alpha-beta and by `kernel.prove` for both seats' wins, as
long. It prints how many plies before the end the result is first known for certain.
"""

from __future__ import annotations

from statistics import median
from typing import Annotated, Any

import typer

import escale
from escale.kernel import Limit, prove
from escale.opponents import think

GAMES = ("tortuga", "qenj2", "qenj4")
MISSES = 2
"""After so many positions in a row without a proof an earlier one is not looked for."""


def earliest(line: list[escale.Position], seconds: float, search: str) -> int:
    """How many plies before its end a game is decided for certain."""
    decided, missed = 0, 0
    for left, position in enumerate(reversed(line), 1):
        if proves(position, seconds, search):
            decided, missed = left, 0
        else:
            missed += 1
        if missed > MISSES:
            break
    return decided


def proves(position: escale.Position, seconds: float, search: str) -> bool:
    """Whether a win or a loss is proven within the time."""
    if search == "alphabeta":
        found = think(position, limit=Limit(seconds=seconds))
        return found.proven and max(found.shares) == 1
    state: Any = position.kernel()
    half = Limit(seconds=seconds / 2)
    return any(prove(state, seat, half) is not None for seat in (0, 1))


def main(
    games: Annotated[int, typer.Option(min=1, help="Games of each box.")] = 4,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each position.")] = 1.0,
) -> None:
    """Print a line of a table for each game."""
    print("| game | games | plies before the end, alpha-beta | proof-number search |")
    print("|---|---:|---|---|")
    for slug in GAMES:
        game, found = escale.game(slug), []
        for number in range(games):
            position, line = game.start_with(game.quick, seed=number), []
            while position.turn is not None:
                line.append(position)
                position = position.play(think(position, "pilote", seed=number).move)
            found.append([earliest(line, seconds, one) for one in ("alphabeta", "proofs")])
        columns = [
            f"{median(one):g} ({min(one)} to {max(one)})" for one in zip(*found, strict=True)
        ]
        print(f"| {game.title} | {games} | {columns[0]} | {columns[1]} |", flush=True)
