"""Random evenings for the tests: people come and go, lose and win, and rounds follow each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from escale.server.evening.evening import Evening
from escale.server.evening.events import Decided, Format, Joined, Left, Paired, Plan, Started
from escale.server.evening.pairing import Draft, next_round
from escale.server.evening.refusals import Refused

GAMES: dict[str, list[str]] = {"ladder": ["canyon-1997"]}


def plan(format: Format = "swiss", seed: str = "seed", **more: Any) -> Plan:
    facts: dict[str, Any] = {"games": GAMES.get(format, ["tortuga"]), "seed": seed, **more}
    return Plan(escale_evening=1, title="Jeudi", format=format, **facts)


def evening(format: Format, people: int, seed: str = "seed", **more: Any) -> Evening:
    """An evening at which so many people have joined by their phones."""
    found = Evening(plan(format, seed, **more))
    for who in range(1, people + 1):
        found.happen(Joined(who=who, name=f"Guest {who}", phone=True))
    return found


def places(chance: Random, seats: int, draws: float = 0.1) -> list[int]:
    """A result by chance; sometimes all are equal."""
    luck = [0.0] * seats if chance.random() < draws else [chance.random() for _ in range(seats)]
    return [1 + sum(other > own for other in luck) for own in luck]


def play_round(found: Evening, draft: Draft, chance: Random) -> None:
    """Let a round be played to its end."""
    number = len(found.rounds) + 1
    found.happen(Paired(round=number, pairings=draft.pairings, byes=draft.byes))
    found.happen(Started(round=number, at=1))
    for pairing in draft.pairings:
        found.happen(Decided(
            round=number, table=pairing.table, by="host",
            places=places(chance, len(pairing.seats)),
        ))


@dataclass
class Lived:
    """An evening that was played to its end, and what it was like before each round."""

    evening: Evening
    before: list[tuple[int, Draft]] = field(default_factory=list)
    """For each round, the number of events before it, and its pairings."""


def live(
    format: Format, seed: int, *, most: int = 16, rounds: int | None = None, restless: float = 0.0,
    computers: bool = False,
) -> Lived:
    """An evening by chance; with `restless`, people come late and leave."""
    chance = Random(f"{format} {seed}")
    people = chance.randint(2 if format != "ladder" else 3, most)
    lived = Lived(evening(format, people, str(seed)))
    found = lived.evening
    if computers:
        for _ in range(chance.randint(0, 3)):
            found.happen(Joined(who=len(found.guests) + 1, name="", level="mousse"))
    for _ in range(chance.randint(1, 7) if rounds is None else rounds):
        if chance.random() < restless:
            found.happen(Joined(who=len(found.guests) + 1, name="Late"))
        if chance.random() < restless and len(found.present()) > 4:
            found.happen(Left(who=chance.choice(found.present()).who))
        try:
            draft = next_round(found)
        except Refused:
            break
        lived.before.append((found.n, draft))
        play_round(found, draft, chance)
    return lived
