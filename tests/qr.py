"""Reads QR codes from the drawings that pages show, as the camera of a phone would.

The drawings are clean, so that nothing has to be corrected; the positions of data are those of
ISO/IEC 18004.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from segno import consts

MASKS: list[Callable[[int, int], bool]] = [
    lambda i, j: (i + j) % 2 == 0, lambda i, j: i % 2 == 0, lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0, lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0, lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]
BLOCKS: Any = consts.ECC
FORMAT_MASK = 0b101010000010010
LEVELS = {0b01: consts.ERROR_LEVEL_L, 0b00: consts.ERROR_LEVEL_M,
          0b11: consts.ERROR_LEVEL_Q, 0b10: consts.ERROR_LEVEL_H}


def read_qr(svg: str, border: int = 4) -> str:
    """The text of a code that stands in an SVG drawing."""
    matrix = _modules(svg, border)
    size = len(matrix)
    version = (size - 17) // 4
    format_bits = 0
    for j in (0, 1, 2, 3, 4, 5, 7, 8):
        format_bits = format_bits << 1 | matrix[8][j]
    for i in (7, 5, 4, 3, 2, 1, 0):
        format_bits = format_bits << 1 | matrix[i][8]
    format_bits ^= FORMAT_MASK
    level, mask = LEVELS[format_bits >> 13], MASKS[format_bits >> 10 & 7]
    bits = [matrix[i][j] ^ mask(i, j) for i, j in _data_places(size, version)]
    codewords = [
        int("".join(map(str, map(int, bits[at: at + 8]))), 2) for at in range(0, len(bits) - 7, 8)
    ]
    data = "".join(f"{word:08b}" for word in _joined(codewords, BLOCKS[version][level]))
    mode, data = int(data[:4], 2), data[4:]
    assert mode == 0b0100, "expected a code in bytes"
    width = 8 if version < 10 else 16
    count, data = int(data[:width], 2), data[width:]
    return bytes(int(data[8 * n: 8 * n + 8], 2) for n in range(count)).decode()


def _modules(svg: str, border: int) -> list[list[int]]:
    """The dark modules: horizontal strokes of the path, one module high."""
    found = re.search(r'<path[^>]*stroke="#000"[^>]*d="([^"]+)"', svg) \
        or re.search(r'<path[^>]* d="(M[\d.]+ [\d.]+h[^"]*)"[^>]*stroke', svg)
    assert found is not None, svg[:300]
    strokes: list[tuple[int, int, int]] = []
    x = y = 0.0
    for verb, numbers in re.findall(r"([Mmhv])([-\d. ]+)", found[1]):
        values = [float(each) for each in numbers.split()]
        if verb == "M":
            x, y = values
        elif verb == "m":
            x, y = x + values[0], y + values[1]
        elif verb == "h":
            strokes.append((int(y), int(x), int(values[0])))
            x += values[0]
    size = max(row for row, _, _ in strokes) + 1 - border
    matrix = [[0] * size for _ in range(size)]
    for row, column, length in strokes:
        for each in range(column, column + length):
            matrix[row - border][each - border] = 1
    return matrix


def _data_places(size: int, version: int) -> Iterator[tuple[int, int]]:
    """Where the data stands, in its order: in pairs of columns, from the right, up and down."""
    centres = list(consts.ALIGNMENT_POS[version - 2]) if version > 1 else []
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}

    def is_function(i: int, j: int) -> bool:
        if 6 in (i, j) or (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9):
            return True
        if version >= 7 and ((i < 6 and j >= size - 11) or (j < 6 and i >= size - 11)):
            return True
        return any(
            abs(i - a) <= 2 and abs(j - b) <= 2
            for a in centres for b in centres if (a, b) not in corners
        )

    upwards = True
    column = size - 1
    while column > 0:
        column -= column == 6
        rows = range(size - 1, -1, -1) if upwards else range(size)
        for i in rows:
            for j in (column, column - 1):
                if not is_function(i, j):
                    yield i, j
        upwards, column = not upwards, column - 2


def _joined(codewords: list[int], blocks: Any) -> list[int]:
    """The data of all blocks, whose words stand in turn."""
    lengths = [block.num_data for block in blocks for _ in range(block.num_blocks)]
    joined: list[list[int]] = [[] for _ in lengths]
    words = iter(codewords)
    for at in range(max(lengths)):
        for block, length in zip(joined, lengths, strict=True):
            if at < length:
                block.append(next(words))
    return [word for block in joined for word in block]
