"""Random openings that leave the result open.

If one side has almost won after a few random moves, a pair of games from there is scored one half,
whichever contender is better. Such openings are drawn again.
"""

from __future__ import annotations

from escale.game.position import Position
from escale.kernel import Limit, Random
from escale.opponents import think

OPENING_DRAWS = 100
"""The number of openings that are drawn before the game's own start is taken."""
OPENING_NODES = 20_000
"""The nodes of the search that judges an opening."""
LARGEST_OPENING_SHARE = 0.8
"""The largest share that a side may expect after an opening."""


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
    """Whether a short search sees a winner; only for games that hide nothing from it."""
    if position.game.search != "alphabeta":
        return False
    found = think(position, limit=Limit(nodes=OPENING_NODES))
    return found.proven or max(found.shares) > LARGEST_OPENING_SHARE
