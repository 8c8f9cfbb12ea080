"""Jobs that take long, hang or die, and where they are done."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from escale.games import game
from escale.server.workers.jobs import Job, Lane

QUICK = Lane("quick", __name__, processes=1, niceness=12, budget="study",
             most_waiting=8, grace_seconds=20)
LONG = Lane("long", __name__, processes=1, niceness=17, budget="study",
            most_waiting=8, grace_seconds=20)


class CountJob(Job, frozen=True, kw_only=True):
    """Find numbers, each of which takes some seconds of a processor."""

    lane = QUICK
    to: int
    seconds: float = 0


class LongCountJob(CountJob, frozen=True, kw_only=True):
    """The same in the other lane."""

    lane = LONG


class WhoJob(Job, frozen=True, kw_only=True):
    """Tell the process and its niceness."""

    lane = QUICK


class HangJob(Job, frozen=True, kw_only=True):
    """Wait for nothing, without using a processor."""

    lane = QUICK


class DieJob(Job, frozen=True, kw_only=True):
    """End the process."""

    lane = QUICK


class GameJob(Job, frozen=True, kw_only=True):
    """Look for a game."""

    lane = QUICK
    game: str


def count(job: CountJob) -> Iterator[int]:
    for number in range(job.to):
        until = time.process_time() + job.seconds
        while time.process_time() < until:
            pass
        yield number


def who(job: WhoJob) -> list[int]:
    return [os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)]


def hang(job: HangJob) -> None:
    time.sleep(60)


def die(job: DieJob) -> None:
    os._exit(1)


def title(job: GameJob) -> str:
    return game(job.game).title


JOBS = {
    CountJob: count, LongCountJob: count, WhoJob: who, HangJob: hang, DieJob: die, GameJob: title,
}
