"""Checks that a game has a question for every choice of its players."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from escale.devkit.starts import looked_at, random_starts
from escale.game.choices import Choices
from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.position import Position
from escale.game.prompts import Questions
from escale.kernel import CHANCE, Random

CHECKED_NODES = 40
"""This many nodes of a position's choices are checked, drawn at random."""


def prompt_faults(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    """Faults in a game's prompts, in random games with every option."""
    names = {prompt.name for prompt in game.prompts}
    for key in game.texts:
        branch, _, name = key.partition(".")
        if branch == "prompt" and name.removesuffix(".few") not in names:
            yield f"text {key} belongs to no prompt"
    yield from (f"missing text prompt.{n}" for n in names if f"prompt.{n}" not in game.texts)
    known: set[tuple[Any, ...]] = set()
    for start, random in random_starts(game, games, seed):
        position = start
        for number in itertools.count():
            if position.turn is None:
                break
            if position.turn == CHANCE:
                position = position.play(position.draw(random))
                continue
            if looked_at(number):
                yield from _faults_of(position, random, known)
            moves = position.moves()
            position = position.play(moves[random.below(len(moves))])


def _faults_of(position: Position, random: Random, known: set[tuple[Any, ...]]) -> Iterator[str]:
    """Missing questions in one position, and questions that reveal something hidden."""
    questions = Questions(position)
    assert position.turn is not None
    imagined = position.imagine(position.turn, random)
    if imagined.situation != questions.situation:
        yield f"{position.text}: what is asked depends on what is hidden"
    for atoms, following in nodes(position, random):
        prompt = questions.find(atoms, following)
        kinds = " ".join(sorted({*map(questions.kind, following)}))
        path = " ".join(map(questions.kind, atoms))
        asked = questions.situation.name, path, kinds
        if asked in known:
            continue
        known.add(asked)
        if prompt is None:
            yield f"no prompt asks for {kinds!r} after {path!r} in the situation {asked[0]!r}: " \
                  f"{'-'.join(atoms) or 'the first choice'} of {position.text}"
            continue
        for lang in AUTHORED:
            try:
                questions.ask(atoms, following, lang)
            except KeyError as gap:
                yield f"prompt.{prompt.name}.{lang}: nothing fills the gap {gap}"


def nodes(position: Position, random: Random, most: int = CHECKED_NODES) -> Iterator[
    tuple[tuple[str, ...], tuple[str, ...]]
]:
    """Some nodes at which a player chooses: the atoms so far, and those that may follow.

    The first choice is always among them.
    """
    waiting: list[tuple[tuple[str, ...], Choices]] = [((), position.choices())]
    while waiting and most:
        atoms, node = waiting.pop(random.below(len(waiting)))
        if not node.next:
            continue
        yield atoms, tuple(node.next)
        most -= 1
        chosen = [*node.next.items()]
        for _ in range(min(len(chosen), most)):
            atom, after = chosen.pop(random.below(len(chosen)))
            waiting.append(((*atoms, atom), after))
