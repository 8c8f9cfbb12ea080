"""Questions to worker processes: jobs, and the lanes in which they wait.

A room of the server declares a `Job` for each kind of work, and has a module with a table `JOBS`
of the functions that do it. Only the worker processes import that module.

```python
class CountJob(Job, frozen=True, kw_only=True):
    lane = Lane("counting", "room.counting", processes=1, niceness=10, budget="work",
                most_waiting=5, grace_seconds=8)
    to: int

def count(job: CountJob) -> Iterator[int]:
    yield from range(job.to)

JOBS = {CountJob: count}                # in room/counting.py
```

A function returns its only answer, or an iterator of values, each of which is sent as soon as it is
found. Between two values the house may cancel the job. `TooCostly` stops a value that takes longer
than the limit of its budget; an `EscaleError` is sent as a problem. Both end the job.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeVar

import msgspec

from escale.game.texts import LANGUAGES


@dataclass(frozen=True, slots=True)
class Lane:
    """The processes for jobs of one kind, and how much one address may ask of them."""

    name: str
    module: str
    """The module with the table `JOBS`."""
    processes: int
    niceness: int
    """The niceness of the processes; those that think for tables have 10."""
    budget: Literal["work", "study"]
    """The budget of the address that pays. `Limits` has its size, and the limit for one value."""
    most_waiting: int
    """At most this many jobs of one address wait."""
    grace_seconds: float
    """How much longer a value may take on a busy machine, beyond its seconds of a processor."""


class Job(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="job"):
    """A question to a worker process; the name of its class is sent as its kind."""

    lane: ClassVar[Lane]
    lang: str = LANGUAGES[0]
    """The language of the answer."""


J = TypeVar("J")


class JobRequest(msgspec.Struct, Generic[J], omit_defaults=True):
    """A line to a process: a new job, or without `job` the request for the next value."""

    seconds: float = 0
    """Seconds of a processor that the value may take; 0 for no limit."""
    job: J | None = None


NOTHING = msgspec.Raw(b"null")


class JobReply(msgspec.Struct, omit_defaults=True):
    """A line from a process."""

    body: msgspec.Raw = NOTHING
    status: int = 200
    """An HTTP status. With any other than 200 the body is a problem, and the job has ended."""
    more: bool = False
    """Whether to ask for another value."""
    spent: float = 0
    """Seconds of a processor that the value took."""
