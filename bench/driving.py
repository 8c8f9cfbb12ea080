"""Games driven move by move from Python, as the author of a bot would.

This file imports nothing of Escale but what every version of it has, so that `python -m bench api`
can also run it with another checkout's Escale: `PYTHONPATH=CHECKOUT/src python driving.py`. Then
each line of its input, a game and seconds, is answered by a line with the rates.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import escale

Drive = Callable[[Any, Random], int]
"""Plays a game from its start to its end, at random; returns how many plies that took."""


def positions(start: Any, random: Random) -> int:
    """By `Position`: a move out of `moves()`, `play`, until there is an `outcome`."""
    position, plies = start, 0
    while position.outcome is None:
        position = position.play(random.choice(position.moves()))
        plies += 1
    return plies


def states(start: Any, random: Random) -> int:
    """By the kernel's `State`, one copy a ply: numbers for moves, and nothing is checked."""
    state, plies = start.kernel(), 0
    while moves := state.legal_moves():
        state = state.copy()
        state.play(random.choice(moves))
        plies += 1
    return plies


def spelled(start: Any, random: Random) -> int:
    """By `Position`, with the choices of every position and the text of every move played."""
    position, plies = start, 0
    while position.outcome is None:
        position.choices()
        position = position.play(random.choice(position.moves()).text)
        plies += 1
    return plies


DRIVES: dict[str, Drive] = {"positions": positions, "states": states, "spelled": spelled}


def rate(drive: Drive, slug: str, seconds: float) -> float:
    """Plies for each second of processor time: other programs on the machine do not count."""
    game, random = escale.game(slug), Random(5)
    began, plies = process_time(), 0
    while (took := process_time() - began) < seconds:
        plies += drive(game.start(), random)
    return plies / took


def rates(slug: str, seconds: float) -> dict[str, float]:
    """All of them, in turn."""
    return {name: rate(drive, slug, seconds) for name, drive in DRIVES.items()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(rates(*json.loads(line))), flush=True)
