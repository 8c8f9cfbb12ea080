"""A trained network at the table: `engine:python -m examples.alphazero.engine net.npz`.

It speaks the line protocol (docs/protocol.md), so that the arena and the house can seat it. Each
atom of a move has a search of its own, of so many simulations as `think` or the command line says;
where `think` gives it less time, it stops in time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # before NumPy: one game needs no more

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import escale
from escale.adapters.actions import Decision
from escale.adapters.vector import VectorEnvironment

from .network import Network
from .search import Search

SIMULATIONS = 100
PART = 0.4
"""Of the time that is left for a move, what the search for one atom may take."""


def choose(
    network: Network, position: escale.Position, simulations: int, seconds: float = np.inf
) -> tuple[escale.Move, float]:
    """The best move that the search finds, and what seat 0 can then expect, from -1 to 1."""
    deadline = time.monotonic() + seconds
    options: dict[str, Any] = dict(position.options)
    table = VectorEnvironment(position.game.slug, 1, **options)
    table.place([0], [position])
    search = Search(table, simulations)
    decision, value = Decision(position), 0.0
    while decision.position is position:                    # until the move is whole
        action = decision.legal[0]
        if len(decision.legal) > 1:
            left = deadline - time.monotonic()
            found = search.run(network, np.arange(1), seconds=PART * left)
            action, value = int(found.actions[0]), float(found.values[0])
        decision = decision.step(action)
        table.step([action])
    move = decision.position.last
    assert move is not None
    return move, value


class Player:
    """Answers the requests of the protocol."""

    def __init__(self, path: Path, simulations: int) -> None:
        self.network, about = Network.load(path)
        self.game = escale.game(about["game"])
        self.simulations = simulations
        self.position = self.game.start()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The result of a request, or why there is none."""
        match request["do"]:
            case "hello":
                result = {"name": "AlphaZero example", "games": [self.game.slug]}
            case "line":
                self.position = self.game.position(request["position"])
                for move in request["moves"]:
                    self.position = self.position.play(move)
                result = {}
            case "think":
                result = self.think(request)
            case "quit":
                result = {}
            case other:
                return {"error": {"code": "bad-request", "message": f"cannot {other}"}}
        return {"result": result}

    def think(self, request: dict[str, Any]) -> dict[str, Any]:
        """The move, and each seat's share of the win, as the search expects it."""
        simulations = request.get("simulations", self.simulations)
        seconds = request.get("time_ms", np.inf) / 1000
        move, value = choose(self.network, self.position, simulations, seconds)
        return {"move": move.text, "score": [(1 + value) / 2, (1 - value) / 2]}


def main() -> None:
    """Answer requests, one a line, until `quit` or the end of the input."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", type=Path, help="a file that the training has written")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="for each atom")
    given = parser.parse_args()
    player = Player(given.network, given.simulations)
    for text in sys.stdin:
        request = json.loads(text)
        print(json.dumps({"id": request.get("id"), **player.answer(request)}), flush=True)
        if request["do"] == "quit":
            break


if __name__ == "__main__":
    main()
