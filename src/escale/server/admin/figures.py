"""The figures of this process, as the admin page shows them: now, and over the last hours.

Plots are drawn here as SVG: they need no script, and take their colours from the styles.
"""

from __future__ import annotations

import asyncio
import mmap
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request

from escale.game.texts import number as written
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.pages.page_context import PageContext
from escale.server.tables.counts import Counts
from escale.server.tables.house import House
from escale.web import words

MEMORY = Path("/proc/self/statm")
UNITS = ("B", "kB", "MB", "GB")
SAMPLE_SECONDS = 60.0
HISTORY_MINUTES = 180
WIDTH, HEIGHT = 240, 64
HEADROOM = 4
"""Space above the highest value, in pixels."""


def size(number: float, lang: str) -> str:
    """Bytes as people read them.

    >>> size(999, "en"), size(1536, "en"), size(5_000_000, "fr")
    ('999\\xa0B', '1.5\\xa0kB', '4,8\\xa0Mo')
    """
    unit = 0
    while number >= 1000 and unit < len(UNITS) - 1:
        number, unit = number / 1024, unit + 1
    digits = 0 if unit == 0 or number >= 100 else 1
    return f"{written(number, lang, digits)}\xa0{words().say(f'admin.unit.{UNITS[unit]}', lang)}"


def milliseconds(seconds: float | None, lang: str) -> str:
    """A short time as people read it; a dash where there is none."""
    if seconds is None:
        return "–"
    return f"{written(1000 * seconds, lang, 1 if seconds < 0.01 else 0)}\xa0ms"


async def figures(context: PageContext, request: Request) -> list[tuple[str, str]]:
    """The current figures of the house: pairs of a name and a value."""
    house: House = request.app.state.house
    limiter: RateLimiter = request.app.state.rate_limiter
    counts, thinkers, lang = house.counts, house.thinkers, context.lang
    kept = await house.store.housekeeping.size()
    values = {
        "memory-tables": str(len(house.tables)),
        "playing": str(house.playing()),
        "live": str(limiter.live),
        "moves": str(counts.moves),
        "latency": " / ".join(
            milliseconds(counts.latency.since([0] * len(counts.latency.counts), share), lang)
            for share in (0.5, 0.95)
        ),
        "thinkers": f"{thinkers.busy} / {thinkers.size}",
        "queue": str(thinkers.waiting),
        "refusals": str(counts.refusals.total()),
        "limited": str(counts.refusals["too-many"]),
        "database": "–" if kept is None else size(kept, lang),
    }
    if MEMORY.exists():
        pages = int(MEMORY.read_text().split()[1])
        values["memory"] = size(pages * mmap.PAGESIZE, lang)
    return [(context.say(f"admin.figure.{name}"), value) for name, value in values.items()]


def plots(context: PageContext, minutes: Minutes) -> list[Plot]:
    """The plots of the last hours."""
    past: list[Minute] = list(minutes.past)
    lang = context.lang

    def plot(name: str, *series: list[float | None], seconds: bool = False) -> Plot:
        def said(value: float | None) -> str:
            if seconds:
                return milliseconds(value, lang)
            return "–" if value is None else f"{value:.0f}"

        drawing, highest = lines(series, HISTORY_MINUTES)
        newest = next((value for value in reversed(series[0]) if value is not None), None)
        return Plot(context.say(f"admin.plot.{name}"), said(newest),
                    said(highest if past else None), drawing)

    return [
        plot("tables", [minute.tables for minute in past]),
        plot("moves", [minute.moves for minute in past]),
        plot("latency", [minute.median for minute in past], [minute.slow for minute in past],
             seconds=True),
    ]


# ---- the last hours ----


@dataclass(frozen=True, slots=True)
class Minute:
    """What happened in one minute."""

    at: int
    """The end of the minute, in Unix milliseconds."""
    tables: int
    """Tables with a running match."""
    moves: int
    median: float | None
    """Seconds until an action was acknowledged, in the median; None if there was no action."""
    slow: float | None
    """The same at the 95th percentile."""


class Minutes:
    """Samples of the last hours, one for each minute."""

    def __init__(
        self, counts: Counts, playing: Callable[[], int], now: Callable[[], int]
    ) -> None:
        self._counts = counts
        self._playing = playing
        self._now = now
        self.past: deque[Minute] = deque(maxlen=HISTORY_MINUTES)
        self._moves = counts.moves
        self._latency = list(counts.latency.counts)

    def sample(self) -> None:
        """Add the sample of the minute that ends."""
        latency, before = self._counts.latency, self._latency
        self.past.append(Minute(
            at=self._now(), tables=self._playing(), moves=self._counts.moves - self._moves,
            median=latency.since(before, 0.5), slow=latency.since(before, 0.95),
        ))
        self._moves, self._latency = self._counts.moves, list(latency.counts)

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            self.sample()


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure over the last hours."""

    title: str
    latest: str
    """The newest value, as people read it."""
    most: str
    """The highest value, as people read it."""
    drawing: Markup


def lines(series: Sequence[Sequence[float | None]], room: int) -> tuple[Markup, float]:
    """The lines of some series in one drawing, and the highest value.

    The drawing has room for `room` values, the newest at its right edge. A line is interrupted
    where there is no value.
    """
    highest = max((value for one in series for value in one if value is not None), default=0.0)
    shapes = []
    for number, values in enumerate(series):
        shapes += [
            f'<path class="line-{number}" d="{path}"/>' for path in _paths(values, room, highest)
        ]
    ground = f'<path class="ground" d="M0 {HEIGHT}H{WIDTH}"/>'
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT + 1}" preserveAspectRatio="none" '
        f'aria-hidden="true">{ground}{"".join(shapes)}</svg>'
    ), highest


def _paths(values: Sequence[float | None], room: int, highest: float) -> list[str]:
    """One path for each stretch of values without a gap."""
    step = WIDTH / max(1, room - 1)
    first = WIDTH - step * (len(values) - 1)
    paths: list[list[str]] = [[]]
    for number, value in enumerate(values):
        if value is None:
            paths.append([])
            continue
        height = HEIGHT - (value / highest * (HEIGHT - HEADROOM) if highest else 0)
        paths[-1].append(f"{first + step * number:.1f} {height:.1f}")
    # A single value is a dot: a line of no length, with round ends.
    return [f"M{'L'.join(points if len(points) > 1 else points * 2)}" for points in paths if points]
