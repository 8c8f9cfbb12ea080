"""Checks lessons: they must be short, complete in every language, and solvable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.position import Position
from escale.game.refusals import explain
from escale.kernel import CHANCE
from escale.study.lessons import FILE, Lesson, Step, lesson

STEP_COUNTS = range(3, 11)
TASK_COUNTS = range(1, 4)
SENTENCE_LETTERS = 130
"""The most letters of a sentence."""
LESSON_WORDS = 260
"""The most words of all steps in one language: a lesson takes two minutes."""


def lesson_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in a game's lesson."""
    taught = lesson(game)
    if taught is None:
        yield f"there is no {FILE}"
        return
    yield from _whole(taught)
    seen: set[str] = set()
    for step in taught.steps:
        if step.id in seen:
            yield f"two steps are called {step.id}"
        seen.add(step.id)
        faults = [*_sentences(step), *_step(game, step)]
        yield from (f"{step.id}: {fault}" for fault in faults)


def _whole(taught: Lesson) -> Iterator[str]:
    steps, tasks = len(taught.steps) - len(taught.tasks), len(taught.tasks)
    for name, count, wanted in (("steps", steps, STEP_COUNTS), ("tasks", tasks, TASK_COUNTS)):
        if count not in wanted:
            yield f"expected {wanted[0]} to {wanted[-1]} {name}, not {count}"
    for lang in AUTHORED:
        said = [
            word for step in taught.steps if not step.task
            for word in f"{step.ask[lang]} {step.done[lang]}".split()
        ]
        if len(said) > LESSON_WORDS:
            yield f"the steps say {len(said)} words in {lang}: {LESSON_WORDS} at most"


def _sentences(step: Step) -> Iterator[str]:
    for name in ("ask", "done", "other"):
        sentences = getattr(step, name)
        if sentences is None:
            continue
        if len(set(sentences.values())) < len(AUTHORED):
            yield f"{name} is the same in two languages"
        for lang, text in sentences.items():
            if not re.search(r"[.!?][”»\s]*$", text):
                yield f"{name} is a sentence: {text!r}"
            if len(text) > SENTENCE_LETTERS:
                yield f"{name} has {len(text)} letters in {lang}: {SENTENCE_LETTERS} at most"
            if "'" in text:
                yield f"{name} has a straight apostrophe: {text!r}"


def _step(game: Game[Any], step: Step) -> Iterator[str]:
    """Faults of one step: it must be solvable, and every possible move must have an answer."""
    if step.rule not in game.rules[AUTHORED[0]].numbers:
        yield f"no paragraph {step.rule}"
    position = step.reach(game)
    if position.turn is None or position.turn == CHANCE:
        yield "no seat is to move"
        return
    if sum(map(bool, (step.moves, step.goal, step.refused, step.point))) > 1:
        yield "asks for more than one thing"
    if step.point:
        yield from _places(position, step.point)
    elif step.refused or step.attempt:
        yield from _attempt(position, step)
    answers = step.answers(game)
    asks = not step.refused and not step.point
    if asks and not answers:
        yield "no legal move does what is asked"
    other = len(answers) < len(position.moves())
    if other != (step.other is not None):
        yield ("nothing is said of other legal moves" if other
               else "every legal move is right: other is never said")


def _places(position: Position, names: tuple[str, ...]) -> Iterator[str]:
    known = position.game.cell_names
    yield from (f"{name} is no cell" for name in names if name not in known)


def _attempt(position: Position, step: Step) -> Iterator[str]:
    """An attempt must be refused as stated, and consist of existing atoms."""
    atoms = position.game.split(step.attempt or "")
    choices = position.choices()
    if not atoms or choices.after(*atoms) is not None:
        yield f"{step.attempt} is not refused"
        return
    found = explain(position, atoms).paragraph
    if found != step.refused:
        yield f"{step.attempt} is refused by {found}, not {step.refused}"
    start = choices.next.get(atoms[-1])
    if choices.after(*atoms[:-1]) is None:
        yield f"players cannot point at {step.attempt}: only its last part may be wrong"
    elif len(atoms) > 1 and start is not None and start.next:
        yield f"who points at {atoms[-1]} begins another move"
