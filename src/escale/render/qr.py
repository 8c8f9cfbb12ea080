"""QR codes: of an address, for the camera of a phone, on a page or in a terminal."""

from __future__ import annotations

from io import BytesIO

import segno

BORDER = 4
"""Light modules around a code on a page, as many as readers demand."""
TERMINAL_BORDER = 2
"""The same in a terminal, which has less room; readers still find the code."""
BLACK_ON_WHITE, NORMAL = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
"""Fixed colours, whatever those of the terminal: many readers do not see a negative code."""
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""A character shows two modules, one above the other."""


def qr_svg(address: str) -> str:
    """The code as an SVG document that fills its frame, on a ground of its own."""
    code = BytesIO()
    segno.make_qr(address, error="m").save(
        code, kind="svg", border=BORDER, dark="#000", light="#fff", xmldecl=False, omitsize=True,
    )
    return code.getvalue().decode()


def qr_lines(address: str, width: int) -> list[str]:
    """The code as lines of a terminal; empty if the terminal is not wide enough.

    >>> qr_lines("http://192.0.2.7:8000/", 28)
    []
    >>> len(qr_lines("http://192.0.2.7:8000/", 29))
    15
    """
    code = segno.make_qr(address, error="l")
    rows = [tuple(row) for row in code.matrix_iter(border=TERMINAL_BORDER)]
    if len(rows[0]) > width:
        return []
    rows += [(0,) * len(rows[0])] * (len(rows) % 2)
    return [
        BLACK_ON_WHITE + "".join(HALVES[pair] for pair in zip(above, below, strict=True)) + NORMAL
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    ]
