# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Other hands for the others: all deals that a seat cannot exclude are equally likely."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Random, lowest, ones, u64
else:
    from escale.kernel.core import lowest, ones, u64

ONE = cython.declare(cython.const[u64], 1)
SUIT = cython.declare(cython.const[u64], 0x3FF)


def deal_anew(hands, void, seats, seat, unseen, random):
    """Other hands for all but `seat`, drawn evenly from the `unseen` cards.

    `void` are the suits, as bits, that each seat has shown not to have. Seats with a suit that they
    cannot have are dealt first, from the cards that they can; the seat with the least choice comes
    first. The more room they leave to each other, the less often such a deal occurs; to
    make up for that, deals are refused in proportion to the room that they lack of the maximum.
    """
    order: cython.int[6]
    room: cython.int[6]
    if not cython.compiled:
        order, room = [0] * 6, [0] * 6
    i: cython.int
    j: cython.int
    count: cython.int = 0
    for i in range(seats):
        if i == seat or void[i] == 0 or hands[i] == 0:
            continue
        room[i] = ones(unseen & ~gaps(void[i])) - ones(hands[i])
        j = count
        while j > 0 and room[order[j - 1]] > room[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
        count += 1
    while not try_deal(hands, void, seats, seat, unseen, order, count, random):
        pass


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_deal(
    hands: cython.pointer[u64], void: cython.p_int, seats: cython.int, seat: cython.int,
    unseen: u64, order: cython.p_int, count: cython.int, random: Random,
) -> cython.bint:
    """Deal to the seats in `order`, then to the others; False if the deal is refused."""
    i: cython.int
    j: cython.int
    k: cython.int
    size: cython.int
    left: cython.int
    most: cython.int
    given: cython.int = 0                       # cards dealt so far
    could: u64 = 0                              # and those they could have been
    room: cython.double = 1.0
    enough: cython.double = (random._next() >> 11) * 1.1102230246251565e-16     # 2 ** -53
    rest: u64 = unseen
    mine: u64
    for k in range(count):
        i = order[k]
        size = ones(hands[i])
        mine = unseen & ~gaps(void[i])
        # The earlier seats took from these all cards that they could not have from elsewhere.
        most = ones(mine) - max(0, given - ones(could & ~mine))
        given += size
        could |= mine
        mine &= rest
        left = ones(mine)
        if left < size:
            return False
        for j in range(size):
            room *= (left - j + 0.0) / (most - j)
        if room < enough:
            return False
        hands[i] = deal(mine, size, random)
        rest &= ~hands[i]
    for i in range(seats):
        if i != seat and void[i] == 0:
            hands[i] = deal(rest, ones(hands[i]), random)
            rest &= ~hands[i]
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def gaps(void: cython.int) -> u64:
    """Every card of these suits."""
    suit: cython.int
    cards: u64 = 0
    for suit in range(5):
        if void >> suit & 1:
            cards |= SUIT << (10 * suit)
    return cards


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def deal(cards: u64, count: cython.int, random: Random) -> u64:
    """`count` of these cards, drawn evenly."""
    i: cython.int
    j: cython.int
    card: cython.int
    room: cython.int = 0
    hand: u64 = 0
    pack: cython.int[50]
    if not cython.compiled:
        pack = [0] * 50
    while cards:
        pack[room] = lowest(cards)
        room += 1
        cards &= cards - 1
    for i in range(count):
        j = i + random._below(room - i)
        card = pack[j]
        pack[j] = pack[i]
        pack[i] = card
        hand |= ONE << card
    return hand
