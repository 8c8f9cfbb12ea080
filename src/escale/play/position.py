"""Positions as values: what people, bots and tests hold in their hands."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from escale.kernel import CHANCE, Random, draw_lot
from escale.kernel import Position as Rules
from escale.play.choices import Choices
from escale.play.errors import IllegalMove
from escale.play.luck import Luck
from escale.play.moves import Atoms, Move
from escale.play.options import Options
from escale.play.refusals import explain
from escale.play.scene import Cells, Scene

if TYPE_CHECKING:
    from escale.play.game import Game


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    game: Game[Any]
    name: str
    """Which of the game's endings."""
    paragraph: int | None
    """The paragraph of the rules that ends it."""
    shares: tuple[float, ...]
    """Each seat's share of the win; they add up to 1."""
    scores: tuple[int, ...] = ()
    """What each seat has, where points decide."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; nobody when every seat has the same share."""
        best = max(self.shares)
        if best == min(self.shares):
            return ()
        return tuple(seat for seat, share in enumerate(self.shares) if share == best)

    @property
    def winner_name(self) -> str:
        """The winners' names in notation, or `nobody`."""
        return " ".join(self.game.seat_names[seat] for seat in self.winners) or "nobody"

    @property
    def rule(self) -> str | None:
        """The paragraph's name, such as `tortuga#20`."""
        return None if self.paragraph is None else f"{self.game.slug}#{self.paragraph}"

    def text(self, lang: str) -> str:
        """The end told in a sentence."""
        names = [self.game.seat_name(seat, lang) for seat in self.winners]
        losers = [
            self.game.seat_name(seat, lang)
            for seat in range(len(self.shares)) if seat not in self.winners
        ]
        winner = ", ".join(names)
        verdict = self.game.texts.say(f"verdict.{'won' if names else 'drawn'}", lang, winner=winner)
        scores = ", ".join(
            f"{self.game.seat_name(seat, lang)} {score}" for seat, score in enumerate(self.scores)
        )
        return self.game.texts.say(
            f"ending.{self.name}", lang,
            winner=winner, loser=", ".join(losers), verdict=verdict, scores=scores,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "ending": self.name, "rule": self.rule,
            "winners": list(self.winners), "shares": list(self.shares),
            **({"scores": list(self.scores)} if self.scores else {}),
        }


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know of a position; with seat None, everything."""

    text: str
    """The position's text, without what is hidden."""
    seat: int | None
    turn: int | None
    outcome: Outcome | None
    cells: Cells
    scene: Scene


