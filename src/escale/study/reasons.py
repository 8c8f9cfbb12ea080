"""The reasons for a move, each in one sentence that is true.

What is certain comes first: a win, a loss that is avoided. Then facts that a reader can check on
the board: what the move takes, threatens or prevents. Last comes the computer's opinion: which
feature of its evaluation the move improves most. If a seat may not know everything, the game itself
gives the reasons (`Definition.merits`), from what that seat sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from escale.game.definition import Merit
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.viewer import Seat
from escale.kernel import Line
from escale.kernel.brute_force import brute_force
from escale.study import comparisons
from escale.study.facts import catches, passed, prey, winning_move
from escale.study.features import improved
from escale.study.words import words

SEARCH_POSITIONS = 200_000
"""Positions that an exhaustive search may examine for one reason."""

Kind = Literal[
    "wins", "only", "saves", "draws", "lost", "stops-win", "takes", "threatens-win", "shelters",
    "threatens", "avoids-loss", "avoids-capture", "clears", "gains", "denies", "restricts",
    "narrows", "frees", "fewer-ways", "merit", "feature", "plain",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a move."""

    kind: Kind
    game: Game[Any]
    count: int | None = None
    """The most moves until the win or the avoided loss; or the number of pieces taken."""
    cells: tuple[str, ...] = ()
    """The cells where something is taken, threatened or sheltered."""
    threat: Move | None = None
    """The move that is threatened, or prevented, or that would answer another move."""
    other: Move | None = None
    """Another move, which would be worse."""
    left: int = 0
    """The points that the other seat can still gain."""
    feature: str | None = None
    """A feature of the evaluation that improves."""
    merit: Merit | None = None
    """The merit that the game itself states."""

    @property
    def proven(self) -> bool:
        """Whether the reason is a proven end of the game."""
        return self.kind in ("wins", "saves", "draws", "lost")

    def text(self, lang: str) -> str:
        """The reason as a part of a sentence, after the move and a colon."""
        if self.merit is not None:
            gaps = {
                name: self.game.called(value, lang) if isinstance(value, str) else value
                for name, value in self.merit.values.items()
            }
            key = f"merit.{self.merit.name}"
            return self.game.texts.count(key, lang, self.merit.count, **gaps)
        values: dict[str, Any] = {
            "cell": self.game.called(self.cells[0], lang) if self.cells else "",
            "cells": ", ".join(self.game.called(cell, lang) for cell in self.cells),
            "move": self.threat.label(lang) if self.threat else "",
            "other": self.other.label(lang) if self.other else "",
            "left": self.left,
        }
        if self.feature is not None:
            values["feature"] = self.game.texts.say(f"feature.{self.feature}", lang)
        key = f"hint.{self.kind}"
        if self.kind in ("wins", "avoids-loss") and self.count == 1:
            key = f"{key}-now"
        elif self.kind in ("wins", "saves") and self.count is None:
            key = f"{key}-surely"
        # A game may have its own verb: a turtle is turned over, not taken.
        own = any(name in self.game.texts for name in (key, f"{key}.one"))
        texts = self.game.texts if own else words()
        count = len(self.cells) if self.count is None else self.count
        return texts.count(key, lang, count, **values)


def reason(position: Position, line: Line[Move], rival: Line[Move] | None = None) -> Reason:
    """The best reason for the first move of a line, for the seat to move.

    `rival` is the best of the lines that begin with another move, if it is known.
    """
    return next(reasons(position, line, rival))


def reasons(
    position: Position, line: Line[Move], rival: Line[Move] | None = None
) -> Iterator[Reason]:
    """All known reasons for a move, the best first."""
    game, move = position.game, line.moves[0]
    if not game.hides and (found := _certain(position, line, rival)):
        yield found
    if len(position.moves()) == 1:
        yield Reason("only", game)
    if game.hides:
        yield from _merits(position, move)
    else:
        yield from _seen_on_board(position, move)
        yield from _compared(position, move)
        if gain := improved(position, move):
            yield Reason("feature", game, feature=gain.name)
    yield Reason("plain", game)


