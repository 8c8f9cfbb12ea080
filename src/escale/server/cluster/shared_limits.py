"""Each client has one budget for the whole house, whichever processes it connects to."""

from __future__ import annotations

from escale.server.cluster.news import LimitUsed, News, SecondPassed
from escale.server.cluster.port import Cluster
from escale.server.edge.rate_limiter import RateLimiter


def share_limits(limiter: RateLimiter, cluster: Cluster) -> None:
    """Tell the other processes every second what clients have used here, and add their reports."""
    def hear(process: int, news: News) -> None:
        match news:
            case LimitUsed(limit, client, amount):
                limiter.used_elsewhere(limit, client, amount)
            case SecondPassed():
                for limit, client, amount in limiter.used():
                    cluster.announce(LimitUsed(limit, client, amount))

    cluster.subscribe(hear)