class Position:
    """A position of a game: it never changes, `play` makes a new one.

    >>> import escale
    >>> position = escale.game("tortuga").start(first="south")
    >>> position = position.play("d2-d3")
    >>> position.turn
    1
    """

    __slots__ = (
        "_cells",
        "_choices",
        "_moves",
        "_outcome",
        "_rules",
        "game",
        "last",
        "lots",
        "luck",
        "options",
        "parent",
    )

    def __init__(
        self, game: Game[Any], options: Options, rules: Rules, *,
        parent: Position | None = None, last: Move | None = None,
        luck: Luck | None = None, lots: int = 0,
    ) -> None:
        self.game = game
        self.options = options
        self._rules = rules
        self.parent = parent
        """The position before the last move."""
        self.last = last
        """The move that led here."""
        self.luck = luck
        self.lots = lots
        self._moves: dict[int, Move | None] | None = None
        self._choices: Choices | None = None
        self._cells: Cells | None = None
        self._outcome: Outcome | None = None

    # ---- what is on the table ----

    @property
    def turn(self) -> int | None:
        """The seat to move, `escale.CHANCE`, or None when the game is over."""
        return self._rules.turn if self._legal() else None

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return int(self._rules.seats)

    @property
    def plies(self) -> int:
        """How many moves the seats have made."""
        return int(self._rules.plies)

    @property
    def cells(self) -> Cells:
        """Everything that stands somewhere."""
        if self._cells is None:
            self._cells = self.game.cells(self._rules)
        return dict(self._cells)

    @property
    def text(self) -> str:
        """One line that sets the position up again, by `Game.position`.

        It says how often this position has occurred, but not which others have.
        """
        return self.game.write(self.cells, self._rules, self.options)

    def text_for(self, seat: int | None) -> str:
        """The text without what is hidden from a seat, as in `seen_by`."""
        return self.game.write(self.game.seen(self.cells, seat), self._rules, self.options)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if self._outcome is None and not self._legal():
            number, shares = self._rules.shares()
            ending = self.game.endings[number]
            scores = self.game.scores(self._rules)
            self._outcome = Outcome(
                self.game, ending.name, ending.paragraph, tuple(shares), scores
            )
        return self._outcome

    def seen_by(self, seat: int | None) -> View:
        """What a seat may know: nothing hidden from it is in any field."""
        cells = self.game.seen(self.cells, seat)
        scene = self.game.scene(cells, turn=self.turn, options=self.options)
        if self.last is not None:
            touched = {place for event in self.last.events for place in (event.at, event.to)}
            scene = scene.lit("last", [cell.id for cell in scene.cells if cell.id in touched])
        text = self.game.write(cells, self._rules, self.options)
        return View(text, seat, self.turn, self.outcome, cells, scene)

    def imagine(self, seat: int, random: Random) -> Position:
        """A position that this seat cannot tell from this one, drawn evenly from all there are.

        It agrees with everything the seat has seen; what it has not seen is drawn anew. With
        nothing hidden it is this position.
        """
        rules = self.game.imagine(self._rules, seat, random)
        return self if rules is self._rules else Position(self.game, self.options, rules)

    def scene(self, seat: int | None = None) -> Scene:
        """What the table looks like, to a seat or to all-knowing eyes."""
        return self.seen_by(seat).scene

    def kernel(self) -> Rules:
        """A copy of the compiled position, for searches."""
        return self._rules.copy()

    # ---- moves ----

    def _legal(self) -> dict[int, Move | None]:
        """Every legal move by its number in the kernel; None until somebody looks at it."""
        if self._moves is None:
            self._moves = dict.fromkeys(self._rules.legal())
        return self._moves

    def _move(self, code: int) -> Move:
        legal = self._legal()
        move = legal[code]
        if move is None:
            move = legal[code] = Move(self, code)
        return move

    def spell(self, code: int) -> Atoms:
        """The atoms of the move that the kernel calls by this number."""
        return self.game.atoms(self._rules, code)

    def moves(self) -> list[Move]:
        """Every legal move; none when the game is over."""
        return [self._move(code) for code in self._legal()]

    def choices(self) -> Choices:
        """The legal moves as a tree of atoms, every way of making them included."""
        if self._choices is None:
            legal = self._legal()
            ways = [(move.atoms, move) for move in self.moves()]
            if legal:
                others = self.game.other_ways(self._rules, legal.keys())
                ways += [(atoms, self._move(code)) for atoms, code in others]
            self._choices = Choices.of(ways)
        return self._choices

    def find(self, text: str) -> Move:
        """The move that `text` means, by any way of making it; IllegalMove says why not."""
        if self._choices is None:               # mostly it is a move's own notation
            code = self.game.meant.find(text, self._legal(), self._notation)
            if code is not None:
                return self._move(code)
        node = self.choices().after(*self.game.split(text))
        if node is None or node.move is None:
            raise IllegalMove(text[:200], explain(self, text), self.text_for(self._on_turn()))
        return node.move

    def _notation(self, code: int) -> str:
        return self.game.join(self.spell(code))

    def play(self, move: Move | str) -> Position:
        """The position after a move, given as a Move or as text."""
        if isinstance(move, str):
            move = self.find(move)
        elif move.code not in self._legal():
            raise IllegalMove(move.text, explain(self, move.atoms), self.text_for(self._on_turn()))
        return self._next(move).settled()

    def draw(self, random: Random | None = None) -> Move:
        """A move of chance, drawn from `random`, else from the game's luck, else unforeseeably."""
        if random is None:
            random = self.luck.lot(self.lots) if self.luck else Random(secrets.randbits(64))
        return self._move(draw_lot(self._rules, random))

    def settled(self) -> Position:
        """This position after all lots that its luck has to draw."""
        position = self
        while position.luck is not None and position._rules.turn == CHANCE:
            if not position._legal():
                break
            position = position.play(position.draw())
        return position

    def line(self) -> list[Move]:
        """The moves that led here."""
        moves = []
        position: Position | None = self
        while position is not None and position.last is not None:
            moves.append(position.last)
            position = position.parent
        return moves[::-1]

    def _on_turn(self) -> int | None:
        """The seat that is told why its move is refused; lots are drawn by who knows everything."""
        return self._rules.turn if self._rules.turn != CHANCE else None

    def _next(self, move: Move) -> Position:
        rules = self._rules.copy()
        rules.make(move.code)
        lots = self.lots + (self._rules.turn == CHANCE)
        return Position(
            self.game, self.options, rules, parent=self, last=move, luck=self.luck, lots=lots
        )

    # A value that never changes is its own copy.

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Flat: parents within parents would exhaust the stack.
        first, codes = self, []
        while first.parent is not None and first.last is not None:
            codes.append(first.last.code)
            first = first.parent
        line = tuple(reversed(codes))
        return _replayed, (first.game, first.options, first._rules, first.luck, first.lots, line)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game is other.game and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.game.slug, self.text))

    def __repr__(self) -> str:
        return f"<Position {self.game.slug}: {self.text}>"


def _replayed(
    game: Game[Any], options: Options, rules: Rules, luck: Luck | None, lots: int,
    line: tuple[int, ...],
) -> Position:
    """A position out of a pickle, with the line of play that led to it."""
    position = Position(game, options, rules, luck=luck, lots=lots)
    for code in line:
        position = position._next(Move(position, code))
    return position
