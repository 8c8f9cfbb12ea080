"""Reviewing as a job of the study: how far it is, and last the review."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from escale.match.match import Match
from escale.study.judging import Budget
from escale.study.review import Progress, Review, review


class Value(msgspec.Struct, omit_defaults=True):
    """What the job hands out."""

    progress: Progress | None = None
    review: Review | None = None


def job(question: dict[str, Any]) -> Iterator[Value]:
    """Review the match of a transcript; see `jobs`."""
    budget = msgspec.convert(question["budget"], Budget)
    steps = review(Match.replay(question["transcript"]), budget)
    while True:
        try:
            yield Value(progress=next(steps))
        except StopIteration as done:
            yield Value(review=done.value)
            return
