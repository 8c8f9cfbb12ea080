"""The table of a season: the standings of all evenings of a series together.

A guest without a phone has nothing but a name, so it is the name that counts: who plays under the
same one in several evenings is one person here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from escale.server.evening.evening import Evening
from escale.server.evening.standings import standings

PLACES = (10, 8, 6, 5, 4, 3, 2, 1)
"""What the places of an evening are worth; taking part at all is worth one."""


@dataclass(slots=True)
class SeasonRow:
    """A person in a season."""

    name: str
    points: int = 0
    evenings: int = 0
    won: int = 0
    """Evenings of which this person was first."""
    games: int = 0
    of: list[int | None] = field(default_factory=list)
    """The points of each evening; None where this person was not there."""
    place: int = 0


def season_rows(evenings: Sequence[Evening]) -> list[SeasonRow]:
    """Everybody who has played in a season, the best first."""
    rows: dict[str, SeasonRow] = {}
    for number, evening in enumerate(evenings):
        for row in standings(evening):
            guest = evening.guests[row.who]
            if not guest.person or not row.played:
                continue
            found = rows.setdefault(guest.name.casefold(), SeasonRow(guest.name))
            found.of += [None] * (number + 1 - len(found.of))
            worth = PLACES[row.place - 1] if row.place <= len(PLACES) else 1
            found.of[number] = worth
            found.points += worth
            found.evenings += 1
            found.won += row.place == 1
            found.games += row.played
    for one in rows.values():
        one.of += [None] * (len(evenings) - len(one.of))
    ordered = sorted(
        rows.values(), key=lambda row: (-row.points, -row.won, row.evenings, row.name.casefold())
    )
    for number, one in enumerate(ordered, 1):
        before = ordered[number - 2] if number > 1 else None
        one.place = before.place if before is not None and before.points == one.points else number
    return ordered
