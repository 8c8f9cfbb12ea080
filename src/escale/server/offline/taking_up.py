"""Tables that were played on a device become tables of the house, with all their events."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from escale.game.errors import BadMessage
from escale.game.fair_random import FairRandom
from escale.games import game as game_named
from escale.match.events import (
    Began,
    Event,
    Header,
    Published,
    Said,
    Sat,
    read_event,
    read_header,
)
from escale.match.limits import TokenText
from escale.match.match import Match, Player
from escale.server.edge.problems import Problem
from escale.server.offline.checking import CheckJob
from escale.server.tables.due import due
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.phrases import check_name
from escale.server.tables.table import Table
from escale.server.workers.pool import WorkerPool
from escale.store import NewTable, Token
from escale.store.retention import DAY_MS

MOST_LINES = 3000
LINE_LETTERS = 2000
HERE, TAKEN = "here-", "from-"
"""The prefixes of a table's name on the device, and in the house."""
Secret = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]


class KeptLines(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as a device has kept it."""

    table: Annotated[
        str, Meta(pattern=f"^{HERE}[A-Za-z0-9_-]{{8,32}}$", description="Its name there.")
    ]
    token: Annotated[TokenText, Meta(description="The token of its seats.")]
    secret: Annotated[Secret, Meta(description="From which its chance outcomes are drawn.")]
    lines: Annotated[
        list[Annotated[str, Meta(max_length=LINE_LETTERS)]],
        Meta(min_length=1, max_length=MOST_LINES, description="The lines of its transcript."),
    ]
    next_secret: Annotated[
        Secret | None, Meta(description="The secret of a rematch, after the end.")
    ] = None


class TakenUp(Struct, frozen=True):
    """The table in the house."""

    table: str
    how: Annotated[
        Literal["new", "known", "more", "beside"],
        Meta(description="`new` here; `known` already; `more` was added to it; kept `beside` the "
             "one that is known, because both have gone on."),
    ]


async def take_up(
    house: House, workers: WorkerPool, kept: KeptLines, address: str
) -> TakenUp:
    """Make a table of a device one of the house; the address pays for replaying it."""
    header, events = _read(kept, phrases_only=house.settings.phrases_only)
    if any((event.at or 0) > house.now() + DAY_MS for event in events):
        raise BadMessage("expected events that have happened")
    checked = await workers.answer(CheckJob(lines=kept.lines), address)
    if checked.status != 200:
        raise BadMessage("expected the lines of a transcript that can be replayed")
    name = TAKEN + kept.table.removeprefix(HERE)
    known = await house.table(name)
    if known is None:
        await _create(house, name, kept, header, events)
        return TakenUp(name, "new")
    if not known.held(kept.token) or known.match.header != header:
        raise Problem("not-now", detail="another table has this name")
    here = [structs.replace(event, id=None) for event in known.match.events]
    there = [structs.replace(event, id=None) for event in events]
    if here[:len(there)] == there:
        return TakenUp(name, "known")
    if there[:len(here)] == here:
        await _go_on(house, known, events[len(here):])
        return TakenUp(name, "more")
    beside = TAKEN + secrets.token_urlsafe(9)
    await _create(house, beside, kept, header, events)
    return TakenUp(beside, "beside")


def _read(kept: KeptLines, *, phrases_only: bool) -> tuple[Header, list[Event]]:
    """The header and the events, as far as a device may bring them."""
    header = read_header(kept.lines[0])
    events = [read_event(line) for line in kept.lines[1:]]
    if not header.waits or header.commitment != FairRandom(kept.secret).commitment:
        raise BadMessage("expected a match that waits for its players, and its secret")
    if header.clock is not None or any(player.bot for player in header.seats):
        raise BadMessage("expected people at one screen and computers, without a clock")
    # Its device knows the secret: no other person may sit down there.
    if not any(isinstance(event, Began) for event in events):
        raise BadMessage("expected a match that has begun")
    if any(isinstance(event, Published) for event in events):
        raise BadMessage("expected a table that is not public")
    if phrases_only:
        for name in (one.name for one in (*header.seats, *events) if isinstance(one, Player | Sat)):
            check_name(name, game_named(header.game))
        if any(isinstance(event, Said) for event in events):
            raise Problem("phrases-only")
    return header, events


async def _create(
    house: House, id: str, kept: KeptLines, header: Header, events: list[Event]
) -> None:
    people = tuple(seat for seat, player in enumerate(header.seats) if player.level is None)
    match = Match.resume([header], FairRandom(kept.secret))
    await house.store.create(
        NewTable(id, header, kept.secret, tokens=[Token(fingerprint(kept.token), people)],
                 due=due(match, house.now()), next_secret=kept.next_secret),
        events,
    )


async def _go_on(house: House, table: Table, events: list[Event]) -> None:
    async with table.lock:
        await house.store.append(table.id, events)
        house.forget_table(table)           # it is read again, with these
