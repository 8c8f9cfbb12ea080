"""The review of a finished match: every move judged, the curve of each seat's expected share, and
the few moves that decided it.

A review is plain data without words, so that it can be kept and read in any language
(`review_words.py`). It is made move by move, and can be cancelled between moves.

If something is hidden, moves are judged by what their seat could know; the curve, and a second
value of each move, are of the real cards. So only finished matches are reviewed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise

import msgspec

from escale.game.errors import NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import CHANCE, Line
from escale.match.match import Match
from escale.study.judging import (
    DEFAULT,
    LOSSES,
    Budget,
    Judgement,
    Mark,
    Steps,
    judging,
    with_open_cards,
)

VERSION = 2
"""The version of stored reviews; reviews of other versions are made again."""
MOST_TURNING_POINTS = 5
"""The most turning points of a review."""
TURNING_POINT_MOVES = 2
"""The least distance between two turning points, in moves."""
LINE_MOVES = 12
"""The most moves of a stored line."""


class Progress(msgspec.Struct, frozen=True):
    """The progress of a review."""

    done: int
    """Moves judged."""
    total: int


class OpenCards(msgspec.Struct, frozen=True):
    """The value of a decision with all cards open, which its seat could not know."""

    best: list[float]
    """Every seat's share after the move that was best by what the seat could know."""
    played: list[float]
    """Every seat's share after the move that was played."""


