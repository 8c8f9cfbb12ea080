"""A curve for each seat as SVG: its expected share, move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 26
"""Room beside the curves for their labels."""
LEVELS = (0, 25, 50, 75, 100)
TICKS = 8
"""The approximate number of moves that are numbered below."""


def curve(
    points: Sequence[Sequence[int]], names: Sequence[str], title: str,
    marks: Mapping[int, str], percent: str = "{number}%",
) -> str:
    """The curves of all seats.

    `points` has every seat's hundredths, move after move, the end last. `marks` are marked moves,
    each with its title. Colours come from the page, by the classes `seat-0` to `seat-5`; dashes
    tell the seats apart without them.
    """
    last = max(1, len(points) - 1)

    def x(index: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / last, 1)

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (100 - value) / 100, 1)

    parts = [
        f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" data-last="{last}" data-left="{LEFT}" data-right="{RIGHT}">',
        f"<title>{escape(title)}</title>",
    ]
    for level in LEVELS:
        kind = "even" if level == 50 else "level"
        parts.append(
            f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(level)}" '
            f'y2="{y(level)}"/><text x="{LEFT - 6}" y="{y(level) + 4}" text-anchor="end">'
            f"{escape(percent.format(number=level))}</text>"
        )
    step = max(1, -(-last // TICKS))
    parts += [
        f'<text x="{x(index)}" y="{HEIGHT - 6}" text-anchor="middle">{index}</text>'
        for index in range(step, last + 1, step)
    ]
    for index, words in marks.items():
        parts.append(
            f'<line class="turn" x1="{x(index)}" x2="{x(index)}" y1="{TOP}" '
            f'y2="{HEIGHT - BOTTOM}"><title>{escape(words)}</title></line>'
        )
    for seat, name in enumerate(names):
        line = " ".join(f"{x(index)},{y(point[seat])}" for index, point in enumerate(points))
        parts.append(
            f'<polyline class="of seat-{seat}" points="{line}"><title>{escape(name)}</title>'
            "</polyline>"
        )
    parts.append(f'<line class="here" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    return "".join(parts) + "</svg>"
