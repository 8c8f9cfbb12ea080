"""Analysis: the best lines of a position as they are found, and matches as lines to study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game
from escale.kernel import Line
from escale.server.study.lanes import LONG
from escale.server.study.positions import ShownMove, StudyQuestion, reach, shown
from escale.server.workers.jobs import Job
from escale.study.analysis import Step, assumed, deepen, verdict

SENT_MOVES = 12
"""Moves of a line that are sent; the later ones would be guesses."""


# ---- messages ----


class AnalysisQuestion(StudyQuestion, frozen=True, kw_only=True):
    """A position to be analysed; with `open`, the computer knows all cards, too."""

    lines: Annotated[int, Meta(ge=1, le=5, description="How many moves to compare.")] = 3


class AnalysisLine(Struct, frozen=True):
    """A move, the expected continuation, and its value."""

    moves: Annotated[list[ShownMove], Meta(description="The move itself first.")]
    shares: Annotated[list[float], Meta(description="Each seat's expected share of the win.")]
    proven: Annotated[bool, Meta(description="Whether that is certain.")]
    plies: Annotated[int | None, Meta(description="When proven: within so many plies.")]
    verdict: Annotated[str, Meta(description="The same in words.")]


class AnalysisLook(Struct, frozen=True):
    """The best lines found so far; more results follow until the `last`."""

    lines: Annotated[list[AnalysisLine], Meta(description="The best first.")]
    method: str
    count: Annotated[int, Meta(description="Positions looked at, or games simulated.")]
    depth: int
    assumed: Annotated[
        str, Meta(description="What the computer was let know, where something is hidden.")
    ]
    last: bool


class TableStudy(Struct, frozen=True):
    """A match as a line to study."""

    game: str
    start: Annotated[str, Meta(description="The text of its first position.")]
    line: Annotated[list[str], Meta(description="All its moves, chance outcomes among them.")]
    hidden: Annotated[bool, Meta(description="Whether some of it was hidden while it was played.")]


# ---- the job ----


class AnalysisJob(Job, frozen=True, kw_only=True):
    """Analyse a position, longer and longer."""

    lane = LONG
    game: str
    question: AnalysisQuestion


# ---- in worker processes ----


def analyse(job: AnalysisJob) -> Iterator[AnalysisLook]:
    """Analyse a position, each time more closely."""
    question, lang = job.question, job.lang
    position = reach(game(job.game), question)
    assumption = assumed(position, lang, open_cards=question.open)
    for step in deepen(position, lines=question.lines, open_cards=question.open):
        yield _sent(position, step, assumption, lang)


def _sent(position: Position, step: Step, assumption: str, lang: str) -> AnalysisLook:
    found = step.found
    return AnalysisLook(
        lines=[_line(position, line, lang) for line in found.lines], method=found.method,
        count=found.simulations or found.nodes, depth=found.depth, assumed=assumption,
        last=step.last,
    )


def _line(position: Position, line: Line[Move], lang: str) -> AnalysisLine:
    return AnalysisLine(
        moves=[shown(move, lang) for move in line.moves[:SENT_MOVES]],
        shares=[round(share, 4) for share in line.shares], proven=line.proven,
        plies=line.plies_to_end, verdict=verdict(position, line, lang),
    )
