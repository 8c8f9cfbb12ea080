"""Between the compiled rules and the table: reads and checks the content of the table."""

from __future__ import annotations

from typing import Any

from escale.game.errors import Impossible
from escale.game.scene import Cells
from escale.game.slots import Slot
from escale.game.viewer import HIDDEN
from escale.games.canyon_1997 import rules
from escale.games.canyon_1997.cards import (
    CARDS,
    NUMBERS,
    SEATS,
    SKIPPED,
    SUITS,
    TRACK,
    bits,
    named,
    pack,
    suit_of,
)
from escale.games.canyon_1997.river import FOOTBRIDGE, LANDING, NAMES, START, WATERS, River
from escale.games.canyon_1997.river import NUMBERS as CELL_NUMBERS
from escale.kernel import CHANCE

Table = dict[str, Any]
"""All fields of the compiled rules, as `CanyonState.table` returns them."""

FULL = max(TRACK)                       # cards in the largest hand, and so bids and tricks
MOST_LAPS = 8                           # of the marker around its track that are counted
MOST_LEFT = FULL + 3                    # points: every trick, and the highest bonus

SLOTS = (
    Slot("round", most=len(TRACK)), Slot("laps", most=MOST_LAPS),
    *(Slot(name, SEATS) for name in ("drawing", "dealer", "first", "lost")),
    Slot("trump", CARDS), Slot("played", CARDS),
    *(
        slot for seat in SEATS for slot in (
            Slot(f"{seat} hand", CARDS, FULL), Slot(f"{seat} card", CARDS),
            Slot(f"{seat} void", SUITS),
            *(Slot(f"{seat} {what}", most=FULL) for what in ("chosen", "bid", "tricks")),
            Slot(f"{seat} left", most=MOST_LEFT),
        )
    ),
)
"""The content of `cells_of` in addition to the canoes on the river."""


def cells_of(table: Table) -> Cells:
    """The content of each cell and area."""
    seats = SEATS[: len(table["hand"])]
    cells: Cells = {"round": table["marker"]}
    if table["laps"]:
        cells["laps"] = table["laps"]
    cells |= canoes(table["at"])
    if table["drawing"]:
        cells["drawing"] = _seats(table["drawing"])
    if table["dealer"] >= 0:
        cells["dealer"] = SEATS[table["dealer"]]
        cells["first"] = SEATS[first(table)]
    if table["trump"] >= 0:
        cells["trump"] = CARDS[table["trump"]]
    if table["played"]:
        cells["played"] = named(table["played"])
    if table["lost"]:
        cells["lost"] = _seats(table["lost"])
    for number, seat in enumerate(seats):
        cells[f"{seat} hand"] = named(table["hand"][number])
        if table["bid"][number] >= 0 and in_secret(table):
            cells[f"{seat} chosen"] = table["bid"][number]
        elif table["bid"][number] >= 0:
            cells[f"{seat} bid"] = table["bid"][number]
            cells[f"{seat} tricks"] = table["won"][number]
        if table["laid"][number] >= 0:
            cells[f"{seat} card"] = CARDS[table["laid"][number]]
        if table["void"][number]:
            cells[f"{seat} void"] = " ".join(
                suit for bit, suit in enumerate(SUITS) if table["void"][number] >> bit & 1
            )
        if table["left"][number] >= 0:
            cells[f"{seat} left"] = table["left"][number]
    return cells


def canoes(at: list[int]) -> Cells:
    """The canoes on the river; several share the footbridge."""
    places: dict[str, list[str]] = {}
    for seat, cell in zip(SEATS, at, strict=False):
        if cell >= 0:
            places.setdefault(NAMES[cell], []).append(seat)
    return {cell: " ".join(names) for cell, names in places.items()}


def in_secret(table: Table) -> bool:
    """Whether the bids so far are still secret."""
    return bool(table["secret"]) and table["phase"] == rules.BID


def mover(table: Table, move: int) -> int:
    """The seat that makes a move: the seat to move, unless it is a bid out of turn."""
    return (move >> 8) - 1 if table["phase"] == rules.BID and move >> 8 else int(table["turn"])


def first(table: Table) -> int:
    """The seat on the dealer's left."""
    return int((table["dealer"] + 1) % len(table["hand"]))


