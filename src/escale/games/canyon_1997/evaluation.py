# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""A seat's estimates in Canyon (1997): the first landing, the tricks of a card, bids and plays.

No search can look ahead over whole games of cards. This search looks to the end of a round,
while all seats play by common sense, and then estimates the race at the usual pace.
"""

from __future__ import annotations

import math

import cython

from escale.games.canyon_1997 import rules
from escale.games.canyon_1997.river import ARROWS as CURRENT
from escale.games.canyon_1997.river import FAR, RIVER, WATERFALL

if cython.compiled:
    from cython.cimports.escale.games.canyon_1997.rules import (
        CanyonState,
        bonus_for,
        hand_size,
        marker_after,
    )
    from cython.cimports.escale.kernel.core import Moves, Random, State, lowest, ones, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.canyon_1997.rules import (
        CanyonState,
        bonus_for,
        hand_size,
        marker_after,
    )
    from escale.kernel.core import State, lowest, ones, u64
    from escale.kernel.evaluation import Evaluation

ONE = cython.declare(cython.const[u64], 1)
SUIT = cython.declare(cython.const[u64], 0x3FF)
NONE = cython.declare(cython.const[cython.int], -1)
TRACK = cython.declare(cython.const[cython.int], 14)
P_DEAL = cython.declare(cython.int, rules.DEAL)
P_BID = cython.declare(cython.int, rules.BID)
P_PLAY = cython.declare(cython.int, rules.PLAY)
DISTANCE = RIVER.distance
DOWNSTREAM = RIVER.downstream

# The forecast of the race, made once for each number of seats and kind of track (see `foresee`).
# Cells with the same forecast are one place: as far from a landing and, on the current, as
# many arrows from the waterfall. LANDS is the chance to have landed after a number of rounds, by
# place and by the marker of the first of them. WORTH is the expected tricks of a card, by hand
# size, cards left, whether it is a trump, and the number of higher unseen cards of its suit; HOLDS
# the chance that a given number of seats after it do not beat it.
ROUNDS = cython.declare(cython.const[cython.int], 24)
PLACES = cython.declare(cython.int)
PLACE_OF = cython.declare(cython.short[180])
CELL_OF = cython.declare(cython.short[96])                  # one of the cells of a place
ARROWS = cython.declare(cython.short[96])                   # to the waterfall; 0 on still water
LANDS = cython.declare(cython.double[8 * 15 * 96 * 25])
WORTH = cython.declare(cython.double[4 * 9 * 9 * 2 * 10])
HOLDS = cython.declare(cython.double[4 * 9 * 9 * 2 * 10 * 6])
FORESEEN = cython.declare(cython.int[8])
if not cython.compiled:
    PLACE_OF, CELL_OF, ARROWS, LANDS = [0] * 180, [0] * 96, [0] * 96, [0.0] * (8 * 15 * 96 * 25)
    WORTH, HOLDS, FORESEEN = [0.0] * 6480, [0.0] * 38880, [0] * 8


# ---- foresight ----


@cython.cfunc
def find_places():
    """Number the places of the river."""
    global PLACES
    i: cython.int
    arrows: cython.int
    cell: cython.int
    place: cython.int = 0
    PLACES = 0
    for i in range(len(DISTANCE)):
        if RIVER.terrain[i] == WATERFALL or DISTANCE[i] >= FAR:
            continue
        arrows = 0
        cell = i
        while cell >= 0 and RIVER.terrain[cell] in CURRENT and arrows < 6:
            arrows += 1
            cell = DOWNSTREAM[cell]
        for place in range(PLACES + 1):
            if place == PLACES:
                CELL_OF[place] = i
                ARROWS[place] = arrows
                PLACES += 1
                break
            if DISTANCE[CELL_OF[place]] == DISTANCE[i] and ARROWS[place] == arrows:
                break
        PLACE_OF[i] = place


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def page(seats: cython.int, short: cython.bint) -> cython.int:
    """The start of a table's part of LANDS, in units of its parts."""
    return 2 * (seats - 3) + (1 if short else 0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lands(part: cython.int, marker: cython.int, place: cython.int) -> cython.int:
    """The start of a place's chances in LANDS."""
    return ((part * 15 + marker) * 96 + place) * 25


@cython.cfunc
def best_place(place: cython.int, steps: cython.int) -> cython.int:
    """The best place `steps` steps nearer to a landing: on the current, far from the fall."""
    i: cython.int
    best: cython.int = place
    rank: cython.int
    best_rank: cython.int = -1
    for i in range(PLACES):
        if DISTANCE[CELL_OF[i]] == DISTANCE[CELL_OF[place]] - steps:
            rank = 9 if ARROWS[i] == 0 else ARROWS[i]
            if ARROWS[place] and ARROWS[i] > ARROWS[place] + steps:
                continue
            if rank > best_rank:
                best = i
                best_rank = rank
    return best


find_places()


def foresee(seats: cython.int, short: cython.bint) -> None:
    """Fill in LANDS and WORTH for a table.

    It assumes that each seat races for itself: canoes in the way are not foreseen.
    """
    i: cython.int
    t: cython.int
    marker: cython.int
    place: cython.int
    size: cython.int
    points: cython.int
    chance: cython.double
    part: cython.int = page(seats, short)
    here: cython.int
    there: cython.int
    distance: cython.int
    paces = [pace(seats, size) for size in range(1, 9)]
    nearer = [[best_place(place, i) for i in range(DISTANCE[CELL_OF[place]])]
              for place in range(PLACES)]
    for t in range(ROUNDS + 1):
        for marker in range(1, TRACK + 1):
            still, bonuses = paces[hand_size(marker) - 1]
            for place in range(PLACES):
                here = lands(part, marker, place) + t
                distance = DISTANCE[CELL_OF[place]]
                if distance == 0 or t == 0:
                    LANDS[here] = 1.0 if distance == 0 else 0.0
                    continue
                after: cython.int = marker_after(marker, short)
                chance = 0.0
                ways = bonuses if ARROWS[place] else still
                for points in range(len(ways)):
                    if points >= distance:
                        chance += ways[points]
                        continue
                    there = nearer[place][points]
                    if ARROWS[place] and points == 0:
                        i = DOWNSTREAM[CELL_OF[place]]
                        there = PLACE_OF[RIVER.footbridge if RIVER.terrain[i] == WATERFALL else i]
                    chance += ways[points] * LANDS[lands(part, after, there) + t - 1]
                LANDS[here] = chance
    for size in range(1, 9):
        for i in range(1, size + 1):
            foresee_cards(seats, size, i)
    FORESEEN[part] = 1


def pace(seats: int, size: int) -> tuple[list[float], list[float]]:
    """The probabilities of each number of points on still water, and of each bonus on the current.

    The rate of exact bids is fitted to games of the search against itself: the more cards, and the
    fewer seats, the less often.
    """
    still, bonuses = [0.0] * 12, [0.0] * 4
    exact = (0.74 + 0.03 * seats) * size ** (0.1 * seats - 0.85)
    for won in range(size + 1):
        chance = math.comb(size, won) * (1 / seats) ** won * (1 - 1 / seats) ** (size - won)
        bonus = min(won + 1, 3)
        still[won + bonus] += chance * exact
        still[won] += chance * (1 - exact)
        bonuses[bonus] += chance * exact
        bonuses[0] += chance * (1 - exact)
    return still, bonuses


def foresee_cards(seats: int, size: int, left: int) -> None:
    """Fill in WORTH and HOLDS for hands of one size that have `left` cards left.

    The curves are fitted to the tricks of cards in games of seats that play by `_prefer`.
    """
    unseen = 49 - seats * (size - left) - left
    for trump in (0, 1):
        for above in range(10):
            held = (seats - 1) * left / unseen      # the probability of an unseen card in a hand
            if trump:
                worth = math.exp(-(0.07 + 0.17 * held) * above)
            else:
                top = 1 / seats + 0.055 * (left - 1)
                worth = top * math.exp(-(0.1 + 0.85 * held) * above)
            at = ((((seats - 3) * 9 + size) * 9 + left) * 2 + trump) * 10 + above
            WORTH[at] = worth
            for later in range(seats):
                held = later * left / unseen
                beaten = 0.5 if trump else 0.7
                HOLDS[at * 6 + later] = (1 - beaten * min(held, 1)) ** above * (
                    1 if trump else 0.92 ** later
                )


# ---- expectations ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def estimated(state: CanyonState, shares: cython.p_double) -> cython.bint:
    """Between two rounds: the chances of each seat to land first, at the usual pace."""
    i: cython.int
    j: cython.int
    t: cython.int
    base: cython.int[6]
    late: cython.double[6]
    part: cython.int
    chance: cython.double
    rest: cython.double = 1.0
    if state.phase != P_DEAL or state.dealt:
        return False
    if not cython.compiled:
        base, late = [0] * 6, [0.0] * 6
    part = page(state.seats, state.short)
    for i in range(state.seats):
        base[i] = lands(part, state.marker, PLACE_OF[state.at[i]])
        shares[i] = 0.0
    for t in range(1, ROUNDS + 1):
        for i in range(state.seats):
            late[i] = 1.0 - 0.5 * (LANDS[base[i] + t] + LANDS[base[i] + t - 1])
        for i in range(state.seats):
            chance = LANDS[base[i] + t] - LANDS[base[i] + t - 1]
            for j in range(state.seats):
                if j != i:
                    chance *= late[j]
            shares[i] += chance
    for i in range(state.seats):
        rest -= shares[i]
    for i in range(state.seats):
        shares[i] += rest / state.seats
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def entry(card: cython.int, hand: cython.int, trump: cython.int, unseen: u64) -> cython.int:
    """The index in WORTH of a card in a kind of hand, by the cards that can beat it."""
    suit: cython.int = card // 10
    above: u64 = (SUIT << (10 * suit)) & ~((ONE << (card + 1)) - 1)
    return 10 * (2 * hand + (1 if suit == trump else 0)) + ones(above & unseen)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def kind_of_hand(state: CanyonState, left: cython.int) -> cython.int:
    """A number for hands at this table that have `left` cards left."""
    return ((state.seats - 3) * 9 + hand_size(state.marker)) * 9 + left


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fair_bid(state: CanyonState, seat: cython.int) -> cython.int:
    """The bid with the greatest expected bonus, if each card takes its trick independently."""
    i: cython.int
    chance: cython.double[9]
    worth: cython.double
    size: cython.int = hand_size(state.marker)
    hand: cython.int = kind_of_hand(state, size)
    trump: cython.int = state.trump // 10
    unseen: u64 = state.unseen(seat)
    cards: u64 = state.hand[seat]
    best: cython.int = 0
    if not cython.compiled:
        chance = [0.0] * 9
    for i in range(9):
        chance[i] = 0.0
    chance[0] = 1.0
    while cards:
        worth = WORTH[entry(lowest(cards), hand, trump, unseen)]
        for i in range(size, 0, -1):
            chance[i] += worth * (chance[i - 1] - chance[i])
        chance[0] *= 1.0 - worth
        cards &= cards - 1
    for i in range(1, size + 1):
        if chance[i] * bonus_for(i) > chance[best] * bonus_for(best):
            best = i
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def suppose_bids(state: CanyonState, thinker: cython.int) -> cython.void:
    """Replace the secret bids of other seats by the bids that their hands promise."""
    i: cython.int
    if state.secret and state.phase == P_BID:
        for i in range(state.seats):
            if i != thinker and state.bid[i] != NONE:
                state.bid[i] = fair_bid(state, i)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fair_card(state: CanyonState, moves: Moves) -> cython.int:
    """The card with the best chance to meet the bid, if each takes its trick independently.

    Tricks count a little too; a seat that can no longer meet its bid wants every one.
    """
    i: cython.int
    j: cython.int
    k: cython.int
    seat: cython.int = state.turn
    left: cython.int = ones(state.hand[seat])
    hand: cython.int = kind_of_hand(state, left)
    trump: cython.int = state.trump // 10
    need: cython.int = state.bid[seat] - state.won[seat]
    possible: cython.bint = 0 <= need <= left
    unseen: u64 = state.unseen(seat)
    cards: u64 = state.hand[seat]
    held: cython.int[8]
    worth: cython.double[8]
    chance: cython.double[9]
    top: cython.int = NONE
    later: cython.int = state.seats - 1
    card: cython.int
    takes: cython.double
    tricks: cython.double
    value: cython.double
    best: cython.int = NONE
    best_value: cython.double = 0.0
    if not cython.compiled:
        held, worth, chance = [0] * 8, [0.0] * 8, [0.0] * 9
    for i in range(state.seats):
        if state.laid[i] != NONE:
            later -= 1
            top = max(top, state.rank(state.laid[i]))
    for i in range(left):
        held[i] = lowest(cards)
        worth[i] = WORTH[entry(held[i], hand, trump, unseen)]
        cards &= cards - 1
    for k in range(moves.count):
        card = cython.cast(cython.int, moves.items[k])
        takes = 0.0
        if state.led == NONE or state.rank(card) > top:
            takes = HOLDS[6 * entry(card, hand, trump, unseen) + later]
        tricks = takes
        for j in range(9):
            chance[j] = 0.0
        chance[0] = 1.0
        for i in range(left):
            if held[i] == card:
                continue
            tricks += worth[i]
            if possible:
                for j in range(need, 0, -1):
                    chance[j] += worth[i] * (chance[j - 1] - chance[j])
                chance[0] *= 1.0 - worth[i]
        value = 0.1 * tricks
        if possible:
            value += (1.0 - takes) * chance[need]
            if need:
                value += takes * chance[need - 1]
        if best == NONE or value > best_value:
            best = card
            best_value = value
    return best


@cython.final
@cython.cclass
class CanyonEvaluation(Evaluation):
    """Common sense at the table, and the forecast of the race."""

    def prepare(self, state: CanyonState) -> None:
        """Fill in the forecasts for a table of that kind."""
        if not FORESEEN[page(state.seats, state.short)]:
            foresee(state.seats, state.short)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self, state: State, shares: cython.p_double) -> cython.bint:
        return estimated(cython.cast(CanyonState, state), shares)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _suppose(self, state: State, seat: cython.int, random: Random) -> cython.void:
        suppose_bids(cython.cast(CanyonState, state), seat)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _prefer(self, state: State, moves: Moves, random: Random) -> u64:
        # A seat bids the promise of its hand, plays to meet the bid, and paddles anywhere.
        if moves.count > 1:
            if cython.cast(CanyonState, state).phase == P_BID:
                return cython.cast(u64, fair_bid(cython.cast(CanyonState, state), state.turn))
            if cython.cast(CanyonState, state).phase == P_PLAY:
                return cython.cast(u64, fair_card(cython.cast(CanyonState, state), moves))
        return moves.items[random._below(moves.count)]
