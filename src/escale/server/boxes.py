"""What the API says about the games themselves: facts, examples, whether an attempt is a move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from escale.game.examples import Example
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.viewer import viewer_on_turn
from escale.opponents import LEVELS
from escale.server.models import (
    AttemptResult,
    ExampleFacts,
    GameFacts,
    LevelFacts,
    OptionFacts,
    Reason,
)
from escale.server.views import branch, labels, outcome_state


@cache
def facts(box: Game[Any], lang: str) -> GameFacts:
    """What is to be known of a game before it is played."""
    say = box.texts.say
    return GameFacts(
        slug=box.slug, title=box.title, authors=list(box.authors), publisher=box.publisher,
        year=box.year, minutes=list(box.minutes), age=box.age, seats=list(box.seats),
        seat_names=[box.seat_name(seat, lang) for seat in range(box.seats[1])],
        mechanisms=[say(f"mechanism.{name}", lang) for name in box.mechanisms],
        hidden=box.hides,
        options=[
            OptionFacts(
                name=option.name, sentence=say(f"option.{option.name}", lang),
                default=option.default, quick=box.quick.get(option.name, option.default),
                values=[
                    {"value": value, "sentence": say(f"option.{option.name}.{value}", lang)}
                    for value in option.values
                ],
            )
            for option in box.options
        ],
        levels=[LevelFacts(level, box.called(level, lang, ("level",))) for level in LEVELS],
    )


@cache
def examples(box: Game[Any], lang: str) -> list[ExampleFacts]:
    """The figures of the rules, as boards that one can touch."""
    return [_example(box, example, lang) for example in box.examples]


def _example(box: Game[Any], example: Example, lang: str) -> ExampleFacts:
    position = reach(box, example.position, example.line)
    tree = branch(position.choices()) if position.turn is not None else None
    return ExampleFacts(
        id=example.id, rules=list(example.rules), caption=example.caption[lang],
        position=example.position, line=list(example.line), move=example.move,
        attempt=example.attempt, refused=example.refused, cells=list(example.cells),
        scene=position.scene(viewer_on_turn(position.turn)),
        choices=tree, labels=labels(box, tree or {}, lang),
    )


def reach(box: Game[Any], text: str, line: Sequence[str]) -> Position:
    """The position that a text and some moves lead to."""
    position = box.position(text)
    for move in line:
        position = position.play(move)
    return position


def judge(position: Position, atoms: Sequence[str], lang: str) -> AttemptResult:
    """Whether some atoms are a move, and what comes of it, or why not."""
    node = position.choices().after(*atoms)
    if node is None or node.move is None:
        no = reason(position, atoms, lang)
        return AttemptResult(legal=False, text=no.text, rule=no.rule, cells=no.cells)
    after = position.play(node.move)
    viewer = viewer_on_turn(position.turn)
    return AttemptResult(
        legal=True, move=node.move.text, told=node.move.narrate(lang, viewer),
        scene=after.scene(viewer), outcome=outcome_state(after.outcome, lang),
    )


def reason(position: Position, atoms: Sequence[str], lang: str) -> Reason:
    """Why some atoms are no move."""
    refusal = explain(position, tuple(atoms))
    return Reason(
        legal=False, text=refusal.text(lang), rule=refusal.rule, cells=list(refusal.cells)
    )