def _certain(
    position: Position, line: Line[Move], rival: Line[Move] | None
) -> Reason | None:
    """The reason that is a proven end of the game, if there is one."""
    game, seat = position.game, position.turn
    assert seat is not None
    outcome = position.follow(line.moves[0].code).outcome
    if outcome is not None and outcome.shares[seat] == 1:
        return Reason("wins", game, 1)
    if line.proven and line.shares[seat] == 1:
        plies = _plies(position, line)
        return Reason("wins", game, None if plies is None else plies // 2 + 1)
    if line.proven and line.shares[seat] == 0:
        return Reason("lost", game)
    # If a rival certainly loses, so do all other moves, since it is the best of them.
    if rival is not None and rival.proven and rival.shares[seat] == 0:
        if _loses(position, line.moves[0], rival.plies_to_end):
            return Reason("lost", game)
        plies = _plies(position, rival)
        return Reason("saves", game, None if plies is None else (plies + 1) // 2)
    if line.proven and _drawn(position, line):
        return Reason("draws", game)
    return None


def _loses(position: Position, move: Move, plies: int | None) -> bool:
    """Whether a short search proves that this move loses within some plies, too."""
    if position.seats != 2 or plies is None:
        return False
    bounds = brute_force(position.kernel().child(move.code), plies - 1, SEARCH_POSITIONS)
    return bounds is not None and (bounds[1] == 0 if position.turn == 0 else bounds[0] == 1)


def _drawn(position: Position, line: Line[Move]) -> bool:
    """Whether a line is known to its end, and ends in a draw."""
    *_, last = position.along(move.code for move in line.moves)
    return last.outcome is not None and not last.outcome.winners


def _plies(position: Position, line: Line[Move]) -> int | None:
    """The most plies of a proven line; None unless two seats take turns in it.

    No matter who ends the game, half of them are a seat's own moves.
    """
    known = [move.position.turn for move in line.moves]
    if position.seats != 2 or any(a == b for a, b in pairwise(known)):
        return None
    return line.plies_to_end


def _seen_on_board(position: Position, move: Move) -> Iterator[Reason]:
    """The things that a move takes, threatens and protects, for two seats."""
    game = position.game
    after = position.follow(move.code)
    theirs = passed(position)               # the other seat's captures, if it were to move
    again = passed(after)                   # this seat's captures, if it moved once more
    if theirs is not None and after.turn == theirs.turn:
        threat = winning_move(theirs)
        if threat is not None and winning_move(after) is None \
                and not comparisons.all_parry(position, move):
            yield Reason("stops-win", game, threat=threat)
    if (taken := prey(move)) and not comparisons.all_take(position, move):
        yield Reason("takes", game, len(taken), taken)
    if again is not None and (threat := winning_move(again)) is not None:
        yield Reason("threatens-win", game, threat=threat)
    if theirs is not None and after.turn == theirs.turn:
        exposed = catches(theirs)
        if exposed and catches(after) == {}:
            yield Reason("shelters", game, len(exposed), tuple(exposed))
    if again is not None:
        known, aims = catches(position), catches(again)
        if known is not None and aims is not None:
            for cell, by in aims.items():
                if cell not in known:
                    yield Reason("threatens", game, 1, (cell,), by)


def _compared(position: Position, move: Move) -> Iterator[Reason]:
    """What a move has over others that look good, of two seats."""
    game, after = position.game, position.follow(move.code)
    if position.seats != 2 or len(position.moves()) == 1:
        return
    others = comparisons.natural(position, move)
    if (worse := comparisons.losing(position, others)) \
            and not comparisons.loses(after, position.turn, worse.number or 1):
        yield Reason("avoids-loss", game, worse.number, threat=worse.reply, other=worse.other)
    yield from _merits(position, move)
    worse = comparisons.exposing(position, after, others)
    if worse and worse.taken:
        yield Reason(
            "avoids-capture", game, len(worse.taken), worse.taken, worse.reply, other=worse.other
        )
    theirs = passed(position)
    if theirs is not None and after.turn == theirs.turn:
        if cleared := comparisons.cleared(theirs, after):
            yield Reason("clears", game, len(cleared), cleared)
        if denied := comparisons.denied(theirs, after):
            threat, points, left = denied
            yield Reason("denies", game, points, threat=threat, left=left)
    if worse and not worse.taken:
        yield Reason("fewer-ways", game, worse.ways, other=worse.other, left=worse.number or 0)
    if points := comparisons.gain(position, move):
        yield Reason("gains", game, points)
    replies = comparisons.replies(position, move)
    if replies is not None and replies[1]:
        yield Reason("restricts", game, replies[0])
    if (openings := comparisons.openings(position, move)) is not None:
        yield Reason("frees", game, openings)
    if replies is not None:
        yield Reason("narrows", game, replies[0])


def _merits(position: Position, move: Move) -> Iterator[Reason]:
    """The game's own reasons for a move, from what its seat may know."""
    game, seat = position.game, position.turn
    assert seat is not None
    cells = game.seen(position.cells, Seat(seat))
    others = [other.atoms for other in position.moves() if other.code != move.code]
    for merit in game.merits(cells, seat, move.atoms, others):
        yield Reason("merit", game, merit=merit)
