"""Reviews of finished matches: the progress of one, and the review itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from escale.match.match import Match
from escale.render.curve import curve
from escale.server.study.lanes import LONG
from escale.server.workers.jobs import Job
from escale.study import review as made
from escale.study.judging import Budget, Steps
from escale.study.review import Progress, Review
from escale.study.review_words import ReviewText
from escale.study.words import words as study_words

# ---- messages ----


class ReviewState(Struct, frozen=True):
    """The review of a finished match, or its progress."""

    state: Annotated[
        Literal["none", "making", "made"],
        Meta(description="`none`: it has not been asked for yet."),
    ]
    done: Annotated[int, Meta(description="Moves judged, while it is made.")]
    total: int
    problem: Annotated[str | None, Meta(description="Why the last attempt failed.")]
    review: Annotated[
        ReviewText | None,
        Meta(description="While it is made: what is known so far, the last moves first."),
    ]


class ReviewStep(Struct, omit_defaults=True):
    """A value of the job: the progress, or at the end the review."""

    progress: Progress | None = None
    review: Review | None = None


class ReviewJob(Job, frozen=True, kw_only=True):
    """Review the match of a transcript."""

    lane = LONG
    transcript: str
    budget: Budget


read_step = msgspec.json.Decoder(ReviewStep).decode


# ---- the curve ----


def drawn(review: ReviewText, lang: str) -> str:
    """The curve of a review as SVG."""
    return curve(
        [*(move.before for move in review.moves), review.end],
        [(seat.name, seat.colour) for seat in review.seats],
        study_words().say("review.curve", lang),
        {turn.index: turn.sentence for turn in review.turns},
        study_words().sentence("review.percent", lang),
    )


# ---- in worker processes ----


def review_steps(job: ReviewJob) -> Iterator[ReviewStep]:
    """Review the match of a transcript."""
    steps = Steps(made.review(Match.replay(job.transcript), job.budget))
    for progress in steps:
        yield ReviewStep(progress=progress)
    yield ReviewStep(review=steps.result)
