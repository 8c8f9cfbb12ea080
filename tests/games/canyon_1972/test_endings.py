"""Canyon (1972): what shows how it ended, and the countdowns of plies and of quiet plies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import escale
from escale.devkit.starts import option_sets
from tests.games.canyon_1972 import witness
from tests.games.canyon_1972.test_compare import GAME, loose, state_of
from tests.games.compare import only_places
from tests.games.endings import (
    COUNTED,
    Left,
    check_cells,
    check_repetition,
    left_of,
    occurrences,
)


def set_up(chance: random.Random, *words: str) -> escale.Position:
    """Pawns dropped anywhere; `words` say how far the game is."""
    options = chance.choice(option_sets(GAME))
    turn = chance.choice((0, 1))
    board = GAME.write_board({**loose(chance, turn, options["canyon"])})
    return GAME.position(" ".join([board, witness.SEATS[turn], *words]), options=options)


def ended(chance: random.Random) -> Iterator[escale.Position]:
    """Games that go on at random from where pawns were dropped, close to the one or other end."""
    while True:
        far = [str(chance.choice([1, 595])), f"quiet={chance.choice([0, 90])}"]
        position = set_up(chance, *far)
        while position.turn is not None:
            moves = position.moves()
            if chance.random() < 0.2:
                moves = [max(moves, key=lambda move: len(move.changes))]
            position = position.play(chance.choice(moves))
        yield position


def shown(position: escale.Position) -> set[str]:
    """The pawns of the seat that has its best sum, or that alone has any."""
    cells = only_places(position.cells)
    mover = 1 - position.kernel().turn
    alone = [seat for seat in (0, 1) if not witness.own_pawns(cells, 1 - seat)]
    if alone:
        return set(witness.own_pawns(cells, alone[0]))
    passed = "passed=" in position.text
    if not passed and witness.ended(cells, mover, canyon=position.options["canyon"]):
        return set(witness.own_pawns(cells, mover))
    return set()


def test_the_pawns_that_have_arrived_or_are_left_alone_show_it() -> None:
    check_cells(
        GAME, ended(random.Random(1)), shown, "finished", "no-pawns", "no-progress", "length"
    )


def test_whatever_is_done_without_progress_the_game_ends_when_the_countdown_says() -> None:
    chance = random.Random(2)
    endings: Counter[str] = Counter()
    for _ in range(COUNTED):
        near = str(chance.choice([50, 575, 590]))
        position = set_up(chance, near, f"quiet={chance.choice([0, 75, 85, 95])}")
        state = state_of(position, 1)
        met: Counter[Any] = Counter()
        for played in range(120):
            times = occurrences(met, position)
            finished = witness.outcome(state)
            assert (position.outcome and position.outcome.name) == (finished and finished[1])
            if finished is not None:
                endings[finished[1]] += 1
                break
            expected: Left = {"no-progress": 100 - state.since, "length": 600 - state.plies}
            if times == 2:
                expected["repetition"] = None
            assert left_of(position) == expected
            # They do what they like, mostly without progress, and some go back and forth.
            moves = position.moves()
            tables = {move: only_places(position.play(move).cells) for move in moves[:40]}
            quiet = [
                move for move, cells in tables.items()
                if move.text == "pass" or witness.made(state, cells).since > state.since
            ]
            move = chance.choice(quiet if quiet and played % 30 else list(tables))
            passes = move.text == "pass"
            state = witness.after_pass(state) if passes else witness.made(state, tables[move])
            position = position.play(move)
    assert endings["no-progress"]
    assert endings["length"] or not escale.COMPILED


def test_a_position_that_has_come_twice_is_told() -> None:
    check_repetition(GAME.start().play("d2-e2"))
