"""Rate limits: token buckets that refill slowly."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

from escale.server.edge.limits import Limits
from escale.server.edge.problems import Problem

KEPT_BUCKETS = 20_000
REPORTED_SHARE = 0.25
"""An address that uses more than this share of a rate is reported to other processes …"""
REPORTED_ADDRESSES = 200
"""… but only the heaviest users."""


class Bucket:
    """A bucket that holds a certain amount, and refills by a certain amount a second."""

    __slots__ = ("_full", "_left", "_rate", "_then")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full, self._left, self._then = rate, full, full, now

    def take(self, now: float, amount: float = 1) -> bool:
        """Take an amount if the bucket holds as much; returns whether it did."""
        if self.left(now) < amount:
            return False
        self._left -= amount
        return True

    def left(self, now: float) -> float:
        """How much the bucket holds; negative if more was spent than there was."""
        self._left = min(self._full, self._left + (now - self._then) * self._rate)
        self._then = now
        return self._left

    def spend(self, now: float, amount: float) -> None:
        """Take an amount that has been used already, even if the bucket holds less."""
        self._left = self.left(now) - amount


class RateLimiter:
    """All buckets of the house."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._rates = {
            "request": (limits.requests, limits.request_burst),
            "action": (limits.actions, limits.action_burst),
            "table": (limits.tables, limits.table_burst),
            "message": (limits.messages, limits.message_burst),
            "work": (limits.work, limits.work_burst),
            "study": (limits.study, limits.study_burst),
            "login": (limits.logins, limits.login_burst),
            "code": (limits.codes, limits.code_burst),
            "all-codes": (limits.all_codes, limits.all_code_burst),
            "mail": (limits.mails, limits.mail_burst),
            "all-mails": (limits.all_mails, limits.all_mail_burst),
            "bot-request": (limits.bot_requests, limits.bot_request_burst),
            "bot-action": (limits.bot_actions, limits.bot_action_burst),
            "bot-table": (limits.bot_tables, limits.bot_table_burst),
        }
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._sockets: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._used: Counter[tuple[str, str]] | None = None

    def take(self, what: str, who: str) -> None:
        """Count one more use by `who`; Problem if that is too many."""
        if not self._bucket(what, who).take(self._clock()):
            self._buckets.move_to_end((what, who))
            raise Problem("too-many")
        if self._used is not None:
            self._used[what, who] += 1

    def left(self, what: str, who: str) -> float:
        """How much `who` may still use; below zero where more was used than allowed."""
        return self._bucket(what, who).left(self._clock())

    def spend(self, what: str, who: str, amount: float) -> None:
        """Count what `who` has used."""
        self._bucket(what, who).spend(self._clock(), amount)
        if self._used is not None:
            self._used[what, who] += amount  # type: ignore[assignment]  # seconds are no integers

    # ---- other processes of the same house ----

    def used(self) -> list[tuple[str, str, float]]:
        """The use by the heaviest users in this process since the last call, the heaviest first.

        Counting begins with the first call.
        """
        used, self._used = self._used or Counter(), Counter()
        return [
            (what, who, amount) for (what, who), amount in used.most_common(REPORTED_ADDRESSES)
            if amount > self._rates[what][0] * REPORTED_SHARE
        ]

    def used_elsewhere(self, what: str, who: str, amount: float) -> None:
        """Count what `who` has used through another process."""
        if what in self._rates:
            self._bucket(what, who).spend(self._clock(), amount)

    def _bucket(self, what: str, who: str) -> Bucket:
        bucket = self._buckets.get((what, who))
        if bucket is None:
            bucket = self._buckets[what, who] = Bucket(*self._rates[what], self._clock())
            if len(self._buckets) > KEPT_BUCKETS:
                self._buckets.popitem(last=False)
        return bucket

    def hold(self, who: str, size: int) -> bool:
        """Count bytes that wait to be sent to `who`; False if they are too many."""
        self._held[who] += size
        return self._held[who] <= self.limits.address_backlog

    def release(self, who: str, size: int) -> None:
        """Discount bytes that wait no longer."""
        self._held[who] -= size
        if self._held[who] <= 0:
            del self._held[who]

    @property
    def live(self) -> int:
        """How many live connections there are."""
        return self._sockets.total()

    def enter(self, who: str) -> None:
        """Count a live connection from `who`; Problem if there are too many."""
        if self._sockets[who] >= self.limits.sockets:
            raise Problem("too-many")
        self._sockets[who] += 1

    def leave(self, who: str) -> None:
        """Discount a live connection."""
        self._sockets[who] -= 1
        if self._sockets[who] <= 0:
            del self._sockets[who]


def neighbourhood(address: str) -> str:
    """The address that limits count: of IPv6 its network, since every client has a whole one.

    >>> neighbourhood("2001:db8:1:2:3:4:5:6"), neighbourhood("192.0.2.7"), neighbourhood("pipe")
    ('2001:db8:1:2::', '192.0.2.7', 'pipe')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return address
