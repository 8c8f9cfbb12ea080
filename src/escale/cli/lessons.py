"""`escale learn`: the lesson of a game in a terminal, with the same steps as its page."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from escale.cli.terminal import QUIT, ask, put, put_board
from escale.game.errors import BadOption
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import plain
from escale.game.viewer import Seat
from escale.study.goals import Answers
from escale.study.lessons import Lesson, Step, lesson
from escale.study.words import words

SKIP = ("passer", "skip")
BACK = ("retour", "back")
SHOW = ("?", "montrer", "show")


class LessonTerminal:
    """Somebody who learns a game at a terminal."""

    def __init__(self, taught: Lesson, *, lang: str, console: Console) -> None:
        self.game = taught.game
        self.taught = taught
        self.lang = lang
        self.console = console

    def run(self) -> None:
        """One step after another, until the end or until somebody leaves."""
        self.say("terminal.welcome", title=self.game.title)
        at = 0
        try:
            while at < len(self.taught.steps):
                at = max(0, at + self.step(at))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return
        self.say("terminal.end", game=self.game.slug)

    def say(self, key: str, style: str | None = None, **values: object) -> None:
        """Print a sentence of the lessons."""
        put(self.console, words().say(f"lesson.{key}", self.lang, **values), style)

    def step(self, number: int) -> int:
        """Teach one step; says by how many to go on. EOFError where somebody leaves."""
        step = self.taught.steps[number]
        tasks = len(self.taught.tasks)
        steps = len(self.taught.steps) - tasks
        if step.task:
            self.say("task", "bold", number=number - steps + 1, of=tasks)
        else:
            self.say("step", "bold", number=number + 1, of=steps)
        position, answers, shown = step.reach(self.game), step.answers(self.game), None
        seat = position.turn or 0
        while True:
            if shown is not position:
                put_board(self.console, position, Seat(seat), self.lang)
                shown = position
            line = ask(self.console, f"{step.ask[self.lang]}\n>")
            word = plain(line)
            if word in QUIT:
                raise EOFError
            if word in SKIP:
                return 1
            if word in BACK:
                return -1
            if word in SHOW:
                hint = next(iter(answers), step.hint(self.game)) or ""
                self.say("example", move=self.game.spell(self.game.split(hint), self.lang))
                continue
            after = self.answer(step, position, answers, line)
            if after is None:
                put(self.console, step.done[self.lang], "green")
                return 1
            position, answers = after

    def answer(
        self, step: Step, position: Position, answers: Answers, line: str
    ) -> tuple[Position, Answers] | None:
        """What is on the table after what was typed, and what is right then; None if it is done."""
        atoms = self.game.split(line)
        if step.point:
            if atoms[:1] and atoms[0] in step.point:
                return None
            put(self.console, (step.other or step.ask)[self.lang], "yellow")
            return position, answers
        node = position.choices().after(*atoms)
        if node is None:
            refusal = explain(position, line)
            put(self.console, refusal.text(self.lang), "yellow")
            return None if refusal.paragraph == step.refused else (position, answers)
        if node.move is None:
            put(self.console, position.prompt(self.lang, *atoms))
            return position, answers
        if node.move.text not in answers:
            assert step.other is not None
            put(self.console, step.other[self.lang], "yellow")
            return step.reach(self.game), step.answers(self.game)
        viewer = Seat(position.turn or 0)
        put(self.console, node.move.narrate(self.lang, viewer))
        reply = answers[node.move.text]
        if reply is None:
            return None
        before = position.play(node.move)
        told = before.find(reply.move).narrate(self.lang, viewer)
        self.say("reply", told=told)
        return before.play(reply.move), reply.then


def learn(game: Game[Any], *, lang: str, console: Console | None = None) -> None:
    """Teach a game; BadOption where nobody has written a lesson."""
    taught = lesson(game)
    if taught is None:
        raise BadOption(f"there is no lesson of {game.slug} yet")
    LessonTerminal(taught, lang=lang, console=console or Console(highlight=False)).run()
