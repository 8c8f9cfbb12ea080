"""Small plots, drawn here as SVG: they need no script, and take their colours from the styles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 240, 64
TOP = 4
"""Room above the highest value."""


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

    A drawing has room for so many values; the newest stand at its right edge. Where there is no
    value, a line is interrupted.
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
        height = HEIGHT - (value / highest * (HEIGHT - TOP) if highest else 0)
        paths[-1].append(f"{first + step * number:.1f} {height:.1f}")
    # A single value is a dot: a line of no length, with round ends.
    return [f"M{'L'.join(points if len(points) > 1 else points * 2)}" for points in paths if points]
