"""What speaks for a move of Canyon (1997) follows from what its seat sees, and is so."""

from __future__ import annotations

import random
from collections import Counter

import escale
from escale.game.definition import Merit
from escale.game.texts import LANGUAGES
from escale.game.viewer import Seat
from escale.kernel import Line
from escale.study.reasons import reasons
from tests.games.canyon_1997 import witness

GAME = escale.game("canyon-1997")
CARDS = [f"{suit} {value}" for suit in ("blue", "red", "green", "yellow", "purple")
         for value in range(1, 11)]


def theirs(card: str) -> str:
    """The witness writes `blue 7`."""
    return f"{card.rstrip('0123456789')} {card.lstrip('abcdefghijklmnopqrstuvwxyz')}"


class Hand:
    """The cards that a seat sees, by name, and what it has bid."""

    def __init__(self, position: escale.Position) -> None:
        seat = position.turn
        assert seat is not None
        seen = position.seen_by(Seat(seat)).cells
        names = GAME.seat_names[: position.seats]
        me = names[seat]
        self.hand = [theirs(card) for card in str(seen[f"{me} hand"]).split()]
        behind = [names[(seat - back) % len(names)] for back in range(len(names) - 1, 0, -1)]
        self.laid = [theirs(str(seen[f"{who} card"])) for who in behind if f"{who} card" in seen]
        self.last = len(self.laid) == len(names) - 1
        self.trumps = witness.suit_of(theirs(str(seen["trump"])))
        known = {*self.hand, *self.laid, theirs(str(seen["trump"]))}
        known |= {theirs(card) for card in str(seen.get("played", "")).split()}
        self.unseen = [card for card in CARDS if card not in known]
        self.bid, self.won = int(seen[f"{me} bid"]), int(seen[f"{me} tricks"])

    def takes(self, card: str, *others: str) -> bool:
        """Whether a card takes the trick, if these follow."""
        trick = [*self.laid, card, *others]
        return witness.trick_winner(trick, self.trumps) == len(self.laid)

    def surely(self, card: str) -> bool:
        """Whether it does, whichever unseen card follows."""
        if self.last:
            return self.takes(card)
        return self.takes(card) and all(self.takes(card, other) for other in self.unseen)

    def strength(self, card: str) -> tuple[bool, int]:
        return witness.suit_of(card) == self.trumps, witness.value_of(card)


def check(position: escale.Position, move: escale.Move, merit: Merit) -> None:
    """Whether it is so, by the witness."""
    here = (position, move, merit)
    [what] = move.atoms
    others = [other.atoms[0] for other in position.moves() if other != move]
    if merit.name == "bid":
        bid = int(what[3:])
        assert merit.count == witness.bonus(bid, bid), here
        cards = [theirs(card) for card in
                 str(position.cells[f"{GAME.seat_names[position.turn or 0]} hand"]).split()]
        trumps = witness.suit_of(theirs(str(position.cells["trump"])))
        assert merit.values["trumps"] == sum(witness.suit_of(c) == trumps for c in cards), here
        assert merit.values["high"] == sum(
            witness.suit_of(c) != trumps and witness.value_of(c) > 8 for c in cards
        ), here
    elif merit.name in ("near-start", "lands", "nearer", "remains"):
        check_cell(position, what, others, merit)
    else:
        check_card(Hand(position), theirs(what), [theirs(other) for other in others], merit)


def check_cell(
    position: escale.Position, cell: str, others: list[str], merit: Merit
) -> None:
    river = witness.RIVER
    left = witness.distance(river, cell)
    seat = GAME.seat_names[position.turn or 0]
    at = [name for name, who in position.cells.items() if seat in str(who).split()
          and name in witness.all_cells(river)]
    here = (position, cell, merit)
    if merit.name == "near-start":
        assert not at, here
        assert all(left <= witness.distance(river, other) for other in others), here
    elif merit.name == "lands":
        assert left == 0, here
    elif merit.name == "nearer":
        assert merit.count == witness.distance(river, at[0]) - left > 0, here
        assert merit.values["left"] == left, here
    else:
        assert merit.count == left >= witness.distance(river, at[0]), here


def check_card(hand: Hand, card: str, others: list[str], merit: Merit) -> None:
    here = (hand.__dict__, card, merit)
    missing, name = hand.bid - hand.won, merit.name
    if name in ("sure-trick", "ahead", "saves-cards", "strongest", "needs"):
        assert merit.count == missing > 0, here
    if name in ("leaves", "sheds", "weakest", "made"):
        assert missing == 0, here
    if name in ("sure-trick", "one-more"):
        assert hand.surely(card), here
    if name in ("one-more", "beyond"):
        assert missing < 0, here
    if name == "ahead":
        assert hand.takes(card), here
        assert len(hand.laid) > 0, here
        assert not hand.last, here
    if name in ("leaves", "sheds"):
        assert not hand.takes(card), here
        assert merit.count == hand.bid, here
    if name == "sheds":
        losing = [other for other in others if not hand.takes(other)]
        assert all(hand.strength(card) >= hand.strength(other) for other in losing), here
    if name in ("weakest", "saves-cards"):
        assert all(hand.strength(card) < hand.strength(other) for other in others), here
    if name == "strongest":
        assert all(hand.strength(card) > hand.strength(other) for other in others), here
    if name == "out-of-reach":
        assert missing > len(hand.hand), here
    if name == "needs":
        assert merit.values["left"] == len(hand.hand) >= missing, here


def test_every_merit_is_so() -> None:
    chance, found = random.Random(1997), Counter[str]()
    for number in range(12 if escale.COMPILED else 2):
        bids = chance.choice(("secret", "open"))
        position = GAME.start(seats=chance.randint(3, 6), seed=number, bids=bids)
        while position.turn is not None:
            moves = position.moves()
            if len(moves) > 1 and chance.random() < 0.3:
                move = chance.choice(moves)
                even = (1 / position.seats,) * position.seats
                said = list(reasons(position, Line((move,), even)))
                assert said[-1].kind == "plain"
                for one in said[:-1]:
                    assert one.merit is not None
                    check(position, move, one.merit)
                    assert all(one.text(lang) for lang in LANGUAGES)
                    found[one.merit.name] += 1
            position = position.play(chance.choice(moves))
    told = {key.split(".")[1] for key in GAME.texts if key.startswith("merit.")}
    assert not escale.COMPILED or told == found.keys(), (told ^ found.keys(), found)
