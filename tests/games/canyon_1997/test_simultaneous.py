"""Seats that bid in secret choose at the same time: the match is the same in any order of bids."""

from __future__ import annotations

import itertools
import random

import pytest

import escale
from escale.game.errors import NotNow, NotYourTurn
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.kernel import CHANCE
from escale.match.clock import Pace
from escale.match.events import Played
from escale.match.match import Match, redact
from escale.match.verify import Verdict, verify
from escale.opponents import think
from tests.games.canyon_1997.test_bids import GAME, bid, everything, phase, to_bid
from tests.sizes import sized


def in_turn(seats: int, seed: str, random: random.Random, rounds: int) -> Match:
    """Some rounds in which every seat bids in turn, by random moves."""
    match = Match(GAME.start(seats=seats), fair_random=FairRandom(seed))
    while True:
        match.draw_chance()
        if match.turn is None or int(match.position.cells["round"]) > rounds:
            return match
        match.play(match.turn, random.choice(match.position.moves()))


def shuffled(match: Match, random: random.Random) -> Match:
    """The same moves, with the bids of every round in any order."""
    other = Match(match.start, fair_random=match.fair_random)
    bids: dict[int, str] = {}
    for event in match.events:
        if isinstance(event, Played) and event.move.startswith("bid"):
            bids[event.seat] = event.move
            if len(bids) == match.start.seats:
                for seat in random.sample(sorted(bids), len(bids)):
                    assert seat in other.choosing
                    other.play(seat, bids[seat])
                bids = {}
        else:
            assert not bids
            other.happen(event)
    for seat in random.sample(sorted(bids), len(bids)):
        other.play(seat, bids[seat])
    return other


@pytest.mark.parametrize("seed", range(sized(8, 100, 2)))
def test_any_order_of_bids_is_the_same_match(seed: int) -> None:
    draw = random.Random(seed)
    match = in_turn(3 + seed % 4, f"order {seed}", draw, rounds=2)
    other = shuffled(match, draw)
    assert other.position == match.position
    assert other.position.plies == match.position.plies
    assert [position.text for position in match.positions if not position.unshown] \
        == [position.text for position in other.positions if not position.unshown]
    for number, event in enumerate(match.events):
        if not isinstance(event, Played) or not event.move.startswith("bid"):
            assert other.events[number] == event
    for again in (Match.replay(other.transcript(ALL)), played_again(other)):
        assert again.position == match.position
        assert again.transcript(ALL) == other.transcript(ALL)
    assert all(finding.verdict is not Verdict.WRONG for finding in verify(other.transcript(ALL)))
    moves = other.line()
    position = other.start
    for text in moves:
        position = position.play(text)
    assert position == match.position


def played_again(match: Match) -> Match:
    """A match that has been rewound to its end: all its events folded once more."""
    again = Match.replay(match.transcript(ALL))
    again.rewind(len(again.events))
    return again


def test_every_order_of_four_bids_is_the_same_position() -> None:
    match = to_bid(4, "every")
    shown = {
        after(match.position, order).text for order in itertools.permutations(match.choosing)
    }
    assert len(shown) == 1


def after(position: escale.Position, order: tuple[int, ...]) -> escale.Position:
    for seat in order:
        position = position.with_turn(seat).play(f"bid{seat}")
    return position


def test_all_that_have_yet_to_bid_choose_and_nobody_else() -> None:
    match = to_bid(4, "who")
    first, second, third, fourth = match.choosing
    assert match.turn == first
    match.play(third, "bid1")
    assert match.choosing == (first, second, fourth)
    assert (match.turn, match.position.unshown) == (first, 1)
    with pytest.raises(NotYourTurn):
        match.play(third, "bid2")
    with pytest.raises(NotYourTurn):
        match.play(first, f"{GAME.seat_names[second]}-bid2")
    with pytest.raises(NotYourTurn):
        match.position.with_turn(third)
    match.play(first, "bid0")
    for seat in (fourth, second):
        match.play(seat, "bid0")
    assert [match.choosing, match.position.unshown] == [(first,), 0]


def test_a_wrong_move_in_the_name_of_another_seat_tells_nothing_of_its_hand() -> None:
    match = to_bid(3, "names")
    for seat in match.choosing:
        for other in match.choosing:
            name = GAME.seat_names[other]
            for attempt in (f"{name}-blue7", f"{name}-bid9", f"{name}-"):
                with pytest.raises(escale.IllegalMove) as refused:
                    match.play(seat, attempt)
                assert refused.value.position == match.position.with_turn(seat).text_for(Seat(seat))


def test_open_bids_and_tricks_are_one_seats_turn() -> None:
    match = to_bid(3, "open", bids="open")
    assert match.choosing == (match.turn,)
    with pytest.raises(NotYourTurn):
        match.play((match.choosing[0] + 1) % 3, "bid0")


