"""The kernel: everything here holds compiled and not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import escale
from escale import kernel
from escale.games.qenj.rules import QenjState


def start(slug: str, **options: str) -> kernel.State:
    """A game's first position, with all of chance decided."""
    return escale.game(slug).start_with(options, seed=1).kernel()


def evaluation_of(state: kernel.State) -> kernel.Evaluation:
    """The evaluation of the game that a state belongs to."""
    folder = type(state).__module__.rsplit(".", 2)[-2]
    slug = f"qenj{state.game + 1}" if isinstance(state, QenjState) else folder.replace("_", "-")
    return escale.game(slug).evaluation


def search(
    state: kernel.State, method: str = "mcts", *, nodes: int | None = None,
    simulations: int | None = None, depth: int | None = None, seconds: float | None = None,
    **more: Any,
) -> kernel.SearchResult[int]:
    """A search with the game's own evaluation."""
    limit = kernel.Limit(nodes, simulations, depth, seconds)
    return kernel.search(state, method, limit, evaluation=evaluation_of(state), **more)


def starts(slug: str | None = None) -> dict[str, kernel.State]:
    """First positions, of one game or of all, with every value of an option at least once."""
    found = {}
    for game in escale.games() if slug is None else [escale.game(slug)]:
        chosen: list[dict[str, str]] = [{}]
        chosen += [
            {option.name: value} for option in game.options for value in option.values[1:]
        ]
        for options in chosen:
            words = [f"{name}={value}" for name, value in options.items()]
            found[" ".join([game.slug, *words])] = start(game.slug, **options)
    return found


def walk(position: kernel.State, random: kernel.Random, plies: int) -> list[kernel.State]:
    """A random game from `position`, every position on the way, this one first."""
    met = [position.copy()]
    while plies and (moves := met[-1].legal_moves()):
        after = met[-1].copy()
        if after.turn == kernel.CHANCE:
            after.play(kernel.draw_chance(after, random))
        else:
            after.play(moves[random.below(len(moves))])
        met.append(after)
        plies -= 1
    return met


def uncompiled(script: str) -> Any:
    """What a script prints as JSON when the kernel runs as plain Python."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], env={**os.environ, "ESCALE_PURE": "1"},
        stdout=subprocess.PIPE, text=True, check=True, timeout=300,
    )
    return json.loads(done.stdout)
