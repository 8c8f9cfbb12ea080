"""Random openings that leave the game open.

Where one side has as good as won after a few random moves, a game only says which side that was:
no matter who is better, the score of a pair comes to a half. Such openings are drawn again.
"""

from __future__ import annotations

from escale.game.position import Position
from escale.kernel import Limit, Random
from escale.opponents import think

OPENING_DRAWS = 100
"""How often an opening is drawn before the game's own start is taken."""
OPENING_NODES = 20_000
"""Nodes to look at an opening."""
LARGEST_OPENING_SHARE = 0.8
"""What a side may expect at most after an opening."""


def opened(start: Position, plies: int, random: Random) -> Position:
    """The position after some random moves; the start itself when there are none."""
    for _ in range(OPENING_DRAWS if plies else 0):
        position = after(start, plies, random)
        if position.turn is not None and not decided(position):
            return position
    return start


def after(start: Position, plies: int, random: Random) -> Position:
    """The position after some random moves, or fewer if the game ends."""
    position = start
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[random.below(len(moves))])
    return position


def decided(position: Position) -> bool:
    """Whether a short search sees a winner, in games in which nothing is hidden from it."""
    if position.game.search != "alphabeta":
        return False
    found = think(position, limit=Limit(nodes=OPENING_NODES))
    return found.proven or max(found.shares) > LARGEST_OPENING_SHARE
