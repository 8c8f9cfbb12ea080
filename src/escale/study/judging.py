"""Judging a move: its value beside the best one, on one scale.

The scale is the share of the win that the seat may expect. A short search first names the
candidates: the best move and the next best; then these and the move that was played are searched
*together*, to the same depth or with the same number of simulations each, so that their values are
comparable. If the comparison shows a grave error that is not proven, it is repeated with more
effort before a player is blamed.

A move has no mark if it was the only legal one, or if every move would have lost. Chance is not
judged.

In games with hidden information, a move is judged by what its seat could know (information-set
search at imagined tables). `with_open_cards` answers a different question: the values of the same
moves with all cards open.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from escale.game.errors import NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import CHANCE, Limit, Line
from escale.opponents import think
from escale.opponents.thinking import method_for

Mark = Literal["best", "only", "good", "inaccuracy", "mistake", "blunder"]
MARKS: tuple[Mark, ...] = ("best", "only", "good", "inaccuracy", "mistake", "blunder")
LOSSES: dict[Mark, float] = {"blunder": 0.20, "mistake": 0.10, "inaccuracy": 0.05}
"""The least loss for each of these marks, as a share of the win; the gravest first."""
ONLY_MOVE_MARGIN = LOSSES["blunder"]
"""The amount by which every other move must be worse than *the only move*."""
EQUAL_LOSS = 0.005
"""Two moves whose shares differ by less are equally good."""
LAST_LOOK_FACTOR = 4
"""If a move is proven to lose and the best is not: the effort to prove that it loses, too."""
CALM_LOSS = 0.02
"""A move that costs less, by what a search after it has found, is not compared again."""
SECOND_LOOK_FACTOR = 3
"""The comparison is repeated with this many times the effort before a move is blamed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The effort of one search; judging a move takes two to four searches."""

    nodes: int = 300_000
    """Nodes of an alpha-beta search."""
    simulations: int = 6_000
    """Simulations of a tree search, for each move that is compared."""

    def times(self, factor: float) -> Budget:
        """A budget that is larger or smaller."""
        return Budget(max(1, round(self.nodes * factor)), max(1, round(self.simulations * factor)))


DEFAULT = Budget()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one move."""

    seat: int
    move: Move
    """The move that was played."""
    mark: Mark | None
    """None if there was nothing to choose, or nothing to lose."""
    best: Line[Move]
    """The best move, its continuation, and every seat's share of the win."""
    played: Line[Move]
    """The same for the move that was played."""
    next_best: Line[Move] | None = None
    """The best move besides `best`; None if there is one legal move."""
    forced: bool = field(default=False, kw_only=True)
    """Whether there was only one legal move."""

    @property
    def before(self) -> float:
        """The seat's expected share before the move."""
        return self.best.shares[self.seat]

    @property
    def after(self) -> float:
        """The seat's expected share after the move."""
        return self.played.shares[self.seat]

    @property
    def loss(self) -> float:
        """The cost of the move for the seat: 0 for the best one."""
        return max(0.0, self.before - self.after)

    @property
    def proven(self) -> bool:
        """Whether the values of this move and of the best one are both proven."""
        return self.best.proven and self.played.proven

    @property
    def only(self) -> bool:
        """Whether all moves but the best one would have been blunders."""
        return self.next_best is not None and (
            self.before - self.next_best.shares[self.seat] >= ONLY_MOVE_MARGIN
        )


StepT = TypeVar("StepT")
ResultT = TypeVar("ResultT")


class Steps(Generic[StepT, ResultT]):
    """Iterates over a generator's steps once; afterwards `result` has its return value."""

    result: ResultT

    def __init__(self, steps: Generator[StepT, None, ResultT]) -> None:
        self._steps = steps

    def __iter__(self) -> Iterator[StepT]:
        self.result = yield from self._steps

    def finish(self) -> ResultT:
        """Run all remaining steps, and return the result."""
        for _ in self:
            pass
        return self.result


