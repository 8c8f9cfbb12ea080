"""A card to share: a board beside a few words, in the size in which other sites show links."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from escale.render.svg import NAMESPACE, bare, number

WIDTH, HEIGHT = 1200, 630
MARGIN = 44.0
BROAD_RATIO = 1.75
"""A board this many times as wide as high is placed under the words, not beside them."""
BOARD_WIDTH = 690.0
"""A board beside the words."""
LETTER_WIDTH = 0.53
"""The width of a letter, on average, for a size of 1."""
PAPER, INK, SOFT, SEA, RUST, PLANK = (
    "#f6efe1", "#2b2119", "#65543f", "#17566a", "#a63e1f", "#b98a55",
)
MARK = f"""<svg xmlns="{NAMESPACE}" viewBox="0 0 64 64">
  <circle fill="{RUST}" cx="32" cy="15" r="8"/><path fill="{RUST}" d="M27 22h10l5 17H22z"/>
  <path fill="{PLANK}" d="M6 36c8 4 16 5 26 5s18-1 26-5c-2 10-9 16-17 16H23C15 52 8 46 6 36z"/>
  <path fill="none" stroke="{SEA}" stroke-width="4" stroke-linecap="round"
    d="M4 58q7-5 14 0t14 0 14 0 14 0"/>
</svg>"""


def share_card(board: str, *, house: str, heading: str, lines: Sequence[str]) -> str:
    """The card as an SVG document; `board` is one, too, with its definitions."""
    root = ET.Element("svg", {
        "xmlns": NAMESPACE, "width": str(WIDTH), "height": str(HEIGHT),
        "viewBox": f"0 0 {WIDTH} {HEIGHT}",
    })
    ET.SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    drawing = bare(board)
    _, _, across, down = map(float, drawing.get("viewBox", "").split())
    if across / down >= BROAD_RATIO:
        height = HEIGHT - 4.6 * MARGIN
        width = min(WIDTH - 2 * MARGIN, height * across / down)
        height = width * down / across
        _put(root, drawing, (WIDTH - width) / 2, HEIGHT - MARGIN - height, width, height)
        root.extend(_broad(house, heading, lines))
    else:
        height = HEIGHT - 2 * MARGIN
        width = min(BOARD_WIDTH, height * across / down)
        height = width * down / across
        _put(root, drawing, WIDTH - MARGIN - width, (HEIGHT - height) / 2, width, height)
        root.extend(_column(house, heading, lines, WIDTH - 3 * MARGIN - width))
    return ET.tostring(root, encoding="unicode")


def _put(root: ET.Element, drawing: ET.Element, *frame: float) -> None:
    for name, value in zip(("x", "y", "width", "height"), frame, strict=True):
        drawing.set(name, number(value))
    root.append(drawing)


def _column(
    house: str, heading: str, lines: Sequence[str], width: float
) -> Iterator[ET.Element]:
    """The words in a column: the house on top, then the heading, then the lines."""
    yield from _brand(house, MARGIN)
    title = min(76.0, width / (LETTER_WIDTH * len(heading)))
    y = 232.0
    yield _text(heading, MARGIN, y, title, INK)
    for line in lines:
        y += 24
        for part in _wrapped(line, width, 32):
            y += 40
            yield _text(part, MARGIN, y, 32, SOFT)


def _broad(house: str, heading: str, lines: Sequence[str]) -> Iterator[ET.Element]:
    """The words above a broad board: two lines, and the house at the right."""
    mark = 210.0
    yield from _brand(house, WIDTH - MARGIN - mark)
    yield _text(heading, MARGIN, 92, 60, INK)
    line_so_far, *more = lines
    for line in more:                           # as many lines as there is room for
        longer = f"{line_so_far} · {line}"
        line_so_far = longer if len(_wrapped(longer, WIDTH - 2 * MARGIN, 30)) == 1 else line_so_far
    yield _text(_wrapped(line_so_far, WIDTH - 2 * MARGIN, 30)[0], MARGIN, 148, 30, SOFT)


def _brand(house: str, x: float) -> Iterator[ET.Element]:
    mark = bare(MARK)
    for name, value in (("x", x), ("y", 38.0), ("width", 64.0), ("height", 64.0)):
        mark.set(name, number(value))
    yield mark
    yield _text(house, x + 80, 86, 44, INK)


def _wrapped(line: str, width: float, size: float) -> list[str]:
    return textwrap.wrap(line, int(width / (LETTER_WIDTH * size)), break_on_hyphens=False) or [""]


def _text(words: str, x: float, y: float, size: float, fill: str) -> ET.Element:
    element = ET.Element("text", {
        "x": number(x), "y": number(y), "font-size": number(size), "fill": fill,
    })
    element.text = words.replace("\u202f", "\xa0")      # a space that the font does not have
    return element
