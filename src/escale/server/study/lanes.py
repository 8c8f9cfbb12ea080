"""The lanes in which jobs of the study wait for worker processes.

Positions have their own; a hint does not wait for a review. The lanes for hints and reviews give
way to the processes that think for tables.
"""

from __future__ import annotations

from escale.server.workers.jobs import Lane

_MODULE = "escale.server.study.jobs"
POSITIONS = Lane("positions", _MODULE, processes=2, niceness=5, budget="work",
                 most_waiting=20, grace_seconds=8)
SHORT = Lane("short study", _MODULE, processes=1, niceness=12, budget="study",
             most_waiting=8, grace_seconds=20)
LONG = Lane("long study", _MODULE, processes=1, niceness=17, budget="study",
            most_waiting=8, grace_seconds=20)
