"""Lessons: games taught step by step on the board. The sentences are in `lessons.toml` of a game.

A step shows a position, mostly that of an example, and gives a task: a move, a place to point at,
or an attempt that the rules refuse, so that the refusal teaches. Tasks are steps that are checked
by a goal. The right answers are determined here, so that page, terminal and tests agree.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from escale.game.errors import BadOption
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.languages import AUTHORED, catalogue_name, everywhere
from escale.game.position import Position
from escale.game.texts import spaced
from escale.study.goals import Answers, Goal, solutions

FILE = "lessons.toml"

Sentences = Mapping[str, str]
"""A sentence in every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One task, with one of `moves`, `goal`, `refused` and `point`; without, any move is right."""

    id: str
    rule: str
    """The paragraph of the rules that it teaches."""
    position: str
    """A position's text."""
    line: tuple[str, ...] = ()
    """Moves played first."""
    ask: Sentences
    """The instruction."""
    done: Sentences
    """The sentence after the right answer."""
    other: Sentences | None = None
    """The answer to a legal move that is not right, if there is one."""
    moves: tuple[str, ...] = ()
    """Patterns of the moves that are accepted: `a6-b-*` for every move from a6 to b."""
    goal: Goal | None = None
    """The goal that a move must reach."""
    attempt: str | None = None
    """An illegal attempt to make …"""
    refused: str | None = None
    """… and the paragraph by which any attempt must be refused."""
    point: tuple[str, ...] = ()
    """Places; the learner has to point at one of them."""
    task: bool = False
    """Whether this is a task: it comes after the steps, without instructions."""

    def reach(self, game: Game[Any]) -> Position:
        """The position in which it begins."""
        return game.position(self.position, line=self.line)

    def hint(self, game: Game[Any]) -> str | None:
        """An answer that is accepted, in notation: a place, an attempt or a move."""
        return next(filter(None, [*self.point, self.attempt, *self.answers(game)]), None)

    def answers(self, game: Game[Any]) -> Answers:
        """The right moves, each with the replies to it."""
        if self.refused or self.point:
            return {}
        position = self.reach(game)
        if self.goal is not None:
            return solutions(position, self.goal)
        return {
            move.text: None for move in position.moves()
            if not self.moves or any(fnmatchcase(move.text, one) for one in self.moves)
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a game: steps, then tasks."""

    game: Game[Any]
    steps: tuple[Step, ...]

    @property
    def tasks(self) -> tuple[Step, ...]:
        """The steps that are tasks."""
        return tuple(step for step in self.steps if step.task)


@cache
def lesson(game: Game[Any]) -> Lesson | None:
    """The lesson of a game; None if the game has no lesson."""
    path = game.folder / FILE
    return read_lesson(game, path.read_text("utf-8")) if path.exists() else None


def read_lesson(game: Game[Any], text: str) -> Lesson:
    """Read a lesson from a file."""
    tree = tomllib.loads(text)
    examples = {example.id: example for example in game.examples}
    steps = []
    for kind in ("step", "task"):
        for number, table in enumerate(tree.get(kind, ()), 1):
            _complete(table, examples, f"{kind} {number}")
            steps.append(_step(
                table, examples, catalogue_name(game.folder), task=kind == "task"
            ))
    return Lesson(game, tuple(steps))


def _complete(table: Mapping[str, Any], examples: Mapping[str, Example], what: str) -> None:
    """BadOption says what a table of the file lacks, or has beside what a step can have."""
    named = table.get("example")
    if named is not None and named not in examples:
        raise BadOption(f"{what}: there is no example {named!r}")
    lacking = [name for name in ("id", "ask", "done") if name not in table]
    if named is None and "position" not in table:
        lacking.append("example` or `position")
    attempted = examples[named].attempt if named is not None else None
    if "rule" not in table and "refused" not in table and attempted is None:
        lacking.append("rule")
    if lacking:
        raise BadOption(f"{what} lacks {', '.join(f'`{name}`' for name in lacking)}")
    known = {*Step.__slots__, "example", "any"} - {"task"}
    if unknown := sorted(table.keys() - known):
        raise BadOption(f"{what} has no field {unknown[0]!r}: expected {', '.join(sorted(known))}")


def _step(
    table: Mapping[str, Any], examples: Mapping[str, Example], catalogue: str, *, task: bool
) -> Step:
    """Read one table of the file; missing fields come from its example."""
    fields = dict(table)
    for name in ("ask", "done", "other"):
        if name in fields:
            authored = {lang: spaced(fields[name].get(lang, ""), lang) for lang in AUTHORED}
            fields[name] = everywhere(authored, catalogue, f"lesson.{fields['id']}.{name}")
    if "example" in fields:
        example = examples[fields.pop("example")]
        fields = {"position": example.position, "line": example.line, **fields}
        if not {"moves", "goal", "point", "attempt", "any"} & fields.keys():
            shown = {"attempt": example.attempt, "refused": example.refused}
            fields |= {"moves": (example.move,)} if example.move else shown
    fields.pop("any", None)
    if "goal" in fields:
        fields["goal"] = Goal(**fields["goal"])
    for name in ("line", "moves", "point"):
        if name in fields:
            fields[name] = tuple(fields[name])
    fields.setdefault("rule", fields.get("refused"))
    return Step(task=task, **fields)
