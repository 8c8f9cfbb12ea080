"""What a seat can imagine: the hands it has not seen, drawn evenly from all that are possible.

A seat knows its own hand, the card turned up and every card played. The others' hands are any of
the unseen cards, as many as each holds, but no suit that its owner has shown not to have; what is
left over was not dealt. Those with such a gap come first. For them a table says in how many ways
the suits can be shared out; once they have their cards, all deals to the others are equally many,
whatever was chosen, and a plain shuffle is even.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

from escale.kernel import Random

Counts = tuple[int, ...]
"""So many unseen cards of each suit."""
Wants = tuple[tuple[int, int], ...]
"""How many cards each hand takes, and as bits the suits that it cannot have."""


def deal(unseen: list[list[int]], wants: Wants, random: Random) -> list[list[int]]:
    """Hands of `wants`, drawn evenly from all that can be made of `unseen`, listed by suit."""
    piles = [shuffled(pile, random) for pile in unseen]
    hands: list[list[int]] = [[] for _ in wants]
    gaps = [hand for hand, (_, void) in enumerate(wants) if void]
    strict = tuple(wants[hand] for hand in gaps)
    for done, hand in enumerate(gaps):
        left = tuple(map(len, piles))
        shares = list(splits(left, *strict[done]))
        weights = [chosen(left, share) * ways(rest(left, share), strict[done + 1 :])
                   for share in shares]
        lot = below(sum(weights), random)
        for share, weight in zip(shares, weights, strict=True):
            if lot < weight:
                break
            lot -= weight
        for pile, count in zip(piles, share, strict=True):
            hands[hand] += [pile.pop() for _ in range(count)]
    remaining = shuffled([card for pile in piles for card in pile], random)
    for hand, (count, void) in enumerate(wants):
        if not void:
            hands[hand] = [remaining.pop() for _ in range(count)]
    return hands


@lru_cache(maxsize=100_000)
def ways(left: Counts, wants: Wants) -> int:
    """In how many ways hands with gaps can be dealt from so many cards of each suit."""
    if not wants:
        return 1
    return sum(
        chosen(left, share) * ways(rest(left, share), wants[1:])
        for share in splits(left, *wants[0])
    )


def splits(left: Counts, count: int, void: int) -> Iterator[Counts]:
    """How many cards of each suit `count` cards can be."""
    if not left:
        if count == 0:
            yield ()
        return
    most = 0 if void & 1 else min(left[0], count)
    for here in range(most + 1):
        for others in splits(left[1:], count - here, void >> 1):
            yield (here, *others)


def chosen(left: Counts, share: Counts) -> int:
    """In how many ways these numbers of cards can be picked."""
    product = 1
    for have, take in zip(left, share, strict=True):
        product *= comb(have, take)
    return product


def rest(left: Counts, share: Counts) -> Counts:
    """What remains of each suit."""
    return tuple(have - take for have, take in zip(left, share, strict=True))


def below(n: int, random: Random) -> int:
    """A number from 0 to n - 1, exactly evenly: what is too great is drawn again."""
    while True:
        bits = 0
        for _ in range((n.bit_length() + 23) // 24):
            bits = bits << 24 | random.integer(1 << 24)
        number = bits & ((1 << n.bit_length()) - 1)
        if number < n:
            return number


def shuffled(cards: list[int], random: Random) -> list[int]:
    """The cards in any order."""
    mixed = list(cards)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1, random)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
