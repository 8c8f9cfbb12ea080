"""The connections that are cut when too much waits for an address."""

from __future__ import annotations

from typing import Any, cast

from escale.server.edge.door import LINGER_SECONDS, STALLED_SECONDS, Door, Watch, _fault
from escale.server.edge.limits import Limits
from escale.server.edge.middleware import Proxies


class Line:
    """A connection for which some bytes wait."""

    def __init__(self, who: str, queued: int = 0) -> None:
        self.who, self.queued = who, queued
        self.aborted = self.closing = False

    def get_write_buffer_size(self) -> int:
        return 0 if self.aborted else self.queued

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.aborted = True


def test_the_worst_readers_of_an_address_are_cut_off() -> None:
    door = Door(Limits(address_backlog=1000), Proxies(["192.0.2.9"]), most=100)
    lines = [Line("here", size) for size in (300, 900, 200, 400)]
    other, proxy = Line("there", 900), Line("192.0.2.9", 10_000)
    for line in (*lines, other, proxy):
        door._inside[cast(Any, line)] = Watch(line.who, 0)
    door.cut_backlog(cast(Any, lines[0]), "192.0.2.7")
    door.cut_backlog(cast(Any, other), "192.0.2.8")
    door.cut_backlog(cast(Any, proxy), "192.0.2.9")
    assert [line.aborted for line in lines] == [False, True, False, False]
    assert not other.aborted
    assert not proxy.aborted


def test_who_reads_slowly_stays_and_who_stands_still_does_not() -> None:
    line: Any = Line("here", 100_000)
    watch = Watch("here", 0)
    for now in range(0, 200, 20):
        line.queued -= 10_000
        assert not _fault(line, watch, now)
    line.queued = 100_000
    for now in range(200, 200 + int(STALLED_SECONDS) - 20):
        assert not _fault(line, watch, now)
    assert _fault(line, watch, 300 + STALLED_SECONDS) == "does not read"
    line.queued = 0
    assert not _fault(line, watch, 400)
    watch.deadline = 401
    assert not _fault(line, watch, 400.5)
    assert _fault(line, watch, 402) == "does not finish a request"
    watch.deadline, line.closing = None, True
    assert not _fault(line, watch, 500)
    assert _fault(line, watch, 501 + LINGER_SECONDS) == "does not go"
