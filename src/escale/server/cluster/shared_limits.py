"""A client has one budget in the whole house, through whichever processes it connects."""

from __future__ import annotations

from escale.server.cluster.news import LimitUsed, News, SecondPassed
from escale.server.cluster.port import Cluster
from escale.server.edge.rate_limiter import RateLimiter


def share_limits(limiter: RateLimiter, cluster: Cluster) -> None:
    """Each second, tell the other processes what clients have used here; heed what they tell."""
    def hear(process: int, news: News) -> None:
        match news:
            case LimitUsed(limit, client, amount):
                limiter.used_elsewhere(limit, client, amount)
            case SecondPassed():
                for limit, client, amount in limiter.used():
                    cluster.announce(LimitUsed(limit, client, amount))

    cluster.subscribe(hear)
