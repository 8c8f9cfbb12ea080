"""Reasons for a move that follow from the rules and from what its seat sees: for hints.

Of the other hands only what follows from the cards on the table is used: a card takes a trick
*surely* when no card that another could still hold is higher.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from escale.game.definition import Merit
from escale.game.moves import Atoms
from escale.game.scene import Cells
from escale.games.canyon_1997.cards import BIDS, CARDS, SEATS, suit_of, value_of
from escale.games.canyon_1997.river import LANDING, NAMES, NUMBERS, RIVER

HIGH = 9
"""From this value on a card is called high."""


def merits(cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]) -> Iterator[Merit]:
    """For a bid, a card or a cell."""
    [move] = atoms
    rivals = [other for [other] in others]
    if move in BIDS:
        return _of_bid(cells, SEATS[seat], move)
    if move in CARDS:
        return _of_card(_Trick(cells, seat), move, rivals)
    return _of_cell(cells, SEATS[seat], move, rivals)


# ---- bids ----


def _of_bid(cells: Cells, seat: str, bid: str) -> Iterator[Merit]:
    hand = str(cells[f"{seat} hand"]).split()
    trumps = [card for card in hand if suit_of(card) == suit_of(str(cells["trump"]))]
    high = [card for card in hand if card not in trumps and value_of(card) >= HIGH]
    bonus = min(BIDS.index(bid), 2) + 1
    yield Merit("bid", bonus, {"trumps": len(trumps), "high": len(high)})


# ---- cards ----


class _Trick:
    """The trick on the table as one seat sees it, who plays next."""

    def __init__(self, cells: Cells, seat: int) -> None:
        seats = [name for name in SEATS if f"{name} hand" in cells]
        me = SEATS[seat]
        self.hand = str(cells[f"{me} hand"]).split()
        self.trump = suit_of(str(cells["trump"]))
        laid = {name: str(cells[f"{name} card"]) for name in seats if f"{name} card" in cells}
        self.laid = list(laid.values())
        self.to_come = len(seats) - 1 - len(laid)
        """The number of seats that play after me."""
        leader = seats[(seat - len(laid)) % len(seats)]
        self.led = suit_of(laid[leader]) if laid else None
        seen = {*self.hand, *self.laid, str(cells["trump"]), *str(cells.get("played", "")).split()}
        self.unseen = [card for card in CARDS if card not in seen]
        self.bid = int(cells[f"{me} bid"])
        self.missing = self.bid - int(cells[f"{me} tricks"])
        """The tricks that the bid still needs; less than 0 if there are too many."""

    def rank(self, card: str, led: str) -> int:
        """The strength of a card in a trick: trumps, then the suit that was led; 0 for others."""
        if suit_of(card) == self.trump:
            return 100 + value_of(card)
        return value_of(card) if suit_of(card) == led else 0

    def worth(self, card: str) -> tuple[bool, int]:
        """The strength of a card outside any trick."""
        return suit_of(card) == self.trump, value_of(card)

    def beaten(self, card: str) -> bool:
        """Whether a higher card is already on the table."""
        led = self.led or suit_of(card)
        return any(self.rank(other, led) > self.rank(card, led) for other in self.laid)

    def sure(self, card: str) -> bool:
        """Whether it takes the trick with any hands of the others."""
        led = self.led or suit_of(card)
        higher = any(self.rank(other, led) > self.rank(card, led) for other in self.unseen)
        return not self.beaten(card) and not (self.to_come and higher)


def _of_card(trick: _Trick, card: str, others: list[str]) -> Iterator[Merit]:
    beaten = trick.beaten(card)
    weakest = all(trick.worth(card) < trick.worth(other) for other in others)
    wants = trick.missing > 0
    if wants and trick.sure(card):
        yield Merit("sure-trick", trick.missing)
    if trick.missing < 0 and trick.sure(card):
        yield Merit("one-more")
    if wants and not beaten and trick.laid and trick.to_come:
        yield Merit("ahead", trick.missing)
    if trick.missing == 0 and beaten:
        stronger = any(
            trick.beaten(other) and trick.worth(other) > trick.worth(card) for other in others
        )
        yield Merit("leaves", trick.bid) if stronger or not others else Merit("sheds", trick.bid)
    if trick.missing == 0 and weakest:
        yield Merit("weakest", trick.bid)
    if wants and beaten and weakest:
        yield Merit("saves-cards", trick.missing)
    if wants and not trick.laid and all(trick.worth(card) > trick.worth(o) for o in others):
        yield Merit("strongest", trick.missing)
    if not trick.laid and wants and weakest:
        yield Merit("saves-cards", trick.missing)
    if trick.missing > len(trick.hand):
        yield Merit("out-of-reach")
    elif wants:
        yield Merit("needs", trick.missing, {"left": len(trick.hand)})
    else:
        yield Merit("beyond" if trick.missing < 0 else "made")


# ---- the river ----


def _of_cell(cells: Cells, seat: str, cell: str, others: list[str]) -> Iterator[Merit]:
    left = RIVER.distance[NUMBERS[cell]]
    at = next((name for name in NAMES if seat in str(cells.get(name, "")).split()), None)
    if at is None:
        if all(left <= RIVER.distance[NUMBERS[other]] for other in others):
            yield Merit("near-start", left)
        return
    if RIVER.terrain[NUMBERS[cell]] == LANDING:
        yield Merit("lands")
    gained = RIVER.distance[NUMBERS[at]] - left
    if gained > 0:
        yield Merit("nearer", gained, {"left": left})
    else:
        yield Merit("remains", left)