def judge(
    position: Position, move: Move | str, budget: Budget = DEFAULT, seed: int = 0
) -> Judgement:
    """Judge a move by what its seat could know; the same budget and seed give the same result.

    ```python
    >>> import escale
    >>> position = escale.game("qenj1").start(seed=1)
    >>> judge(position, position.moves()[0], Budget(nodes=2000)).loss < 0.5
    True

    ```
    """
    return Steps(judging(position, move, budget, seed)).finish()


def judging(
    position: Position, move: Move | str, budget: Budget = DEFAULT, seed: int = 0,
    known: Line[Move] | None = None, later: Line[Move] | None = None,
) -> Generator[None, None, Judgement]:
    """The same, search by search, for callers who must pause in between.

    `known` is what is known already of the move that was played, from a later search; it counts
    instead of a search of its own. `later` is the same, but only saves effort where it agrees with
    the first search that the move has cost nothing.
    """
    seat, played = _decision(position, move)
    if len(position.moves()) == 1:
        line = known or _searched(position, [played], budget, seed, depth=None)[0]
        return Judgement(seat, played, None, line, line, forced=True)

    def with_known(lines: list[Line[Move]]) -> list[Line[Move]]:
        return [known if known and line.moves[0].code == played.code and not line.proven else line
                for line in lines]

    lines, depth = _candidates(position, played, budget, seed)
    if later is not None and _calm(lines, later, seat):
        code = later.moves[0].code
        return _judgement(seat, played, [
            *(line for line in lines if line.moves[0].code != code), later])
    yield
    lines = with_known(_compared(position, lines, budget, seed, depth))
    judgement = _judgement(seat, played, lines)
    more = budget.times(SECOND_LOOK_FACTOR)
    if judgement.loss >= LOSSES["mistake"] and not _settled(lines, seat):
        yield
        lines = with_known(_compared(position, lines, more, seed, depth and depth + 2))
        judgement = _judgement(seat, played, lines)
    if judgement.loss >= LOSSES["inaccuracy"] and judgement.played.proven \
            and judgement.after <= 0 and not judgement.best.proven:
        yield
        limit = _limit(position, budget.times(LAST_LOOK_FACTOR))
        last = think(position, limit=limit, seed=seed).lines[0]
        if last.proven and last.shares[seat] <= 0:
            return Judgement(seat, played, None, last, judgement.played, judgement.next_best)
        code = last.moves[0].code
        if code != played.code:             # what was hoped of other moves is out of date
            certain = [line for line in lines if line.proven and line.moves[0].code != code]
            judgement = _judgement(seat, played, [last, *certain])
    if judgement.only and not _proven_only(judgement):
        yield
        other = _best_other(position, judgement.best.moves[0], more, seed)
        kept = [line for line in lines if line.moves[0].code != other.moves[0].code]
        judgement = _judgement(seat, played, [*kept, other])
    return judgement


def with_open_cards(
    position: Position, moves: Sequence[Move], budget: Budget = DEFAULT, seed: int = 0
) -> list[Line[Move]]:
    """The values of some moves with all cards open, in their order.

    This is for reviews of finished games only: it uses knowledge that no seat had. Its lines are
    legal in the real position.
    """
    limit = Limit(simulations=budget.simulations)
    return [
        think(position, limit=limit, seed=seed, among=[move], open_cards=True).lines[0]
        for move in moves
    ]


def _decision(position: Position, move: Move | str) -> tuple[int, Move]:
    seat = position.turn
    if seat is None or seat == CHANCE:
        raise NotNow("only a seat's move can be judged")
    return seat, position.find(move if isinstance(move, str) else move.text)


def _candidates(
    position: Position, played: Move, budget: Budget, seed: int
) -> tuple[list[Line[Move]], int | None]:
    """The two best moves of a short search and the one that was played, and alpha-beta's depth."""
    found = think(position, limit=_limit(position, budget), seed=seed, lines=2)
    lines = list(found.lines)
    if played.code not in [line.moves[0].code for line in lines]:
        lines.append(Line((played,), (0.0,) * position.seats))
    return lines, found.depth if found.method == "alphabeta" else None


