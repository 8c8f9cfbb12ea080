"""A match: a header and an append-only list of numbered events; all else is a fold over it.

Everything that happens at a table is an event, and every event goes through `Match.add`. A
transcript is the header and the events, one JSON object a line.

A match may wait for its players. Then nothing can be played before `begin`, which fixes the seats'
values for the chance outcomes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeVar

from msgspec import structs

from escale.game.errors import BadLine, BadMessage, BadTranscript, EscaleError, NotNow
from escale.game.fair_random import FairRandom
from escale.game.moves import Move
from escale.game.viewer import ALL, Viewer
from escale.games import game as game_named
from escale.kernel import CHANCE
from escale.match.events import (
    Answered,
    Began,
    Drawn,
    Ended,
    Event,
    Flagged,
    Header,
    Offered,
    Paused,
    Played,
    RematchOpened,
    Reopened,
    Resigned,
    Said,
    Sat,
    TookBack,
    as_json,
    checked_event,
    read_event,
    read_header,
)
from escale.match.ledger import Ledger, facts_of
from escale.match.seating import Player

__all__ = ["Match", "Player", "redact"]

RecordT = TypeVar("RecordT", Header, Event)
"""One line of a transcript."""


class Match(Ledger):
    """A game being played at a table."""

    # ---- actions; `at` is the time in Unix milliseconds ----

    def begin(self, *, at: int | None = None) -> Event:
        """Begin a match that has waited, when all seats are taken."""
        return self.add(Began([player.value for player in self.players], at=at))

    def play(self, seat: int, move: Move | str, *, at: int | None = None) -> Event:
        """Play a move for a seat."""
        text = move if isinstance(move, str) else move.text
        return self.add(Played(seat, text, at=at))

    def draw_chance(self, *, at: int | None = None) -> list[Event]:
        """Draw every chance outcome that is due."""
        drawn = []
        while self.turn == CHANCE:
            if self.fair_random is None:
                raise NotNow("this match does not draw its own chance outcomes")
            outcome = self.position.draw(self.fair_random.stream(self.position.chance_count))
            drawn.append(self.add(Drawn(outcome.text, at=at)))
        return drawn

    def resign(self, seat: int, *, at: int | None = None) -> Event:
        """Resign; with more than two seats the computer should take over instead."""
        return self.add(Resigned(seat, at=at))

    def propose(self, seat: int, what: str, *, at: int | None = None) -> Event:
        """Offer a draw, ask to take the seat's last move back, or after the end to play again."""
        return self.add(Offered(seat, what, at=at))  # type: ignore[arg-type]  # `add` checks it

    def answer(self, seat: int, yes: bool, *, at: int | None = None) -> Event:
        """Answer the offer on the table; the seat that made it may withdraw it."""
        return self.add(Answered(seat, yes, at=at))

    def take_back(self, seat: int, *, at: int | None = None) -> Event:
        """Undo a seat's last move and all later ones, if no other seat has to agree."""
        return self.add(TookBack(seat, at=at))

    def sit(self, seat: int, player: Player, *, at: int | None = None) -> Event:
        """Take an open seat, or let another person, or the computer, play on for a seat."""
        return self.add(
            Sat(seat, player.name, player.level, player.value, bot=player.bot, at=at)
        )

    def say(self, seat: int, text: str, *, at: int | None = None) -> Event:
        """Send a message to all at the table."""
        return self.add(Said(seat, text, at=at))

    def flag(self, seat: int, level: str | None = None, *, at: int) -> Event:
        """A seat is out of time; with more than two, the computer plays on at `level`."""
        return self.add(Flagged(seat, level, at=at))

    def reopen(self, *, at: int, closed: int | None = None) -> Event:
        """Note that the house was closed for some milliseconds, or since the last event: they are
        not charged to any seat.
        """
        return self.add(Reopened(at=at, closed=closed))

    def pause(self, seat: int, until: int, *, at: int) -> Event:
        """Let the clock of days of a seat stand still until a time."""
        return self.add(Paused(seat, until, at=at))

    def rematch(self, table: str, *, at: int | None = None) -> Event:
        """Announce the address of the rematch to which the seats agreed."""
        return self.add(RematchOpened(table, at=at))

    def add(self, event: Event) -> Event:
        """Add an event, and the end of the match if the event brings it."""
        event = self.happen(checked_event(event))
        if self.outcome is not None and not self.ended:
            secret = None
            if self.fair_random is not None and self.fair_random.commitment == self.commitment:
                secret = self.fair_random.secret
            ended = Ended(facts_of(self.outcome), secret, self.next_commitment, at=event.at)
            self.happen(checked_event(ended))
        return event

    # ---- what viewers get ----

    def transcript(self, viewer: Viewer) -> str:
        """The whole match as JSON lines, as a viewer may read it."""
        lines = [as_json(redact(self, self.header, viewer))]
        lines += [as_json(redact(self, event, viewer)) for event in self.events]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    @classmethod
    def replay(cls, transcript: str) -> Match:
        """The match of a transcript; BadTranscript names the first impossible line."""
        return cls.resume(transcript.removesuffix("\n").split("\n"))

    @classmethod
    def resume(
        cls, lines: Iterable[str | Header | Event], fair_random: FairRandom | None = None
    ) -> Match:
        """The match of a header and its events, given as structs or as lines.

        With `fair_random` it can draw further chance outcomes.
        """
        match: Match | None = None
        for number, line in enumerate(lines, 1):
            try:
                if match is None:
                    header = line if isinstance(line, Header) else read_header(_text(line))
                    match = cls._from_header(header, fair_random)
                else:
                    match.happen(line if isinstance(line, Event) else read_event(_text(line)))
            except EscaleError as error:
                raise BadLine(number, error) from error
        if match is None:
            raise BadLine(1, BadMessage("expected a header, found nothing"))
        return match

    def follow(self, events: Iterable[Event]) -> None:
        """Apply events that were read; BadTranscript names the first impossible one."""
        for event in events:
            try:
                self.happen(event)
            except EscaleError as error:
                raise BadLine(len(self.events) + 2, error) from error

    @classmethod
    def _from_header(cls, header: Header, fair_random: FairRandom | None) -> Match:
        if fair_random is not None and fair_random.commitment != header.commitment:
            raise BadTranscript("the secret is not the one that was committed to")
        return cls(
            game_named(header.game).position(header.start), players=header.seats,
            fair_random=fair_random, commitment=header.commitment, pace=header.clock,
            waits=header.waits, hints=header.hints, set_up_by=header.set_up_by,
            phrases=header.phrases,
        )


def _text(line: str | Header | Event) -> str:
    if not isinstance(line, str):
        raise BadTranscript("expected a header first, then events")
    return line


def redact(match: Match, line: RecordT, viewer: Viewer) -> RecordT:
    """An event or the header as a viewer may get it: the only function that redacts them."""
    if viewer is ALL:
        return line
    if isinstance(line, Event) and line.id is not None:     # between the sender and the house
        line = structs.replace(line, id=None)
    if match.outcome is not None:
        return line
    match line:
        case Header():
            return structs.replace(line, start=match.start.text_for(viewer))
        case Played() if not match.shows(line, viewer):
            return structs.replace(line, move=match.game.seen_move(line.move, viewer))
        case Drawn():
            return structs.replace(line, move=match.game.seen_chance(line.move, viewer))
        case _:
            return line
