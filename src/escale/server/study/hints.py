"""Hints and the coach at a table: a move with its reason, and a remark before a move is made.

Both are for the seat to move and follow from what that seat may know.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from escale.game.position import Position
from escale.games import game
from escale.match.limits import MoveText, SeatNumber
from escale.server.study.lanes import SHORT
from escale.server.study.positions import ShownMove, shown
from escale.server.workers.jobs import Job
from escale.study.coach import remark
from escale.study.hints import hint
from escale.study.words import words

# ---- messages ----


class HintQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a hint, for the seat to move."""

    as_: SeatNumber = field(name="as")


class HintFacts(Struct, frozen=True):
    """The move to play, with the reason."""

    ply: Annotated[int, Meta(description="For the table after so many moves.")]
    move: ShownMove
    kind: Annotated[
        str, Meta(description="What kind of reason it is, such as `wins`, `takes`, `feature`.")
    ]
    proven: Annotated[bool, Meta(description="Whether the reason says how the game ends.")]
    text: Annotated[str, Meta(description="The move and its reason in a sentence.")]
    further: Annotated[
        str, Meta(description="How the game probably goes on; empty where that is not known.")
    ]
    chance: Annotated[bool, Meta(description="Whether there is a win, or something to take.")]
    look: Annotated[str, Meta(description="The atom to look at first.")]
    nudge: Annotated[str, Meta(description="The same in a sentence that does not tell the move.")]


class JudgedMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that the seat to move is about to make."""

    move: MoveText
    as_: SeatNumber = field(name="as")


class CoachRemark(Struct, frozen=True):
    """The coach's remark on a move before it is made."""

    ply: Annotated[int, Meta(description="For the table after so many moves.")]
    mark: Annotated[
        str | None,
        Meta(description="`best`, `only`, `good`, `inaccuracy`, `mistake` or `blunder`; null "
             "where there is nothing to choose, or nothing to lose."),
    ]
    warns: Annotated[bool, Meta(description="Whether to ask before it is made.")]
    near: Annotated[bool, Meta(description="Whether it is proven to lose.")]
    look: Annotated[str, Meta(description="The cell or the atom to look at.")]
    question: Annotated[str, Meta(description="What to ask.")]
    story: Annotated[str, Meta(description="What to say when it was made all the same.")]
    better: ShownMove


# ---- jobs ----


class WarmJob(Job, frozen=True, kw_only=True):
    """Load everything that hints at a game need into memory."""

    lane = SHORT
    game: str


class AdviceJob(Job, frozen=True, kw_only=True):
    """A question about a table."""

    lane = SHORT
    game: str
    start: str
    """The text of the first position."""
    moves: tuple[str, ...]
    turn: int | None = None
    """The seat that is asked, if several choose at the same time."""


class HintJob(AdviceJob, frozen=True, kw_only=True):
    """Find the move to play."""


class JudgeJob(AdviceJob, frozen=True, kw_only=True):
    """Judge a move before it is made."""

    move: str


# ---- in worker processes ----


def hint_at_table(job: HintJob) -> HintFacts:
    """The move to play at a table, with the reason."""
    position, lang = _reach(job), job.lang
    found = hint(position)
    place = position.game.label(found.look, lang)
    return HintFacts(
        ply=len(job.moves), move=shown(found.move, lang), kind=found.reason.kind,
        proven=found.reason.proven, text=found.text(lang), further=found.further(lang),
        chance=found.chance, look=found.look,
        nudge=words().say("coach.chance", lang, place=place),
    )


def have_hints_ready(job: WarmJob) -> bool:
    """Load everything that a hint at a game needs into memory: rules, weights and sentences."""
    hint(game(job.game).start(seed=0)).text(job.lang)
    return True


def judge_at_table(job: JudgeJob) -> CoachRemark:
    """The coach's remark on a move at a table."""
    position, lang = _reach(job), job.lang
    found = remark(position, job.move)
    return CoachRemark(
        ply=len(job.moves), mark=found.judgement.mark, warns=found.warns, near=found.near,
        look=found.look,
        question=found.question(lang), story=found.story(lang),
        better=shown(found.better.move, lang),
    )


def _reach(job: AdviceJob) -> Position:
    """The position after the moves of a match, the last of which may have ended it."""
    position = game(job.game).position(job.start)
    for move in job.moves:
        position = position.play(move)
    return position if job.turn is None else position.with_turn(job.turn)
