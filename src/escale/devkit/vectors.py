"""Checks that observations contain exactly what a viewer may know."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from escale.adapters.actions import Decision
from escale.adapters.observations import layout_of
from escale.devkit.starts import looked_at, random_starts
from escale.game.game import Game
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.kernel import CHANCE, Random
from escale.kernel.core import NO_MORE


def vector_faults(
    game: Game[Any], games: int, seed: int, *, every: bool = False
) -> Iterator[str]:
    """Faults in the observations of random games; `every` looks at all positions.

    Two views are equal if their texts and their half-made moves are equal; only the seat that makes
    a half-made move sees it. Then, and only then, their vectors must be equal, also for positions
    that a seat cannot distinguish. The number of plies is left out on both sides: it differs in
    nearly all positions of a game, so that no other difference would be tested.
    """
    vectors: dict[bytes, bytes] = {}
    views: dict[bytes, bytes] = {}
    for start, random in random_starts(game, games, seed):
        layout = layout_of(game, start.options)
        decision = Decision(start)
        number = 0
        while True:
            if every or looked_at(number):
                viewers: list[Viewer] = [ALL, SPECTATOR, *map(Seat, range(start.seats))]
                for viewer in viewers:
                    view = _short(_view(decision, viewer).encode())
                    seen = layout.vector(decision, viewer)
                    seen[layout.find_part("plies").start] = 0
                    vector = _short(seen.tobytes())
                    if vectors.setdefault(vector, view) != view:
                        yield f"{_view(decision, viewer)}: another view has the same vector"
                    if views.setdefault(view, vector) != vector:
                        yield f"{_view(decision, viewer)}: this view has two vectors"
                yield from _imagined(decision, random)
                yield from _compiled(decision)
            if decision.turn is None:
                break
            legal = decision.legal
            decision = decision.step(legal[random.below(len(legal))])
            number += 1


def _imagined(decision: Decision, random: Random) -> Iterator[str]:
    """Whether things that are hidden from a seat change its observation."""
    position = decision.position
    layout = layout_of(position.game, position.options)
    for seat in range(position.seats if position.game.hides and not decision.chosen else 0):
        imagined = Decision(position.imagine(seat, random))
        if layout.vector(imagined, Seat(seat)) != layout.vector(decision, Seat(seat)):
            yield f"{position.text}: what is hidden from seat {seat} changes what it observes"


def _compiled(decision: Decision) -> Iterator[str]:
    """Whether the compiled rules, if they number atoms, write the same observation."""
    position, state = decision.position, decision.position.kernel()
    if decision.chosen or decision.turn in (None, CHANCE) or not state.observed():
        return
    for move in position.moves():
        numbers = decision.actions.of(move)
        if [state.atom(move.code, index) for index in range(len(numbers) + 1)] != [
            *numbers, NO_MORE
        ]:
            yield f"{position.text}: the compiled rules number the atoms of {move.text} otherwise"
    layout = layout_of(position.game, position.options)
    for seat in range(position.seats):
        vector = layout.vector(decision, Seat(seat))
        if state.observe(seat) != list(vector[:layout.own]):
            yield f"{position.text}: seat {seat} sees something else in the compiled rules"


def _view(decision: Decision, viewer: Viewer) -> str:
    """The knowledge of a viewer as a text, without the number of plies."""
    position = decision.position
    board, turn, _, *more = position.text_for(viewer).split()
    chosen = decision.chosen if viewer in (ALL, Seat(position.kernel().turn)) else ()
    return " ".join([str(viewer), str(position.turn), board, turn, *more, "|", *chosen])


def _short(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
