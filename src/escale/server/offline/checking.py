"""A job for worker processes: replaying a transcript that a device brings."""

from __future__ import annotations

from msgspec import Struct

from escale.match.match import Match
from escale.server.workers.jobs import Job, Lane

CHECKS = Lane("checks", __name__, processes=1, niceness=15, budget="work", most_waiting=20,
              grace_seconds=8)


class CheckJob(Job, frozen=True, kw_only=True):
    """Replay a transcript from elsewhere."""

    lane = CHECKS
    lines: list[str]


class Checked(Struct, frozen=True):
    """A transcript can be replayed."""

    events: int


def check_lines(job: CheckJob) -> Checked:
    """Replay a transcript; BadTranscript names the first impossible line."""
    return Checked(len(Match.resume(job.lines).events))


JOBS = {CheckJob: check_lines}
