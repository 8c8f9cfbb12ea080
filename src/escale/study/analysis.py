"""Analysis: the best lines of a position, searched repeatedly with a growing budget.

The first result comes at once, and better ones follow. An analysis has a total budget of processor
time, and each search in it is short, so that work stops soon when the reader has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time
from typing import NamedTuple

from escale import kernel
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit, Line, SearchResult
from escale.opponents import Way, think
from escale.opponents.thinking import method_for
from escale.study.words import words

FIRST_BUDGET = {"nodes": 2_000, "simulations": 100}
"""The budget of the first search …"""
BUDGET_GROWTH = 4
"""… and how many times more each further one may have."""
SEARCH_SECONDS = 0.8
"""Seconds of a processor that one search may take."""
ANALYSIS_SECONDS = 8.0
"""Seconds of a processor that an analysis may take in all."""
WORTHWHILE_GROWTH = 1.5
"""A further search is worthwhile if its budget is at least this many times the last one."""
PROOF_SHARE = 16
"""Beside each search a win is searched for by proof numbers, in so many times fewer positions:
each of them costs more."""
SEED = 1
"""A fixed seed, so that the same position shows the same lines again."""

BANDS = ((0.9, "winning"), (0.7, "ahead"), (0.57, "slightly"))
"""Expected shares of the better of two seats, from which a verdict has this name."""


class Step(NamedTuple):
    """The result of a search within an analysis."""

    found: SearchResult[Move]
    last: bool
    """Whether nothing better follows."""


def deepen(
    position: Position, *, lines: int = 3, open_cards: bool = False,
    whole: float = ANALYSIS_SECONDS, clock: Callable[[], float] = process_time,
) -> Iterator[Step]:
    """Search a position again and again, each time with a larger budget.

    NotNow if no seat is to move. With `open_cards` the computer knows all cards; otherwise it knows
    what the seat to move may know.
    """
    reveals = open_cards and position.game.hides
    method = "mcts" if reveals else method_for(position)
    unit = kernel.SETTINGS[method][0]
    budget, spent, before = FIRST_BUDGET[unit], 0.0, 0
    while True:
        began = clock()
        found = think(
            position, Way(method, ((unit, budget),)), seed=SEED, lines=lines, open_cards=reveals
        )
        if method == "alphabeta" and not settled(found):
            found = _with_proof(position, found)
        cost = max(clock() - began, 1e-6)
        spent += cost
        used = found.simulations or found.nodes         # the search may end before its budget
        following = min(budget * BUDGET_GROWTH, int(used / cost * SEARCH_SECONDS))
        last = settled(found) or used <= before or following < used * WORTHWHILE_GROWTH \
            or spent + cost * following / used > whole
        yield Step(found, last)
        if last:
            return
        budget, before = following, used


def _with_proof(position: Position, found: SearchResult[Move]) -> SearchResult[Move]:
    """The same result, with the seat's win as its best line if a search for a proof finds it."""
    seat = position.turn
    assert seat is not None
    proof = kernel.prove(
        position.kernel(), seat, Limit(nodes=max(1, found.nodes // PROOF_SHARE))
    )
    if proof is None:
        return found
    moves = [Move(here, code) for here, code in zip(
        position.along(proof.moves), proof.moves, strict=False)]
    shares = tuple(float(one == seat) for one in range(position.seats))
    best = Line(tuple(moves), shares, True, proof.plies)
    others = [line for line in found.lines if line.moves[0].code != moves[0].code]
    return found._replace(lines=(best, *others)[:len(found.lines)])


def settled(found: SearchResult[Move]) -> bool:
    """Whether a further search would change nothing: all lines are proven, or the best one wins.

    Which of the lines that do not win is the best may still be open.
    """
    best = found.lines[0]
    seat = best.moves[0].position.turn
    assert seat is not None
    return all(line.proven for line in found.lines) or (best.proven and best.shares[seat] == 1)


# ---- in words ----


def verdict(position: Position, line: Line[Move], lang: str) -> str:
    """The value of a line, in words."""
    say, box = words().say, position.game
    best = max(line.shares)
    leaders = [
        box.seat_name(seat, lang) for seat, share in enumerate(line.shares) if share == best
    ]
    seat = ", ".join(leaders) if line.proven else leaders[0]
    if line.proven:
        kind = "win" if best == 1 else "draw" if len(leaders) == position.seats else "shared"
        return words().count(f"analysis.proven.{kind}", lang, line.plies_to_end or 0, seat=seat)
    if position.seats > 2:
        return say("analysis.leading", lang, seat=seat)
    band = next((name for least, name in BANDS if best >= least), "even")
    return say(f"analysis.value.{band}", lang, seat=seat)


def assumed(position: Position, lang: str, *, open_cards: bool) -> str:
    """A sentence on what the computer knew; empty in games without hidden information."""
    if not position.game.hides or position.turn is None or position.turn < 0:
        return ""
    key = "analysis.open-cards" if open_cards else "analysis.own-view"
    return words().say(key, lang, seat=position.game.seat_name(position.turn, lang))
