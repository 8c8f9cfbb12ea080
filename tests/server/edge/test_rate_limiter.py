"""How much at once, and from how many connections."""

from __future__ import annotations

import pytest

from escale.server.edge.limits import Limits
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter


def test_buckets_fill_again() -> None:
    now = [0.0]
    limiter = RateLimiter(Limits(requests=2, request_burst=3), clock=lambda: now[0])

    def allowed() -> int:
        count = 0
        try:
            while count < 100:
                limiter.take("request", "here")
                count += 1
        except Problem:
            pass
        return count

    assert allowed() == 3
    assert allowed() == 0
    now[0] = 1.0
    assert allowed() == 2
    now[0] = 1000.0
    assert allowed() == 3


def test_connections_of_one_address_are_counted() -> None:
    limiter = RateLimiter(Limits(sockets=2))
    limiter.enter("here")
    limiter.enter("here")
    limiter.enter("there")
    with pytest.raises(Problem):
        limiter.enter("here")
    limiter.leave("here")
    limiter.enter("here")


def test_what_is_used_through_one_process_counts_in_the_others() -> None:
    now = [0.0]
    here, there = (
        RateLimiter(Limits(requests=2, request_burst=10), clock=lambda: now[0]) for _ in range(2)
    )
    assert here.used() == []                    # from now on it is counted
    for _ in range(8):
        here.take("request", "club")
    here.spend("work", "club", 3.5)
    here.take("message", "club")                # one in a second is not worth a word
    told = here.used()
    assert sorted(told) == [("request", "club", 8), ("work", "club", 3.5)]
    assert here.used() == []
    for what, who, amount in told:
        there.used_elsewhere(what, who, amount)
    there.used_elsewhere("a limit of another version", "club", 1)
    assert there.left("request", "club") == 2
    assert there.used() == []                   # and it is not told back
