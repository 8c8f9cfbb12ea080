"""`escale learn`: the lesson of a game in a terminal, with the same steps as its page."""

from __future__ import annotations

from typing import Any

from rich.console import Console

import escale
from escale.cli.language import Misuse
from escale.cli.options import GameName, Lang
from escale.cli.terminal import QUIT, ask, print_board, print_text
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import plain, speak
from escale.game.viewer import Seat
from escale.study.goals import Answers
from escale.study.lessons import Lesson, Step, lesson
from escale.study.words import words

SKIP = ("passer", "skip")
BACK = ("retour", "back")
SHOW = ("?", "montrer", "show")


class LessonTerminal:
    """A lesson in a terminal: it shows a board, asks for a move, and answers what is typed."""

    def __init__(self, taught: Lesson, *, lang: str, console: Console) -> None:
        self.game = taught.game
        self.taught = taught
        self.lang = lang
        self.console = console

    def run(self) -> None:
        """Teach all steps, or those until the learner quits."""
        self.say("terminal.welcome", title=self.game.title)
        at = 0
        try:
            while at < len(self.taught.steps):
                at = max(0, at + self.teach_step(at))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return
        self.say("terminal.end", game=self.game.slug)

    def say(self, key: str, style: str | None = None, **values: object) -> None:
        """Print a sentence of the lessons."""
        print_text(self.console, words().say(f"lesson.{key}", self.lang, **values), style)

    def teach_step(self, number: int) -> int:
        """Teach one step; returns by how many steps to go on. EOFError: the learner quits."""
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
                print_board(self.console, position, Seat(seat), self.lang)
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
            after = self.judge_answer(step, position, answers, line)
            if after is None:
                print_text(self.console, step.done[self.lang], "green")
                return 1
            position, answers = after

    def judge_answer(
        self, step: Step, position: Position, answers: Answers, line: str
    ) -> tuple[Position, Answers] | None:
        """The position and the right answers after the line typed; None when the step is done."""
        atoms = self.game.split(line)
        if step.point:
            if atoms[:1] and atoms[0] in step.point:
                return None
            print_text(self.console, (step.other or step.ask)[self.lang], "yellow")
            return position, answers
        node = position.choices().after(*atoms)
        if node is None:
            refusal = explain(position, line)
            print_text(self.console, refusal.text(self.lang), "yellow")
            return None if refusal.paragraph == step.refused else (position, answers)
        if node.move is None:
            print_text(self.console, position.prompt(self.lang, *atoms))
            return position, answers
        if node.move.text not in answers:
            assert step.other is not None
            print_text(self.console, step.other[self.lang], "yellow")
            return step.reach(self.game), step.answers(self.game)
        viewer = Seat(position.turn or 0)
        print_text(self.console, node.move.narrate(self.lang, viewer))
        reply = answers[node.move.text]
        if reply is None:
            return None
        after = position.play(node.move)
        story = after.find(reply.move).narrate(self.lang, viewer)
        self.say("reply", sentence=story)
        return after.play(reply.move), reply.then


def learn(name: GameName, lang: Lang = None) -> None:
    """Learn a game step by step, on a board that answers."""
    teach(escale.game(name), lang=speak(lang))


def teach(game: Game[Any], *, lang: str, console: Console | None = None) -> None:
    """Run the lesson of a game; Misuse if it has none."""
    taught = lesson(game)
    if taught is None:
        raise Misuse("no-lesson", game=game.title)
    LessonTerminal(taught, lang=lang, console=console or Console(highlight=False)).run()
