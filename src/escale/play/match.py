"""A match: a header and an append-only list of numbered events; all else is a fold over it.

Whatever happens at a table is an event, and every event goes through `Match.add`, when it happens
and when it is replayed. A transcript is the header and the events, one JSON object a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from escale.games import game as game_named
from escale.kernel import CHANCE
from escale.play.errors import BadTranscript, EscaleError, NotNow
from escale.play.game import Game
from escale.play.luck import Luck
from escale.play.moves import Move
from escale.play.position import Outcome, Position

FORMAT = 1
OFFERS = ("draw", "takeback")

Entry = dict[str, Any]
"""One event: its number `n`, what was done in `do`, and what that needs."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: a person, or the computer at a level."""

    name: str = ""
    level: str | None = None


@dataclass(slots=True)
class Offer:
    """Something proposed that waits for the others' answers."""

    seat: int
    what: str
    agreed: set[int] = field(default_factory=set)


class Match:
    """A game being played at a table."""

    def __init__(
        self, start: Position, *, players: Iterable[Player] = (), luck: Luck | None = None,
        commitment: str | None = None,
    ) -> None:
        """`luck` draws the lots; one who only follows a match knows the commitment at most."""
        self.start = start
        self.game: Game[Any] = start.game
        self.luck = luck
        self.commitment = luck.commitment if luck else commitment
        self.players = list(players) or [Player() for _ in range(start.seats)]
        if len(self.players) != start.seats:
            raise NotNow(f"{start.seats} seats need {start.seats} players")
        self.header = {
            "escale": FORMAT,
            "game": self.game.slug,
            "start": start.text,
            "seats": [asdict(player) for player in self.players],
            "commitment": self.commitment,
        }
        self.events: list[Entry] = []
        self.offer: Offer | None = None
        self._positions = [start]
        self._agreed: Outcome | None = None

    # ---- what is the case ----

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended: by the rules, by resignation or by agreement."""
        return self._agreed or self.position.outcome

    @property
    def turn(self) -> int | None:
        """The seat to move, `CHANCE`, or None when the match is over."""
        return None if self._agreed else self.position.turn

    # ---- what can be done ----

    def play(self, seat: int, move: Move | str) -> Entry:
        """Play a move for a seat."""
        text = move if isinstance(move, str) else move.text
        return self.add({"do": "play", "seat": seat, "move": text})

    def draw_lots(self) -> list[Entry]:
        """Draw every lot that is due."""
        drawn = []
        while self.turn == CHANCE:
            if self.luck is None:
                raise NotNow("this match does not draw its own lots")
            lot = self.position.draw(self.luck.lot(self.position.lots))
            drawn.append(self.add({"do": "draw", "move": lot.text}))
        return drawn

    def resign(self, seat: int) -> Entry:
        """Give the game up; with more than two seats the computer should take over instead."""
        return self.add({"do": "resign", "seat": seat})

    def propose(self, seat: int, what: str) -> Entry:
        """Offer a draw, or ask to take one's last move back."""
        return self.add({"do": "offer", "seat": seat, "what": what})

    def answer(self, seat: int, yes: bool) -> Entry:
        """Answer the offer on the table."""
        return self.add({"do": "answer", "seat": seat, "yes": yes})

    def sit(self, seat: int, player: Player) -> Entry:
        """Let somebody else, or the computer, play on for a seat."""
        return self.add({"do": "sit", "seat": seat, **asdict(player)})

    def add(self, event: Mapping[str, Any]) -> Entry:
        """Let an event happen, and the end of the match with it if that is what it brings."""
        entry = self._happen(event)
        if self.outcome is not None and entry["do"] not in ("end", "sit"):
            end: Entry = {"do": "end", "outcome": self.outcome.as_json()}
            if self.luck is not None and self.luck.commitment == self.commitment:
                end["secret"] = self.luck.secret
            self._happen(end)
        return entry

    def _happen(self, event: Mapping[str, Any]) -> Entry:
        """Check an event, number it, act upon it and write it down."""
        number = len(self.events) + 1
        entry: Entry = {"n": number, **event}
        if entry["n"] != number:
            raise NotNow(f"expected event {number}, not {str(entry['n'])[:40]}")
        do = entry.get("do")
        acts = {
            "play": self._play, "draw": self._draw, "resign": self._resign, "offer": self._offer,
            "answer": self._answer, "sit": self._sit, "end": self._end,
        }
        if not isinstance(do, str) or do not in acts:
            raise NotNow(f"expected one of {', '.join(acts)}; got {str(do)[:40]!r}")
        if self.outcome is not None and do not in ("end", "sit"):
            raise NotNow("the match is over")
        if do not in ("draw", "end") and not (
            type(entry.get("seat")) is int and 0 <= entry["seat"] < self.start.seats
        ):
            raise NotNow(f"expected a seat from 0 to {self.start.seats - 1}")
        acts[do](entry)
        self.events.append(entry)
        return entry

    # ---- how each event acts ----

    def _play(self, entry: Entry) -> None:
        if self.turn != entry["seat"]:
            raise NotNow("it is not this seat's turn")
        move = self.position.find(_text(entry, "move"))
        entry["move"] = move.text
        self._positions.append(self.position.play(move))
        self.offer = None

    def _draw(self, entry: Entry) -> None:
        if self.turn != CHANCE:
            raise NotNow("no lot is to be drawn now")
        self._positions.append(self.position.play(_text(entry, "move")))

    def _resign(self, entry: Entry) -> None:
        if self.start.seats != 2:
            raise NotNow("with more than two seats, let the computer play on instead")
        shares = tuple(0.0 if seat == entry["seat"] else 1.0 for seat in range(2))
        self._agreed = Outcome(self.game, "resignation", None, shares)

    def _offer(self, entry: Entry) -> None:
        if entry.get("what") not in OFFERS:
            raise NotNow(f"expected an offer of {' or '.join(OFFERS)}")
        if self.offer is not None:
            raise NotNow("another offer waits for its answer")
        if entry["what"] == "takeback":
            self._before(entry["seat"])
        self.offer = Offer(entry["seat"], entry["what"])

    def _answer(self, entry: Entry) -> None:
        if self.offer is None or self.offer.seat == entry["seat"]:
            raise NotNow("there is no offer for this seat to answer")
        if not isinstance(entry.get("yes"), bool):
            raise NotNow("expected yes: true or false")
        offer = self.offer
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
        else:
            del self._positions[self._before(offer.seat) + 1:]

    def _before(self, seat: int) -> int:
        """Where in the line of positions a seat made its last move."""
        for index in range(len(self._positions) - 2, -1, -1):
            if self._positions[index].turn == seat:
                return index
        raise NotNow("this seat has made no move that could be taken back")

    def _sit(self, entry: Entry) -> None:
        level = entry.get("level")
        if level is not None and not isinstance(level, str):
            raise NotNow("expected a level's name or null")
        self.players[entry["seat"]] = Player(_text(entry, "name"), level)

    def _end(self, entry: Entry) -> None:
        if self.outcome is None or entry.get("outcome") != self.outcome.as_json():
            raise NotNow("the match did not end like this")
        if "secret" in entry and Luck(_text(entry, "secret")).commitment != self.commitment:
            raise NotNow("the secret is not the one that was committed to")

    # ---- what leaves the table ----

    def transcript(self, seat: int | None = None) -> str:
        """The whole match as JSON lines, as a seat may read it; None reads everything."""
        lines = [redact(self, entry, seat) for entry in (self.header, *self.events)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    @classmethod
    def replay(cls, transcript: str) -> Match:
        """The match that a transcript tells; BadTranscript names the line that cannot be."""
        lines = transcript.splitlines()
        if not lines:
            raise BadTranscript("line 1: expected a header, found nothing")
        match: Match | None = None
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                if not isinstance(entry, dict):
                    raise BadTranscript("expected a JSON object")
                if match is None:
                    match = cls._from_header(entry)
                else:
                    match._happen(entry)
            except (EscaleError, ValueError, RecursionError) as error:
                raise BadTranscript(f"line {number}: {error}") from error
        assert match is not None
        return match

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Match:
        if header.get("escale") != FORMAT:
            raise BadTranscript(f"expected a header with \"escale\": {FORMAT}")
        seats = header.get("seats")
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise BadTranscript("expected seats, a list of objects with name and level")
        players = [Player(str(seat.get("name", "")), seat.get("level")) for seat in seats]
        start = game_named(_text(header, "game")).position(_text(header, "start"))
        return cls(start, players=players, commitment=header.get("commitment"))


def redact(match: Match, event: Entry, seat: int | None) -> Entry:
    """An event or the header as it may leave the table for a seat: the only door there is."""
    if seat is None or match.outcome is not None:
        return event
    if event is match.header:
        return {**event, "start": match.start.text_for(seat)}
    if event["do"] == "draw":
        return {**event, "move": match.game.seen_lot(event["move"], seat)}
    return event


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise NotNow(f"expected a text for {name!r}")
    return value
