"""Canyon (1997) against its literal witness: the same moves, tricks, canoes and whole rounds.

Games are played side by side, every move on both tables; and rounds are ended from tables on which
canoes, bids and tricks were strewn at random, which random games hardly ever reach.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import escale
from escale.game.viewer import HIDDEN, SPECTATOR, Seat, Viewer
from escale.games.canyon_1997 import notation
from escale.games.canyon_1997.cards import SEATS
from tests.games.canyon_1997 import witness
from tests.games.compare import AT_LENGTH, CHUNKS, CHUNKS_AT_LENGTH, IN_CHUNKS
from tests.sizes import COMPARED, COMPARED_ALL

GAME = escale.game("canyon-1997")
Cells = dict[str, Any]


def ours(card: str) -> str:
    """The witness writes `blue 7`, `bid 3`."""
    return card.replace(" ", "")


def table_of(state: witness.State) -> Cells:
    """What lies on the witness's table, in our names."""
    cells: Cells = {"round": witness.marker(state.round_number, short=state.short)}
    if laps := (state.round_number - 1) // (10 if state.short else 14):
        cells["laps"] = min(laps, 8)
    for seat, cell in enumerate(state.canoes):
        if cell:
            cells[cell] = f"{cells.get(cell, '')} {SEATS[seat]}".strip()
    if state.dealer >= 0:
        cells["dealer"], cells["first"] = SEATS[state.dealer], SEATS[state.first_player]
    if state.trump_card:
        cells["trump"] = ours(state.trump_card)
    lost = []
    if state.phase == "canoes":         # the witness remembers those whose turn is over, too
        now = place(state, witness.seat_to_move(state))
        lost = [seat for seat in sorted(state.lost_move) if place(state, seat) > now]
    if lost:
        cells["lost"] = " ".join(SEATS[seat] for seat in lost)
    for seat in range(state.seats):
        name = SEATS[seat]
        hand = sorted(state.hands[seat], key=witness.CARDS.index)
        cells[f"{name} hand"] = " ".join(map(ours, hand))
        if state.bids[seat] >= 0 and state.secret and state.phase == "bid":
            cells[f"{name} chosen"] = state.bids[seat]
        elif state.bids[seat] >= 0:
            cells[f"{name} bid"] = state.bids[seat]
            cells[f"{name} tricks"] = state.tricks_won[seat]
        if seat in state.landed:
            cells[f"{name} left"] = state.left_over[seat]
    for number, card in enumerate(state.trick):
        cells[f"{SEATS[(state.leader + number) % state.seats]} card"] = ours(card)
    return cells


def place(state: witness.State, seat: int) -> int:
    return (seat - state.first_player) % state.seats


def told(position: escale.Position) -> Cells:
    """Our table without what only we write down."""
    drawing = position.cells.get("trump") is None
    return {
        name: value for name, value in position.cells.items()
        if name not in ("played", "drawing") and not name.endswith(" void")
        and not (drawing and name.endswith(" card"))
    }


def same(position: escale.Position, state: witness.State) -> None:
    """The same table, the same seat to move, the same moves, the same end."""
    assert told(position) == table_of(state), position
    mover = witness.mover(state)
    turn = "chance" if position.turn == escale.CHANCE else position.turn
    assert turn == mover, position
    shares = position.outcome.shares if position.outcome else None
    assert shares == witness.outcome(state), position
    for viewer in range(position.seats):
        assert bids_seen(position, Seat(viewer)) == witness.bids_seen(state, viewer), position
    assert bids_seen(position, SPECTATOR) == witness.bids_seen(state, "spectator"), position
    if state.phase != "draw":           # after a tie we put cards back, the witness does not
        moves = {move.atoms[-1] for move in position.moves()}
        assert moves == {ours(move) for move in witness.moves(state)}, position


def bids_seen(position: escale.Position, viewer: Viewer) -> tuple[int | str, ...]:
    """What a viewer knows of the bids, as the witness says it."""
    cells = GAME.seen(position.cells, viewer)
    bids = [cells.get(f"{seat} bid", cells.get(f"{seat} chosen", witness.HAS_NOT_BID))
            for seat in SEATS[: position.seats]]
    return tuple(witness.HAS_BID if bid == HIDDEN else bid for bid in bids)


