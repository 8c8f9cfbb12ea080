"""Checks that positions of a game can be set up by hand, as `escale check` demands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from escale import kernel
from escale.devkit.starts import looked_at, random_starts
from escale.game.editing import Composition, compose, turns
from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.position import Position


def editor_faults(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """Faults of a game's editor or, if it has none, in the explanation of position texts."""
    if game.supplies is None:
        yield from _writing_faults(game)
        return
    if tuple(field.name for field in game.fields) != game.counters:
        yield f"fields must be the counters {game.counters}, in their order"
    for field in game.fields:
        key = f"field.{field.name}"
        if key not in game.texts or not all(game.texts.say(key, lang) for lang in AUTHORED):
            yield f"no text {key}"
    for start, random in random_starts(game, min(games, 8), seed):
        position, number = start, 0
        while position.turn is not None:
            if looked_at(number):
                yield from _faults(position)
            chance = position.turn == kernel.CHANCE
            moves = position.moves()
            position = position.play(
                position.draw(random) if chance else moves[random.below(len(moves))]
            )
            number += 1


def _writing_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in the help for people who write positions as texts."""
    known = {example.id for example in game.examples}
    yield from (f"models: there is no example {one!r}" for one in game.models if one not in known)
    if game.models and not any(key.startswith("writing.") for key in game.texts):
        yield "no text writing.…"


def _faults(position: Position) -> Iterator[str]:
    """Setting a position up again from its own parts must give the same position."""
    game, composed = position.game, Composition.of(position)
    most = {supply.piece: supply.most for supply in game.supplies or ()}
    if composed.turn not in turns(game):
        yield f"{position.text}: it cannot be the turn of {composed.turn}"
    for piece, count in Counter(composed.cells.values()).items():
        if count > most[piece]:
            yield f"{position.text}: {count} times {piece}, of which there are {most[piece]}"
    for field in game.fields:
        value = composed.fields.get(field.name)
        if field.values and value is not None and value not in field.values:
            yield f"{position.text}: {field.name} cannot be {value}"
    try:
        found = compose(game, composed).text
    except EscaleError as error:
        found = str(error)
    if found != position.text:
        yield f"{position.text}: set up by hand, it becomes {found}"
