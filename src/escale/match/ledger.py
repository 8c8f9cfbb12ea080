"""The ledger of a match: its header, its events, and what has come of them so far.

State is a fold over the events. Each goes through `Ledger.happen`, when it happens and when it is
replayed: it is checked first, and one that is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from escale.game.errors import NotNow
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Outcome, Position
from escale.kernel import CHANCE
from escale.match.clock import Clock, Pace, Reading
from escale.match.events import MOVE, NAME, SAYING, Entry, number_entry, text, word
from escale.match.seating import Offer, Player

FORMAT = 1
OFFERS = ("draw", "takeback")
"""What can be offered during the game."""
REMATCH = ("rematch",)
"""What can be offered afterwards."""
BEFORE = ("begin", "sit", "say")
"""What can happen before the beginning."""
AFTER = ("end", "sit", "say", "offer", "answer", "rematch")
"""What can happen after the end."""


class Ledger:
    """The events of a match and their sum."""

    def __init__(
        self, start: Position, *, players: Iterable[Player] = (),
        fair_random: FairRandom | None = None, commitment: str | None = None,
        pace: Pace | None = None, waits: bool = False,
    ) -> None:
        """`fair_random` draws what is left to chance; a follower knows its commitment at most."""
        self.start = start
        self.game: Game[Any] = start.game
        self.fair_random = fair_random
        self.commitment = fair_random.commitment if fair_random else commitment
        self.players = [Player.read(player.as_json()) for player in players]
        self.players = self.players or [Player() for _ in range(start.seats)]
        if len(self.players) != start.seats:
            raise NotNow(f"{start.seats} seats need {start.seats} players")
        if not waits and any(player.open or player.value for player in self.players):
            raise NotNow("with an open seat, or with values, a match has to wait for its beginning")
        self.header: dict[str, Any] = {
            "escale": FORMAT,
            "game": self.game.slug,
            "start": start.text,
            "seats": [player.as_json() for player in self.players],
            "commitment": self.commitment,
            **({"clock": pace.as_json()} if pace else {}),
            **({"waits": True} if waits else {}),
        }
        self.events: list[Entry] = []
        self.trace: list[tuple[int, Move | None]] = []
        """For each event, how many moves stand on the table after it, and the move that it made."""
        self.begun = not waits
        """Whether moves can be played yet."""
        self.values: tuple[str | None, ...] = ()
        """What the seats mixed into the luck."""
        self.offer: Offer | None = None
        self.ended = False
        """Whether the end has been written down."""
        self.again = False
        """Whether all have agreed to a rematch."""
        self.next: str | None = None
        """The table of the rematch."""
        self._positions = [start]
        self._agreed: Outcome | None = None
        self._clock = Clock(pace, start.seats) if pace else None
        self._played = False

    # ---- what is the case ----

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._positions[-1]

    @property
    def positions(self) -> Sequence[Position]:
        """Every position of the line that was played, from the start on."""
        return self._positions

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended: by the rules, by resignation, by agreement or by the clock."""
        return self._agreed or self.position.outcome

    @property
    def turn(self) -> int | None:
        """The seat to move, `CHANCE`, or None before the beginning and after the end."""
        return self.position.turn if self.begun and self._agreed is None else None

    def clock(self, now: int) -> Reading | None:
        """What the clock shows at a time, in Unix milliseconds; None without a clock."""
        return self._clock.read(now) if self._clock else None

    def happen(self, event: Mapping[str, Any]) -> Entry:
        """Check an event, number it, act upon it and write it down."""
        entry = number_entry(event, len(self.events) + 1, self.start.seats)
        do = entry["do"]
        if self.outcome is not None and do not in AFTER:
            raise NotNow("the match is over")
        if not self.begun and do not in BEFORE:
            raise NotNow("the match has not begun")
        if self._clock and "at" not in entry:
            raise NotNow("with a clock, every event needs its time")
        getattr(self, f"_{do}")(entry)
        self.events.append(entry)
        move = self.position.last if do in ("play", "draw") else None
        self.trace.append((len(self._positions) - 1, move))
        if self.outcome is not None and self.offer is not None and self.offer.what in OFFERS:
            self.offer = None
        if self._clock:
            self._clock.turn(entry["at"], self._thinker(), entry["seat"] if do == "play" else None)
        return entry

    def _thinker(self) -> int | None:
        """The seat whose time runs: a person's, and in real time not before the first move."""
        seat = self.turn
        if seat is None or seat == CHANCE or self.players[seat].level is not None:
            return None
        assert self._clock is not None
        return seat if self._played or self._clock.pace.days else None

    # ---- how each event acts, under its own name: first what it needs, then what it does ----

    def _begin(self, entry: Entry) -> None:
        if self.begun:
            raise NotNow("the match has begun already")
        if any(player.open for player in self.players):
            raise NotNow("a seat is still open")
        values = entry.get("values")
        if not isinstance(values, list) or len(values) != self.start.seats:
            raise NotNow(f"expected {self.start.seats} values, one for each seat")
        for player, value in zip(self.players, values, strict=True):
            if value is not None:
                word(value, "a value")
            if player.value not in (None, value):
                raise NotNow("a value is not the one that its seat gave")
        self.begun = True
        self.values = tuple(values)
        if self.fair_random is not None:
            self.fair_random = replace(self.fair_random, values=self.values)

    def _play(self, entry: Entry) -> None:
        seat = entry["seat"]
        if self.turn != seat:
            raise NotNow("it is not this seat's turn")
        if self._clock and self._clock.read(entry["at"]).flagged == seat:
            raise NotNow("this seat is out of time")
        move = self.position.find(text(entry, "move", MOVE))
        entry["move"] = move.text
        self._positions.append(self.position.play(move))
        self._played = True
        self.offer = None

    def _draw(self, entry: Entry) -> None:
        if self.turn != CHANCE:
            raise NotNow("no lot is to be drawn now")
        self._positions.append(self.position.play(text(entry, "move", MOVE)))

    def _resign(self, entry: Entry) -> None:
        if self.start.seats != 2:
            raise NotNow("with more than two seats, let the computer play on instead")
        self._lose(entry["seat"], "resignation")

    def _lose(self, loser: int, ending: str) -> None:
        shares = tuple(0.0 if seat == loser else 1.0 for seat in range(2))
        self._agreed = Outcome(self.game, ending, None, shares)

    def _flag(self, entry: Entry) -> None:
        seat, level = entry["seat"], entry.get("level")
        if self._clock is None or self._clock.read(entry["at"]).flagged != seat:
            raise NotNow("this seat is not out of time")
        if self.start.seats == 2:
            self._lose(seat, "time")
        elif level is None:
            raise NotNow("expected the level at which the computer plays on")
        else:
            self.players[seat] = replace(self.players[seat], level=text(entry, "level", NAME))

    def _reopen(self, entry: Entry) -> None:
        if self._clock is None:
            raise NotNow("without a clock, no time needs to be forgiven")
        self._clock.skip(entry["at"])

    def _offer(self, entry: Entry) -> None:
        possible = OFFERS if self.outcome is None else REMATCH
        if entry.get("what") not in possible:
            raise NotNow(f"expected an offer of {' or '.join(possible)}")
        if self.offer is not None:
            raise NotNow("another offer waits for its answer")
        if self.again:
            raise NotNow("the rematch is agreed")
        if entry["what"] == "takeback":
            self._before(entry["seat"])
        self.offer = Offer(entry["seat"], entry["what"])

    def _answer(self, entry: Entry) -> None:
        if not isinstance(entry.get("yes"), bool):
            raise NotNow("expected yes: true or false")
        offer = self.offer
        if offer is None or (offer.seat == entry["seat"] and entry["yes"]):
            raise NotNow("there is no offer for this seat to answer")
        if not entry["yes"]:
            self.offer = None
            return
        offer.agreed.add(entry["seat"])
        if len(offer.agreed) < self.start.seats - 1:
            return
        self.offer = None
        if offer.what == "draw":
            seats = self.start.seats
            self._agreed = Outcome(self.game, "agreement", None, (1 / seats,) * seats)
        elif offer.what == "takeback":
            del self._positions[self._before(offer.seat) + 1:]
        else:
            self.again = True

    def _before(self, seat: int) -> int:
        """Where in the line of positions a seat made its last move."""
        for index in range(len(self._positions) - 2, -1, -1):
            if self._positions[index].turn == seat:
                return index
        raise NotNow("this seat has made no move that could be taken back")

    def _sit(self, entry: Entry) -> None:
        seat, player = entry["seat"], Player.read(entry)
        if self.begun and player.value is not None:
            raise NotNow("the match has begun: values can no longer change")
        if player.value is None:
            player = replace(player, value=self.players[seat].value)
        elif self.players[seat].value not in (None, player.value):
            raise NotNow("this seat has given its value already")
        if self._clock and player.level is None and self._clock.read(entry["at"]).expired(seat):
            raise NotNow("this seat is out of time")
        self.players[seat] = player

    def _say(self, entry: Entry) -> None:
        if not text(entry, "text", SAYING, lines=True).strip():
            raise NotNow("there is nothing to say")

    def _end(self, entry: Entry) -> None:
        if self.ended:
            raise NotNow("the end has been written down already")
        if self.outcome is None or entry.get("outcome") != self.outcome.as_json():
            raise NotNow("the match did not end like this")
        if "secret" in entry:
            told = FairRandom(text(entry, "secret", MOVE))
            if told.commitment != self.commitment:
                raise NotNow("the secret is not the one that was committed to")
        self.ended = True

    def _rematch(self, entry: Entry) -> None:
        if not self.again or self.next is not None:
            raise NotNow("no rematch is agreed")
        self.next = word(entry.get("table"), "the table")
