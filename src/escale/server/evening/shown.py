"""An evening in words and numbers, as its pages show it. Everything here is public."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from escale.games import game as game_named
from escale.match.seating import named
from escale.server.evening.evening import Evening, Game, Round
from escale.server.evening.evenings import EveningLog
from escale.server.evening.pairing import planned_rounds
from escale.server.evening.standings import WIN, standings
from escale.server.pages.page_context import PageContext

HALVES = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼",
          Fraction(3, 4): "¾"}


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A guest at a table."""

    who: int
    name: str
    side: str
    """What the seat is called in the game."""
    place: int | None
    phone: bool
    person: bool


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game at a table of the room."""

    round: int
    table: int
    slug: str
    title: str
    seats: list[ShownSeat]
    board: str
    over: bool
    begun: bool
    result: str
    """In short, such as `1 – 0`; empty while there is none."""
    by: str
    id: str
    """The name of its table here; empty for a real board."""
    picture: str
    """The address of a picture of the position; empty if there is none."""
    told: dict[int, list[int]]
    """What players have said about the result."""
    switchable: bool
    """Whether it may be played on the other kind of board."""

    @property
    def names(self) -> str:
        """The guests in a line."""
        return " – ".join(seat.name for seat in self.seats)

    def seat_of(self, who: int | None) -> ShownSeat | None:
        """The seat of a guest."""
        return next((seat for seat in self.seats if seat.who == who), None)

    def others(self, who: int | None) -> str:
        """Everybody else at the table."""
        return ", ".join(seat.name for seat in self.seats if seat.who != who)


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line of the standings."""

    who: int
    place: int
    name: str
    points: str
    tie_break: str
    played: int
    won: int
    drawn: int
    lost: int
    present: bool
    person: bool


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round."""

    number: int
    games: list[ShownGame]
    byes: list[str]
    bye_numbers: list[int]
    started: bool
    ends: int | None
    """When its time is up, in Unix milliseconds."""
    open: int
    """How many games have no result."""


@dataclass(frozen=True, slots=True)
class ShownEvening:
    """An evening."""

    id: str
    title: str
    code: str
    format: str
    n: int
    closed: bool
    planned: int | None
    rounds: list[ShownRound]
    rows: list[ShownRow]
    guests: list[dict[str, Any]]
    games: list[tuple[str, str]]
    """The slugs and titles of its games."""
    minutes: int | None
    names: dict[int, str] = field(default_factory=dict)

    @property
    def round(self) -> ShownRound | None:
        """The last round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def current(self) -> list[ShownGame]:
        """The games of now: of the last round, or in free play all that are being played."""
        if self.format == "free":
            return [game for one in self.rounds for game in one.games if not game.over]
        return self.rounds[-1].games if self.rounds else []

    @property
    def last(self) -> bool:
        """Whether the rounds that were planned are over."""
        last = self.round
        return last is not None and last.started and not last.open \
            and self.planned is not None and last.number >= self.planned

    @property
    def spoken_code(self) -> str:
        """The code in two halves, to be read aloud."""
        return f"{self.code[:3]} {self.code[3:]}"


def shown(context: PageContext, found: EveningLog) -> ShownEvening:
    """An evening for a page, in its language."""
    evening, lang = found.evening, context.lang
    names = guest_names(evening, lang)
    return ShownEvening(
        id=found.id, title=evening.plan.title, code=found.code, format=evening.plan.format,
        n=evening.n, closed=evening.closed is not None, planned=planned_rounds(evening),
        rounds=[_round(context, found, one, names) for one in evening.rounds],
        rows=_rows(evening, names, lang),
        guests=[
            {"who": guest.who, "name": names[guest.who], "present": guest.present,
             "phone": guest.phone, "person": guest.person, "level": guest.level, "bot": guest.bot,
             "playing": any(guest.who in game.seats for game in evening.running)}
            for guest in evening.guests.values()
        ],
        games=[(slug, game_named(slug).title) for slug in evening.plan.games],
        minutes=evening.plan.minutes, names=names,
    )


