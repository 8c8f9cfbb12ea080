"""Figures of the rules, and whether an attempt is a move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.viewer import viewer_on_turn
from escale.server.messages import AttemptResult, ExampleFacts, Reason
from escale.server.tables.views import outcome_state


@cache
def examples(box: Game[Any], lang: str) -> list[ExampleFacts]:
    """The figures of the rules: positions, and what is tried there."""
    return [
        ExampleFacts(
            id=example.id, rules=list(example.rules), caption=example.caption[lang],
            position=example.position, line=list(example.line), move=example.move,
            attempt=example.attempt, refused=example.refused, cells=list(example.cells),
        )
        for example in box.examples
    ]


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
