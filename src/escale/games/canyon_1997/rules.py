# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Canyon's rules: deal, bid, take tricks, and race canoes by the points that come of it.

A card is a number: ten times its suit (blue, red, green, yellow, purple) plus its value minus one.
A cell is six times its row plus its column. What the river is like stands in tables that `lay_out`
fills in from the map. A move is one number, and the phase says of what:

    DRAW   chance: the card that the next contender draws, to find the dealer
    PLACE  the start cell of a canoe
    DEAL   chance: the next card, to a hand; when all hands are full, the one turned up
    BID    the number of tricks announced
    PLAY   the card played
    MOVE   the cell chosen, where a canoe can end its move on several
    OVER   nothing

A move has two parts. `touch` does what was decided; then `flow` does, one thing at a time, what
nobody decides: taking a trick, a canoe that drifts or has one place to go, the next round.
"""

from __future__ import annotations

import math
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        Moves,
        Random,
        State,
        add,
        lowest,
        mix,
        ones,
        u64,
    )
else:
    from escale.kernel.core import State, add, lowest, mix, ones, u64

DRAW, PLACE, DEAL, BID, PLAY, MOVE, OVER = range(7)

P_DRAW = cython.declare(cython.const[cython.int], 0)
P_PLACE = cython.declare(cython.const[cython.int], 1)
P_DEAL = cython.declare(cython.const[cython.int], 2)
P_BID = cython.declare(cython.const[cython.int], 3)
P_PLAY = cython.declare(cython.const[cython.int], 4)
P_MOVE = cython.declare(cython.const[cython.int], 5)
P_OVER = cython.declare(cython.const[cython.int], 6)

# How a game ends, in the order of the facts' list.
LANDED = cython.declare(cython.const[cython.int], 0)
SHARED = cython.declare(cython.const[cython.int], 1)
TOGETHER = cython.declare(cython.const[cython.int], 2)

ONE = cython.declare(cython.const[u64], 1)
SUIT = cython.declare(cython.const[u64], 0x3FF)
DECK = cython.declare(cython.const[u64], 0x3FFFFFFFFFFFF)
NONE = cython.declare(cython.const[cython.int], -1)
CELLS = cython.declare(cython.const[cython.int], 180)
TRACK = cython.declare(cython.const[cython.int], 14)
FAR = cython.declare(cython.const[cython.int], 99)          # the distance of rocks and mountains

# The river, laid out once: what a cell is, its neighbours (up to eight, then -1), its distance from
# a landing, and where its arrow leads.
TERRAIN = cython.declare(cython.char[180])
STEPS = cython.declare(cython.short[1440])
DISTANCE = cython.declare(cython.short[180])
DOWNSTREAM = cython.declare(cython.short[180])
FOOTBRIDGE = cython.declare(cython.int)
if not cython.compiled:
    TERRAIN, STEPS, DISTANCE, DOWNSTREAM = [0] * 180, [0] * 1440, [0] * 180, [0] * 180

T_START = cython.declare(cython.const[cython.int], 1)
T_LANDING = cython.declare(cython.const[cython.int], 2)
T_WATERFALL = cython.declare(cython.const[cython.int], 3)
T_CURRENT = cython.declare(cython.const[cython.int], 4)


# How the race goes on, foreseen once for each number of seats and kind of track (see `foresee`).
# Cells from which it goes on alike are one place: as far from a landing and, on the current, as
# many arrows from the waterfall. LANDS is the chance to have landed after so many rounds, by place
# and by the marker of the first of them. WORTH is the tricks to expect of a card, by hand size,
# cards left, whether it is a trump, and how many unseen cards of its suit are higher; HOLDS the
# chance that so many seats after it do not beat it.
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


def lay_out(
    terrain: str, steps: list[list[int]], distance: list[int], downstream: list[int],
    footbridge: cython.int,
) -> None:
    """Fill in the tables: all rules follow this river from now on."""
    global FOOTBRIDGE
    i: cython.int
    j: cython.int
    kinds = {"S": 1, "L": 2, "W": 3, ">": 4, "<": 4, "^": 4, "v": 4}
    FOOTBRIDGE = footbridge
    for i in range(CELLS):
        TERRAIN[i] = kinds.get(terrain[i], 0)
        DISTANCE[i] = distance[i]
        DOWNSTREAM[i] = downstream[i]
        near = [*steps[i], -1, -1, -1, -1, -1, -1, -1, -1]
        for j in range(8):
            STEPS[8 * i + j] = near[j]
    find_places()


# ---- foresight ----


@cython.cfunc
def find_places():
    """Number the places of the river."""
    global PLACES
    i: cython.int
    arrows: cython.int
    cell: cython.int
    place: cython.int
    PLACES = 0
    for i in range(8):
        FORESEEN[i] = 0
    for i in range(CELLS):
        if TERRAIN[i] == T_WATERFALL or DISTANCE[i] >= FAR:
            continue
        arrows = 0
        cell = i
        while cell >= 0 and TERRAIN[cell] == T_CURRENT and arrows < 6:
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
def hand_size(marker: cython.int) -> cython.int:
    """Cards in a full hand, by the marker: 8 7 6 5 4 3 2 1 2 3 4 5 6 7."""
    return 9 - marker if marker <= 8 else marker - 7


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def marker_after(marker: cython.int, short: cython.bint) -> cython.int:
    """Where the marker goes next."""
    if short and marker == 5:
        return 10
    return marker + 1 if marker < TRACK else 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def page(seats: cython.int, short: cython.bint) -> cython.int:
    """Where a table's part of LANDS begins, in units of its parts."""
    return 2 * (seats - 3) + (1 if short else 0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lands(part: cython.int, marker: cython.int, place: cython.int) -> cython.int:
    """Where a place's chances begin in LANDS."""
    return ((part * 15 + marker) * 96 + place) * 25


@cython.cfunc
def best_place(place: cython.int, steps: cython.int) -> cython.int:
    """The best place so many steps nearer to a landing: on the current, far from the fall."""
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


def foresee(seats: cython.int, short: cython.bint) -> None:
    """Fill in what LANDS and WORTH say for a table, once.

    Seats are supposed to race each for itself: canoes in the way are not foreseen.
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
    if FORESEEN[part]:
        return
    FORESEEN[part] = 1
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
                        there = PLACE_OF[FOOTBRIDGE if TERRAIN[i] == T_WATERFALL else i]
                    chance += ways[points] * LANDS[lands(part, after, there) + t - 1]
                LANDS[here] = chance
    for size in range(1, 9):
        for i in range(1, size + 1):
            foresee_cards(seats, size, i)


def pace(seats: int, size: int) -> tuple[list[float], list[float]]:
    """How likely each number of points is on still water, and each bonus on the current.

    How often bids are met is fitted to games of the search against itself: the more cards, and the
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
    """Fill in WORTH and HOLDS for hands that were of one size and have so many cards left.

    The curves are fitted to what cards came to in games of seats that play by `prefer`.
    """
    unseen = 49 - seats * (size - left) - left
    for trump in (0, 1):
        for above in range(10):
            held = (seats - 1) * left / unseen      # how likely an unseen card is in a hand
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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def suit_of(card: cython.int) -> cython.int:
    """0 to 4."""
    return card // 10


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bonus_for(bid: cython.int) -> cython.int:
    """What an exact bid is worth."""
    return bid + 1 if bid < 2 else 3


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def deal(cards: u64, count: cython.int, random: Random) -> u64:
    """So many of these cards, drawn evenly."""
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
        j = i + random.below(room - i)
        card = pack[j]
        pack[j] = pack[i]
        pack[i] = card
        hand |= ONE << card
    return hand


@cython.final
@cython.cclass
class CanyonState(State):
    """Everything on the table, the hands included; arrays have an entry for each seat."""

    phase = cython.declare(cython.int, visibility="readonly")
    dealer = cython.declare(cython.int, visibility="readonly")      # NONE while it is drawn for
    marker = cython.declare(cython.int, visibility="readonly")      # on the round track, 1 to 14
    short = cython.declare(cython.bint, visibility="readonly")      # rounds 6 to 9 are skipped
    dealt = cython.declare(cython.int, visibility="readonly")       # cards dealt this round
    trump = cython.declare(cython.int, visibility="readonly")       # the card turned up, or NONE
    led = cython.declare(cython.int, visibility="readonly")         # the suit led, or NONE
    moved = cython.declare(cython.int, visibility="readonly")       # canoes that had their move
    drawing = cython.declare(cython.int, visibility="readonly")     # seats yet to draw for dealer
    lost = cython.declare(cython.int, visibility="readonly")        # seats whose move fell away
    played = cython.declare(u64, visibility="readonly")             # cards of the tricks taken
    hand: u64[6]
    at: cython.int[6]           # the canoe's cell, or NONE
    bid: cython.int[6]          # or NONE
    won: cython.int[6]          # tricks
    laid: cython.int[6]         # the card before a seat, in the draw or in the trick, or NONE
    left: cython.int[6]         # points left over by a canoe that landed, or NONE
    void: cython.int[6]         # suits, as bits, that a seat has shown not to have

    def __init__(self, seats: cython.int = 3, short: cython.bint = False):
        i: cython.int
        State.__init__(self)
        if not cython.compiled:
            self.hand, self.at, self.bid, self.won = [0] * 6, [0] * 6, [0] * 6, [0] * 6
            self.laid, self.left, self.void = [0] * 6, [0] * 6, [0] * 6
        self.seats = seats
        self.short = short
        self.capacity = 50
        self.turn = -1
        self.phase = P_DRAW
        self.dealer = NONE
        self.marker = 1
        self.drawing = (1 << seats) - 1
        for i in range(6):
            self.at[i] = NONE
        self.clear()
        self.resume(0, 1)
        foresee(seats, short)

    # ---- the Python side ----

    def restore(self, content: object, keys: list[int]) -> None:
        """`State.restore`; this process may not have met such a table yet."""
        State.restore(self, content, keys)
        foresee(self.seats, self.short)

    def table(self) -> dict[str, Any]:
        """All that `lay` takes."""
        n = self.seats
        return {
            "phase": self.phase, "turn": self.turn, "dealer": self.dealer, "marker": self.marker,
            "dealt": self.dealt, "trump": self.trump, "led": self.led, "moved": self.moved,
            "drawing": self.drawing, "lost": self.lost, "played": self.played,
            "hand": [self.hand[i] for i in range(n)], "at": [self.at[i] for i in range(n)],
            "bid": [self.bid[i] for i in range(n)], "won": [self.won[i] for i in range(n)],
            "laid": [self.laid[i] for i in range(n)], "left": [self.left[i] for i in range(n)],
            "void": [self.void[i] for i in range(n)],
        }

    def lay(self, table: dict[str, Any]) -> None:
        """Set everything up as `table` says; whether it makes sense is not checked."""
        i: cython.int
        self.phase, self.turn, self.dealer = table["phase"], table["turn"], table["dealer"]
        self.marker, self.dealt, self.trump = table["marker"], table["dealt"], table["trump"]
        self.led, self.moved, self.drawing = table["led"], table["moved"], table["drawing"]
        self.lost, self.played = table["lost"], table["played"]
        for i in range(self.seats):
            self.hand[i], self.at[i] = table["hand"][i], table["at"][i]
            self.bid[i], self.won[i] = table["bid"][i], table["won"][i]
            self.laid[i], self.left[i] = table["laid"][i], table["left"][i]
            self.void[i] = table["void"][i]
        self.resume(self.plies, 1)

    def begin(self, move: u64) -> None:
        """The part of a legal move that was decided; `go_on` does the rest, step by step."""
        self.touch(move)

    def go_on(self) -> bool:
        """Let one more thing happen that nobody decides; False when there is none."""
        return self.flow()

    def choices(self, seat: cython.int, points: cython.int) -> dict[int, int]:
        """Where a canoe with so many points may end its move, each cell with its steps."""
        cells: cython.int[180]
        steps: cython.int[180]
        if not cython.compiled:
            cells, steps = [0] * 180, [0] * 180
        count = self.seek(seat, points, cells, steps)
        return {cells[i]: steps[cells[i]] for i in range(count)}

    def score(self, seat: cython.int) -> int:
        """The points with which a seat moves its canoe from where it is; -1 if it drifts."""
        return self.points(seat)

    # ---- small questions ----

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def first(self) -> cython.int:
        """The seat on the dealer's left."""
        return self.after(self.dealer)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def after(self, seat: cython.int) -> cython.int:
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < self.seats else 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def full(self) -> cython.int:
        """Cards in a full hand."""
        return hand_size(self.marker)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def canoe_on(self, cell: cython.int) -> cython.int:
        """The seat whose canoe is on a cell, or NONE."""
        i: cython.int
        for i in range(self.seats):
            if self.at[i] == cell:
                return i
        return NONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drawer(self) -> cython.int:
        """The next seat to draw for dealer."""
        i: cython.int
        for i in range(self.seats):
            if self.drawing >> i & 1:
                return i
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def points(self, seat: cython.int) -> cython.int:
        exact: cython.bint = self.won[seat] == self.bid[seat]
        bonus: cython.int = bonus_for(self.bid[seat]) if exact else 0
        if TERRAIN[self.at[seat]] == T_CURRENT:
            return bonus if exact else -1
        return self.won[seat] + bonus

    # ---- what the kernel asks ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def generate(self, out: Moves) -> cython.void:
        i: cython.int
        cells: cython.int[180]
        steps: cython.int[180]
        cards: u64 = 0
        if self.phase == P_DRAW:
            cards = DECK
            for i in range(self.seats):
                if self.laid[i] != NONE:
                    cards &= ~(ONE << self.laid[i])
        elif self.phase == P_DEAL:
            cards = DECK
            for i in range(self.seats):
                cards &= ~self.hand[i]
        elif self.phase == P_PLAY:
            cards = self.hand[self.turn]
            if self.led != NONE and cards & (SUIT << (10 * self.led)):
                cards &= SUIT << (10 * self.led)
        elif self.phase == P_BID:
            for i in range(self.full() + 1):
                add(out, i)
        elif self.phase == P_PLACE:
            for i in range(CELLS):
                if TERRAIN[i] == T_START and self.canoe_on(i) == NONE:
                    add(out, i)
        elif self.phase == P_MOVE:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            for i in range(self.seek(self.turn, self.points(self.turn), cells, steps)):
                add(out, cells[i])
        while cards:
            add(out, lowest(cards))
            cards &= cards - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, move: u64) -> cython.void:
        self.touch(move)
        while self.flow():
            pass

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self) -> u64:
        i: cython.int
        k: u64 = mix(self.turn + 2, self.phase << 16 | (self.dealer + 1) << 8 | self.marker)
        k = mix(mix(k, self.played), (self.trump + 1) << 16 | self.drawing << 8 | self.lost)
        for i in range(self.seats):
            k = mix(k, self.hand[i])
            k = mix(k, (
                (self.at[i] + 1) | (self.bid[i] + 1) << 8 | self.won[i] << 12
                | (self.laid[i] + 1) << 16 | (self.left[i] + 1) << 22 | self.void[i] << 26
            ))
        return k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def result(self, shares: cython.p_double) -> cython.int:
        i: cython.int
        best: cython.int = NONE
        winners: cython.int = 0
        rank: cython.int
        for i in range(self.seats):
            rank = 16 * self.left[i] + self.bid[i]
            if TERRAIN[self.at[i]] == T_LANDING and rank > best:
                best = rank
        for i in range(self.seats):
            shares[i] = 0.0
            if TERRAIN[self.at[i]] == T_LANDING and 16 * self.left[i] + self.bid[i] == best:
                shares[i] = 1.0
                winners += 1
        for i in range(self.seats):
            shares[i] /= winners
        return LANDED if winners == 1 else TOGETHER if winners == self.seats else SHARED

    # ---- what a search asks ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def redeal(self, seat: cython.int, random: Random) -> cython.void:
        """Other hands for the others, drawn evenly from all that this seat cannot rule out.

        Those with a suit that they cannot have are dealt first, from the cards that they can; who
        has the least choice comes before the others. The more room they leave to one another, the
        less often such a deal comes up; to make up for that, deals are refused as often as they
        leave less room than the most there can be.
        """
        order: cython.int[6]
        room: cython.int[6]
        if not cython.compiled:
            order, room = [0] * 6, [0] * 6
        i: cython.int
        j: cython.int
        count: cython.int = 0
        unseen: u64 = self.unseen(seat)
        for i in range(self.seats):
            if i == seat or self.void[i] == 0 or self.hand[i] == 0:
                continue
            room[i] = ones(unseen & ~self.gaps(i)) - ones(self.hand[i])
            j = count
            while j > 0 and room[order[j - 1]] > room[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
            count += 1
        while not self.try_deal(seat, unseen, order, count, random):
            pass

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def try_deal(
        self, seat: cython.int, unseen: u64, order: cython.p_int, count: cython.int, random: Random
    ) -> cython.bint:
        """Deal to the seats in `order`, then to the others; False if the deal is refused."""
        i: cython.int
        j: cython.int
        k: cython.int
        size: cython.int
        left: cython.int
        most: cython.int
        given: cython.int = 0                   # cards dealt so far
        could: u64 = 0                          # and those they could have been
        room: cython.double = 1.0
        enough: cython.double = (random.next() >> 11) * 1.1102230246251565e-16      # 2 ** -53
        rest: u64 = unseen
        mine: u64
        for k in range(count):
            i = order[k]
            size = ones(self.hand[i])
            mine = unseen & ~self.gaps(i)
            # What those before cannot have from elsewhere, they have taken from these.
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
            self.hand[i] = deal(mine, size, random)
            rest &= ~self.hand[i]
        for i in range(self.seats):
            if i != seat and self.void[i] == 0:
                self.hand[i] = deal(rest, ones(self.hand[i]), random)
                rest &= ~self.hand[i]
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def gaps(self, seat: cython.int) -> u64:
        """Every card of the suits that a seat has shown not to have."""
        suit: cython.int
        cards: u64 = 0
        for suit in range(5):
            if self.void[seat] >> suit & 1:
                cards |= SUIT << (10 * suit)
        return cards

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def estimate(self, shares: cython.p_double) -> cython.bint:
        """Between two rounds: who lands first, if everybody goes on at the usual pace."""
        i: cython.int
        j: cython.int
        t: cython.int
        base: cython.int[6]
        late: cython.double[6]
        part: cython.int
        chance: cython.double
        rest: cython.double = 1.0
        if self.phase != P_DEAL or self.dealt:
            return False
        if not cython.compiled:
            base, late = [0] * 6, [0.0] * 6
        part = page(self.seats, self.short)
        for i in range(self.seats):
            base[i] = lands(part, self.marker, PLACE_OF[self.at[i]])
            shares[i] = 0.0
        for t in range(1, ROUNDS + 1):
            for i in range(self.seats):
                late[i] = 1.0 - 0.5 * (LANDS[base[i] + t] + LANDS[base[i] + t - 1])
            for i in range(self.seats):
                chance = LANDS[base[i] + t] - LANDS[base[i] + t - 1]
                for j in range(self.seats):
                    if j != i:
                        chance *= late[j]
                shares[i] += chance
        for i in range(self.seats):
            rest -= shares[i]
        for i in range(self.seats):
            shares[i] += rest / self.seats
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def entry(self, card: cython.int, left: cython.int, unseen: u64) -> cython.int:
        """Where WORTH says what a card is worth in a hand of so many, by what can beat it."""
        suit: cython.int = suit_of(card)
        above: u64 = (SUIT << (10 * suit)) & ~((ONE << (card + 1)) - 1)
        trump: cython.int = 1 if suit == suit_of(self.trump) else 0
        at: cython.int = (((self.seats - 3) * 9 + self.full()) * 9 + left) * 2 + trump
        return 10 * at + ones(above & unseen)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def unseen(self, seat: cython.int) -> u64:
        """The cards of which a seat cannot know where they are."""
        i: cython.int
        seen: u64 = self.played | self.hand[seat]
        if self.trump != NONE:
            seen |= ONE << self.trump
        for i in range(self.seats):
            if self.laid[i] != NONE:
                seen |= ONE << self.laid[i]
        return DECK & ~seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prefer(self, moves: Moves, random: Random) -> u64:
        """Bids what the hand promises, and plays so as to keep it; paddles anywhere."""
        if moves.count > 1:
            if self.phase == P_BID:
                return cython.cast(u64, self.fair_bid())
            if self.phase == P_PLAY:
                return cython.cast(u64, self.fair_card(moves))
        return moves.items[random.below(moves.count)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fair_bid(self) -> cython.int:
        """The bid with the greatest bonus to expect, if each card takes its trick by itself."""
        i: cython.int
        chance: cython.double[9]
        worth: cython.double
        size: cython.int = self.full()
        unseen: u64 = self.unseen(self.turn)
        cards: u64 = self.hand[self.turn]
        best: cython.int = 0
        if not cython.compiled:
            chance = [0.0] * 9
        for i in range(9):
            chance[i] = 0.0
        chance[0] = 1.0
        while cards:
            worth = WORTH[self.entry(lowest(cards), size, unseen)]
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
    def fair_card(self, moves: Moves) -> cython.int:
        """The card after which the bid is likeliest to be met, if each takes its trick by itself.

        Tricks count a little besides; who has missed its bid for good wants every one.
        """
        i: cython.int
        j: cython.int
        k: cython.int
        seat: cython.int = self.turn
        left: cython.int = ones(self.hand[seat])
        need: cython.int = self.bid[seat] - self.won[seat]
        possible: cython.bint = 0 <= need <= left
        unseen: u64 = self.unseen(seat)
        cards: u64 = self.hand[seat]
        held: cython.int[8]
        worth: cython.double[8]
        chance: cython.double[9]
        top: cython.int = NONE
        later: cython.int = self.seats - 1
        card: cython.int
        takes: cython.double
        tricks: cython.double
        value: cython.double
        best: cython.int = NONE
        best_value: cython.double = 0.0
        if not cython.compiled:
            held, worth, chance = [0] * 8, [0.0] * 8, [0.0] * 9
        for i in range(self.seats):
            if self.laid[i] != NONE:
                later -= 1
                top = max(top, self.rank(self.laid[i]))
        for i in range(left):
            held[i] = lowest(cards)
            worth[i] = WORTH[self.entry(held[i], left, unseen)]
            cards &= cards - 1
        for k in range(moves.count):
            card = cython.cast(cython.int, moves.items[k])
            takes = 0.0
            if self.led == NONE or self.rank(card) > top:
                takes = HOLDS[6 * self.entry(card, left, unseen) + later]
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

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def rank(self, card: cython.int) -> cython.int:
        """What takes a trick: trumps, then the suit led, by value."""
        if suit_of(card) == suit_of(self.trump):
            return 20 + card % 10
        return card % 10 + (10 if suit_of(card) == self.led else 0)

    # ---- what was decided ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def touch(self, move: u64) -> cython.void:
        what: cython.int = cython.cast(cython.int, move)
        seat: cython.int = self.turn
        if seat >= 0:
            self.plies += 1
        if self.phase == P_DRAW:
            self.laid[self.drawer()] = what
            self.drawing &= self.drawing - 1
        elif self.phase == P_PLACE:
            self.at[seat] = what
            self.turn = self.after(seat)
        elif self.phase == P_DEAL:
            if self.dealt < self.seats * self.full():
                self.hand[(self.first() + self.dealt) % self.seats] |= ONE << what
                self.dealt += 1
            else:
                self.trump = what
                self.phase = P_BID
                self.turn = self.first()
        elif self.phase == P_BID:
            self.bid[seat] = what
            self.turn = self.after(seat)
            if self.turn == self.first():
                self.phase = P_PLAY
        elif self.phase == P_PLAY:
            self.hand[seat] &= ~(ONE << what)
            self.laid[seat] = what
            if self.led == NONE:
                self.led = suit_of(what)
            elif suit_of(what) != self.led:
                self.void[seat] |= 1 << self.led
            self.turn = self.after(seat)
        elif self.phase == P_MOVE:
            self.paddle(seat, what)

    # ---- what follows by itself ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def flow(self) -> cython.bint:
        if self.phase == P_MOVE:
            return self.next_canoe()
        if self.phase == P_PLAY:
            return self.take_trick()
        if self.phase == P_DRAW:
            return self.find_dealer()
        if self.phase == P_PLACE:
            return self.last_places()
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_dealer(self) -> cython.bint:
        """When all have drawn, the highest deals; those who tie for it draw again."""
        i: cython.int
        best: cython.int = NONE
        tied: cython.int = 0
        if self.drawing != 0:
            return False
        for i in range(self.seats):
            if self.laid[i] != NONE:
                if self.laid[i] % 10 > best:
                    best = self.laid[i] % 10
                    tied = 0
                if self.laid[i] % 10 == best:
                    tied |= 1 << i
        if tied & (tied - 1) == 0:
            self.dealer = lowest(tied)
            self.phase = P_PLACE
            self.turn = self.first()
            return True
        self.drawing = tied
        for i in range(self.seats):
            if not tied >> i & 1:
                self.laid[i] = NONE
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def last_places(self) -> cython.bint:
        """The sixth of six canoes takes the only free cell; when all are there, the deal begins."""
        i: cython.int
        if self.at[self.turn] != NONE:
            self.phase = P_DEAL
            self.turn = -1
            self.clear()
            return True
        if self.seats == 6 and self.turn == self.dealer:
            for i in range(CELLS):
                if TERRAIN[i] == T_START and self.canoe_on(i) == NONE:
                    self.at[self.turn] = i
                    self.turn = self.after(self.turn)
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_trick(self) -> cython.bint:
        """When every seat has laid a card: the highest trump, else the highest of the suit led."""
        i: cython.int
        best: cython.int = NONE
        winner: cython.int = 0
        rank: cython.int
        if self.laid[self.turn] == NONE:
            return False
        for i in range(self.seats):
            rank = self.rank(self.laid[i])
            if rank > best:
                best = rank
                winner = i
            self.played |= ONE << self.laid[i]
        for i in range(self.seats):
            self.laid[i] = NONE
        self.led = NONE
        self.won[winner] += 1
        self.turn = winner
        if self.hand[winner] == 0:
            self.phase = P_MOVE
            self.turn = self.first()
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_canoe(self) -> cython.bint:
        """The next canoe drifts or takes the only way there is; after the last, the next round."""
        seat: cython.int = self.turn
        cells: cython.int[180]
        steps: cython.int[180]
        points: cython.int
        count: cython.int
        if self.moved == self.seats:
            self.next_round()
            return self.phase == P_DEAL
        points = self.points(seat)
        if self.lost >> seat & 1:
            self.lost &= ~(1 << seat)
        elif points < 0:
            self.drift(seat)
        else:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            count = self.seek(seat, points, cells, steps)
            if count > 1:
                return False
            if count == 1:
                self.paddle(seat, cells[0])
                return True
        self.moved += 1
        self.turn = self.after(seat)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_round(self) -> cython.void:
        """Unless somebody landed, the marker advances and the first player deals."""
        i: cython.int
        for i in range(self.seats):
            if TERRAIN[self.at[i]] == T_LANDING:
                self.phase = P_OVER
                return
        self.dealer = self.first()
        self.marker = marker_after(self.marker, self.short)
        self.phase = P_DEAL
        self.turn = -1
        self.clear()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self) -> cython.void:
        """Gather the cards and the bids."""
        i: cython.int
        self.dealt = self.moved = self.lost = 0
        self.trump = self.led = NONE
        self.played = 0
        for i in range(6):
            self.hand[i] = 0
            self.won[i] = self.void[i] = 0
            self.bid[i] = self.laid[i] = self.left[i] = NONE

    # ---- canoes ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def seek(
        self, seat: cython.int, points: cython.int, cells: cython.p_int, steps: cython.p_int
    ) -> cython.int:
        """The cells on which a canoe may end its move: the nearest to a landing, by number.

        None, if nothing within reach is nearer than where it is. `steps` says how far each is.
        """
        i: cython.int
        j: cython.int
        queue: cython.int[180]
        if not cython.compiled:
            queue = [0] * 180
        for i in range(CELLS):
            steps[i] = NONE
        for i in range(self.seats):
            if self.at[i] != NONE:
                steps[self.at[i]] = 99                  # nobody passes
        start: cython.int = self.at[seat]
        best: cython.int = DISTANCE[start]
        head: cython.int = 0
        tail: cython.int = 1
        cell: cython.int
        near: cython.int
        queue[0] = start
        steps[start] = 0
        while head < tail:
            cell = queue[head]
            head += 1
            if steps[cell] == points or (TERRAIN[cell] == T_LANDING):
                continue
            for j in range(8):
                near = STEPS[8 * cell + j]
                if near < 0:
                    break
                if steps[near] == NONE:
                    steps[near] = steps[cell] + 1
                    queue[tail] = near
                    tail += 1
                    if DISTANCE[near] < best:
                        best = DISTANCE[near]
        count: cython.int = 0
        if best < DISTANCE[start]:
            for i in range(CELLS):
                if DISTANCE[i] == best and steps[i] != NONE and steps[i] <= points:
                    cells[count] = i
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def paddle(self, seat: cython.int, cell: cython.int) -> cython.void:
        """A canoe ends its move on `cell`; what is left of its points counts if it has landed."""
        cells: cython.int[180]
        steps: cython.int[180]
        points: cython.int
        if TERRAIN[cell] == T_LANDING:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            points = self.points(seat)
            self.seek(seat, points, cells, steps)
            self.left[seat] = points - steps[cell]
        self.at[seat] = cell
        self.moved += 1
        self.turn = self.after(seat)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drift(self, seat: cython.int) -> cython.void:
        """A canoe and all those in its way move on by one arrow; a rock stops them all."""
        row: cython.int[6]
        length: cython.int = 0
        cell: cython.int = self.at[seat]
        pushed: cython.int = seat
        if not cython.compiled:
            row = [0] * 6
        while pushed != NONE:
            row[length] = pushed
            length += 1
            cell = DOWNSTREAM[self.at[pushed]]
            if cell < 0 or (TERRAIN[cell] != T_CURRENT and TERRAIN[cell] != T_WATERFALL):
                return
            pushed = self.canoe_on(cell)
        while length > 0:
            length -= 1
            pushed = row[length]
            cell = DOWNSTREAM[self.at[pushed]]
            if TERRAIN[cell] == T_WATERFALL:
                cell = FOOTBRIDGE
                if (pushed - self.first() + self.seats) % self.seats > self.moved:
                    self.lost |= 1 << pushed
            self.at[pushed] = cell
