"""Themes of puzzles, found in the changes along a solution and never written by hand.

A game declares the possible themes of its puzzles (`Game.themes`). A theme is one of those below, a
kind of change in the first move, the situation of the game's prompts, a motif of the first move
(`Game.motifs`), or `end-` and the ending.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.scene import Cells
from escale.study.comparisons import denied
from escale.study.facts import catches, passed, winning_move
from escale.study.words import words

STILL = {"moved", "placed"}
"""The kinds of changes in a quiet move."""

Positions = Sequence[Position]
"""The positions of a solution, first and last included."""


def themes_of(game: Game[Any], line: Positions, seat: int) -> tuple[str, ...]:
    """The themes of a solution, in the order of the game."""
    found = {name for name, holds in THEMES.items() if name in game.themes and holds(line, seat)}
    found |= set(_happens(line, seat))
    return tuple(name for name in game.themes if name in found)


def theme_name(game: Game[Any], theme: str, lang: str) -> str:
    """The name of a theme: the game's own phrase, else the study's."""
    key = f"theme.{theme}"
    return game.texts.say(key, lang) if key in game.texts else words().say(f"puzzle.{key}", lang)


def _happens(line: Positions, seat: int) -> Iterator[str]:
    """Situation, motifs, kinds of changes and ending, by their names."""
    yield line[0].situation.name
    first = next(_moves(line, seat))
    yield from line[0].game.motifs(line[0].kernel(), first.code)
    yield from _kinds(first)
    outcome = line[-1].outcome
    if outcome is not None:
        yield f"end-{outcome.name}"


def _moves(line: Positions, seat: int) -> Iterator[Move]:
    """The moves of a seat."""
    for before, after in itertools.pairwise(line):
        if before.turn == seat:
            assert after.last is not None
            yield after.last


def _replies(line: Positions, seat: int) -> Iterator[Move]:
    """The moves of all others."""
    for before, after in itertools.pairwise(line):
        if before.turn != seat:
            assert after.last is not None
            yield after.last


def _owned(game: Game[Any], cells: Cells, seat: int) -> int:
    """The number of pieces on the board that are a seat's own."""
    kinds = game.board.kinds
    return sum(str(piece) in kinds and kinds[str(piece)].owner == seat for piece in cells.values())


def _gain(move: Move, seat: int) -> int:
    """The number of pieces that a seat gains by a move."""
    here = move.position
    after = here.play(move)
    return _owned(here.game, after.cells, seat) - _owned(here.game, here.cells, seat)


def _kinds(move: Move) -> list[str]:
    return [change.kind for change in move.changes]


def _chain(line: Positions, seat: int) -> bool:
    """A move jumps more than once."""
    return any(_kinds(move).count("jumped") > 1 for move in _moves(line, seat))


def _capture(line: Positions, seat: int) -> bool:
    """The other loses a piece."""
    return any(_gain(move, 1 - seat) < 0 for move in _moves(line, seat))


def _sacrifice(line: Positions, seat: int) -> bool:
    """The solver lets a piece be taken at once."""
    return _gain(next(_replies(line, seat)), seat) < 0


def _passed(line: Positions, seat: int) -> bool:
    """The other cannot move any more, and passes."""
    return any("passed" in _kinds(move) for move in _replies(line, seat))


def _rally(line: Positions, seat: int) -> bool:
    """The solver gets a piece more."""
    return any(_gain(move, seat) > 0 for move in _moves(line, seat))


def _gift(line: Positions, seat: int) -> bool:
    """The solver gives the other a piece."""
    return any(_gain(move, 1 - seat) > 0 for move in _moves(line, seat))


def _forced(line: Positions, seat: int) -> bool:
    """The other never has a choice."""
    return all(len(here.moves()) == 1 for here in line[:-1] if here.turn != seat)


def _stack(line: Positions, seat: int) -> bool:
    """The first move carries several pieces."""
    return _kinds(next(_moves(line, seat))).count("moved") > 1


def _quiet(line: Positions, seat: int) -> bool:
    """The first move only puts one piece somewhere."""
    kinds = _kinds(next(_moves(line, seat)))
    return len(kinds) == 1 and kinds[0] in STILL


def menaced(position: Position) -> bool:
    """Whether the other of two seats would win at once if it had the turn."""
    other = passed(position)
    return other is not None and winning_move(other) is not None


def _threat(line: Positions, seat: int) -> bool:
    """The other threatens to win at once."""
    return menaced(line[0])


def _exposed(line: Positions, seat: int) -> bool:
    """A piece of either seat could be taken at once."""
    other = passed(line[0])
    return bool(catches(line[0])) or (other is not None and bool(catches(other)))


def _denies(line: Positions, seat: int) -> bool:
    """The first move denies the other the move that brought most points."""
    theirs, after = passed(line[0]), line[1]
    return theirs is not None and after.turn == theirs.turn and denied(theirs, after) is not None


THEMES: dict[str, Callable[[Positions, int], bool]] = {
    "chain": _chain, "capture": _capture, "sacrifice": _sacrifice, "rally": _rally, "gift": _gift,
    "forced": _forced, "passed": _passed, "stack": _stack, "quiet": _quiet, "threat": _threat,
    "exposed": _exposed, "denies": _denies,
}
