"""How long a review takes: 40 moves of every game at the default budget, in one process.

    python -m bench reviews
"""

from __future__ import annotations

from time import process_time

from escale.game.fair_random import FairRandom
from escale.games import games
from escale.kernel import Random
from escale.match.match import Match, Player
from escale.opponents import think
from escale.study.judging import Steps
from escale.study.review import review

MOVES = 40


def played(match: Match, seed: int) -> Match:
    """A match between Matelots, given up after 40 moves where two play."""
    random = Random(seed)
    made = 0
    match.draw_chance()
    while match.outcome is None:
        seat = match.turn
        assert seat is not None
        if made == MOVES and match.start.seats == 2:
            match.resign(seat)
            break
        match.play(seat, think(match.position, "matelot", seed=random.below(1 << 30)).move)
        match.draw_chance()
        made += 1
    return match


def main() -> None:
    """A line of a table for each game."""
    print("| game | moves | seconds for 40 moves | longest step |\n|---|---|---|---|")
    for box in games():
        start = box.start_with({}, seats=box.seats[0])
        players = [Player(f"P{seat}") for seat in range(start.seats)]
        match = played(Match(start, players=players, fair_random=FairRandom("5" * 32)), 5)
        began = last = process_time()
        longest = 0.0
        steps = Steps(review(match))
        for _ in steps:
            now = process_time()
            longest, last = max(longest, now - last), now
        moves = len(steps.result.moves)
        seconds = (process_time() - began) * MOVES / moves
        print(f"| {box.title} | {moves} | {seconds:.1f} | {longest:.2f} |", flush=True)
