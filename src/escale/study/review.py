"""The review of a finished match: every move judged, the curve of each seat's expected share, and
the few moves that decided it.

A review is plain data without words, so that it can be kept and read in any language
(`review_words.py`). It is made move by move, the last move first: what comes later is known already
when a move is judged. It can be read before it is whole, and cancelled between moves.

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
    pending: bool = False
    """Whether it is not judged yet: only in a review that is being made."""
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


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """The progress of a review."""

    done: int
    """Moves judged."""
    total: int
    review: Review | None = None
    """The review so far, if a judgement has been added."""


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
    """Review a finished match, step by step, the last move first; NotNow if it goes on."""
    if match.outcome is None:
        raise NotNow("a match is reviewed when it is over")
    making = _Making(match, budget)
    total = len(making.decisions)
    yield Progress(0, total, making.so_far())
    for index in reversed(range(total)):
        done = total - 1 - index
        for _ in making.judge(index, seed):
            yield Progress(done, total)
        yield Progress(done + 1, total, making.so_far())
    return making.so_far()


class _Making:
    """A review that is being made: moves that are not judged yet are `pending`."""

    def __init__(self, match: Match, budget: Budget) -> None:
        self.match, self.budget = match, budget
        self.decisions = list(_decisions(match))
        assert match.outcome is not None
        even = [1 / match.start.seats] * match.start.seats
        self.moves = [
            ReviewedMove(ply=ply, seat=move.seat, move=move.text, mark=None, before=0, after=0,
                         best=move.text, pending=True)
            for _, move, ply in self.decisions
        ]
        self.points = [Point(ply, _rounded(even)) for _, _, ply in self.decisions]
        self.points.append(Point(match.ply, _rounded(match.outcome.shares), True))
        self.lines: dict[int, tuple[Line[Move], Line[Move]]] = {}

    def judge(self, index: int, seed: int) -> Iterator[None]:
        """Judge a move whose later moves are judged, search by search."""
        position, move, ply = self.decisions[index]
        follow = self._follow(index)
        steps = Steps(judging(position, move, self.budget, seed, later=follow))
        yield
        yield from steps
        judgement = steps.result
        if follow is not None and self._surprises(judgement, follow):
            yield
            steps = Steps(judging(position, move, self.budget, seed, follow))
            yield from steps
            judgement = steps.result
        best, played = judgement.best, judgement.played
        opened, expected = None, best
        if self.match.game.hides:
            yield
            wanted = [best.moves[0]] if best is played else [best.moves[0], move]
            found = with_open_cards(position, wanted, self.budget, seed)
            best, played = found[0], found[-1]
            opened = OpenCards(_rounded(best.shares), _rounded(played.shares))
            expected = max(found, key=lambda line: line.shares[judgement.seat])
        self.points[index] = Point(ply, _rounded(expected.shares), expected.proven)
        self.moves[index] = _reviewed(judgement, ply, opened)
        self.lines[index] = best, played

    def _follow(self, index: int) -> Line[Move] | None:
        """A move as the search after it values it, one move further; None if there was none."""
        _, move, ply = self.decisions[index]
        if self.match.game.hides or index + 1 not in self.lines \
                or self.points[index + 1].ply != ply + 1:   # the match may end by resignation
            return None
        best = self.lines[index + 1][0]
        return Line((move, *best.moves), best.shares, best.proven,
                    None if best.plies_to_end is None else best.plies_to_end + 1)

    def _surprises(self, judgement: Judgement, follow: Line[Move]) -> bool:
        """Whether the search after a move says something else: then it is judged again.

        Without this, a move that loses would not be blamed where only the next search sees the
        loss, or the one before it would be.
        """
        if judgement.played.proven and not follow.proven:
            return False
        seat = judgement.seat
        return abs(follow.shares[seat] - judgement.after) >= LOSSES["mistake"]

    def so_far(self) -> Review:
        """The review, as far as it is made."""
        return Review(
            version=VERSION, game=self.match.game.slug, nodes=self.budget.nodes,
            simulations=self.budget.simulations, hides=self.match.game.hides,
            moves=list(self.moves), curve=list(self.points),
            turns=[TurningPoint(index, *map(_line, self.lines[index]))
                   for index in _turns(self.moves)],
        )


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
