"""Blunders planted in proven positions: does a judgement find them, and does it blame sound moves?

    python bench/planted.py tortuga qenj1 --positions 60

Weak players lead to positions in which a long search proves what sampled moves are worth: what each
leads to is searched on its own, with a budget of its own. A move that gives away half of the win or
more, proven on both sides, is planted; one that keeps all of it, proven as well, is sound. Both are
then judged with the budget of a review.

Where something is hidden, a value counts as proven when it is proven at several tables that
the seat can imagine, and is the same at all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game, games
from escale.kernel import CHANCE, Random
from escale.opponents import Way, think
from escale.study.judging import DEFAULT, Budget, judge

PROOF = 200_000
"""Nodes of a proof."""
SIMULATIONS = 3_000
"""Simulated games of a proof, where something is hidden …"""
TABLES = 4
"""… at each of so many tables that the seat can imagine."""
SAMPLE = 10
"""Moves of a position that are looked at."""
EACH = 6
"""Positions of a game that are taken, at most."""
FURTHER = 8
"""Positions in a row without any that can be proven, after which a game is left."""
FEW = 2
"""Planted and sound moves of a position that are judged, at most."""
WEAK = ("mousse", "matelot")


@dataclass
class Rates:
    """How judgements of moves came out whose values are proven."""

    planted: int = 0
    found: int = 0
    """Planted blunders that were called blunders."""
    seen: int = 0
    """The same, or mistakes."""
    sound: int = 0
    blamed: int = 0
    """Sound moves that were called mistakes or blunders."""
    doubted: int = 0
    """The same, or inaccuracies."""
    positions: int = 0
    marks: Counter[tuple[str, str | None]] = field(default_factory=Counter)


def proven_share(
    position: Position, move: Move, seat: int, nodes: int = PROOF
) -> float | None:
    """What a move is worth to its seat, where that can be proven; None where it cannot."""
    if not position.game.hides:
        return _value(position.play(move), seat, Way("alphabeta", (("nodes", nodes),)))
    worth: set[float | None] = set()
    for number in range(TABLES):
        table = position.imagine(seat, Random(number))
        way = Way("mcts", (("simulations", SIMULATIONS),))
        worth.add(_value(table.follow(move.code), seat, way))
        if None in worth or len(worth) > 1:
            return None
    return worth.pop()


def _value(after: Position, seat: int, way: Way) -> float | None:
    if after.outcome is not None:
        return after.outcome.shares[seat]
    if after.turn == CHANCE:
        return None
    found = think(after, way, open_cards=True)
    return found.shares[seat] if found.proven else None


def decisions(box: Game[Any], seed: int) -> Iterator[Position]:
    """The decisions of a game between weak players, the last ones first."""
    position = box.start(seed=seed)
    random = Random(seed)
    line = []
    while position.turn is not None:
        line.append(position)
        level = WEAK[random.below(len(WEAK))]
        position = position.play(think(position, level, seed=random.below(1 << 30)).move)
    return reversed(line)


def measure(
    box: Game[Any], positions: int, budget: Budget = DEFAULT, seed: int = 1, proof: int = PROOF,
    most: int = 1000,
) -> Rates:
    """The rates of a game; `proof` is how many nodes a proof may take, `most` how many games."""
    rates = Rates()
    last = seed + most
    while rates.positions < positions and seed < last:
        seed += 1
        taken = missed = 0
        random = Random(seed)
        for position in decisions(box, seed):
            if taken == EACH or missed == FURTHER or rates.positions == positions:
                break
            if judge_some(position, budget, random, rates, proof):
                taken, missed = taken + 1, 0
                rates.positions += 1
            else:
                missed += 1
    return rates


def judge_some(
    position: Position, budget: Budget, random: Random, rates: Rates, proof: int
) -> bool:
    """Judge a few moves of a position whose values are proven; whether there are such."""
    seat = position.turn
    assert seat is not None
    moves = list(position.moves())
    if len(moves) < 2 or not (position.game.hides or _won(position, proof)):
        return False
    sample = [moves.pop(random.below(len(moves))) for _ in range(min(SAMPLE, len(moves)))]
    worth = {move.text: proven_share(position, move, seat, proof) for move in sample}
    best = max((share for share in worth.values() if share is not None), default=0.0)
    sound = [move for move in sample if worth[move.text] == best == 1.0]
    planted = [
        move for move in sample
        if (share := worth[move.text]) is not None and best - share >= 0.5
    ]
    if not sound or not planted:            # what is best must be known, and there must be worse
        return False
    for move in planted[:FEW]:
        mark = judge(position, move, budget).mark
        rates.planted += 1
        rates.found += mark == "blunder"
        rates.seen += mark in ("blunder", "mistake")
        rates.marks["planted", mark] += 1
    for move in sound[:FEW]:
        mark = judge(position, move, budget).mark
        rates.sound += 1
        rates.blamed += mark in ("blunder", "mistake")
        rates.doubted += mark in ("blunder", "mistake", "inaccuracy")
        rates.marks["sound", mark] += 1
    return True


def _won(position: Position, nodes: int) -> bool:
    """Whether it is proven that the seat to move wins."""
    found = think(position, Way("alphabeta", (("nodes", nodes),)))
    return found.proven and found.shares[position.turn or 0] == 1


def main() -> None:
    """A line of a table for each game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", dest="most", type=int, default=1000, help="at most")
    wanted = parser.parse_args()
    boxes = [game(name) for name in wanted.games] or list(games())
    print("| game | positions | planted | found | sound | blamed |\n|---|---|---|---|---|---|")
    for box in boxes:
        rates = measure(box, wanted.positions, seed=wanted.seed, most=wanted.most)
        print(
            f"| {box.title} | {rates.positions} | {rates.planted} | "
            f"{100 * rates.found / max(1, rates.planted):.1f} % | {rates.sound} | "
            f"{100 * rates.blamed / max(1, rates.sound):.1f} % |", flush=True,
        )
        print(dict(rates.marks), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
