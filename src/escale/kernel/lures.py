"""Lures on top of alpha-beta: of moves about as good as the best, one that invites a mistake.

Between two who see far, much is drawn, and what decides is who errs first. So as long as nothing is
decided, the moves that alpha-beta takes for about as good as its best one are tried on a natural
player: one who thinks by tree search with random games. How good a move is then depends, half and
half, on the best reply and on the natural one, both looked at by alpha-beta. Where the natural
reply is the best one, nothing is lost by asking.

The idea of choosing by a model of the other player is from H. Iida, J. Uiterwijk, H. J. van den
Herik and I. Herschberg, "Potential Applications of Opponent-Model Search" (1993).
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor

from escale.kernel import alphabeta, mcts
from escale.kernel.core import Position
from escale.kernel.thought import Thought
from escale.kernel.weights import ODDS

DECIDED = (0.05, 0.97)      # shares at which nobody is lured any more
MOST = 6                    # moves that are tried
WITHIN = 0.15               # by how much their share may be less than the best one's
HABIT = 0.01                # by how much a lure must be better than the best move
TIMES = 3                   # natural replies to each
GLANCE = 40                 # parts of the nodes: a look at each move to find those to try
LOOK = 8                    # parts of the nodes: a look at one of these, or at a reply
THREADS = 2                 # moves are tried side by side: somebody is waiting


def search(
    root: Position,
    nodes: object = None,
    seconds: object = None,
    seed: object = 0,
    without: object = (),
    capacity: object = None,
    scorn: object = 0,
    lure: object = 0,
    **more: object,
) -> Thought:
    """Alpha-beta with `nodes`; then, with a `lure`, replies by so many simulations are minded.

    `more` goes to alpha-beta: see its `search`. Lures need a number of nodes, of which they take
    two to three times as many again. When the seconds are over, moves not tried by then are not
    chosen.
    """
    started = time.perf_counter()
    if lure and nodes is None:
        raise ValueError("lures need a number of nodes")
    found = alphabeta.search(
        root, nodes, seconds, seed, without, capacity, scorn=scorn, **more
    )
    share = found.shares[root.turn]
    if (
        not lure or found.proven or not DECIDED[0] < share < DECIDED[1]
        or (scorn and share == worth_of_draw(scorn))
    ):
        return found
    angler = Angler(root.turn, nodes, lure, scorn, seed, more)
    angler.until = None if seconds is None else started + seconds
    with ThreadPoolExecutor(THREADS) as pool:
        chosen = angler.choose(root, found, without, pool.map)
    return chosen._replace(
        nodes=found.nodes + sum(angler.walked),
        milliseconds=(time.perf_counter() - started) * 1000,
    )


def worth_of_draw(scorn: object) -> float:
    """The share that a draw counts for to who scorns it."""
    return 1 / (1 + math.exp(scorn / ODDS))


class TimeIsOver(Exception):
    """There is no time left to look at another position."""


class Angler:
    """Who looks for lures for a seat."""

    def __init__(
        self, seat: object, nodes: object, lure: object, scorn: object, seed: object, more: object
    ):
        self.seat = seat
        self.nodes = nodes
        self.lure = lure
        self.scorn = scorn
        self.seed = seed
        self.more = more
        self.until = None
        self.walked = []                        # positions looked at, look by look

    def choose(self, root: Position, found: Thought, without: object, each: object) -> Thought:
        """The thought to follow: the one found, or of a move that lures.

        `each` does something to each item of a list, maybe side by side.
        """
        other = 1 - self.seat
        ways = {move: after(root, move) for move in root.legal() if move not in without}
        ways = {
            move: position for move, position in ways.items()
            if position.turn == other and position.legal()
        }
        best = ways.pop(found.move, None)
        if best is None or not ways:
            return found
        try:
            glances = list(each(self.glance, ways.values()))
            order = sorted(zip(glances, ways, strict=True), key=lambda pair: -pair[0])
            moves = [found.move, *[move for _, move in order[:MOST - 1]]]
            ways[found.move] = best
            seen = list(each(self.look, [ways[move] for move in moves]))
        except TimeIsOver:
            return found
        shares = [self.share(thought) for thought in seen]
        least = max(shares[0] - WITHIN, DECIDED[0])
        tries = [i for i in range(len(moves)) if i == 0 or shares[i] >= least]
        if len(tries) == 1:
            return found
        hopes = list(each(self.hope, [(ways[moves[i]], shares[i]) for i in tries]))
        if hopes[0] is None:
            return found
        highest = hopes[0] + HABIT
        chosen = found
        for i, hope in zip(tries, hopes, strict=True):
            if hope is not None and hope > highest:
                highest = hope
                chosen = found._replace(
                    move=moves[i], shares=seen[i].shares, line=[moves[i], *seen[i].line],
                    depth=seen[i].depth + 1,
                )
        return chosen

    def hope(self, tried: object) -> object:
        """What to hope for from a position and its share: half that, half after natural replies.

        None where time is over: what has not been tried is not chosen.
        """
        position, share = tried
        worth = {}
        total = 0.0
        try:
            for i in range(TIMES):
                reply = mcts.search(
                    position, self.lure, self.left(), self.seed + 1 + i, solve=False
                ).move
                if reply not in worth:
                    worth[reply] = self.worth(after(position, reply), share)
                total += worth[reply]
        except TimeIsOver:
            return None
        return (share + total / TIMES) / 2

    def worth(self, position: Position, share: float) -> float:
        """The share that a position is worth; `share` where a lot is to be drawn."""
        if not position.legal():
            return self.scorned(position.shares()[1][self.seat])
        return share if position.turn < 0 else self.share(self.look(position))

    def glance(self, position: Position) -> float:
        """The share that a position seems to be worth."""
        return self.share(self.look(position, GLANCE))

    def look(self, position: Position, parts: object = LOOK) -> Thought:
        """What alpha-beta thinks of a position with a part of the nodes."""
        seen = alphabeta.search(
            position, max(1, self.nodes // parts), self.left(), self.seed,
            scorn=self.scorn if position.turn == self.seat else -self.scorn, **self.more,
        )
        self.left()                             # a look cut short is no look
        self.walked.append(seen.nodes)
        return seen

    def share(self, seen: Thought) -> float:
        """The share that a thought promises."""
        share = seen.shares[self.seat]
        return self.scorned(share) if seen.proven else share

    def scorned(self, share: float) -> float:
        """A certain share, a draw scorned."""
        return worth_of_draw(self.scorn) if share == 0.5 else share

    def left(self) -> object:
        """The seconds that are left, or None where time does not matter."""
        if self.until is None:
            return None
        left = self.until - time.perf_counter()
        if left <= 0:
            raise TimeIsOver
        return left


def after(position: Position, move: object) -> Position:
    """The position that a move leads to."""
    new = position.copy()
    new.make(move)
    return new