def guest_names(evening: Evening, lang: str) -> dict[int, str]:
    """What to call each guest: no two are called the same."""
    found: dict[int, str] = {}
    seen: Counter[str] = Counter()
    game = game_named(evening.plan.games[0])
    for who, guest in evening.guests.items():
        name = game.called(guest.level, lang, ("level",)) if guest.level is not None \
            else named(guest.name, guest.bot, lang)
        seen[name] += 1
        found[who] = name if seen[name] == 1 else f"{name} {seen[name]}"
    return found


def _round(
    context: PageContext, found: EveningLog, one: Round, names: dict[int, str]
) -> ShownRound:
    return ShownRound(
        one.number, [_game(context, found, one, game, names) for game in one.games],
        [names[who] for who in one.byes], one.byes, one.started is not None, one.ends(),
        sum(not game.over for game in one.games),
    )


def _game(
    context: PageContext, found: EveningLog, one: Round, game: Game, names: dict[int, str]
) -> ShownGame:
    box, lang = game_named(game.game), context.lang
    guests = found.evening.guests
    id = found.table_of(game) if game.board == "screen" and one.started is not None else ""
    table = context.house.tables.get(id)
    return ShownGame(
        round=game.round, table=game.table, slug=game.game, title=box.title,
        seats=[
            ShownSeat(
                who, names[who], box.seat_name(seat, lang),
                None if game.places is None else game.places[seat],
                guests[who].phone, guests[who].person,
            ) for seat, who in enumerate(game.seats)
        ],
        board=game.board, over=game.over, begun=one.started is not None,
        result=result_words(game.places), by=game.by or "", id=id,
        picture="" if not id else
        f"/picture/table/{id}.svg?n={len(table.match.events) if table is not None else 0}",
        told=game.reports,
        switchable=not game.over and all(guests[who].person for who in game.seats),
    )


def result_words(places: list[int] | None) -> str:
    """A result in short.

    >>> result_words([1, 2]), result_words([1, 1]), result_words([2, 1, 3]), result_words(None)
    ('1 – 0', '½ – ½', '2 · 1 · 3', '')
    """
    if places is None:
        return ""
    if len(places) == 2:
        return "½ – ½" if places[0] == places[1] else "1 – 0" if places[0] == 1 else "0 – 1"
    return " · ".join(map(str, places))


def points_words(points: int, format: str, lang: str) -> str:
    """Points as people write them.

    >>> points_words(180, "swiss", "fr"), points_words(40, "ladder", "en")
    ('1½', '⅓')
    >>> points_words(252, "ladder", "fr"), points_words(100, "keizer", "fr")
    ('2,1', '17')
    """
    if format == "keizer":
        return str(round(points / 6))
    whole, rest = divmod(points, WIN)
    if not rest:
        return str(whole)
    part = HALVES.get(Fraction(rest, WIN))
    if part is not None:
        return part if not whole else f"{whole}{part}"
    text = f"{points / WIN:.2f}".rstrip("0")
    return text.replace(".", ",") if lang == "fr" else text


def _rows(evening: Evening, names: dict[int, str], lang: str) -> list[ShownRow]:
    format = evening.plan.format
    return [
        ShownRow(
            row.who, row.place, names[row.who], points_words(row.points, format, lang),
            points_words(row.tie_break, "swiss", lang), row.played, row.won, row.drawn, row.lost,
            evening.guests[row.who].present, evening.guests[row.who].person,
        ) for row in standings(evening)
        if evening.guests[row.who].person or row.played
    ]


def format_words(context: PageContext, found: EveningLog) -> str:
    """The facts of an evening in a line: format, games, rounds, time."""
    plan = found.evening.plan
    parts = [context.say(f"evening.format-{plan.format}")]
    parts.append(", ".join(dict.fromkeys(game_named(slug).title for slug in plan.games)))
    if plan.rounds and plan.format not in ("free", "round-robin"):
        parts.append(context.count("evening.rounds", plan.rounds))
    if plan.minutes:
        parts.append(context.say("evening.minutes-each", minutes=plan.minutes))
    return " · ".join(parts)
