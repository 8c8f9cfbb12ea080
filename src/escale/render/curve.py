"""Every seat's expected share, move by move, as SVG: areas in the seats' colours, stacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 26
"""Room beside the curve for names and numbers."""
LEVELS = (0, 25, 50, 75, 100)
TICKS = 8
"""The approximate number of moves that are numbered below."""


def curve(
    points: Sequence[Sequence[int]], seats: Sequence[tuple[str, str]], title: str,
    marks: Mapping[int, str], percent: str = "{number}%",
) -> str:
    """The expected shares of all seats, the first seat's at the bottom.

    `points` has every seat's hundredths, move after move, the end last; `seats` their names and
    colours. `marks` are moves that are marked, each with its sentence. With two seats the line
    between the areas is the curve of the first; lines separate areas also without colours. The
    first points may be empty: they are not known yet, and nothing is drawn there.
    """
    last = max(1, len(points) - 1)
    known = [(index, point) for index, point in enumerate(points) if point]

    def x(index: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * index / last, 1)

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (100 - value) / 100, 1)

    def edge(seat: int) -> list[str]:
        """The upper edge of the first `seat` areas, from left to right."""
        return [
            f"{x(index)},{y(100 * sum(point[:seat]) / max(1, sum(point)))}"
            for index, point in known
        ]

    parts = [
        f'<svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" data-last="{last}" data-left="{LEFT}" data-right="{RIGHT}">',
        f"<title>{escape(title)}</title>",
    ]
    for seat, (name, colour) in enumerate(seats):
        area = " ".join([*edge(seat), *reversed(edge(seat + 1))])
        parts.append(
            f'<polygon class="area" fill="{colour}" points="{area}">'
            f"<title>{escape(name)}</title></polygon>"
        )
    parts += [
        f'<polyline class="between" points="{" ".join(edge(seat))}"/>'
        for seat in range(1, len(seats))
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
    parts.append(f'<line class="here" x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    return "".join(parts) + "</svg>"
