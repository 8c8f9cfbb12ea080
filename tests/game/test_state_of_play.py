"""A scene in two parts: put together again, they are the scene, whoever looks."""

from __future__ import annotations

import random

import pytest
from msgspec import json

import escale
from escale.game.position import Position
from escale.game.state_of_play import board_part, difference, merge
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer

SLUGS = ("canoe", "canyon-1972", "canyon-1997", "qenj1", "qenj2", "qenj3", "qenj4", "tortuga")
GAMES = 3
LONGEST = 250


def random_game(slug: str, seed: int) -> list[Position]:
    """The positions of a game of chance, with options and seats drawn, too."""
    chance = random.Random(seed)
    box = escale.game(slug)
    options = {option.name: chance.choice(option.values) for option in box.options}
    position = box.start_with(options, seats=chance.randint(*box.seats))
    found = [position]
    while position.turn is not None and len(found) < LONGEST:
        position = position.play(chance.choice(position.moves()))
        found.append(position)
    return found


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("seed", range(GAMES))
def test_board_and_differences_make_the_scene_of_every_viewer(slug: str, seed: int) -> None:
    """All that is known goes through JSON, as on its way to a browser."""
    positions = random_game(slug, seed)
    first = positions[0]
    part = board_part(first.game, first.options, first.seats)
    viewers: list[Viewer] = [SPECTATOR]
    if first.game.hides:
        viewers += [ALL, *map(Seat, range(first.seats))]
    for viewer in viewers:
        before = None
        known = None
        for position in positions:
            scene = position.scene(viewer)
            after = part.state_of_play(scene)
            if before is None or known is None:
                known = json.decode(json.encode(after))
            else:
                known = merge(known, json.decode(json.encode(difference(before, after))))
            before = after
            assert part.join(known) == scene, (viewer, position.text)
            assert part.join(json.decode(json.encode(after))) == scene
        looks = positions[-1].last.pauses(viewer) if positions[-1].last else ()
        for look in looks:
            assert part.join(json.decode(json.encode(part.state_of_play(look.scene)))) == look.scene


@pytest.mark.parametrize("slug", SLUGS)
def test_a_board_is_the_same_wherever_it_is_made(slug: str) -> None:
    """The fingerprint follows from options and seats, not from what is played."""
    box = escale.game(slug)
    part = board_part(box, {}, box.seats[0])
    assert part is board_part(box, box.choose({}), box.seats[0])
    again = type(part)(box, box.start(seats=box.seats[0]).scene(SPECTATOR))
    assert part.fingerprint == again.fingerprint


def test_options_that_change_the_board_change_its_fingerprint() -> None:
    """Canyon (1972) has three canyons, Canyon (1997) a tile for each seat."""
    old, new = escale.game("canyon-1972"), escale.game("canyon-1997")
    widths = [board_part(old, {"canyon": width}, 2).fingerprint
              for width in ("short", "narrow", "wide-passes")]
    assert len(set(widths)) == 3
    seats = [board_part(new, {}, count).fingerprint for count in (3, 4, 5)]
    assert len(set(seats)) == 3
