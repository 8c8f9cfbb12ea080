"""What the processes of the study can be asked to do.

A job takes a question, which the house has checked, and hands out one value after another: how far
it is, what it has found, and last its answer. Between two values the house may give it up, so none
of them may take longer than `SLICE` seconds of a processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from escale.server.study import advice, analysis

Job = Callable[[dict[str, Any]], Iterator[object]]

JOBS: dict[str, Job] = {
    "analysis": analysis.job,
    "hint": advice.hint_job,
    "judge": advice.judge_job,
}
"""By name."""
