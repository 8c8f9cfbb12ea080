"""The page on which one learns a game: its lesson, step by step, with a board that answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi import APIRouter
from msgspec import to_builtins
from starlette.responses import Response

from escale.game.game import Game
from escale.game.position import Position
from escale.games import game as game_named
from escale.server.pages import forms, pictures
from escale.server.pages import shared_pictures as share
from escale.server.pages.board_words import board_words
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.study.positions import shown
from escale.server.workers.drawing import draw
from escale.study.goals import Answers
from escale.study.lessons import Lesson, Step, lesson
from escale.study.words import words as study_words
from escale.web import words
from escale.web.script_words import script_words

router = APIRouter()


@page(router, "/g/{slug}/learn")
async def learn(context: PageContext) -> Response:
    """The steps one after another; without scripts all of them are shown, to be read."""
    box = game_named(context.request.path_params["slug"])
    taught = lesson(box)
    if taught is None:
        return error_page(context.request, 404)
    return context.show(
        "learn.html", box=await draw(card, box, context.lang), level=forms.LEVEL,
        level_name=box.texts.say(f"level.{forms.LEVEL}", context.lang),
        steps=await draw(_shown_steps, box, context.lang),
        lesson=await draw(lesson_facts, box, context.lang),
        words=script_words(context.lang, "learn.js"), **board_words(box, context.lang),
        card=share.game_card(box, context.lang),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """A step as it is read."""

    id: str
    task: bool
    ask: str
    done: str
    rule: str
    number: int
    """The number of the paragraph that the step teaches."""
    picture: pictures.Picture


@cache
def _shown_steps(box: Game[Any], lang: str) -> list[ShownStep]:
    return [
        ShownStep(
            id=step.id, task=step.task, ask=step.ask[lang], done=step.done[lang], rule=step.rule,
            number=box.rules[lang].numbers[step.rule], picture=pictures.lesson_figure(box, step.id),
        )
        for step in _lesson(box).steps
    ]


@cache
def lesson_facts(box: Game[Any], lang: str) -> dict[str, Any]:
    """The data that the script needs: right answers, and the sentences for all answers."""
    texts = study_words()
    return {
        "steps": [_facts(box, step, lang) for step in _lesson(box).steps],
        "say": {
            name: texts.sentence(f"lesson.{name}", lang)
            for name in ("step", "task", "example", "reply")
        },
        "goal": words().say("client.goal", lang, goal=box.texts.say("goal", lang)),
    }


def _lesson(box: Game[Any]) -> Lesson:
    taught = lesson(box)
    assert taught is not None
    return taught


def _facts(box: Game[Any], step: Step, lang: str) -> dict[str, Any]:
    position = step.reach(box)
    hint = step.hint(box)
    return {
        "id": step.id, "task": step.task, "position": step.position, "line": list(step.line),
        "seat": position.turn,
        "ask": step.ask[lang], "done": step.done[lang],
        "other": step.other[lang] if step.other else "",
        "rule": f"{box.slug}#{step.rule}",
        "refused": f"{box.slug}#{step.refused}" if step.refused else None,
        "point": list(step.point), "hint": box.spell(box.split(hint), lang) if hint else "",
        "attempt": list(box.split(step.attempt)) if step.attempt else [],
        "right": _right(position, step.answers(box), lang),
    }


def _right(position: Position, answers: Answers, lang: str) -> dict[str, Any]:
    """The right moves, each with the replies to it; one of them can be pointed out.

    If every legal move is right, none is listed.
    """
    if not answers:
        return {"any": False, "moves": {}, "shown": None}
    example = position.find(next(iter(answers)))
    replies = {text: reply for text, reply in answers.items() if reply is not None}
    every = len(answers) == len(position.moves()) and not replies
    return {
        "any": every,
        "moves": {} if every else {
            text: reply and {
                "move": reply.move,
                "then": _right(position.play(text).play(reply.move), reply.then, lang),
            }
            for text, reply in answers.items()
        },
        "shown": to_builtins(shown(example, lang)),
    }
