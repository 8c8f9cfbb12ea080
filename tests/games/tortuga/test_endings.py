"""Tortuga: what shows how it ended, and the countdown to three hundred plies."""

from __future__ import annotations

import random
from collections.abc import Iterator

import escale
from escale.devkit.starts import option_sets
from tests.games.compare import only_places
from tests.games.endings import COUNTED, at_ply, check_cells, left_of, to_the_end
from tests.games.tortuga import witness
from tests.games.tortuga.test_compare import GAME, strewn


def ended(chance: random.Random) -> Iterator[escale.Position]:
    """Random games, from their beginning and from strewn tables, some of them late."""
    sets = option_sets(GAME)
    while True:
        options = chance.choice(sets)
        start = GAME.start_with(options) if chance.random() < 0.3 else strewn(GAME, chance, options)
        if start.turn not in (None, escale.CHANCE) and chance.random() < 0.1:
            start = at_ply(start, chance.randint(290, 300))
        yield to_the_end(start, chance)


def shown(position: escale.Position) -> set[str]:
    """The base that the last mover stands on; else the turtles of a seat that cannot move."""
    cells, turn = only_places(position.cells), position.kernel().turn
    if (winner := witness.winner_by_base(cells, turn)) is not None:
        return {witness.BASES[1 - winner]}
    options = {name: position.options[name] for name in ("obligation", "longest")}
    if not witness.ways(cells, turn, **options):
        return set(witness.own_turtles(cells, turn))
    return set()


def test_the_turtle_on_the_base_or_those_that_cannot_move_show_who_won() -> None:
    check_cells(GAME, ended(random.Random(1)), shown, "base", "stuck", "length")


def test_the_countdown_is_exact() -> None:
    chance = random.Random(2)
    for _ in range(COUNTED):
        position = strewn(GAME, chance, {})
        if position.turn is None:
            continue
        plies = chance.randint(270, 299)
        position = at_ply(position, plies)
        while position.turn is not None:
            assert plies < 300
            assert left_of(position) == {"length": 300 - plies}
            assert [one.near for one in position.countdowns] == [plies >= 280]
            position, plies = position.play(chance.choice(position.moves())), plies + 1
        assert position.countdowns == ()
        assert position.outcome is not None
        assert (position.outcome.name != "length") or plies == 300
