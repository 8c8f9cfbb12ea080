"""What the computer does at a table: it moves where it has a seat, and answers offers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from escale.game.position import Position
from escale.kernel import CHANCE
from escale.match.events import Fault
from escale.match.match import Match
from escale.match.seating import Offer
from escale.opponents.line_process import EngineError
from escale.server.tables.computers import Thinkers

EVEN = 0.02
"""How much more than an even share the computer may expect and still agree to a draw."""


class Hand(Protocol):
    """Plays a move for a seat, if the table still is as it was thought about."""

    def __call__(self, seat: int, position: Position, move: str) -> Awaitable[object]:
        """Play it."""


class ComputerTurns:
    """The computer's seats at one table."""

    def __init__(
        self, match: Match, thinkers: Thinkers,
        background: Callable[[Coroutine[Any, Any, None]], None],
        play: Hand, answer: Callable[[int, bool], Awaitable[None]],
        give_up: Callable[[int, Position, Fault], Awaitable[object]],
        who: Callable[[], str] = str,
    ) -> None:
        self._match = match
        self._thinkers = thinkers
        self._background = background
        self._play = play
        self._answer = answer
        self._give_up = give_up
        """An engine has failed: somebody else plays on."""
        self._who = who
        """Tells the address for which it is thought."""
        self._about: Position | None = None
        self._stopped = False

    @property
    def thinking(self) -> bool:
        """Whether a move is being thought about."""
        return self._about is not None

    def look(self) -> None:
        """After every change: whether it is the computer's turn, or there is an offer."""
        match = self._match
        if match.offer is not None:
            self._background(self._answer_offer(match.offer))
        turn = match.turn
        if turn is None or turn == CHANCE or match.players[turn].level is None:
            self._about = None
        elif self._about is not match.position:
            self._about = match.position
            self._background(self._think(turn, match.position))

    def rest(self) -> None:
        """Another process thinks at this table now."""
        self._about = None

    def stop(self) -> None:
        """What is being thought about is of no interest any more."""
        self._about = None
        self._stopped = True

    async def _think(self, seat: int, position: Position) -> None:
        """Think for a seat, and play what comes of it."""
        try:
            level = self._match.players[seat].level
            assert level is not None
            move = await self._thinkers.choose(self._match, level, self._who())
            done = partial(self._play, seat, position, move)
        except EngineError as error:
            done = partial(self._give_up, seat, position, error.fault)
        finally:
            if self._about is position:
                self._about = None
        if not self._stopped:
            await done()

    async def _answer_offer(self, offer: Offer) -> None:
        """Computers take back and play again gladly; they draw when they do not stand better."""
        match = self._match
        for seat, player in enumerate(match.players):
            if player.level is None or seat == offer.seat:
                continue
            yes = True
            if offer.what == "draw" and match.turn is not None:
                shares = await self._thinkers.shares(match, self._who())
                yes = shares[seat] <= 1 / len(shares) + EVEN
            if self._stopped or match.offer is not offer or seat in offer.agreed:
                return
            await self._answer(seat, yes)