def side_by_side(chance: random.Random, wanted: int) -> int:
    """A random game on both tables; how many positions were compared."""
    seats, short = chance.randint(3, 6), chance.random() < 0.5
    secret = chance.random() < 0.7
    position = GAME.start(
        seats=seats, short="on" if short else "off", bids="secret" if secret else "open"
    )
    state = witness.start(seats, short=short, secret=secret)
    compared = 0
    while compared < wanted:
        if state.phase == "place" and seats == 6 and state.canoes.count("") == 1:
            [last] = witness.moves(state)           # the witness asks, we do not
            state = witness.after(state, last)
        same(position, state)
        compared += 1
        if position.turn is None:
            return compared
        choices = {ours(move): move for move in witness.moves(state)}
        moves = [move for move in position.moves() if move.atoms[-1] in choices]
        move = chance.choice(moves)
        position = position.play(move)
        state = witness.after(state, choices[move.atoms[-1]])
    return compared


def strewn(chance: random.Random) -> witness.State:
    """The last card of a round is to be played; canoes, mostly close to the end, lie anywhere."""
    seats = chance.randint(3, 6)
    state = witness.start(seats)
    number = chance.randint(1, 14)
    size = witness.hand_size(number)
    lowest = chance.choice([0, 12, 20, 22, 26])
    waters = [
        cell for cell in witness.cells_with(witness.RIVER, "S.>") if int(cell[1:]) >= lowest
    ]
    canoes = chance.sample(waters, seats)
    for seat in range(seats):
        if chance.random() < 0.1:
            canoes[seat] = "e21"
    cards = list(witness.CARDS)
    chance.shuffle(cards)
    trump = cards.pop()
    dealer = chance.randrange(seats)
    won = [0] * seats
    for _ in range(size - 1):
        won[chance.randrange(seats)] += 1
    first = (dealer + 1) % seats
    leader = chance.choice([seat for seat in range(seats) if won[seat]] or [first])
    suit = witness.suit_of(cards[0])
    follow = [card for card in cards if witness.suit_of(card) == suit]
    laid = chance.sample(follow, seats)
    bids = [
        min(size, won[seat] + chance.choice([0, 0, 1, 2])) if chance.random() < 0.8
        else chance.randint(0, size)
        for seat in range(seats)
    ]
    hands: list[tuple[str, ...]] = [()] * seats
    hands[(leader - 1) % seats] = (laid[-1],)
    return replace(
        state, phase="play", drawing=(), round_number=number, dealer=dealer, first_player=first,
        hands=tuple(hands), trump_card=trump, bids=tuple(bids), leader=leader,
        trick=tuple(laid[:-1]), tricks_won=tuple(won), canoes=tuple(canoes),
    )


def set_up(state: witness.State) -> escale.Position:
    cells = table_of(state)
    seen = [*state.trick, state.trump_card, *(card for hand in state.hands for card in hand)]
    rest = [card for card in witness.CARDS if card not in seen]
    cells["played"] = " ".join(map(ours, rest[: state.seats * sum(state.tricks_won)]))
    if not cells["played"]:
        del cells["played"]
    return GAME.position(f"{notation.write(cells)} {SEATS[witness.seat_to_move(state)]} 50")


def round_ends(chance: random.Random) -> int:
    """The end of a strewn round, choice after choice."""
    state = strewn(chance)
    position = set_up(state)
    compared = 0
    while True:
        same(position, state)
        compared += 1
        if position.turn is None or position.turn < 0:
            return compared
        move = chance.choice(witness.moves(state))
        state = witness.after(state, move)
        position = position.play(ours(move))


def compare(chunk: int, wanted: int) -> None:
    chance = random.Random(f"canyon-1997 {chunk}")
    compared = 0
    while compared < wanted // 2:
        compared += side_by_side(chance, wanted // 2)
    while compared < wanted:
        compared += round_ends(chance)


@IN_CHUNKS
def test_as_the_witness_says(chunk: int) -> None:
    compare(chunk, COMPARED // CHUNKS)


@pytest.mark.exhaustive
@AT_LENGTH
def test_as_the_witness_says_at_length(chunk: int) -> None:
    compare(chunk, COMPARED_ALL // CHUNKS_AT_LENGTH)
