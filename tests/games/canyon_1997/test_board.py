"""What is drawn at Canyon (1997): hands in order, what matters on the river, the ways of canoes."""

from __future__ import annotations

import itertools
import random

import escale
from escale.game.position import Position
from escale.game.scene import Caption
from escale.game.viewer import ALL, Seat
from escale.games.canyon_1997.board import CELLS, in_order, speed_cards
from escale.games.canyon_1997.cards import SEATS
from escale.games.canyon_1997.river import LANDING, NAMES, NUMBERS, RIVER, neighbours
from escale.games.canyon_1997.rules import MOVE, PLAY, CanyonState
from escale.kernel import CHANCE

GAME = escale.game("canyon-1997")


def playing(seed: int, seats: int, phase: int) -> Position:
    """A table in that phase, after some rounds."""
    chance = random.Random(seed)
    position = GAME.start_with({}, seats=seats, seed=seed)
    while position.turn == CHANCE or state_of(position).phase != phase or chance.random() > 0.1:
        position = position.play(chance.choice(position.moves()))
    return position


def state_of(position: Position) -> CanyonState:
    state = position.kernel()
    assert isinstance(state, CanyonState)
    return state


def turn_of(position: Position) -> int:
    assert position.turn is not None
    return position.turn


def shut(start: str, taken: set[str]) -> bool:
    """Whether no landing can be reached: then points are given up."""
    met = [NUMBERS[start]]
    for cell in met:
        met += [near for near in RIVER.steps[cell] if near not in met and NAMES[near] not in taken]
    return all(RIVER.terrain[cell] != LANDING for cell in met)


def test_cards_lie_by_suit_and_value_trumps_first() -> None:
    hand = "blue3 blue10 red5 green2 green7 yellow1 purple9"
    assert in_order(hand, "green") == [
        "green2", "green7", "blue3", "blue10", "red5", "yellow1", "purple9",
    ]
    assert in_order("blue10 blue9", None) == ["blue9", "blue10"]
    position = playing(3, 4, PLAY)
    seat = turn_of(position)
    scene = position.scene(Seat(seat))
    drawn = [piece.atom for piece in scene.pieces if piece.at == f"{SEATS[seat]} hand"]
    trump = str(position.cells["trump"]).rstrip("0123456789")
    assert drawn == in_order(str(position.cells[f"{SEATS[seat]} hand"]), trump)


def test_every_part_has_its_panel_and_nothing_lies_outside() -> None:
    for seats in (3, 6):
        scene = playing(seats, seats, PLAY).scene(Seat(1))
        kinds = [panel.kind for panel in scene.panels]
        assert kinds == ["board", *["tile"] * (seats + 1), "strip"]
        for piece in scene.pieces:
            held = [
                panel for panel in scene.panels
                if panel.x < piece.x < panel.x + panel.width
                and panel.y < piece.y < panel.y + panel.height
            ]
            assert len(held) == 1
        said = {label.text.key for label in scene.labels if isinstance(label.text, Caption)}
        assert {"board.hand", "board.trump", "board.bid", "board.tricks", "board.you"} <= said
        assert {f"seat.{seat}" for seat in SEATS[:seats]} <= said


def test_hands_that_all_can_see_are_named() -> None:
    scene = playing(3, 3, PLAY).scene(ALL)
    [panel] = [panel for panel in scene.panels if panel.id == "hands"]
    beside = {
        label.text.key: label.y for label in scene.labels
        if isinstance(label.text, Caption) and label.text.key.startswith("seat.")
        and panel.y < label.y < panel.y + panel.height and panel.x < label.x < panel.x + 130
    }
    for seat in SEATS[:3]:
        [row] = {piece.y for piece in scene.pieces if piece.at == f"{seat} hand"}
        assert abs(beside[f"seat.{seat}"] - row) < 20


def test_one_card_is_said_in_the_singular() -> None:
    position = GAME.start_with({}, seats=3, seed=5)
    chance = random.Random(5)
    while int(position.cells["round"]) < 8:
        position = position.play(chance.choice(position.moves()))
    [said] = [
        label.text for label in position.scene(ALL).labels
        if isinstance(label.text, Caption) and label.text.key.startswith("board.round")
    ]
    assert GAME.texts.say(said.key, "fr", **(said.values or {})) == "Tour 8\xa0: 1 carte"
    assert GAME.texts.say(said.key, "en", **(said.values or {})) == "Round 8: 1 card"


def test_the_river_keeps_in_sight_who_moves_then_oneself_then_who_leads() -> None:
    position = playing(11, 5, MOVE)
    at = {seat: cell for cell in CELLS for seat in str(position.cells.get(cell, "")).split()}
    mover = SEATS[turn_of(position)]
    me = next(number for number in range(5) if number != position.turn)
    river = position.scene(Seat(me)).panels[0]
    leader = min(at, key=lambda seat: RIVER.distance[NUMBERS[at[seat]]])
    first = dict.fromkeys([mover, SEATS[me], leader])
    wanted = [(CELLS[at[seat]].x, CELLS[at[seat]].y) for seat in first]
    assert list(river.focus[: len(wanted)]) == wanted
    assert set(river.focus) == {(CELLS[cell].x, CELLS[cell].y) for cell in at.values()}


def test_the_way_of_a_canoe_is_one_that_it_may_take() -> None:
    told = 0
    for seed in range(4):
        chance = random.Random(seed)
        position = GAME.start_with({"short": "on"}, seats=3 + seed, seed=seed)
        while position.moves():
            state = state_of(position)
            moves = position.moves()
            for move in moves if position.turn != CHANCE and state.phase == MOVE else ():
                told += 1
                [way] = move.ways
                others = {
                    cell for cell in CELLS
                    for seat in str(position.cells.get(cell, "")).split()
                    if seat != SEATS[turn_of(position)]
                }
                assert way[-1] == move.text
                assert len(set(way)) == len(way)
                assert not others & set(way[1:])
                for one, other in itertools.pairwise(NUMBERS[cell] for cell in way):
                    assert other in neighbours(one)
                    assert other in RIVER.steps[one]
                if RIVER.terrain[NUMBERS[way[-1]]] != LANDING and not shut(way[0], others):
                    assert len(way) - 1 == state.points(turn_of(position))
            position = position.play(chance.choice(moves))
    assert told > 50


def test_a_bid_of_five_or_more_shows_the_cards_with_which_it_is_laid() -> None:
    for bid in range(9):
        cards = speed_cards(bid)
        assert sum(cards) == bid
        assert len(cards) == (1 if bid < 5 else 2 if bid < 8 else 3)
        assert len(set(cards)) == len(cards)
        assert max(cards) <= 4
        text = f"r1.dB.tg4.pb1234567890r1234567890p1234/Oc0.b{bid}.w8/Hd0.b1.w0/Be0.b1.w0 otter 41"
        scene = GAME.position(text).scene(ALL)
        laid = [piece for piece in scene.pieces if piece.at == "otter bid"]
        assert [piece.label for piece in laid] == [str(card) for card in cards]
        assert len({piece.x for piece in laid}) == len(laid)
        tricks, = (piece for piece in scene.pieces if piece.at == "otter tricks")
        assert all(piece.x + 39 < tricks.x - 39 for piece in laid)         # 39: half a card
