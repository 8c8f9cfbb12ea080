"""Compiled and uncompiled rules must agree: the same random games, printed by both, line by line.

C integers wrap and Python's do not, and an integer that the compiler takes for 32 bits loses the
bits above: no other test would notice. `python -m escale.devkit.modes GAME GAMES SEED` prints the
games in the mode in which it runs; `differences` runs it in the other one and compares.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from escale import kernel
from escale.devkit.starts import random_starts
from escale.game.game import Game
from escale.games import game as game_named

COMPARED_PLIES = 120
"""At most this many positions of a game are compared: uncompiled rules are slow."""
MODE_SECONDS = 300


def played_games(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """Random games: in each position the key, the evaluation, the legal moves, and the end."""
    evaluation = game.evaluation
    for start, random in random_starts(game, games, seed):
        state = start.kernel()
        for _ in range(COMPARED_PLIES):
            moves = state.legal_moves()
            seat = state.turn
            said = [hex(state.key()), str(seat), " ".join(map(hex, moves))]
            if moves and seat != kernel.CHANCE:
                said.append(str(evaluation.evaluate(state)))
                said.append(str(evaluation.draw_odds(state)))
            yield " | ".join(said)
            if not moves:
                yield f"end {state.result()}"
                break
            chance = seat == kernel.CHANCE
            state.play(
                kernel.draw_chance(state, random) if chance else moves[random.below(len(moves))]
            )


def differences(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """The differences between the modes; none if both agree or only one is installed."""
    if not kernel.COMPILED:
        return
    ran = subprocess.run(
        [sys.executable, "-m", __name__, game.slug, str(games), str(seed)],
        env={**os.environ, "ESCALE_PURE": "1"}, capture_output=True, text=True,
        timeout=MODE_SECONDS,
    )
    if ran.returncode:
        yield f"uncompiled, the rules fail: {ran.stderr.strip().splitlines()[-1]}"
        return
    here = played_games(game, games, seed)
    for number, (compiled, plain) in enumerate(zip_longest(here, ran.stdout.splitlines()), 1):
        if compiled != plain:
            yield f"line {number}: compiled {compiled!r}, uncompiled {plain!r}"
            return


def main(slug: str, games: str, seed: str) -> None:
    """Print the games on standard output."""
    for line in played_games(game_named(slug), int(games), int(seed)):
        print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
