"""What a seat can imagine: the hands it has not seen, drawn evenly from all that are possible.

A seat knows its own hand, the card turned up and every card played. The others' hands are any of
the unseen cards, as many as each holds, but no suit that its owner has shown not to have; what is
left over was not dealt.

Hands with such a gap are dealt first, one after the other. How many cards one takes of which suits
is drawn by the number of ways in which the hands after it can then still be dealt. Once they all
have their cards, there are equally many ways to deal the hands without a gap, whatever was chosen,
and a plain shuffle is even.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

from escale.kernel import Random

Stock = tuple[tuple[int, int], ...]
"""How many cards there are that have the same gaps: bit i is set if the i-th hand cannot have them.

Suits in which the same hands have gaps are the same to us, which keeps these lists short.
"""


def deal(
    unseen: list[list[int]], wants: list[tuple[int, int]], random: Random
) -> list[list[int]]:
    """Hands drawn evenly from all that can be made of `unseen`, which is listed by suit.

    `wants` says for each hand how many cards it has, and as bits which suits it cannot have.
    """
    gaps = [hand for hand, (_, void) in enumerate(wants) if void]
    sizes = tuple(wants[hand][0] for hand in gaps)
    stock: dict[int, list[int]] = {}
    for suit, pile in enumerate(unseen):
        pattern = sum((wants[hand][1] >> suit & 1) << i for i, hand in enumerate(gaps))
        stock.setdefault(pattern, []).extend(pile)
    hands: list[list[int]] = [[] for _ in wants]
    for done, hand in enumerate(gaps):
        share = _share(stock, sizes[done:], random)
        left: dict[int, list[int]] = {}
        for pattern, pile in stock.items():
            cards = shuffled(pile, random)
            taken = share.get(pattern, 0)
            hands[hand] += cards[:taken]
            left.setdefault(pattern >> 1, []).extend(cards[taken:])
        stock = left
    rest = shuffled([card for pile in stock.values() for card in pile], random)
    for hand, (size, void) in enumerate(wants):
        if not void:
            hands[hand] = [rest.pop() for _ in range(size)]
    return hands


def _share(stock: dict[int, list[int]], sizes: tuple[int, ...], random: Random) -> dict[int, int]:
    """How many cards of each pattern the first of the hands takes."""
    counted = tuple(sorted((pattern, len(pile)) for pattern, pile in stock.items()))
    shares = [
        (share, weight * ways(rest, sizes[1:])) for share, weight, rest in _takes(counted, sizes)
    ]
    lot = below(sum(weight for _, weight in shares), random)
    for share, weight in shares:
        if lot < weight:
            return share
        lot -= weight
    raise AssertionError("a lot lies below the sum of the weights")


@lru_cache(maxsize=200_000)
def ways(stock: Stock, sizes: tuple[int, ...]) -> int:
    """In how many ways hands of these sizes can be dealt."""
    if not sizes:
        return 1
    if len(sizes) == 1:
        return comb(sum(count for pattern, count in stock if not pattern & 1), sizes[0])
    return sum(weight * ways(rest, sizes[1:]) for _, weight, rest in _takes(stock, sizes))


def _takes(
    stock: Stock, sizes: tuple[int, ...]
) -> Iterator[tuple[dict[int, int], int, Stock]]:
    """What the first hand can take, in how many ways, and what that leaves for the others."""
    useless = (1 << len(sizes) - 1) - 1             # what none of the others can have
    open_to_it = [(pattern, count) for pattern, count in stock if not pattern & 1]
    for numbers in _splits([count for _, count in open_to_it], sizes[0]):
        share = {pattern: n for (pattern, _), n in zip(open_to_it, numbers, strict=True)}
        weight = 1
        left: dict[int, int] = {}
        for pattern, count in stock:
            taken = share.get(pattern, 0)
            weight *= comb(count, taken)
            if pattern >> 1 != useless:
                left[pattern >> 1] = left.get(pattern >> 1, 0) + count - taken
        yield share, weight, tuple(sorted(left.items()))


def _splits(most: list[int], total: int) -> Iterator[tuple[int, ...]]:
    """Every way to write `total` as a sum in which no part is greater than its most."""
    if not most:
        if total == 0:
            yield ()
        return
    for here in range(max(0, total - sum(most[1:])), min(most[0], total) + 1):
        for others in _splits(most[1:], total - here):
            yield (here, *others)


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
