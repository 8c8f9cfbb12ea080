"""A process that thinks: it says `ready`; then one JSON object a line comes in, one goes out.

It is its own process so that thinking takes no time from those who play, and so that a search that
runs too long, or dies, takes nothing with it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from escale.game.position import Position
from escale.games import game
from escale.opponents import think

NICE = 10


class Thinker:
    """Thinks about one line of moves after another; mostly each goes on from the last."""

    def __init__(self) -> None:
        self._key: tuple[str, str] | None = None
        self._line: list[Position] = []

    def think(self, request: dict[str, Any]) -> dict[str, Any]:
        """The move of the seat on turn, and what every seat may expect."""
        position = self._position(request["game"], request["start"], request["moves"])
        thought = think(
            position, level=request["level"], seconds=request["seconds"], seed=request["seed"]
        )
        return {"move": thought.move.text, "shares": list(thought.shares)}

    def _position(self, slug: str, start: str, moves: list[str]) -> Position:
        if self._key != (slug, start):
            self._key = (slug, start)
            self._line = [game(slug).position(start)]
        known = 0
        for position, text in zip(self._line[1:], moves, strict=False):
            assert position.last is not None
            if position.last.text != text:
                break
            known += 1
        del self._line[known + 1:]
        for text in moves[known:]:
            self._line.append(self._line[-1].play(text))
        return self._line[-1]


def main() -> None:
    """Answer until there is nothing more to read."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)           # a house that is gone wants no answer
    os.nice(NICE)
    thinker = Thinker()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(thinker.think(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
