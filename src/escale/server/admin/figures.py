"""The figures of this process, as the admin page shows them."""

from __future__ import annotations

import mmap
from pathlib import Path

from starlette.requests import Request

from escale.server.admin.plots import Plot, lines
from escale.server.metrics.minutes import KEPT, Minute, Minutes
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.pages.page_context import PageContext
from escale.server.tables.house import House

MEMORY = Path("/proc/self/statm")
UNITS = ("B", "kB", "MB", "GB")


def size(number: float, lang: str) -> str:
    """Bytes as people read them.

    >>> size(999, "en"), size(1536, "en"), size(5_000_000, "fr")
    ('999\\xa0B', '1.5\\xa0kB', '4,8\\xa0Mo')
    """
    unit = 0
    while number >= 1000 and unit < len(UNITS) - 1:
        number, unit = number / 1024, unit + 1
    said = f"{number:.0f}" if unit == 0 or number >= 100 else f"{number:.1f}"
    if lang == "fr":
        return f"{said.replace('.', ',')}\xa0{'o' if unit == 0 else UNITS[unit][0] + 'o'}"
    return f"{said}\xa0{UNITS[unit]}"


def milliseconds(seconds: float | None, lang: str) -> str:
    """A short time as people read it; a dash where there is none."""
    if seconds is None:
        return "–"
    said = f"{1000 * seconds:.1f}" if seconds < 0.01 else f"{1000 * seconds:.0f}"
    return f"{said.replace('.', ',') if lang == 'fr' else said}\xa0ms"


async def figures(context: PageContext, request: Request) -> list[tuple[str, str]]:
    """What the house holds at the moment: pairs of a name and a value."""
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
    """The last hours."""
    past: list[Minute] = list(minutes.past)
    lang = context.lang

    def plot(name: str, *series: list[float | None], seconds: bool = False) -> Plot:
        def said(value: float | None) -> str:
            if seconds:
                return milliseconds(value, lang)
            return "–" if value is None else f"{value:.0f}"

        drawing, highest = lines(series, KEPT)
        newest = next((value for value in reversed(series[0]) if value is not None), None)
        return Plot(context.say(f"admin.plot.{name}"), said(newest),
                    said(highest if past else None), drawing)

    return [
        plot("tables", [minute.tables for minute in past]),
        plot("moves", [minute.moves for minute in past]),
        plot("latency", [minute.median for minute in past], [minute.slow for minute in past],
             seconds=True),
    ]
