# cython: annotation_typing=False
"""Positions as values, for people, bots and tests.

This is compiled, because programs that play make hundreds of thousands of positions a second; the
fields are declared in `position.pxd`.
"""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cython

from escale.game.choices import Choices
from escale.game.definition import Countdown
from escale.game.errors import IllegalMove, NotYourTurn
from escale.game.fair_random import FairRandom
from escale.game.moves import Atoms
from escale.game.options import Options
from escale.game.prompts import Questions, Situation
from escale.game.refusals import Refusal, explain
from escale.game.scene import Cells, Scene
from escale.game.viewer import Viewer, viewer_on_turn
from escale.kernel import CHANCE, Random, draw_chance

if not cython.compiled:                     # compiled, they come from `position.pxd`
    from escale.game.moves import LegalMoves, Move, move_of
    from escale.kernel.core import Moves, State, compact_moves
if TYPE_CHECKING:
    from escale.game.game import Game


SPELLED_MOVES = 300
"""Moves that can be spelled on the event loop: about a millisecond for a hundred."""


REPETITION = "repetition"
"""The ending of a game in which a position occurs for the third time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: its ending, and each seat's share."""

    game: Game[Any]
    name: str
    """The name of the ending."""
    paragraph: str | None
    """The name of the paragraph of the rules that ends it."""
    shares: tuple[float, ...]
    """Each seat's share of the win; they add up to 1."""
    scores: tuple[int, ...] = ()
    """The points of each seat, if points decide."""
    cells: tuple[str, ...] = ()
    """The cells and areas that show the reason, if any do."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; none when every seat has the same share."""
        best = max(self.shares)
        if best == min(self.shares):
            return ()
        return tuple(seat for seat, share in enumerate(self.shares) if share == best)

    @property
    def winner_name(self) -> str:
        """The winners' names in notation, or the word `nobody`."""
        return " ".join(self.game.seat_names[seat] for seat in self.winners) or "nobody"

    @property
    def rule(self) -> str | None:
        """The paragraph's name, such as `tortuga#win`."""
        return None if self.paragraph is None else f"{self.game.slug}#{self.paragraph}"

    def text(self, lang: str, called: Sequence[str] = ()) -> str:
        """The end of the game in a sentence; `called` are the players' names, else seats."""
        called = called or [self.game.seat_name(seat, lang) for seat in range(len(self.shares))]
        names = [called[seat] for seat in self.winners]
        losers = [name for seat, name in enumerate(called) if seat not in self.winners]
        winner = ", ".join(names)
        verdict = self.game.texts.say(f"verdict.{'won' if names else 'drawn'}", lang, winner=winner)
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(called, self.scores, strict=False)
        )
        return self.game.texts.say(
            f"ending.{self.name}", lang,
            winner=winner, loser=", ".join(losers), verdict=verdict, scores=scores,
        )

    def where(self, lang: str) -> str:
        """A sentence that names the places which show the end; empty if none do."""
        if not self.cells:
            return ""
        places = ", ".join(self.game.called(cell, lang) for cell in self.cells)
        return self.game.texts.say("outcome-cells", lang, places=places)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "ending": self.name, "rule": self.rule,
            "winners": list(self.winners), "shares": list(self.shares),
            **({"scores": list(self.scores)} if self.scores else {}),
            **({"cells": list(self.cells)} if self.cells else {}),
        }


@dataclass(frozen=True, slots=True)
class View:
    """The part of a position that one viewer may know."""

    text: str
    """The position's text, without hidden parts."""
    viewer: Viewer
    turn: int | None
    outcome: Outcome | None
    cells: Cells
    scene: Scene


@dataclass(frozen=True, slots=True)
class PlayedMoves:
    """The moves from a position on, by their numbers in the kernel: eight bytes for each.

    Lines that go on from one another share their numbers; one that branches off copies them.
    """

    first: Position
    codes: array[int]
    count: int
    """The number of entries that belong to this line."""

    def followed_by(self, code: int) -> PlayedMoves:
        """The line with one more move."""
        codes = self.codes if len(self.codes) == self.count else self.codes[: self.count]
        codes.append(code)
        return PlayedMoves(self.first, codes, self.count + 1)


