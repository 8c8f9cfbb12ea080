"""Blunders planted in proven positions: does a judgement find them, and does it blame sound moves?

    python -m bench planted tortuga qenj1 --positions 60

Weak players lead to positions in which a long search proves what sampled moves are worth: what each
leads to is searched on its own, with a budget of its own. A move that gives away half of the win or
more, proven on both sides, is planted; one that keeps all of it, proven as well, is sound. Both are
then judged with the budget of a review.

Where something is hidden hardly anything can be proven. There a move is planted when long searches
by what its seat can know, with two other seeds, agree that it gives away much, and sound when they
agree that it gives away nothing. That measures whether short searches judge like long ones.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game, games
from escale.kernel import CHANCE, Limit, Random
from escale.opponents import Way, think
from escale.study.judging import DEFAULT, Budget, judge

PROOF = 200_000
"""Nodes of a proof."""
SIMULATIONS = 24_000
"""Simulated games of a long search, where something is hidden."""
SEEDS = (101, 102)
"""Of the long searches."""
MUCH, NOTHING = 0.25, 0.02
"""What a planted move gives away at least by them, and a sound one at most."""
SAMPLE = 10
"""Moves of a position that are looked at."""
MOST_POSITIONS = 6
"""Positions of a game that are taken, at most."""
MOST_MISSES = 8
"""Positions in a row without any that can be proven, after which a game is left."""
MOST_JUDGED = 2
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


def sorted_out(
    position: Position, sample: list[Move], nodes: int
) -> tuple[list[Move], list[Move]]:
    """Of some moves the planted and the sound ones."""
    seat = position.turn
    assert seat is not None
    if position.game.hides:
        return _by_long_searches(position, sample, seat)
    way = Way("alphabeta", (("nodes", nodes),))
    worth = {move.text: _value(position.play(move), seat, way) for move in sample}
    best = max((share for share in worth.values() if share is not None), default=0.0)
    sound = [move for move in sample if worth[move.text] == best == 1.0]
    planted = [
        move for move in sample
        if (share := worth[move.text]) is not None and best - share >= 0.5
    ]
    return planted, sound


def _by_long_searches(
    position: Position, sample: list[Move], seat: int
) -> tuple[list[Move], list[Move]]:
    losses: dict[str, list[float]] = {move.text: [] for move in sample}
    for seed in SEEDS:
        worth = {
            move.text: think(
                position, limit=Limit(simulations=SIMULATIONS), seed=seed, among=[move]
            ).shares[seat]
            for move in sample
        }
        for text, share in worth.items():
            losses[text].append(max(worth.values()) - share)
    return (
        [move for move in sample if min(losses[move.text]) >= MUCH],
        [move for move in sample if max(losses[move.text]) <= NOTHING],
    )


def _value(after: Position, seat: int, way: Way) -> float | None:
    if after.outcome is not None:
        return after.outcome.shares[seat]
    if after.turn == CHANCE:
        return None
    found = think(after, way)
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
            if taken == MOST_POSITIONS or missed == MOST_MISSES or rates.positions == positions:
                break
            if judge_some(position, budget, random, rates, proof):
                taken, missed = taken + 1, 0
                rates.positions += 1
            else:
                missed += not box.hides
    return rates


def judge_some(
    position: Position, budget: Budget, random: Random, rates: Rates, proof: int
) -> bool:
    """Judge a few moves of a position whose values are proven; whether there are such."""
    moves = list(position.moves())
    winner = None if position.game.hides else _winner(position, proof)
    if len(moves) < 2 or not (position.game.hides or winner):
        return False
    sample = [moves.pop(random.below(len(moves))) for _ in range(min(SAMPLE, len(moves)))]
    if winner is not None and winner.code not in [move.code for move in sample]:
        sample[0] = winner                  # where there are many moves, few of them win
    planted, sound = sorted_out(position, sample, proof)
    if not sound or not planted:            # what is best must be known, and something be worse
        return False
    for move in planted[:MOST_JUDGED]:
        mark = judge(position, move, budget).mark
        rates.planted += 1
        rates.found += mark == "blunder"
        rates.seen += mark in ("blunder", "mistake")
        rates.marks["planted", mark] += 1
    for move in sound[:MOST_JUDGED]:
        mark = judge(position, move, budget).mark
        rates.sound += 1
        rates.blamed += mark in ("blunder", "mistake")
        rates.doubted += mark in ("blunder", "mistake", "inaccuracy")
        rates.marks["sound", mark] += 1
    return True


def _winner(position: Position, nodes: int) -> Move | None:
    """A move that is proven to win, if one is found."""
    found = think(position, Way("alphabeta", (("nodes", nodes),)))
    return found.move if found.proven and found.shares[position.turn or 0] == 1 else None


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    positions: int = 60,
    seed: int = 1,
    most: Annotated[int, typer.Option("--games", help="The most games to look through.")] = 1000,
) -> None:
    """A line of a table for each game."""
    boxes = [game(name) for name in names or ()] or list(games())
    print("| game | positions | planted | found | sound | blamed |\n|---|---|---|---|---|---|")
    for box in boxes:
        rates = measure(box, positions, seed=seed, most=most)
        print(
            f"| {box.title} | {rates.positions} | {rates.planted} | "
            f"{100 * rates.found / max(1, rates.planted):.1f} % | {rates.sound} | "
            f"{100 * rates.blamed / max(1, rates.sound):.1f} % |", flush=True,
        )
        print(dict(rates.marks), file=sys.stderr, flush=True)
