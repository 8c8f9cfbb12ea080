"""Who is cut off when too much waits for an address."""

from __future__ import annotations

from typing import Any

from escale.server.http.door import LINGER, STALLED, Door, Watch, _fault
from escale.server.http.proxies import Proxies
from escale.server.settings import Limits


class Line:
    """A connection for which some bytes wait."""

    def __init__(self, who: str, queued: int = 0) -> None:
        self.who, self.queued = who, queued
        self.deadline: float | None = None
        self.transport: Any = self
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
        door._inside[line.who][line] = Watch(0)
    door.weigh(lines[0], "192.0.2.7")
    door.weigh(other, "192.0.2.8")
    door.weigh(proxy, "192.0.2.9")
    assert [line.aborted for line in lines] == [False, True, False, False]
    assert not other.aborted
    assert not proxy.aborted


def test_who_reads_slowly_stays_and_who_stands_still_does_not() -> None:
    line, watch = Line("here", 100_000), Watch(0)
    for now in range(0, 200, 20):
        line.queued -= 10_000
        assert not _fault(line, watch, now)
    line.queued = 100_000
    for now in range(200, 200 + int(STALLED) - 20):
        assert not _fault(line, watch, now)
    assert _fault(line, watch, 300 + STALLED) == "does not read"
    line.queued = 0
    assert not _fault(line, watch, 400)
    line.deadline = 401
    assert not _fault(line, watch, 400.5)
    assert _fault(line, watch, 402) == "does not finish a request"
    line.deadline, line.closing = None, True
    assert not _fault(line, watch, 500)
    assert _fault(line, watch, 501 + LINGER) == "does not go"
