"""Analysis as a job of the study: a position is looked at, and what is known so far is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game
from escale.kernel import Line
from escale.server.study.messages import AnalysisLine, AnalysisLook, AnalysisQuestion
from escale.server.study.positions import reach, shown
from escale.study.analysis import Look, assumed, looks, verdict

LONGEST = 12
"""Moves of a line that are sent: further ones are guesses."""


def job(request: dict[str, Any]) -> Iterator[AnalysisLook]:
    """Look at a position; see `jobs`."""
    question = msgspec.convert(request["question"], AnalysisQuestion)
    lang: str = request["lang"]
    position = reach(game(request["game"]), question)
    told = assumed(position, lang, open_cards=question.open)
    for look in looks(position, lines=question.lines, open_cards=question.open):
        yield _sent(position, look, told, lang)


def _sent(position: Position, look: Look, told: str, lang: str) -> AnalysisLook:
    found = look.found
    return AnalysisLook(
        lines=[_line(position, line, lang) for line in found.lines], method=found.method,
        count=found.simulations or found.nodes, depth=found.depth, assumed=told, last=look.last,
    )


def _line(position: Position, line: Line[Move], lang: str) -> AnalysisLine:
    return AnalysisLine(
        moves=[shown(move, lang) for move in line.moves[:LONGEST]],
        shares=[round(share, 4) for share in line.shares], proven=line.proven,
        plies=line.plies_to_end, verdict=verdict(position, line, lang),
    )