class ReviewedMove(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision of the match, with its judgement."""

    ply: int
    """The number of moves and chance outcomes on the table before it."""
    seat: int
    move: str
    mark: Mark | None
    """None if there was nothing to choose, or nothing to lose."""
    before: float
    """The seat's expected share, with the best move."""
    after: float
    """Its expected share after the move that was played."""
    best: str
    """The best move; the played one if no other is better."""
    proven: bool = False
    """Whether both values are certain."""
    wins: bool = False
    """Whether the best move is proven to win."""
    loses: bool = False
    """Whether the move that was played is proven to lose."""
    forced: bool = False
    """Whether there was only one legal move."""
    only: bool = False
    """Whether all moves but the best would have been blunders."""
    open: OpenCards | None = None
    """The values with all cards open, if something was hidden from the seat."""

    @property
    def loss(self) -> float:
        """The cost of the move for its seat."""
        return max(0.0, self.before - self.after)


class ReviewedLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The continuation at the real table."""

    moves: list[str]
    shares: list[float]
    """Each seat's expected share after it."""
    proven: bool = False
    plies_to_end: int | None = None


class TurningPoint(msgspec.Struct, frozen=True):
    """A move that cost much, with the better one."""

    index: int
    """The index of the reviewed move."""
    better: ReviewedLine
    played: ReviewedLine


class Point(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every seat's expected share before a decision, or at the end."""

    ply: int
    shares: list[float]
    proven: bool = False


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a match, as data."""

    version: int
    game: str
    nodes: int
    """The budget of one search by alpha-beta …"""
    simulations: int
    """… or of a tree search."""
    hides: bool
    """Whether the game hides something: then the curve is that of the open cards."""
    moves: list[ReviewedMove]
    curve: list[Point]
    """The shares before each of the moves, and at the end."""
    turns: list[TurningPoint]
    """The moves, in the order of the match."""


def read_review(text: str | bytes) -> Review | None:
    """Read a stored review; None if it is of another version."""
    try:
        found = msgspec.json.decode(text, type=Review)
    except msgspec.DecodeError:
        return None
    return found if found.version == VERSION else None


def review(
    match: Match, budget: Budget = DEFAULT, seed: int = 0
) -> Generator[Progress, None, Review]:
    """Review a finished match, step by step; NotNow if it goes on."""
    if match.outcome is None:
        raise NotNow("a match is reviewed when it is over")
    decisions = list(_decisions(match))
    hides = match.game.hides
    moves: list[ReviewedMove] = []
    points: list[Point] = []
    lines: list[tuple[Line[Move], Line[Move]]] = []
    for position, move, ply in decisions:
        judgement = yield from _steps(position, move, budget, seed, len(moves), len(decisions))
        best, played = judgement.best, judgement.played
        opened, expected = None, best
        if hides:
            yield Progress(len(moves), len(decisions))
            wanted = [best.moves[0]] if best is played else [best.moves[0], move]
            found = with_open_cards(position, wanted, budget, seed)
            best, played = found[0], found[-1]
            opened = OpenCards(_rounded(best.shares), _rounded(played.shares))
            expected = max(found, key=lambda line: line.shares[judgement.seat])
        points.append(Point(ply, _rounded(expected.shares), expected.proven))
        moves.append(_reviewed(judgement, ply, opened))
        lines.append((best, played))
    points.append(Point(match.ply, _rounded(match.outcome.shares), True))
    if not hides:
        yield from _in_hindsight(decisions, moves, points, lines, budget, seed)
    chosen = _turns(moves)
    yield Progress(len(moves), len(decisions))
    return Review(
        version=VERSION, game=match.game.slug, nodes=budget.nodes, simulations=budget.simulations,
        hides=hides, moves=moves, curve=points,
        turns=[TurningPoint(index, *map(_line, lines[index])) for index in chosen],
    )


def _in_hindsight(
    decisions: Sequence[tuple[Position, Move, int]], moves: list[ReviewedMove],
    points: list[Point], lines: list[tuple[Line[Move], Line[Move]]], budget: Budget, seed: int,
) -> Iterator[Progress]:
    """Judge moves again of which the search after them says something else, the last move first.

    It looks one move further. Without this, a move that loses would not be blamed where only the
    next search sees the loss, or the one before it would be.
    """
    total = len(decisions)
    for index in reversed(range(total - 1)):            # the match may end by resignation
        position, move, ply = decisions[index]
        judged, later = moves[index], points[index + 1]
        seat = judged.seat
        if later.ply != ply + 1 or (lines[index][1].proven and not later.proven) \
                or abs(later.shares[seat] - judged.after) < LOSSES["mistake"]:
            continue
        follow = lines[index + 1][0]
        known = Line(
            (move, *follow.moves), follow.shares, follow.proven,
            None if follow.plies_to_end is None else follow.plies_to_end + 1,
        )
        yield Progress(total, total)
        steps = Steps(judging(position, move, budget, seed, known))
        for _ in steps:
            yield Progress(total, total)
        judgement = steps.result
        points[index] = Point(ply, _rounded(judgement.best.shares), judgement.best.proven)
        moves[index] = _reviewed(judgement, ply, None)
        lines[index] = judgement.best, judgement.played


def whole(match: Match, budget: Budget = DEFAULT, seed: int = 0) -> Review:
    """The same without steps."""
    return Steps(review(match, budget, seed)).finish()


def _decisions(match: Match) -> Iterator[tuple[Position, Move, int]]:
    """Every move of a seat on the final line, with the position before it, and its ply."""
    for ply, (before, after) in enumerate(pairwise(match.positions)):
        if before.turn != CHANCE:
            assert after.last is not None
            asked = before.with_turn(after.last.seat)
            yield asked, Move(asked, after.last.code), ply


def _steps(
    position: Position, move: Move, budget: Budget, seed: int, done: int, total: int
) -> Generator[Progress, None, Judgement]:
    steps = Steps(judging(position, move, budget, seed))
    yield Progress(done, total)
    for _ in steps:
        yield Progress(done, total)
    return steps.result


def _reviewed(judgement: Judgement, ply: int, opened: OpenCards | None) -> ReviewedMove:
    best = judgement.best
    return ReviewedMove(
        ply=ply, seat=judgement.seat, move=judgement.move.text, mark=judgement.mark,
        before=round(judgement.before, 4), after=round(judgement.after, 4),
        best=best.moves[0].text, proven=judgement.proven,
        wins=best.proven and judgement.before >= 1,
        loses=judgement.played.proven and judgement.after <= 0, forced=judgement.forced,
        only=judgement.only, open=opened,
    )


def _turns(moves: Sequence[ReviewedMove]) -> list[int]:
    """The moves that cost most, none of them close to another."""
    chosen: list[int] = []
    for index in sorted(range(len(moves)), key=lambda index: (-moves[index].loss, index)):
        if len(chosen) == MOST_TURNING_POINTS or moves[index].loss < LOSSES["inaccuracy"]:
            break
        apart = all(abs(index - other) >= TURNING_POINT_MOVES for other in chosen)
        if moves[index].mark is not None and apart:
            chosen.append(index)
    return sorted(chosen)


def _line(line: Line[Move]) -> ReviewedLine:
    """A line up to the first chance outcome: a plan ends there."""
    texts: list[str] = []
    for move in line.moves[:LINE_MOVES]:
        if move.position.turn == CHANCE:
            break
        texts.append(move.text)
    return ReviewedLine(texts, _rounded(line.shares), line.proven, line.plies_to_end)


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 4) for share in shares]