def test_bids_are_shown_from_the_first_player_on() -> None:
    match = to_bid(3, "shown")
    order = match.choosing
    for seat in reversed(order):
        match.play(seat, "bid1")
    assert match.position.last is not None
    kinds = [(change.kind, change.at) for change in match.position.last.changes]
    names = [GAME.seat_names[seat] for seat in order]
    assert kinds == [("chose", names[0]), *(("announced", name) for name in names)]


@pytest.mark.parametrize("seats", [3, 5])
def test_a_bid_out_of_turn_is_hidden_from_the_others(seats: int) -> None:
    """Whatever a seat has chosen, before or after its turn: the same bytes for all others."""
    orders = random.Random(seats)
    order = orders.sample(range(seats), seats)
    for count in range(1, seats):
        one, other = to_bid(seats, "twins"), to_bid(seats, "twins")
        bidders = order[:count]
        swapped = bidders[orders.randrange(count)]
        for seat in bidders:
            one.play(seat, "bid2")
            other.play(seat, "bid7" if seat == swapped else "bid2")
        viewers: list[Viewer] = [SPECTATOR, *map(Seat, set(range(seats)) - {swapped})]
        for viewer in viewers:
            assert list(everything(one, viewer)) == list(everything(other, viewer))
        assert list(everything(one, Seat(swapped))) != list(everything(other, Seat(swapped)))
        for seat in one.choosing:
            choices = [
                think(match.position.with_turn(seat), "mousse", seed=3).move.text
                for match in (one, other)
            ]
            assert choices[0] == choices[1]


def test_what_is_redacted_of_a_bid_out_of_turn() -> None:
    match = to_bid(3, "redacted")
    seat = match.choosing[2]
    event = match.play(seat, "bid4")
    assert isinstance(event, Played)
    assert event.move == f"{GAME.seat_names[seat]}-bid4"
    told = redact(match, event, Seat(match.choosing[0]))
    assert isinstance(told, Played)
    assert told.move == "bid?"
    assert redact(match, event, Seat(seat)) == event


def test_a_bid_taken_back_can_be_made_again_out_of_turn() -> None:
    match = to_bid(3, "again")
    first, second, third = match.choosing
    match.play(third, "bid4")
    match.play(first, "bid3")
    match.take_back(third)
    assert match.choosing == (first, second, third)
    for seat, number in ((second, 1), (third, 0), (first, 2)):
        match.play(seat, f"bid{number}")
    cells = match.position.cells
    names = GAME.seat_names
    assert [cells[f"{names[seat]} bid"] for seat in (first, second, third)] == [2, 1, 0]
    assert Match.replay(match.transcript(ALL)).position == match.position


def test_the_time_of_all_who_have_yet_to_bid_runs() -> None:
    start = GAME.start(seats=3)
    match = Match(start, fair_random=FairRandom("clock"), pace=Pace.live(60))
    match.draw_chance(at=0)
    while match.position.choosing and len(match.choosing) == 1:
        match.play(match.choosing[0], match.position.moves()[0], at=0)
        match.draw_chance(at=0)
    first, second, third = match.choosing
    match.play(second, "bid1", at=10_000)
    reading = match.clock(30_000)
    assert reading is not None
    assert reading.running == (first, third)
    assert [reading.remaining[seat] for seat in (first, second, third)] == [30_000, 50_000, 30_000]
    with pytest.raises(NotNow, match="out of time"):
        match.play(first, "bid1", at=60_000)
    match.flag(first, "mousse", at=60_000)
    match.flag(third, "mousse", at=60_000)
    with pytest.raises(NotNow):
        match.flag(second, "mousse", at=60_000)
    reading = match.clock(90_000)
    assert reading is not None
    assert reading.running == ()


def test_positions_among_bids_can_be_written_and_read() -> None:
    match = to_bid(4, "texts")
    for seat in (match.choosing[3], match.choosing[1]):
        match.play(seat, "bid2")
        for asked in match.choosing:
            position = match.position.with_turn(asked)
            again = GAME.position(position.text)
            assert again == position
            assert again.turn == asked
            assert again.choosing == match.choosing
            assert [move.text for move in again.moves()] == [f"bid{n}" for n in range(9)]
            assert all(move.seat == asked for move in again.moves())


def test_chance_and_the_end_ask_nobody() -> None:
    start = GAME.start(seats=3)
    assert start.turn == CHANCE
    assert start.choosing == ()


def test_bids_in_turn_are_written_as_before() -> None:
    match = to_bid(3, "plain")
    assert [bid(match, 1).move for _ in range(3)] == ["bid1"] * 3
    assert phase(match) != 3
