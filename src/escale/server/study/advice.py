"""Hints and a coach's remarks as jobs of the study: one value each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from escale.game.position import Position
from escale.game.texts import LANGUAGES
from escale.games import game
from escale.server.study.advice_messages import CoachRemark, HintFacts
from escale.server.study.positions import shown
from escale.study.coach import remark
from escale.study.hints import hint
from escale.study.words import words


def hint_job(request: dict[str, Any]) -> Iterator[HintFacts]:
    """What to play at a table; see `jobs`."""
    position, lang = _reached(request), request["lang"]
    found = hint(position)
    place = position.game.label(found.look, lang)
    yield HintFacts(
        ply=len(request["moves"]), move=shown(found.move, lang), kind=found.reason.kind,
        proven=found.reason.proven, text=found.text(lang), further=found.further(lang),
        chance=found.chance, look=found.look,
        nudge=words().say("coach.chance", lang, place=place),
    )


def warm_job(request: dict[str, Any]) -> Iterator[bool]:
    """Have all that a hint at a game needs in memory: rules, weights and sentences."""
    hint(game(request["game"]).start(seed=0)).text(LANGUAGES[0])
    yield True


def judge_job(request: dict[str, Any]) -> Iterator[CoachRemark]:
    """What a coach has to say of a move at a table; see `jobs`."""
    position, lang = _reached(request), request["lang"]
    found = remark(position, request["move"])
    yield CoachRemark(
        ply=len(request["moves"]), mark=found.judgement.mark, warns=found.warns, look=found.look,
        question=found.question(lang), story=found.story(lang),
        better=shown(found.better.move, lang),
    )


def _reached(request: dict[str, Any]) -> Position:
    """The position of a match that has come so far; what led to it may end it."""
    position = game(request["game"]).position(request["start"])
    for move in request["moves"]:
        position = position.play(move)
    return position
