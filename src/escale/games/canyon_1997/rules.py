# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Canyon's rules: deal, bid, take tricks, and race canoes by the points that result.

A card is a number: ten times its suit (blue, red, green, yellow, purple) plus its value minus one.
A cell is six times its row plus its column; the river, and the cells where a canoe may end its
move, are in `paddling`. A move is one number, and the phase decides its meaning:

    DRAW   chance: the card that the next contender draws, to find the dealer
    PLACE  the start cell of a canoe
    DEAL   chance: the next card, to a hand; when all hands are full, the one turned up
    BID    the number of tricks bid; if bids are secret, others do not know it yet, and seats
           choose at the same time: a move out of turn has its seat, plus one, from bit 8 on
    PLAY   the card played
    MOVE   the cell chosen, if a canoe can end its move on several
    OVER   nothing

A move has two parts. `_begin` does the decided part; then `_go_on` does, one by one, the steps that
no seat decides: showing the bids, taking a trick, a canoe that drifts or has one place to go, the
next round.

The fields of a state and the arguments of the helpers are declared in `rules.pxd`.
"""

from __future__ import annotations

from typing import Any

import cython

if cython.compiled:
    from cython.cimports.escale.games.canyon_1997.hands import deal_anew
    from cython.cimports.escale.games.canyon_1997.observation import (
        numbers,
        write_seat,
        write_table,
    )
    from cython.cimports.escale.games.canyon_1997.paddling import TERRAIN, canoe_on, drift, ends
    from cython.cimports.escale.kernel.core import Moves, Random, State, add, lowest, mix, u64
else:
    from escale.games.canyon_1997.hands import deal_anew
    from escale.games.canyon_1997.observation import numbers, write_seat, write_table
    from escale.games.canyon_1997.paddling import TERRAIN, canoe_on, drift, ends
    from escale.kernel.core import State, add, lowest, mix, u64

DRAW, PLACE, DEAL, BID, PLAY, MOVE, OVER = range(7)

P_DRAW = cython.declare(cython.const[cython.int], 0)
P_PLACE = cython.declare(cython.const[cython.int], 1)
P_DEAL = cython.declare(cython.const[cython.int], 2)
P_BID = cython.declare(cython.const[cython.int], 3)
P_PLAY = cython.declare(cython.const[cython.int], 4)
P_MOVE = cython.declare(cython.const[cython.int], 5)
P_OVER = cython.declare(cython.const[cython.int], 6)

# The endings, in the order of the facts' list.
LANDED = cython.declare(cython.const[cython.int], 0)
SHARED = cython.declare(cython.const[cython.int], 1)
TOGETHER = cython.declare(cython.const[cython.int], 2)

ONE = cython.declare(cython.const[u64], 1)
SUIT = cython.declare(cython.const[u64], 0x3FF)
DECK = cython.declare(cython.const[u64], 0x3FFFFFFFFFFFF)
NONE = cython.declare(cython.const[cython.int], -1)
CELLS = cython.declare(cython.const[cython.int], 180)
TRACK = cython.declare(cython.const[cython.int], 14)
MOST_LAPS = cython.declare(cython.const[cython.int], 8)

# Atoms: the cells come first, by their numbers; then buttons, bids among them; then the cards.
NO_MORE = cython.declare(cython.const[cython.int], -1)
A_BID = cython.declare(cython.const[cython.int], 186)
A_CARD = cython.declare(cython.const[cython.int], 197)

# The kinds of cells.
T_START = cython.declare(cython.const[cython.int], 1)
T_LANDING = cython.declare(cython.const[cython.int], 2)
T_CURRENT = cython.declare(cython.const[cython.int], 4)


def hand_size(marker):
    """Cards in a full hand, by the marker: 8 7 6 5 4 3 2 1 2 3 4 5 6 7."""
    return 9 - marker if marker <= 8 else marker - 7


def marker_after(marker, short):
    """The next place of the marker."""
    if short and marker == 5:
        return 10
    return marker + 1 if marker < TRACK else 1


def suit_of(card):
    """The suit of a card, 0 to 4."""
    return card // 10


def bonus_for(bid):
    """The bonus for an exact bid."""
    return bid + 1 if bid < 2 else 3


@cython.final
@cython.cclass
class CanyonState(State):
    """Everything on the table, the hands included; arrays have an entry for each seat."""

    def __init__(
        self, seats: cython.int = 3, short: cython.bint = False, secret: cython.bint = True
    ):
        i: cython.int
        State.__init__(self)
        if not cython.compiled:
            self.hand, self.at, self.bid, self.won = [0] * 6, [0] * 6, [0] * 6, [0] * 6
            self.laid, self.left, self.void = [0] * 6, [0] * 6, [0] * 6
        self.seats = seats
        self.short = short
        self.secret = secret
        self.capacity = 50
        self.turn = -1
        self.phase = P_DRAW
        self.dealer = NONE
        self.marker = 1
        self.laps = 0
        self.drawing = (1 << seats) - 1
        for i in range(6):
            self.at[i] = NONE
        self.clear()
        self.resume(0, 1)

    # ---- the Python side ----

    def table(self) -> dict[str, Any]:
        """The table as `lay` takes it."""
        n = self.seats
        return {
            "phase": self.phase, "turn": self.turn, "dealer": self.dealer, "marker": self.marker,
            "laps": self.laps,
            "secret": self.secret, "dealt": self.dealt, "trump": self.trump, "led": self.led,
            "moved": self.moved, "drawing": self.drawing, "lost": self.lost, "played": self.played,
            "hand": [self.hand[i] for i in range(n)], "at": [self.at[i] for i in range(n)],
            "bid": [self.bid[i] for i in range(n)], "won": [self.won[i] for i in range(n)],
            "laid": [self.laid[i] for i in range(n)], "left": [self.left[i] for i in range(n)],
            "void": [self.void[i] for i in range(n)],
        }

    def lay(self, table: dict[str, Any]) -> None:
        """Set everything up as `table` says, without a check that it makes sense."""
        i: cython.int
        self.phase, self.turn, self.dealer = table["phase"], table["turn"], table["dealer"]
        self.marker, self.dealt, self.trump = table["marker"], table["dealt"], table["trump"]
        self.laps = table["laps"]
        self.led, self.moved, self.drawing = table["led"], table["moved"], table["drawing"]
        self.lost, self.played, self.secret = table["lost"], table["played"], table["secret"]
        for i in range(self.seats):
            self.hand[i], self.at[i] = table["hand"][i], table["at"][i]
            self.bid[i], self.won[i] = table["bid"][i], table["won"][i]
            self.laid[i], self.left[i] = table["laid"][i], table["left"][i]
            self.void[i] = table["void"][i]
        self.resume(self.plies, 1)

    def begin(self, move: u64) -> None:
        """Do the decided part of a legal move; `go_on` does the rest, step by step."""
        self._begin(move)

    def go_on(self) -> bool:
        """Let one more thing happen that no seat decides; False if there is none."""
        return self._go_on()

    def choices(self, seat: cython.int, points: cython.int) -> dict[int, int]:
        """The cells where a canoe with `points` points may end its move, and their fewest steps."""
        cells: cython.int[180]
        steps: cython.int[180]
        if not cython.compiled:
            cells, steps = [0] * 180, [0] * 180
        count = self._choices(seat, points, cells, steps)
        return {cells[i]: steps[cells[i]] for i in range(count)}

    def reach(self, seat: cython.int, points: cython.int) -> dict[int, int]:
        """The cells that are at most `points` steps away over free water, each with its steps."""
        cells: cython.int[180]
        steps: cython.int[180]
        if not cython.compiled:
            cells, steps = [0] * 180, [0] * 180
        self._choices(seat, points, cells, steps)
        return {i: steps[i] for i in range(CELLS) if 0 < steps[i] <= points}

    def points(self, seat: cython.int) -> int:
        """The points for a seat's move of its canoe from its cell; -1 if it drifts."""
        return self._points(seat)

    def ask(self, seat: cython.int) -> None:
        """Give the turn to another seat that has yet to bid, while seats bid in secret."""
        self.turn = seat

    # ---- small questions ----

    def first(self):
        """The seat on the dealer's left."""
        return self.after(self.dealer)

    def after(self, seat):
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < self.seats else 0

    def bidder(self):
        """The first seat that has yet to bid; the first player if all seats have bid."""
        i: cython.int
        seat: cython.int = self.first()
        for i in range(self.seats):
            if self.bid[seat] == NONE:
                return seat
            seat = self.after(seat)
        return seat

    def full(self):
        """Cards in a full hand."""
        return hand_size(self.marker)

    def drawer(self):
        """The next seat to draw for dealer."""
        i: cython.int
        for i in range(self.seats):
            if self.drawing >> i & 1:
                return i
        return 0

    def _points(self, seat):
        exact: cython.bint = self.won[seat] == self.bid[seat]
        bonus: cython.int = bonus_for(self.bid[seat]) if exact else 0
        if TERRAIN[self.at[seat]] == T_CURRENT:
            return bonus if exact else -1
        return self.won[seat] + bonus

    # ---- the hooks of the kernel ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
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
            out_of_turn: u64 = 0 if self.turn == self.bidder() else (self.turn + 1) << 8
            for i in range(self.full() + 1):
                add(out, out_of_turn | i)
        elif self.phase == P_PLACE:
            for i in range(CELLS):
                if TERRAIN[i] == T_START and canoe_on(self.at, self.seats, i) == NONE:
                    add(out, i)
        elif self.phase == P_MOVE:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            for i in range(self._choices(self.turn, self._points(self.turn), cells, steps)):
                add(out, cells[i])
        while cards:
            add(out, lowest(cards))
            cards &= cards - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        self._begin(move)
        while self._go_on():
            pass

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        i: cython.int
        k: u64 = mix(
            self.turn + 2,
            self.phase << 16 | (self.dealer + 1) << 8 | self.laps << 4 | self.marker,
        )
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
    def _result(self, shares: cython.p_double) -> cython.int:
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _redeal(self, seat: cython.int, random: Random) -> cython.void:
        i: cython.int
        deal_anew(self.hand, self.void, self.seats, seat, self.unseen(seat), random)
        if self.secret and self.phase == P_BID:
            for i in range(self.seats):
                if i != seat and self.bid[i] != NONE:
                    self.bid[i] = random._below(self.full() + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        """A bid, a card or a cell: each decision of a seat is one atom."""
        what: cython.int = cython.cast(cython.int, move)
        if index > 0:
            return NO_MORE
        if self.phase == P_PLACE or self.phase == P_MOVE:
            return what
        return A_BID + (what & 0xFF) if self.phase == P_BID else A_CARD + what

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return numbers()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        i: cython.int
        unshown: cython.bint = self.secret and self.phase == P_BID
        first: cython.int = NONE if self.dealer == NONE else self.first()
        write_table(
            out, self.marker, self.laps, self.drawing, self.dealer, first, self.lost, self.trump,
            self.played,
        )
        for i in range(self.seats):
            write_seat(
                out, i, i != seat, unshown, self.at[i], self.hand[i], self.laid[i], self.void[i],
                self.bid[i], self.won[i], self.left[i],
            )

    def unseen(self, seat):
        """The cards whose places a seat cannot know."""
        i: cython.int
        seen: u64 = self.played | self.hand[seat]
        if self.trump != NONE:
            seen |= ONE << self.trump
        for i in range(self.seats):
            if self.laid[i] != NONE:
                seen |= ONE << self.laid[i]
        return DECK & ~seen

    def rank(self, card):
        """A card's rank in a trick: trumps, then the suit led, by value."""
        if suit_of(card) == suit_of(self.trump):
            return 20 + card % 10
        return card % 10 + (10 if suit_of(card) == self.led else 0)

    # ---- decisions ----

    def _begin(self, move):
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
            if what >> 8:
                seat = (what >> 8) - 1
            self.bid[seat] = what & 0xFF
            self.turn = self.bidder()
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

    # ---- steps without a decision ----

    def _go_on(self):
        if self.phase == P_MOVE:
            return self.next_canoe()
        if self.phase == P_PLAY:
            return self.take_trick()
        if self.phase == P_BID:
            return self.show_bids()
        if self.phase == P_DRAW:
            return self.find_dealer()
        if self.phase == P_PLACE:
            return self.last_places()
        return False

    def find_dealer(self):
        """When all seats have drawn, the highest card deals; seats that tie for it draw again."""
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

    def last_places(self):
        """The sixth of six canoes takes the only free cell; when all have one, the deal begins."""
        i: cython.int
        if self.at[self.turn] != NONE:
            self.phase = P_DEAL
            self.turn = -1
            self.clear()
            return True
        if self.seats == 6 and self.turn == self.dealer:
            for i in range(CELLS):
                if TERRAIN[i] == T_START and canoe_on(self.at, self.seats, i) == NONE:
                    self.at[self.turn] = i
                    self.turn = self.after(self.turn)
                    return True
        return False

    def show_bids(self):
        """When every seat has bid, all seats know all bids, and the first player leads."""
        if self.bid[self.turn] == NONE:
            return False
        self.phase = P_PLAY
        return True

    def take_trick(self):
        """When every seat has played: the highest trump wins, else the highest of the suit led."""
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

    def next_canoe(self):
        """The next canoe drifts or takes its only way; after the last, the next round begins."""
        i: cython.int
        seat: cython.int = self.turn
        cells: cython.int[180]
        steps: cython.int[180]
        points: cython.int
        count: cython.int
        if self.moved == self.seats:
            self.next_round()
            return self.phase == P_DEAL
        points = self._points(seat)
        if self.lost >> seat & 1:
            self.lost &= ~(1 << seat)
        elif points < 0:
            # A canoe that falls before its move has lost its move.
            fallen: cython.int = drift(self.at, self.seats, seat)
            for i in range(self.seats):
                if fallen >> i & 1 and (i - self.first() + self.seats) % self.seats > self.moved:
                    self.lost |= 1 << i
        else:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            count = self._choices(seat, points, cells, steps)
            if count > 1:
                return False
            if count == 1:
                self.paddle(seat, cells[0])
                return True
        self.moved += 1
        self.turn = self.after(seat)
        return True

    def next_round(self):
        """Unless a canoe landed, the marker advances and the first player deals."""
        i: cython.int
        for i in range(self.seats):
            if TERRAIN[self.at[i]] == T_LANDING:
                self.phase = P_OVER
                return
        self.dealer = self.first()
        self.marker = marker_after(self.marker, self.short)
        if self.marker == 1 and self.laps < MOST_LAPS:
            self.laps += 1
        self.phase = P_DEAL
        self.turn = -1
        self.clear()

    def clear(self):
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

    def _choices(self, seat, points, cells, steps):
        """The cells on which a canoe may end its move, by number; none if it has to stay.

        `steps` gives the distance of each cell over free water.
        """
        return ends(self.at, self.seats, seat, points, cells, steps)

    def paddle(self, seat, cell):
        """A canoe ends its move on `cell`; the rest of its points counts if it has landed."""
        cells: cython.int[180]
        steps: cython.int[180]
        points: cython.int
        if TERRAIN[cell] == T_LANDING:
            if not cython.compiled:
                cells, steps = [0] * 180, [0] * 180
            points = self._points(seat)
            self._choices(seat, points, cells, steps)
            self.left[seat] = points - steps[cell]
        self.at[seat] = cell
        self.moved += 1
        self.turn = self.after(seat)
