"""Positions that somebody studies, as pages show them: a board that one can touch."""

from __future__ import annotations

from typing import Any

from msgspec import convert

from escale.game.editing import Composition, compose
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.state_of_play import board_part
from escale.game.viewer import ALL, viewer_on_turn
from escale.kernel import CHANCE
from escale.server.messages import ShownMove, StudyPosition, StudyQuestion
from escale.server.study.messages import ComposedPosition
from escale.server.tables.branches import branch, labels
from escale.server.tables.views import (
    badges,
    board_address,
    countdowns,
    outcome_state,
    situation,
)


def reach(box: Game[Any], question: StudyQuestion) -> Position:
    """The position that a question speaks of; an error of the games says why there is none."""
    if question.position is None:
        position = box.start_with(question.options, seats=question.seats)
    else:
        position = box.position(question.position, options=question.options)
    for move in question.line:
        position = position.play(move)
    while question.draw and position.turn == CHANCE:
        position = position.play(position.draw())
    return position


def study_position(box: Game[Any], question: StudyQuestion, lang: str) -> StudyPosition:
    """A position with all that a page needs to show it, and to let somebody move."""
    return _shown(reach(box, question), question.open, lang)


def composed_position(box: Game[Any], wish: ComposedPosition, lang: str) -> StudyPosition:
    """The same for one that was set up by hand; Impossible says why it cannot be."""
    composed = Composition(
        cells=wish.cells, turn=wish.turn, plies=wish.plies, seen=wish.seen, fields=wish.fields,
        options=wish.options,
    )
    return _shown(compose(box, composed), True, lang)


def _shown(position: Position, open_cards: bool, lang: str) -> StudyPosition:
    box, line = position.game, position.line()
    start = line[0].position if line else position
    viewer = ALL if open_cards else viewer_on_turn(position.turn)
    scene = position.scene(viewer)
    play = board_part(box, position.options, position.seats).state_of_play(scene)
    tree = branch(position.choices()) if position.turn is not None else None
    return convert(
        {
            "start": start.text, "line": [move.text for move in line],
            "spelled": [move.label(lang) for move in line], "position": position.text,
            "turn": "chance" if position.turn == CHANCE else position.turn,
            "ply": position.plies, "moves": len(position.moves()),
            "scene": {"board": board_address(position), **play},
            "near": box.near(box.seen(position.cells, viewer)),
            "badges": badges(position, viewer, scene, lang),
            "choices": tree, "labels": labels(box, tree or {}, lang),
            "situation": situation(position, lang) if tree else None,
            "countdowns": countdowns(position, lang),
            "outcome": outcome_state(position.outcome, lang),
            "last": shown(line[-1], lang) if line else None,
            "told": line[-1].narrate(lang, viewer) if line else "",
            "changes": [change.as_json() for change in line[-1].seen_by(viewer)] if line else [],
        },
        StudyPosition, from_attributes=True,
    )


def shown(move: Move, lang: str) -> ShownMove:
    """A move as it is pointed out."""
    return ShownMove(
        move.text, move.label(lang), list(move.atoms), [list(way) for way in move.ways]
    )
