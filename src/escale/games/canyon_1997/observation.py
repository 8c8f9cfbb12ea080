# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""An observation as numbers: the canoes and slots that a seat sees (docs/adapters.md).

First the cells for each canoe, then the slots of `table.SLOTS`, in its order: those of the
whole table, then those of each seat. All contents are sets: of cards, seats, suits, or of
the values that a number may have. So everything is written as bits.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import mark_each, ones, u64
else:
    from escale.kernel.core import mark_each, ones, u64

ONE = cython.declare(cython.const[u64], 1)

# The number of values of each thing.
CELLS = cython.declare(cython.const[cython.int], 180)
SEATS = cython.declare(cython.const[cython.int], 6)
ROUNDS = cython.declare(cython.const[cython.int], 15)       # from 0, as every number
LAPS = cython.declare(cython.const[cython.int], 9)
CARDS = cython.declare(cython.const[cython.int], 50)
SUITS = cython.declare(cython.const[cython.int], 5)
COUNTS = cython.declare(cython.const[cython.int], 9)        # cards in a hand, bids, tricks
LEFT = cython.declare(cython.const[cython.int], 12)

ANY_BID = cython.declare(cython.const[u64], 0x1FF)

# The start of the table's slots, and of the first seat's; the length of a seat's slots.
TABLE = cython.declare(cython.int, SEATS * CELLS)
SEAT = cython.declare(cython.int, TABLE + ROUNDS + LAPS + 4 * SEATS + 2 * CARDS)
OF_SEAT = cython.declare(cython.int, 2 * CARDS + SUITS + 4 * COUNTS + LEFT)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def alone(number: cython.int) -> u64:
    """The set of one number; the empty set for -1."""
    return ONE << number if number >= 0 else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write(out: cython.p_float, start: cython.int, bits: u64, size: cython.int) -> cython.int:
    """Write 1 for each member of a set of at most `size`; return the start of the next slot."""
    mark_each(out, start, bits)
    return start + size


def numbers():
    """The length of an observation."""
    return SEAT + SEATS * OF_SEAT


def write_table(out, marker, laps, drawing, dealer, first, lost, trump, played):
    """Write the slots that belong to no seat."""
    at: cython.int = TABLE
    at = write(out, at, alone(marker), ROUNDS)
    at = write(out, at, alone(laps) if laps else 0, LAPS)
    at = write(out, at, drawing, SEATS)
    at = write(out, at, alone(dealer), SEATS)
    at = write(out, at, alone(first), SEATS)
    at = write(out, at, lost, SEATS)
    at = write(out, at, alone(trump), CARDS)
    write(out, at, played, CARDS)


def write_seat(out, i, other, unshown, cell, hand, card, void, bid, won, left):
    """Write the canoe and the slots of seat i.

    For an `other` seat a hand is a number of cards, and an `unshown` bid may be any.
    """
    if cell >= 0:
        out[i * CELLS + cell] = 1.0
    chosen: u64 = 0
    shown: u64 = 0
    tricks: u64 = 0
    if bid >= 0 and unshown:
        chosen = ANY_BID if other else alone(bid)
    elif bid >= 0:
        shown = alone(bid)
        tricks = alone(won)
    at: cython.int = SEAT + i * OF_SEAT
    at = write(out, at, 0 if other else hand, CARDS)
    at = write(out, at, alone(ones(hand)), COUNTS)
    at = write(out, at, alone(card), CARDS)
    at = write(out, at, void, SUITS)
    at = write(out, at, chosen, COUNTS)
    at = write(out, at, shown, COUNTS)
    at = write(out, at, tricks, COUNTS)
    write(out, at, alone(left), LEFT)
