"""The standings of an evening.

Points are counted in parts of 120, so that every share of a table of two to six is a whole number:
a win is 120, and the third of five gets 60. Keizer's system counts otherwise: a win is worth
the rank of the loser.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from escale.server.evening.evening import Evening, Game

WIN = 120
"""The points of a win, and of a bye where one is worth as much."""
KEIZER_ROUNDS = 20
"""Keizer's points depend on the ranks and these on the points; they settle long before."""


@dataclass(slots=True)
class Row:
    """A line of the standings."""

    who: int
    points: int = 0
    """In parts of `WIN`; in Keizer's system in parts of 6."""
    place: int = 0
    """Equal for guests who are equal in everything that counts."""
    tie_break: int = 0
    """The sum of the opponents' points."""
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    opponents: list[int] = field(default_factory=list)
    """All opponents in finished games, each as often as they met."""


def points_of(places: list[int]) -> list[int]:
    """The points of each seat: its share of the others that it has left behind.

    >>> points_of([1, 2]), points_of([1, 1]), points_of([2, 1, 3, 4])
    ([120, 0], [60, 60], [80, 120, 40, 0])
    """
    others = len(places) - 1
    return [
        WIN * (2 * sum(other > place for other in places)
               + sum(other == place for other in places) - 1) // (2 * others)
        for place in places
    ]


def standings(evening: Evening) -> list[Row]:
    """All guests who have played or are there, the best first."""
    rows = {who: Row(who) for who in evening.guests}
    for game in finished(evening):
        _count(rows, game)
    for one in evening.rounds:
        if one.started is not None:
            for who in one.byes:
                rows[who].byes += 1
    if evening.plan.format == "keizer":
        _keizer(evening, rows)
    else:
        # A bye is a win where all meet as many opponents as each other, and nothing in a round
        # robin, where everybody has one.
        if evening.plan.format in ("swiss", "ladder"):
            for row in rows.values():
                if evening.guests[row.who].person:
                    row.points += WIN * row.byes
        for row in rows.values():
            row.tie_break = sum(rows[other].points for other in row.opponents)
    shown = [
        row for row in rows.values()
        if row.played or row.byes or evening.guests[row.who].present
    ]
    return _placed(shown)


def finished(evening: Evening) -> Iterable[Game]:
    """All games with a result, in the order of the rounds."""
    return (game for one in evening.rounds for game in one.games if game.over)


def _count(rows: dict[int, Row], game: Game) -> None:
    assert game.places is not None
    for seat, (who, points) in enumerate(zip(game.seats, points_of(game.places), strict=True)):
        row = rows[who]
        row.points += points
        row.played += 1
        row.opponents += [other for other in game.seats if other != who]
        first, shared = game.places[seat] == 1, game.places.count(game.places[seat]) > 1
        if shared and (first or len(game.seats) == 2):
            row.drawn += 1
        elif first:
            row.won += 1
        else:
            row.lost += 1


def _placed(rows: list[Row]) -> list[Row]:
    def merit(row: Row) -> tuple[int, int, int]:
        return row.points, row.tie_break, row.won

    ordered = sorted(rows, key=lambda row: (*(-one for one in merit(row)), row.who))
    for number, row in enumerate(ordered, 1):
        before = ordered[number - 2] if number > 1 else None
        row.place = before.place if before and merit(before) == merit(row) else number
    return ordered


# ---- Keizer's system ----


def _keizer(evening: Evening, rows: dict[int, Row]) -> None:
    """Keizer's points, in sixths.

    The first of the ranks is worth twice as much as there are guests, each next one a point less.
    A win counts the value of the loser, a draw half of the opponent's, a bye two thirds of one's
    own value, and a round that a guest has missed a third. The values follow from the ranks that
    come out, so all rounds are counted again until the ranks stay as they are.
    """
    order = sorted(rows, key=lambda who: (-rows[who].points, who))
    sixths: dict[int, int] = {}
    for _ in range(KEIZER_ROUNDS):
        values = {who: 2 * len(order) - rank for rank, who in enumerate(order)}
        sixths = _sixths(evening, values)
        again = sorted(order, key=lambda who: (-sixths[who], order.index(who)))
        if again == order:
            break
        order = again
    for who, row in rows.items():
        row.points = sixths[who]


def _sixths(evening: Evening, values: dict[int, int]) -> dict[int, int]:
    # Everybody begins with their own value, so that the order of arrival decides at first.
    sixths = {who: 6 * value for who, value in values.items()}
    for one in evening.rounds:
        if one.started is None:
            continue
        seated = {who for game in one.games for who in game.seats}
        for game in one.games:
            if game.places is None:
                continue
            for who, place in zip(game.seats, game.places, strict=True):
                for other, their_place in zip(game.seats, game.places, strict=True):
                    if other != who:
                        gained = 6 if place < their_place else 3 if place == their_place else 0
                        sixths[who] += gained * values[other] // (len(game.seats) - 1)
        for who in one.byes:
            sixths[who] += 4 * values[who]
        for who, guest in evening.guests.items():
            if who not in seated and who not in one.byes and guest.since <= one.number:
                sixths[who] += 2 * values[who]
    return sixths
