"""Checks a transcript: that the rules allow it, and that no person chose the chance outcomes.

Before the game the house commits to a secret by showing its SHA-256, and every seat adds a value of
its own. After the game the secret is revealed, so that all outcomes can be drawn again from the
transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from escale.game.errors import BadLine, BadMessage, EscaleError, reason
from escale.game.fair_random import FairRandom
from escale.game.position import Outcome
from escale.game.texts import house
from escale.game.viewer import HIDDEN
from escale.match.events import Drawn, Ended, Played, read_event
from escale.match.match import Match


class Verdict(Enum):
    """The result of a check."""

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """The transcript has too little data to check it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of one check."""

    verdict: Verdict
    key: str
    """Its sentence in the house's texts, without `verify.`."""
    values: dict[str, object] = field(default_factory=dict)

    def text(self, lang: str) -> str:
        """The finding in a sentence."""
        values = {
            name: value.text(lang) if isinstance(value, Outcome)
            else reason(value, lang) if isinstance(value, EscaleError) else value
            for name, value in self.values.items()
        }
        return house().say(f"verify.{self.key}", lang, **values)


def verify(transcript: str) -> list[Finding]:
    """Check everything that a transcript allows to check, in order."""
    try:
        match = Match.replay(transcript)
    except BadLine as error:
        if (silent := _silent_from(transcript)) and silent <= error.line:
            return [Finding(Verdict.UNKNOWN, "partial", {"line": silent})]
        return [Finding(Verdict.WRONG, error.key, {"line": error.line, "why": error.why})]
    return [*_moves(match), *_chance_outcomes(match)]


def _silent_from(transcript: str) -> int | None:
    """The first line without the parts that a viewer may not know; complete after the end."""
    silent: int | None = None
    for number, line in enumerate(transcript.splitlines(), 1):
        try:
            event = read_event(line)
        except BadMessage:
            continue
        if isinstance(event, Ended):
            return None
        if silent is None and isinstance(event, Played | Drawn) and HIDDEN in event.move:
            silent = number
    return silent


def _moves(match: Match) -> Iterator[Finding]:
    if match.dealt_by_hand:
        name = match.header.set_up_by
        yield Finding(Verdict.RIGHT, "set-up-by" if name else "set-up", {"name": name})
    plays = sum(isinstance(event, Played) for event in match.events)
    yield Finding(Verdict.RIGHT, "moves", {"game": match.game.title, "moves": plays})
    if match.ended:
        yield Finding(Verdict.RIGHT, "end", {"outcome": match.outcome})
    else:
        yield Finding(Verdict.UNKNOWN, "unfinished")


def _chance_outcomes(match: Match) -> Iterator[Finding]:
    outcomes = sum(isinstance(event, Drawn) for event in match.events)
    secret = next((event.secret for event in match.events if isinstance(event, Ended)), None)
    if secret is None:
        if outcomes:
            yield Finding(Verdict.UNKNOWN, "no-secret", {"outcomes": outcomes})
        return
    yield Finding(Verdict.RIGHT, "promise", {"commitment": match.commitment})
    given = [value for value in match.values if value is not None]
    if given:
        yield Finding(Verdict.RIGHT, "values", {"values": ", ".join(given)})
    wrong = list(_wrong_outcomes(match, FairRandom(secret)))
    yield from wrong
    if outcomes and not wrong:
        yield Finding(Verdict.RIGHT, "chance-outcomes", {"outcomes": outcomes})


def _wrong_outcomes(match: Match, fair_random: FairRandom) -> Iterator[Finding]:
    """The chance outcomes that do not follow from the secret and the values."""
    again = Match.resume([match.header], fair_random)
    for event in match.events:
        before = again.position
        again.happen(event)
        if not isinstance(event, Drawn):
            continue
        assert again.fair_random is not None
        due = before.draw(again.fair_random.stream(before.chance_count))
        drawn = again.position.last
        if drawn != due:
            assert drawn is not None
            yield Finding(Verdict.WRONG, "chance-outcome", {
                "n": event.n, "outcome": before.chance_count,
                "drawn": drawn.text, "due": due.text})