def receiver(table: Table) -> str:
    """The use of the next card of the deal: a seat, or `trump` when the hands are full."""
    seats = len(table["hand"])
    if table["dealt"] == seats * TRACK[table["marker"] - 1]:
        return "trump"
    return SEATS[(first(table) + table["dealt"]) % seats]


def _seats(mask: int) -> str:
    return " ".join(seat for number, seat in enumerate(SEATS) if mask >> number & 1)


def state_of(
    cells: Cells, turn: int, short: bool, secret: bool, river: River
) -> rules.CanyonState:
    """The compiled position with `cells` on the table; Impossible says why it cannot be."""
    return _Reader(cells, turn, short, secret, river).state()


class _Reader:
    """Reads a table and checks that everything in it agrees."""

    def __init__(
        self, cells: Cells, turn: int, short: bool, secret: bool, river: River
    ) -> None:
        self.cells, self.turn, self.short, self.river = cells, turn, short, river
        self.secret = secret
        self.seats = [seat for seat in SEATS if f"{seat} hand" in cells]
        self.n = len(self.seats)
        self.marker = int(cells["round"])
        self.need(1 <= self.marker <= len(TRACK), "rounds", most=len(TRACK))
        self.need(not (short and self.marker in SKIPPED), "skipped")
        self.laps = int(cells.get("laps", 0))
        self.need(self.laps <= MOST_LAPS, "laps", most=MOST_LAPS)
        self.size = TRACK[self.marker - 1]
        self.need(turn < self.n, "no-such-seat", seats=self.n)
        for seat in self.seats:
            self.need(not isinstance(cells[f"{seat} hand"], int), "hidden-hand", seat=seat)
            self.need(cells.get(f"{seat} chosen") != HIDDEN, "hidden-bid", seat=seat)
        self.dealer = self.seat("dealer")
        self.hand = [bits(str(cells[f"{seat} hand"])) for seat in self.seats]
        self.laid = [NUMBERS[str(cells[f"{seat} card"])] if self.single(f"{seat} card") else -1
                     for seat in self.seats]
        chosen = [int(cells.get(f"{seat} chosen", -1)) for seat in self.seats]
        self.bid = [int(cells.get(f"{seat} bid", -1)) for seat in self.seats]
        self.need(max(chosen) < 0 or max(self.bid) < 0, "bids-together")
        self.unshown = max(chosen) >= 0
        if self.unshown:
            self.bid = chosen
        self.won = [int(cells.get(f"{seat} tricks", 0)) for seat in self.seats]
        self.left = [int(cells.get(f"{seat} left", -1)) for seat in self.seats]
        self.void = [
            sum(1 << SUITS.index(suit) for suit in str(cells.get(f"{seat} void", "")).split())
            for seat in self.seats
        ]
        self.trump = NUMBERS[str(cells["trump"])] if self.single("trump") else -1
        self.played = bits(str(cells.get("played", "")))
        self.lost = self.mask("lost")
        self.drawing = self.mask("drawing")
        self.at = self.canoes()
        self.cards_are_there_once()

    def need(self, sound: bool, reason: str, **values: object) -> None:
        if not sound:
            raise Impossible(reason, **values)

    def single(self, name: str) -> bool:
        """Whether there is a card with this name; two are refused."""
        cards = str(self.cells.get(name, "")).split()
        self.need(len(cards) == 1 or name not in self.cells, "one-card", got=pack(cards))
        return bool(cards)

    def seat(self, name: str) -> int:
        if name not in self.cells:
            return -1
        self.need(self.cells[name] in self.seats, "one-dealer")
        return self.seats.index(str(self.cells[name]))

    def mask(self, name: str) -> int:
        names = str(self.cells.get(name, "")).split()
        self.need(set(names) <= set(self.seats), "empty-seats", seats=self.n)
        return sum(1 << self.seats.index(seat) for seat in set(names))

    def canoes(self) -> list[int]:
        at = [-1] * self.n
        for cell, names in self.cells.items():
            if cell not in CELL_NUMBERS:
                continue
            number = CELL_NUMBERS[cell]
            terrain = self.river.terrain[number]
            self.need(terrain in {*WATERS, FOOTBRIDGE}, "no-water", cell=cell)
            together = str(names).split()
            self.need(len(together) == 1 or terrain == FOOTBRIDGE, "one-canoe",
                      cell=cell, count=len(together))
            for seat in together:
                at[self.seats.index(seat)] = number
        return at

    def cards_are_there_once(self) -> None:
        seen = 0
        held = [f"{seat} {what}" for seat in self.seats for what in ("hand", "card")]
        for name in ("trump", "played", *held):
            for card in str(self.cells.get(name, "")).split():
                self.need(not seen >> NUMBERS[card] & 1, "card-twice", card=pack([card]))
                seen |= 1 << NUMBERS[card]

    def order(self, seat: int) -> int:
        """The number of seats before this one in a round."""
        return (seat - self.dealer - 1) % self.n

    def state(self) -> rules.CanyonState:
        position = rules.CanyonState(self.n, self.short, self.secret)
        phase = self.phase()
        self.need(phase == rules.BID or not self.unshown, "bids-shown")
        landed = [seat for seat in range(self.n) if self.on(seat, LANDING)]
        self.need(phase in (rules.MOVE, rules.OVER) or not landed, "none-landed")
        self.need([seat for seat in range(self.n) if self.left[seat] >= 0] == landed,
                  "points-left")
        led = -1
        if phase == rules.PLAY and any(card >= 0 for card in self.laid):
            led = self.laid[self.leader()] // 10
        moved = {rules.MOVE: self.order(self.turn), rules.OVER: self.n}.get(phase, 0)
        position.lay({
            "phase": phase, "turn": self.turn, "dealer": self.dealer, "marker": self.marker,
            "laps": self.laps,
            "secret": self.secret,
            "dealt": sum(hand.bit_count() for hand in self.hand) if phase == rules.DEAL
            else 0 if phase in (rules.DRAW, rules.PLACE) else self.n * self.size,
            "trump": self.trump, "led": led, "moved": moved, "drawing": self.drawing,
            "lost": self.lost, "played": self.played, "hand": self.hand, "at": self.at,
            "bid": self.bid, "won": self.won, "laid": self.laid, "left": self.left,
            "void": self.void,
        })
        if phase == rules.MOVE:
            points = position.points(self.turn)
            self.need(points >= 0 and len(position.choices(self.turn, points)) > 1,
                      "no-choice", seat=SEATS[self.turn])
        return position

    def on(self, seat: int, symbol: str) -> bool:
        return self.at[seat] >= 0 and self.river.terrain[self.at[seat]] == symbol

    # ---- each phase with its conditions ----

    def phase(self) -> int:
        if self.dealer < 0:
            self.draw()
            return rules.DRAW
        self.need(self.drawing == 0, "none-draws")
        if -1 in self.at:
            self.place()
            return rules.PLACE
        if self.trump < 0:
            self.deal()
            return rules.DEAL
        self.need(self.turn != CHANCE, "all-dealt")
        for seat in range(self.n):
            self.need(self.bid[seat] <= self.size, "bid-range", most=self.size)
            self.need(not self.has_void(seat), "has-void", seat=SEATS[seat])
        if -1 in self.bid:
            self.bids()
            return rules.BID
        if sum(self.won) < self.size:
            self.play()
            return rules.PLAY
        return self.move()

    def nothing(self, *, hands: bool = True, laid: bool = True) -> None:
        """No cards, bids or tricks yet."""
        self.need(not (hands and any(self.hand)), "none-dealt")
        self.need(not (laid and max(self.laid) >= 0), "none-played")
        self.need(max(self.bid) < 0 and not any(self.won), "none-bid")
        self.need(not self.played and not any(self.void), "no-trick")
        self.need(not self.lost and self.trump < 0, "not-begun")

    def draw(self) -> None:
        self.nothing(laid=False)
        self.need(self.turn == CHANCE, "dealer-by-chance")
        self.need(max(self.at) < 0 and self.marker == 1, "dealer-first")
        drawn = [seat for seat in range(self.n) if self.laid[seat] >= 0]
        to_draw = [seat for seat in range(self.n) if self.drawing >> seat & 1]
        self.need(bool(to_draw), "none-to-draw")
        again = set(to_draw) <= set(drawn) and len(drawn) > 1 and len(
            {self.laid[seat] % 10 for seat in to_draw}) == 1
        self.need(again or sorted(drawn + to_draw) == list(range(self.n)),
                  "all-draw")
        self.need(all(seat < to_draw[0] for seat in drawn if seat not in to_draw),
                  "draw-order")

    def place(self) -> None:
        self.nothing(laid=False)
        drawn = [card % 10 for card in self.laid if card >= 0]
        self.need(not drawn or (drawn.count(max(drawn)) == 1
                                and self.laid[self.dealer] % 10 == max(drawn)),
                  "dealer-highest")
        self.need(self.turn != CHANCE and self.marker == 1, "placed-by-seats")
        before = [seat for seat in range(self.n) if self.order(seat) < self.order(self.turn)]
        self.need([seat for seat in range(self.n) if self.at[seat] >= 0] == before
                  and all(self.on(seat, START) for seat in before),
                  "placed-in-order")
        self.need(self.n < 6 or self.turn != self.dealer, "sixth-canoe")

    def deal(self) -> None:
        self.nothing(hands=False)
        self.need(self.turn == CHANCE, "dealt-by-chance")
        dealt = [hand.bit_count() for hand in self.hand]
        turns, rest = divmod(sum(dealt), self.n)
        self.need(sum(dealt) <= self.n * self.size and dealt == [
            turns + (self.order(seat) < rest) for seat in range(self.n)
        ], "dealt-in-turn", size=self.size)

    def bids(self) -> None:
        self.need(max(self.bid) < 0 or self.unshown == self.secret,
                  "bids-written-secret" if self.secret else "bids-written-open")
        self.need(max(self.laid) < 0 and not self.played and not any(self.won) and not self.lost,
                  "bids-first")
        self.need(not any(self.void), "none-played")
        self.need(all(hand.bit_count() == self.size for hand in self.hand),
                  "hand-size", size=self.size)
        if self.secret:                     # seats choose at the same time, in any order
            self.need(self.bid[self.turn] < 0, "has-bid", seat=SEATS[self.turn])
            return
        self.need(all((self.bid[seat] >= 0) == (self.order(seat) < self.order(self.turn))
                      for seat in range(self.n)), "bids-in-order")

    def leader(self) -> int:
        """The seat that leads this trick; those that laid a card must sit just before the turn."""
        count = sum(card >= 0 for card in self.laid)
        row = [(self.turn - back) % self.n for back in range(count, 0, -1)]
        self.need(count < self.n and all(self.laid[seat] >= 0 for seat in row),
                  "laid-in-order")
        return row[0] if row else self.turn

    def play(self) -> None:
        tricks = sum(self.won)
        leader = self.leader()
        self.need(not self.lost, "none-moved")
        self.need(self.won[leader] > 0 if tricks else self.order(leader) == 0,
                  "who-leads")
        self.need(self.played.bit_count() == self.n * tricks, "cards-of-tricks",
                  wanted=self.n * tricks, count=self.played.bit_count())
        for seat in range(self.n):
            held = self.hand[seat].bit_count() + (self.laid[seat] >= 0)
            self.need(held == self.size - tricks, "cards-held",
                      seat=SEATS[seat], wanted=self.size - tricks, count=held)
            card, led = self.laid[seat], self.laid[leader]
            if card >= 0 and card // 10 != led // 10:
                self.need(bool(self.void[seat] >> led // 10 & 1), "shown-void",
                          seat=SEATS[seat], suit=suit_of(CARDS[led])[0])

    def move(self) -> int:
        self.need(sum(self.won) == self.size, "how-many-tricks",
                  wanted=self.size, count=sum(self.won))
        self.need(not any(self.hand) and max(self.laid) < 0, "all-played")
        self.need(self.played.bit_count() == self.n * self.size, "cards-of-tricks",
                  wanted=self.n * self.size, count=self.played.bit_count())
        landed = [seat for seat in range(self.n) if self.on(seat, LANDING)]
        mine = self.order(self.turn)
        if landed and mine == 0:
            self.need(not self.lost, "all-moved")
            return rules.OVER
        self.need(all(self.order(seat) < mine for seat in landed), "move-order")
        self.need(all(self.order(seat) > mine and self.on(seat, FOOTBRIDGE)
                      for seat in range(self.n) if self.lost >> seat & 1),
                  "lost-move")
        return rules.MOVE

    def has_void(self, seat: int) -> bool:
        return any(
            self.void[seat] >> suit & 1 and self.hand[seat] >> 10 * suit & 0x3FF
            for suit in range(len(SUITS))
        )
