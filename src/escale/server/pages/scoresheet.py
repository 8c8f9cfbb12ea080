"""The score sheet of a match: who played, how it ended, every move, and a diagram every few moves.

It is made through `Views`, like all that a viewer sees of a table. It is a page of the house, or a
file of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from time import monotonic
from typing import Any

from markupsafe import Markup

from escale.game.position import Position
from escale.game.texts import date as written_date
from escale.game.viewer import Viewer
from escale.match.events import Drawn, Played
from escale.match.match import Match
from escale.match.seating import called, named
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.pages import pictures
from escale.server.tables.table import Table
from escale.server.tables.views import Sight, Views
from escale.server.workers.drawing import draw
from escale.web import words

DIAGRAM_MOVES = 6
"""Moves between two diagrams; in a long game there are more moves between them …"""
MOST_DIAGRAMS = 24
"""… so that it has no more diagrams than this."""
KEPT_SHEETS = 20
"""Score sheets that are kept, of all tables."""
LISTED_OUTCOMES = 3
"""At most this many chance outcomes in a row are listed; of more, only the number is given."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A move, or a chance outcome."""

    number: int | None
    """The number of the move in the match; chance outcomes are not counted."""
    who: str
    move: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Part:
    """A few moves, and the table after them."""

    lines: list[SheetLine]
    diagram: Markup
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoresheet:
    """A match as a person reads it."""

    title: str
    date: date | None
    day: str
    """The date as people write it."""
    players: list[tuple[str, str]]
    """Each seat, with the name of its player."""
    options: list[str]
    """The options of the match that differ from the usual ones."""
    result: str
    moves: int
    opening: Markup
    parts: list[Part]


class Scoresheets:
    """The score sheets of tables, made off the event loop and kept while nothing happens there."""

    def __init__(self, most: int = KEPT_SHEETS) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Scoresheet] = OrderedDict()

    async def of(self, table: Table, sight: Sight, limiter: RateLimiter, who: str) -> Scoresheet:
        """The score sheet of a table; Problem if an address has asked for too many."""
        async with table.open():
            header, events = table.match.header, list(table.match.events)
            viewer = table.views.viewer(sight)
        # Another house of this process may have a table of that name: its secret tells them apart.
        name = (table.id, header.commitment, len(events), viewer, sight.lang)
        if name not in self._kept:
            if limiter.left("work", who) <= 0:
                raise Problem("too-many")
            began = monotonic()
            # A match of its own, so that the table is not locked meanwhile.
            self._kept[name] = await draw.named(
                name, lambda: scoresheet(Match.resume([header, *events]), sight)
            )
            limiter.spend("work", who, monotonic() - began)
        self._kept.move_to_end(name)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[name]


def scoresheet(match: Match, sight: Sight) -> Scoresheet:
    """The score sheet of a match for a sight; making it takes a moment."""
    views, lang = Views(match), sight.lang
    game, say = match.game, words().say
    viewer = views.viewer(sight)
    standing = list(_standing(match))
    moves = sum(isinstance(match.events[index], Played) for index in standing)
    step = max(DIAGRAM_MOVES, -(-moves // MOST_DIAGRAMS))
    items = views.log(sight)
    positions = match.walk()
    opening = _diagram(next(positions), viewer, lang)
    parts: list[Part] = []
    lines: list[SheetLine] = []
    number = 0
    for place, (index, position) in enumerate(zip(standing, positions, strict=True), 1):
        played = isinstance(match.events[index], Played)
        number += played
        lines.append(_line(match, items[index], number if played else None, lang))
        last = place == len(standing)
        if last or (played and number % step == 0):
            caption = say("score.after", lang, number=number)
            parts.append(Part(list(_few(lines, lang)), _diagram(position, viewer, lang), caption))
            lines = []
    began = next((event.at for event in match.events if event.at is not None), None)
    day = None if began is None else datetime.fromtimestamp(began / 1000, UTC).date()
    return Scoresheet(
        title=game.title, moves=moves, opening=opening, parts=parts,
        date=day, day="" if day is None else written_date(day, lang),
        players=[
            (game.seat_name(seat, lang), "" if player.name == game.seat_name(seat, lang)
             else _called(match, seat, lang))
            for seat, player in enumerate(match.players)
        ],
        options=[
            say("score.option", lang, option=game.texts.say(f"option.{name}", lang).rstrip("."),
                value=game.texts.say(f"option.{name}.{value}", lang))
            for name, value in match.start.options.changed.items()
        ],
        result=match.outcome.text(lang, called(match.players, game, lang))
        if match.outcome else say("score.unfinished", lang),
    )


def _standing(match: Match) -> Iterator[int]:
    """The numbers of the events whose moves stand: those taken back are left out."""
    found: list[int] = []
    for index, event in enumerate(match.events):
        if isinstance(event, Played | Drawn):
            found.append(index)
        del found[match.plies_after[index]:]
    return iter(found)


def _line(match: Match, item: Mapping[str, Any], number: int | None, lang: str) -> SheetLine:
    who = "" if number is None else match.game.seat_name(item["seat"], lang)
    return SheetLine(number, who, item.get("label", ""), item["sentence"])


def _few(lines: list[SheetLine], lang: str) -> Iterator[SheetLine]:
    """The lines; a long row of chance outcomes is replaced by their number."""
    waiting: list[SheetLine] = []
    for line in [*lines, None]:
        if line is not None and line.number is None:
            waiting.append(line)
            continue
        if len(waiting) > LISTED_OUTCOMES:
            sentence = words().say("score.chance", lang, number=len(waiting))
            waiting = [SheetLine(None, "", "", sentence)]
        yield from (one for one in waiting if one.sentence)
        waiting = []
        if line is not None:
            yield line


def _diagram(position: Position, viewer: Viewer, lang: str) -> Markup:
    return Markup(pictures.table(position, viewer, defs=False, lang=lang).svg)


def _called(match: Match, seat: int, lang: str) -> str:
    player = match.players[seat]
    if player.level is not None:
        level = match.game.called(player.level, lang, ("level",))
        return words().say("seat.computer", lang, level=level)
    return named(player.name, player.bot, lang)
