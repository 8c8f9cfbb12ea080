"""Games between contenders: each opening is played once from every seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

from escale.arena.contenders import Choice, Contender
from escale.arena.openings import opened
from escale.game.errors import EscaleError
from escale.game.fair_random import FairRandom
from escale.game.position import Position
from escale.games import game
from escale.kernel import CHANCE, Random
from escale.opponents.line_process import EngineError

FORFEIT = "forfeit"
"""The ending of a game that an engine lost without its opponents' help."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played, with everything that decides it, so that any machine can play it."""

    game: str
    options: tuple[tuple[str, str], ...]
    seated: tuple[str, ...]
    """The contender on each seat."""
    opening: int
    """The number of the opening; pairings that share it differ in the contenders' seats."""
    random_plies: int
    """The number of random moves in the opening."""

    @property
    def key(self) -> str:
        """The key that identifies this game in its match."""
        words = [f"{name}={value}" for name, value in self.options]
        return " ".join([self.game, *words, f"#{self.opening}+{self.random_plies}", *self.seated])


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a pairing."""

    key: str
    seated: tuple[str, ...]
    opening: int
    shares: tuple[float, ...]
    ending: str
    plies: int
    failed: int | None = None
    """The seat of an engine that died, was late, or chose no legal move, and so has lost."""
    reason: str = ""
    """How it failed: a word for programs, then a sentence."""

    def won_by(self, name: str) -> float:
        """The sum of the shares of a contender's seats."""
        return sum(
            share for seated, share in zip(self.seated, self.shares, strict=True) if seated == name
        )

    def as_json(self) -> dict[str, Any]:
        """The result as plain data, for a line of a results file."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Result:
        """The result that `as_json` has written."""
        return cls(
            fields["key"], tuple(fields["seated"]), fields["opening"], tuple(fields["shares"]),
            fields["ending"], fields["plies"], fields.get("failed"), fields.get("reason", ""),
        )


class Forfeited(EscaleError):
    """A game that ended when an engine failed."""

    code = "forfeited"

    def __init__(self, position: Position, seat: int, error: EngineError) -> None:
        super().__init__(f"seat {seat} forfeited after {position.plies} plies: {error}")
        self.position = position
        self.seat = seat
        self.error = error


def pairings(
    slug: str, options: dict[str, str], first: str, second: str, games: int, random_plies: int,
    seats: int | None = None, after: int = 0,
) -> Iterator[Pairing]:
    """The games of a match between two contenders, in fair groups, from opening number `after` on.

    With two seats an opening is played twice, with sides changed. With more, each contender takes
    the odd seat against a table full of the other, once on every seat.
    """
    seats = game(slug).seat_count(seats)
    chosen = tuple(sorted(options.items()))
    made = 0
    for opening in range(after, after + games):
        for odd in range(seats):
            for one, rest in ((first, second), (second, first))[: 1 if seats == 2 else 2]:
                seated = tuple(one if seat == odd else rest for seat in range(seats))
                if made == games:
                    return
                made += 1
                yield Pairing(slug, chosen, seated, opening, random_plies)


def played(pairing: Pairing) -> Iterator[tuple[Position, Choice | None]]:
    """Each position of a game after its opening, with its decision; the last is the end."""
    box = game(pairing.game)
    fair_random = FairRandom(f"opening {pairing.opening}")
    position = box.start_with(
        dict(pairing.options), seats=len(pairing.seated), seed=fair_random.secret
    )
    position = opened(position, pairing.random_plies, Random(pairing.opening))
    seat = 0
    with ExitStack() as table:
        try:
            choosers = []
            for seat, name in enumerate(pairing.seated):    # noqa: B007  (whose engine failed)
                choosers.append(table.enter_context(Contender.parse(name).seated()))
            while position.turn is not None:
                seat = position.turn
                assert seat != CHANCE
                seed = pairing.opening * 1_000_003 + position.plies
                choice = choosers[seat](position, seed)
                yield position, choice
                position = position.play(choice.move)
        except EngineError as error:
            raise Forfeited(position, seat, error) from error
    yield position, None


def play(pairing: Pairing) -> Result:
    """Play a game to its end, or until an engine fails."""
    try:
        *_, (position, _) = played(pairing)
    except Forfeited as lost:
        return _forfeited(pairing, lost)
    outcome = position.outcome
    assert outcome is not None
    return Result(
        pairing.key, pairing.seated, pairing.opening, outcome.shares, outcome.name, position.plies
    )


def _forfeited(pairing: Pairing, lost: Forfeited) -> Result:
    """The result when an engine fails: the others have won together."""
    position, seat, error = lost.position, lost.seat, lost.error
    share = 1 / (position.seats - 1)
    shares = tuple(0.0 if each == seat else share for each in range(position.seats))
    return Result(
        pairing.key, pairing.seated, pairing.opening, shares, FORFEIT, position.plies,
        seat, f"{error.fault}: {error}",
    )


def forfeits(results: Iterable[Result]) -> dict[tuple[str, str], list[str]]:
    """For each engine that forfeited games, and each kind of failure, a description of it."""
    found: dict[tuple[str, str], list[str]] = {}
    for result in results:
        if result.failed is not None:
            fault, _, message = result.reason.partition(": ")
            found.setdefault((result.seated[result.failed], fault), []).append(message)
    return dict(sorted(found.items()))