def _calm(lines: Sequence[Line[Move]], later: Line[Move], seat: int) -> bool:
    """Whether two searches agree that a move has cost nothing, and others would be as good."""
    best, *others = (line for line in lines if line.shares)
    shares = [line.shares[seat] for line in others if line.moves[0].code != later.moves[0].code]
    return (
        abs(best.shares[seat] - later.shares[seat]) < CALM_LOSS
        and bool(shares) and best.shares[seat] - max(shares) < ONLY_MOVE_MARGIN
        and best.proven == later.proven
    )


def _compared(
    position: Position, lines: Sequence[Line[Move]], budget: Budget, seed: int, depth: int | None
) -> list[Line[Move]]:
    """The same lines, those that are not proven searched again on one scale."""
    assert position.turn is not None
    if _settled(lines, position.turn):
        return list(lines)
    certain = [line for line in lines if line.proven]
    moves = [line.moves[0] for line in lines if not line.proven]
    # Beside proven lines there is no common depth: the others are searched for proofs, too.
    return certain + _searched(position, moves, budget, seed, None if certain else depth)


def _searched(
    position: Position, moves: Sequence[Move], budget: Budget, seed: int, depth: int | None
) -> list[Line[Move]]:
    """The values of some moves, all searched to the same depth or equally often."""
    limit = _limit(position, budget)
    if limit.nodes is not None:
        # The depth ends this search; the nodes do only if a few moves take longer than all did.
        limit = Limit(nodes=limit.nodes, depth=None if depth is None else max(depth, 1) + 1)
        return list(think(position, limit=limit, seed=seed, lines=len(moves), among=moves).lines)
    # Another seed than the one that chose them: a move that leads by luck must not profit twice.
    return [
        think(position, limit=limit, seed=seed + 1, among=[move]).lines[0] for move in moves
    ]


def _best_other(position: Position, best: Move, budget: Budget, seed: int) -> Line[Move]:
    """The best of all moves except one, searched for on its own."""
    others = [move for move in position.moves() if move.code != best.code]
    found = think(position, limit=_limit(position, budget), seed=seed, among=others).lines[0]
    if found.proven or method_for(position) == "alphabeta":
        return found
    return _searched(position, [found.moves[0]], budget, seed, depth=None)[0]


def _proven_only(judgement: Judgement) -> bool:
    """Whether all moves except the best one are certainly much worse."""
    next_best = judgement.next_best
    return judgement.best.proven and next_best is not None and next_best.proven


def _limit(position: Position, budget: Budget) -> Limit:
    if method_for(position) == "alphabeta":
        return Limit(nodes=budget.nodes)
    return Limit(simulations=budget.simulations)


def _settled(lines: Sequence[Line[Move]], seat: int) -> bool:
    """Whether further searches are useless: everything is proven, or that the best move loses."""
    return all(line.proven for line in lines) or (
        lines[0].proven and lines[0].shares[seat] <= 0
    )


def _judgement(seat: int, played: Move, lines: Sequence[Line[Move]]) -> Judgement:
    [mine] = [line for line in lines if line.moves[0].code == played.code]
    best, next_best, *_ = sorted(lines, key=lambda line: _rank(line, seat, played))
    judgement = Judgement(seat, played, None, best, mine, next_best)
    if best.proven and best.shares[seat] <= 0:
        # Every move loses: all have the same value.
        return Judgement(seat, played, None, best, Line(mine.moves, best.shares, True,
                         mine.plies_to_end if mine.proven else None), next_best)
    return Judgement(seat, played, _mark(judgement), best, mine, next_best)


def _rank(line: Line[Move], seat: int, played: Move) -> tuple[object, ...]:
    """The best move first; of equal ones the proven, the shortest win, then the one played."""
    share = line.shares[seat]
    plies = line.plies_to_end if line.proven and line.plies_to_end is not None else 0
    return (
        -round(share / EQUAL_LOSS), not line.proven, plies if share >= 1 else -plies,
        line.moves[0].code != played.code, -share,
    )


def _mark(judgement: Judgement) -> Mark:
    for mark, least in LOSSES.items():
        if judgement.loss >= least:
            return mark
    if judgement.played is judgement.best:
        return "only" if judgement.only else "best"
    return "good"
