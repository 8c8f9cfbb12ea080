"""Names: the seats, the suits, the cards, and the letters that stand for them in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from escale.game.errors import Impossible
from escale.kernel import each_bit

SEATS = ("otter", "heron", "beaver", "trout", "bear", "eagle")
LETTERS = dict(zip(SEATS, "OHBTRE", strict=True))

SUITS = ("blue", "red", "green", "yellow", "purple")
CARDS = tuple(f"{suit}{value}" for suit in SUITS for value in range(1, 11))
NUMBERS = {card: number for number, card in enumerate(CARDS)}
BIDS = tuple(f"bid{tricks}" for tricks in range(9))

TRACK = (8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)
"""The hand size of each round, from the first."""
SKIPPED = range(6, 10)
"""The rounds that are left out when `short` is on."""


def suit_of(card: str) -> str:
    """The suit of a card."""
    return card.rstrip("0123456789")


def value_of(card: str) -> int:
    """1 to 10."""
    return int(card[len(suit_of(card)):])


def named(cards: int) -> str:
    """The names of a set of cards that is given as bits."""
    return " ".join(CARDS[card] for card in each_bit(cards))


def bits(cards: str) -> int:
    """Read the names that `named` has written; the result is bits."""
    return sum(1 << NUMBERS[card] for card in cards.split())


def pack(cards: Iterable[str]) -> str:
    """Cards in a short form, such as b790r3 for the blue 7, 9 and 10 and the red 3."""
    packed = ""
    for suit in SUITS:
        values = "".join(str(value_of(card) % 10) for card in cards if suit_of(card) == suit)
        packed += suit[0] + values if values else ""
    return packed


def unpack(packed: str) -> list[str]:
    """Read the text that `pack` has written; Impossible if it is another."""
    suits = {suit[0]: suit for suit in SUITS}
    if not re.fullmatch("([brgyp][0-9]+)*", packed):
        raise Impossible("card-letters", got=packed[:40])
    return [
        f"{suits[run[0]]}{int(value) or 10}"
        for run in re.findall("[brgyp][0-9]+", packed) for value in run[1:]
    ]