@cython.final
@cython.freelist(64)
@cython.trashcan(True)
@cython.cclass
class Position:
    """A position of a game. It never changes; `play` makes a new one.

    >>> import escale
    >>> position = escale.game("tortuga").start(first="south")
    >>> position = position.play("d2-d3")
    >>> position.turn
    1
    """

    def __init__(
        self, game: Game[Any], options: Options, state: State, *,
        parent: Position | None = None, last: Move | None = None,
        fair_random: FairRandom | None = None, chance_count: int = 0,
        line: PlayedMoves | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self._state = state
        self._parent = parent
        self._last = last
        self._line = line
        self.fair_random = fair_random
        self.chance_count = chance_count
        self._legal: Moves | None = None
        self._choices: Choices | None = None
        self._cells: Cells | None = None
        self._outcome: Outcome | None = None

    # ---- the line before it ----

    @property
    def parent(self) -> Position | None:
        """The position before the last move."""
        if self._parent is None and self._line is not None and self._line.count:
            line = self._line
            *_, self._parent = line.first.along(line.codes[: line.count - 1])
        return self._parent

    @property
    def last(self) -> Move | None:
        """The last move."""
        if self._last is None and (before := self.parent) is not None:
            assert self._line is not None
            self._last = Move(before, self._line.codes[self._line.count - 1])
        return self._last

    def line(self) -> list[Move]:
        """The moves since the first position."""
        moves = []
        position: Position | None = self
        while position is not None and position.last is not None:
            moves.append(position.last)
            position = position.parent
        return moves[::-1]

    def alone(self) -> Position:
        """This position without those before it, which are played again on request.

        A match keeps one of these: whole positions, each with its moves and choices, would be some
        thirty kilobytes for every move.
        """
        before, last = self._parent, self._last
        if self._line is not None or before is None or last is None:
            return self
        led = before._line
        if led is None:
            first, codes = before._way()
            led = PlayedMoves(first, array("Q", codes), len(codes))
        bare = Position(
            self.game, self.options, before._state, fair_random=before.fair_random,
            chance_count=before.chance_count, line=led,
        )
        return Position(
            self.game, self.options, self._state, last=Move(bare, last.code),
            fair_random=self.fair_random, chance_count=self.chance_count,
            line=led.followed_by(last.code),
        )

    def drop_caches(self) -> None:
        """Free everything that was computed about this position; it is computed again on request.

        Moves refer to their position, and a position to its moves. Without the latter, it leaves
        the memory with the last reference, without waiting for the garbage collector.
        """
        self._legal = self._choices = self._cells = self._outcome = None

    def _way(self) -> tuple[Position, Sequence[int]]:
        """The first position of the line that led here, and the numbers of its moves."""
        first: Position = self
        codes: list[int] = []               # the last one first
        while True:
            if first._line is not None:
                codes += reversed(first._line.codes[: first._line.count])
                first = first._line.first
            elif first._parent is not None and first._last is not None:
                codes.append(first._last.code)
                first = first._parent
            else:
                return first, codes[::-1]

    # ---- the table ----

    @property
    def turn(self) -> int | None:
        """The seat to move, `escale.CHANCE`, or None when the game is over."""
        return self._state.turn if self._codes().count else None

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self._state.seats)

    @property
    def plies(self) -> int:
        """The number of moves that the seats have made."""
        return int(self._state.plies)

    @property
    def cells(self) -> Cells:
        """The content of each cell and of each area."""
        cells = self._cells
        if cells is None:
            cells = self._cells = self.game.cells(self._state)
        return dict(cells)

    @property
    def text(self) -> str:
        """One line that sets the position up again, by `Game.position`.

        It has the number of times that this position has occurred, but not the other positions
        before it.
        """
        return self.game.write(self.cells, self._state, self.options)

    def text_for(self, viewer: Viewer) -> str:
        """The text without the parts hidden from a viewer, as `seen_by` returns it."""
        return self.game.write(self.game.seen(self.cells, viewer), self._state, self.options)

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game, or None while it goes on."""
        outcome = self._outcome
        if outcome is None and not self._codes().count:
            number, shares = self._state.result()
            ending = self.game.endings[number]
            scores = self.game.scores(self._state)
            cells = tuple(self.game.ending_cells(self._state, ending.name))
            outcome = self._outcome = Outcome(
                self.game, ending.name, ending.paragraph, tuple(shares), scores, cells
            )
        return outcome

    @property
    def countdowns(self) -> tuple[Countdown, ...]:
        """The endings that the game will reach by itself, the soonest first; empty when it is over.

        If a game has the ending by repetition, a position that has occurred twice is one of them.
        """
        if self.turn is None:
            return ()
        found = sorted(self.game.countdowns(self._state), key=lambda countdown: countdown.left or 0)
        if self._state.occurrences == 2 and self.game.has_ending(REPETITION):
            found.append(Countdown(REPETITION))
        return tuple(found)

    @property
    def unshown(self) -> int:
        """The number of latest moves that only the seats which made them know yet."""
        return self.game.unshown(self._state)

    @property
    def shown(self) -> Position:
        """The position before the latest moves that only their own seats know."""
        position = self
        for _ in range(self.unshown):
            if position.parent is None:
                break
            position = position.parent
        return position

    @property
    def choosing(self) -> tuple[int, ...]:
        """The seats that have to choose now; several if they choose at the same time.

        The seat to move is the first, in the order in which their choices are shown.
        """
        turn = self.turn
        return () if turn is None or turn == CHANCE else self.game.choosing(self._state)

    def with_turn(self, seat: int) -> Position:
        """This position with the turn given to another of the seats that are `choosing`."""
        if seat == self._state.turn:
            return self
        if seat not in self.choosing:
            raise NotYourTurn("it is not this seat's turn")
        return Position(
            self.game, self.options, self.game.with_turn(self._state, seat), parent=self._parent,
            last=self._last, fair_random=self.fair_random, chance_count=self.chance_count,
            line=self._line,
        )

    def seen_by(self, viewer: Viewer) -> View:
        """The part of the position that a viewer may know; no field has hidden things."""
        cells = self.game.seen(self.cells, viewer)
        text = self.game.write(cells, self._state, self.options)
        return View(text, viewer, self.turn, self.outcome, cells, self._scene(cells))

    def _scene(self, cells: Cells) -> Scene:
        """The scene of a viewer who knows `cells`, with the last move and the end lit."""
        scene = self.game.scene(cells, turn=self.turn, options=self.options)
        lit: dict[str, str] = {}
        if self.last is not None:
            board = self.game.board
            names = board.cell_names if scene.cells is board.cells \
                else {cell.id for cell in scene.cells}
            lit = {
                place: "last" for change in self.last.changes for place in (change.at, change.to)
                if place is not None and place in names
            }
        if self.outcome is not None:
            # The cells and areas that show the end are in the order of the board.
            lit = {cell.id: "last" for cell in scene.cells if cell.id in lit} \
                | dict.fromkeys(self.outcome.cells, "end")
        return scene.with_highlights(lit) if lit else scene

    def imagine(self, seat: int, random: Random) -> Position:
        """A position that a seat cannot distinguish from this one, all of them equally likely.

        It agrees with everything that the seat has seen; the rest is drawn again. If nothing is
        hidden, it is this position.
        """
        state = self.game.imagine(self._state, seat, random)
        return self if state is self._state else Position(self.game, self.options, state)

    def scene(self, viewer: Viewer) -> Scene:
        """The scene of a viewer."""
        return self._scene(self.game.seen(self.cells, viewer))

    def kernel(self) -> State:
        """A copy of the compiled position, for searches."""
        return self._state.copy()

    # ---- moves ----

    def _codes(self) -> Moves:
        """Every legal move by its number in the kernel."""
        legal = self._legal                 # another thread may free the moves of this position
        if legal is None:
            legal = self._legal = compact_moves(self._state)
        return legal

    def _move(self, code: int) -> Move:
        return Move(self, code)

    def _spelled(self, code: int, atoms: Atoms) -> Move:
        return Move(self, code, atoms)

    def mover(self, code: int) -> int:
        """The seat whose move has this number in the kernel; `escale.CHANCE` for an outcome."""
        return self.game.mover(self._state, code)

    def spell(self, code: int) -> Atoms:
        """The atoms of the move with this number in the kernel."""
        return self.game.atoms(self._state, code)

    def moves(self) -> Sequence[Move]:
        """Every legal move, as a sequence that creates its moves on request.

        It is empty when the game is over.
        """
        return LegalMoves(self, self._codes())  # type: ignore[return-value]  # registered as one

    @property
    def crowded(self) -> bool:
        """Whether spelling all moves for `choices` takes long."""
        return self._choices is None and self._codes().count > SPELLED_MOVES

    def choices(self) -> Choices:
        """The legal moves as a trie of atoms, with every way of making them."""
        choices = self._choices
        if choices is None:
            legal = self._codes().as_list()
            ways = list(zip(self.game.spelled(self._state, legal), legal, strict=True))
            if legal:
                ways += self.game.other_ways(self._state, frozenset(legal))
            choices = self._choices = Choices.of(ways, self._spelled)
        return choices

    @property
    def situation(self) -> Situation:
        """A fact on which the questions of this position depend, beyond the atoms."""
        return self.game.situation(self._state)

    def prompt(self, lang: str, *atoms: str) -> str:
        """The question to the seat to move, after some atoms of its move.

        It is empty if there is no question: when the game is over, when it is the turn of chance,
        and when the atoms are a whole move or lead nowhere.
        """
        node = None if self._state.turn == CHANCE else self.choices().after(*atoms)
        return Questions(self).ask(atoms, node.next, lang) if node and node.next else ""

    def find(self, text: str) -> Move:
        """The move that `text` means, in any way of making it; IllegalMove says why not.

        If several seats choose at the same time, a move out of turn begins with its seat's name.
        """
        cache = self.game.notation_cache
        if self._choices is None or text in cache:      # usually it is a move's own notation
            code = cache.find(text, self._codes(), self._notation)
            if code is not None:
                return self._move(code)
        atoms = self.game.split(text)
        node = self.choices().after(*atoms)
        if node is None and atoms and (seat := self._named(atoms[0])) is not None:
            # The refusal is worded for the seat to move: another seat knows other cards.
            node = self.with_turn(seat).choices().after(*atoms[1:])
        if node is None or node.move is None:
            raise self._illegal(text[:200], explain(self, text))
        move: Move = node.move
        return move if move.position is self else self._move(move.code)

    def _named(self, word: str) -> int | None:
        """The seat with this name, if it is one of several that have to choose now."""
        seats = self.choosing
        names = {self.game.seat_names[seat]: seat for seat in seats}
        return names.get(word) if len(seats) > 1 else None

    def _illegal(self, attempt: str, refusal: Refusal) -> IllegalMove:
        """The error that shows the position as the seat to move may know it."""
        return IllegalMove(attempt, refusal, self.text_for(viewer_on_turn(self._state.turn)))

    def _notation(self, code: int) -> str:
        return self.game.join(self.spell(code))

    def play(self, move: Move | str) -> Position:
        """The position after a move, given as a Move or as text."""
        chosen = move if isinstance(move, Move) else self.find(move)
        if chosen is move and self._codes().index(chosen.code) < 0:
            raise self._illegal(chosen.text, explain(self, chosen.atoms))
        after = self._next(chosen)
        return after if after.fair_random is None else after.settled()

    def draw(self, random: Random | None = None) -> Move:
        """A chance outcome, drawn from `random`, else from `fair_random`, else from the system."""
        if random is None and self.fair_random is not None:
            random = self.fair_random.stream(self.chance_count)
        random = random or Random(secrets.randbits(64))
        return self._move(draw_chance(self._state, random))

    def settled(self) -> Position:
        """This position after all chance outcomes that are due, if `fair_random` draws them."""
        position = self
        while position.fair_random is not None and position._state.turn == CHANCE:
            if not position._codes().count:
                break
            position = position._next(position.draw())
        return position

    def _next(self, move: Move) -> Position:
        after = Position.__new__(Position)
        after.game = self.game
        after.options = self.options
        after._state = self._state.child(move.code)
        after._parent = self
        after._last = move if move.position is self else move_of(self, move.code)
        after._line = None
        after.fair_random = self.fair_random
        after.chance_count = self.chance_count + (self._state.turn == CHANCE)
        after._legal = None
        after._choices = after._cells = after._outcome = None
        return after

    # By their numbers in the kernel, moves are not checked: they have been played before.

    def follow(self, code: int) -> Position:
        """The position after the legal move of this number in the kernel."""
        return self._next(Move(self, code))

    def along(self, codes: Iterable[int]) -> Iterator[Position]:
        """This position, and those after each of some moves, as by `follow`."""
        position = self
        yield position
        for code in codes:
            position = position.follow(code)
            yield position

    def after(self, codes: Sequence[int]) -> Position:
        """The last of those, `alone`: the positions between are not kept."""
        if not codes:
            return self
        state, drawn = self._state.copy(), self.chance_count
        for code in codes:
            drawn += state.turn == CHANCE
            state.play(code)
        return Position(
            self.game, self.options, state, fair_random=self.fair_random, chance_count=drawn,
            line=PlayedMoves(self, array("Q", codes), len(codes)),
        )

    # A value that never changes is its own copy.

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        first, codes = self._way()          # flat: parents within parents would exhaust the stack
        start = first.game, first.options, first._state, first.fair_random, first.chance_count
        return _replayed, (*start, tuple(codes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self is other or (self.game is other.game and self.text == other.text)

    def __hash__(self) -> int:
        return hash((self.game.slug, self.text))

    def __repr__(self) -> str:
        return f"<Position {self.game.slug}: {self.text}>"


def _replayed(
    game: Game[Any], options: Options, state: State, fair_random: FairRandom | None,
    chance_count: int, line: tuple[int, ...],
) -> Position:
    """A position out of a pickle, with the line of play that led to it."""
    position = Position(
        game, options, state, fair_random=fair_random, chance_count=chance_count
    )
    for code in line:
        position = position.follow(code)
    return position
