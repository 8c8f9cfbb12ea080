"""What worker processes can be asked: jobs, and the lanes in which they wait.

A room of the server writes a `Job` for everything that it wants done, and a module with a table
`JOBS` of the functions that do it. The module is imported by the processes only.

```python
class CountJob(Job, frozen=True, kw_only=True):
    lane = Lane("counting", "room.counting", processes=1, niceness=10, budget="work",
                most_waiting=5, grace_seconds=8)
    to: int

def count(job: CountJob) -> Iterator[int]:
    yield from range(job.to)

JOBS = {CountJob: count}                # in room/counting.py
```

A function returns its only answer, or an iterator of values, each of which is sent as it is found.
Between two values the house may give the job up. A value that takes longer than the limit of its
budget is stopped by `TooCostly`, and an error of the games is sent as a problem; both end the job.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeVar

import msgspec

from escale.game.texts import LANGUAGES


@dataclass(frozen=True, slots=True)
class Lane:
    """Processes for jobs of one kind, and what one address may ask of them."""

    name: str
    module: str
    """Has the table `JOBS`."""
    processes: int
    niceness: int
    """By how much they give way to others; the processes that think for tables do so by 10."""
    budget: Literal["work", "study"]
    """Which budget of the address pays; `Limits` says how much there is, and for a value."""
    most_waiting: int
    """Jobs of one address."""
    grace_seconds: float
    """How much longer than its seconds of a processor a value may take on a busy machine."""


class Job(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="job"):
    """A question to a worker process; its kind is known by the name of its class."""

    lane: ClassVar[Lane]
    lang: str = LANGUAGES[0]
    """The language of the answer."""


J = TypeVar("J")


class Line(msgspec.Struct, Generic[J], omit_defaults=True):
    """A line to a process: a new job, or without one the wish for the next value."""

    seconds: float = 0
    """Of a processor that the value may take; 0: without a limit."""
    job: J | None = None


NOTHING = msgspec.Raw(b"null")


class Value(msgspec.Struct, omit_defaults=True):
    """A line from a process."""

    body: msgspec.Raw = NOTHING
    status: int = 200
    """Of HTTP; with any other the body is a problem, and the job is done."""
    more: bool = False
    """Whether to ask for another value."""
    spent: float = 0
    """Seconds of a processor."""
