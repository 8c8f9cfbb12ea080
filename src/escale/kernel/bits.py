"""Sets of cells as numbers, the way compiled rules keep them."""

from __future__ import annotations

from collections.abc import Iterator


def each_bit(bits: int) -> Iterator[int]:
    """The indices of the set bits, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
