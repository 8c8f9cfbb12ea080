"""A match: a header and an append-only list of numbered events; all else is a fold over it.

Whatever happens at a table is an event, and every event goes through `Match.add`. A transcript is
the header and the events, one JSON object a line.

A match may wait for its players. Then nothing can be played before `begin`, which freezes the
values that the seats mix into the luck.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from escale.game.errors import BadTranscript, EscaleError, NotNow
from escale.game.fair_random import FairRandom
from escale.game.moves import Move
from escale.game.viewer import ALL, Viewer
from escale.games import game as game_named
from escale.kernel import CHANCE
from escale.match.clock import Pace
from escale.match.events import LINE, WORD, Entry, text
from escale.match.ledger import FORMAT, Ledger
from escale.match.seating import Player

__all__ = ["Match", "Player", "redact"]



class Match(Ledger):
    """A game being played at a table."""

    # ---- what can be done; `at` is the time, in Unix milliseconds ----

    def begin(self, *, at: int | None = None) -> Entry:
        """Begin a match that waited, all seats being taken; their values can no longer change."""
        return self.add({"do": "begin", "values": [player.value for player in self.players]}, at)

    def play(self, seat: int, move: Move | str, *, at: int | None = None) -> Entry:
        """Play a move for a seat."""
        text = move if isinstance(move, str) else move.text
        return self.add({"do": "play", "seat": seat, "move": text}, at)

    def draw_chance(self, *, at: int | None = None) -> list[Entry]:
        """Draw every lot that is due."""
        drawn = []
        while self.turn == CHANCE:
            if self.fair_random is None:
                raise NotNow("this match does not draw its own lots")
            lot = self.position.draw(self.fair_random.stream(self.position.chance_count))
            drawn.append(self.add({"do": "draw", "move": lot.text}, at))
        return drawn

    def resign(self, seat: int, *, at: int | None = None) -> Entry:
        """Give the game up; with more than two seats the computer should take over instead."""
        return self.add({"do": "resign", "seat": seat}, at)

    def propose(self, seat: int, what: str, *, at: int | None = None) -> Entry:
        """Offer a draw, ask to take one's last move back, or after the end to play again."""
        return self.add({"do": "offer", "seat": seat, "what": what}, at)

    def answer(self, seat: int, yes: bool, *, at: int | None = None) -> Entry:
        """Answer the offer on the table; whoever made it may withdraw it."""
        return self.add({"do": "answer", "seat": seat, "yes": yes}, at)

    def sit(self, seat: int, player: Player, *, at: int | None = None) -> Entry:
        """Take an open seat, or let somebody else, or the computer, play on for a seat."""
        return self.add({"do": "sit", "seat": seat, **player.as_json()}, at)

    def say(self, seat: int, text: str, *, at: int | None = None) -> Entry:
        """Say something to everybody at the table."""
        return self.add({"do": "say", "seat": seat, "text": text}, at)

    def flag(self, seat: int, level: str | None = None, *, at: int) -> Entry:
        """A seat is out of time; among more than two, the computer plays on for it at `level`."""
        return self.add({"do": "flag", "seat": seat, **({"level": level} if level else {})}, at)

    def reopen(self, *, at: int) -> Entry:
        """The house was closed: no seat is charged for the time since the last event."""
        return self.add({"do": "reopen"}, at)

    def rematch(self, table: str, *, at: int | None = None) -> Entry:
        """Tell everybody where the rematch is that they agreed to."""
        return self.add({"do": "rematch", "table": table}, at)

    def add(self, event: Mapping[str, Any], at: int | None = None) -> Entry:
        """Let an event happen, and the end of the match with it if that is what it brings."""
        time = {} if at is None else {"at": at}
        entry = self.happen({**event, **time})
        if self.outcome is not None and not self.ended:
            end: Entry = {"do": "end", "outcome": self.outcome.as_json()}
            if self.fair_random is not None and self.fair_random.commitment == self.commitment:
                end["secret"] = self.fair_random.secret
            if "at" in entry:
                end["at"] = entry["at"]
            self.happen(end)
        return entry

    # ---- what leaves the table ----

    def transcript(self, viewer: Viewer) -> str:
        """The whole match as JSON lines, as a viewer may read it."""
        lines = [redact(self, entry, viewer) for entry in (self.header, *self.events)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    @classmethod
    def replay(cls, transcript: str) -> Match:
        """The match that a transcript tells; BadTranscript names the line that cannot be."""
        return cls.resume(transcript.removesuffix("\n").split("\n"))

    @classmethod
    def resume(cls, lines: Iterable[str | Entry], fair_random: FairRandom | None = None) -> Match:
        """The match of a header and its events; with `luck` it goes on drawing its lots."""
        match: Match | None = None
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line) if isinstance(line, str) else line
                if not isinstance(entry, dict):
                    raise BadTranscript("expected a JSON object")
                if match is None:
                    match = cls._from_header(entry, fair_random)
                else:
                    match.happen(entry)
            except (EscaleError, ValueError, RecursionError) as error:
                raise BadTranscript(f"line {number}: {error}") from error
        if match is None:
            raise BadTranscript("line 1: expected a header, found nothing")
        return match

    @classmethod
    def _from_header(cls, header: Mapping[str, Any], fair_random: FairRandom | None) -> Match:
        if header.get("escale") != FORMAT:
            raise BadTranscript(f"expected a header with \"escale\": {FORMAT}")
        seats = header.get("seats")
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise BadTranscript("expected seats, a list of objects with name and level")
        start = game_named(text(header, "game", WORD)).position(text(header, "start", LINE))
        commitment = header.get("commitment")
        if commitment is not None:
            text(header, "commitment", WORD)
        if fair_random is not None and fair_random.commitment != commitment:
            raise BadTranscript("the secret is not the one that was committed to")
        return cls(
            start, players=[Player.read({"name": "", **seat}) for seat in seats],
            fair_random=fair_random, commitment=commitment, pace=Pace.read(header.get("clock")),
            waits=header.get("waits", False) is True,
        )


def redact(match: Match, event: Entry, viewer: Viewer) -> Entry:
    """An event or the header as it may leave the table for a viewer: the only door there is."""
    if viewer is ALL:
        return event
    if "id" in event:                       # between the sender and the house
        event = {name: value for name, value in event.items() if name != "id"}
    if match.outcome is not None:
        return event
    if event is match.header:
        return {**event, "start": match.start.text_for(viewer)}
    if event["do"] == "draw":
        return {**event, "move": match.game.seen_chance(event["move"], viewer)}
    return event
