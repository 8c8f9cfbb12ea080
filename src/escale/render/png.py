"""SVG documents as PNG pictures, by resvg: no browser is needed, and no font of the system.

Text is set in the one font that comes with the house, so that a picture is the same on
every machine.
"""

from __future__ import annotations

import re
from pathlib import Path

import resvg_py

FONT = Path(__file__).parent / "fonts" / "fraunces-latin-600-normal.ttf"
FAMILY = "Fraunces"
_WRITABLE = re.compile(
    "[ -~\xa0-\xff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2026\u20ac]*"
)


def png(svg: str, *, width: int | None = None, background: str | None = None) -> bytes:
    """The picture of a drawing, in its own size or `width` pixels wide.

    Without a `background` it is transparent where nothing is drawn.
    """
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, background=background, skip_system_fonts=True,
        font_files=[str(FONT)], font_family=FAMILY, serif_family=FAMILY, sans_serif_family=FAMILY,
        monospace_family=FAMILY,
    )


def writable(words: str) -> bool:
    """Whether the font has all these letters; a person's name may be in any script."""
    return _WRITABLE.fullmatch(words) is not None
