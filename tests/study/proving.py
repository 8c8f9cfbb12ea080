"""Puzzles proven once more, by none of the code that found them.

Wins: the plainest walk over everything that can be played, on real positions, without a table, an
evaluation or a budget; the last ply by `kernel.brute_force`, which has none of these either. That
another move does not win: a certificate, which is checked by code that knows only the rules. Hands
of cards: the rules of taking tricks, written down again from the rules page, on the cards
themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

from escale.game.position import Position
from escale.kernel import Limit, State, brute_force
from escale.study.certificates import certify
from escale.study.checking import check
from escale.study.puzzles import Puzzle


def share(state: State, seat: int, plies: int) -> tuple[float, float]:
    """What a seat gets at least and at most, if so many plies are looked at: none, or one."""
    bounds = brute_force(state, plies)
    assert bounds is not None
    low, high = bounds
    return (low, high) if seat == 0 else (1 - high, 1 - low)


def sure_of(
    state: State, seat: int, plies: int, more_than: float, decided: dict[int, int] | None = None
) -> bool:
    """Whether a seat can make sure of more than some share in a game over within `plies`.

    What decided the position before, as many plies from the end, is tried first: that changes how
    long it takes, and nothing else.
    """
    if plies <= 1:
        return share(state, seat, plies)[0] > more_than
    moves = state.legal_moves()
    if not moves:
        return share(state, seat, 0)[0] > more_than
    decided = {} if decided is None else decided
    own = state.turn == seat
    for move in sorted(moves, key=lambda move: move != decided.get(plies)):
        if sure_of(state.child(move), seat, plies - 1, more_than, decided) == own:
            decided[plies] = move
            return own
    return not own


ALMOST = 1 - 1e-9
"""A share that is less than the whole win, and more than any other."""


def prove_win(puzzle: Puzzle, position: Position) -> None:
    """All that a puzzle of two claims, or AssertionError."""
    state, seat = position.kernel(), position.turn
    assert seat is not None
    solution = position.find(puzzle.line[0]).code
    for plies in range(1, puzzle.plies, 2):
        assert not sure_of(state, seat, plies, ALMOST), f"won within {plies} plies"
    for move in state.legal_moves():
        wins = sure_of(state.child(move), seat, puzzle.plies - 1, ALMOST)
        assert wins == (move == solution), f"{position.spell(move)}: {wins}"
        if move == solution:
            continue
        if puzzle.proof == "only":
            prove_refuted(position.follow(move), seat)
        elif puzzle.proof == "clear":
            assert not sure_of(state.child(move), seat, puzzle.plies + 1, ALMOST), (
                f"{position.spell(move)} wins a move later"
            )


def prove_refuted(after: Position, seat: int) -> None:
    """That a seat cannot win any more: a strategy of the other, checked by the rules alone."""
    if after.outcome is not None:
        assert after.outcome.shares[seat] < 1
        return
    here = after.game.position(after.text)
    limit = Limit(nodes=2_000_000)
    found = check(certify(here, 1 - seat, "draw", limit=limit, memory=1 << 22))
    assert (found.position, found.seat, found.goal) == (here, 1 - seat, "draw")


# ---- a hand of cards ----

SUITS = ("blue", "red", "green", "yellow", "purple")
Card = tuple[str, int]
Hands = Mapping[str, tuple[Card, ...]]


def card(name: str) -> Card:
    """A suit and a value."""
    suit = name.rstrip("0123456789")
    assert suit in SUITS
    return suit, int(name[len(suit):])


def playable(hand: tuple[Card, ...], led: str | None) -> tuple[Card, ...]:
    """Rules: the suit that was led, if one has it; otherwise what one likes."""
    following = tuple(one for one in hand if one[0] == led)
    return following or hand


def taker(trick: list[tuple[str, Card]], trumps: str) -> str:
    """Rules: the highest trump; if there is none, the highest card of the suit that was led."""
    suit = trumps if any(suit == trumps for _, (suit, _) in trick) else trick[0][1][0]
    return max((value, seat) for seat, (of, value) in trick if of == suit)[1]


def makes_it(
    hands: Hands, trick: list[tuple[str, Card]], seats: tuple[str, ...], turn: str, trumps: str,
    solver: str, missing: int,
) -> bool:
    """Whether the solver takes exactly `missing` more tricks, whatever all others play."""
    led = trick[0][1][0] if trick else None
    own = turn == solver
    for one in playable(hands[turn], led):
        rest = {**hands, turn: tuple(other for other in hands[turn] if other != one)}
        if after(rest, [*trick, (turn, one)], seats, turn, trumps, solver, missing) == own:
            return own
    return not own


def after(
    hands: Hands, trick: list[tuple[str, Card]], seats: tuple[str, ...], turn: str, trumps: str,
    solver: str, missing: int,
) -> bool:
    """The same, once a card has been played."""
    if len(trick) < len(seats):
        following = seats[(seats.index(turn) + 1) % len(seats)]
        return makes_it(hands, trick, seats, following, trumps, solver, missing)
    winner = taker(trick, trumps)
    missing -= winner == solver
    if not any(hands.values()):
        return missing == 0
    return makes_it(hands, [], seats, winner, trumps, solver, missing)


def prove_hand(puzzle: Puzzle, position: Position) -> None:
    """All that a puzzle with cards claims, or AssertionError."""
    cells, seat = position.cells, position.turn
    assert seat is not None
    seats = position.game.seat_names[: position.seats]
    solver = seats[seat]
    hands: dict[str, tuple[Card, ...]] = {
        name: tuple(map(card, str(cells.get(f"{name} hand", "")).split())) for name in seats
    }
    laid = {name: card(str(cells[f"{name} card"])) for name in seats if f"{name} card" in cells}
    places = [(seat - len(laid) + number) % len(seats) for number in range(len(laid))]
    trick = [(seats[place], laid[seats[place]]) for place in places]
    trumps = card(str(cells["trump"]))[0]
    missing = int(str(cells[f"{solver} bid"])) - int(str(cells.get(f"{solver} tricks", 0)))
    for move in position.moves():
        one = card(move.text)
        rest = {**hands, solver: tuple(other for other in hands[solver] if other != one)}
        good = after(rest, [*trick, (solver, one)], seats, solver, trumps, solver, missing)
        assert good == (move.text == puzzle.line[0]), f"{move.text}: {good}"
