"""The games of one person: waiting for a move, running, or over with a result."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from escale.match.match import Match
from escale.match.seating import shown
from escale.server.pages.page_context import PageContext
from escale.server.pages.routes import ago
from escale.server.pages.shared_pictures import table_picture
from escale.server.people.notebooks import Notebooks, read_progress
from escale.server.people.notices import is_due
from escale.server.tables.house import House
from escale.server.tables.people import NOTEBOOK
from escale.server.tables.table import Table
from escale.store import Damaged
from escale.store.records import HeldTable, Notebook

MOST_RUNNING = 100
"""The most unfinished games that one page examines."""
MOST_LOOKED_AT = 30
"""The most unfinished games that are looked at for a page that rings, or a feed."""
PAGE_GAMES = 20
"""Finished games on one page."""

Status = Literal["due", "open", "running", "won", "lost", "draw", "over"]
RANKS: dict[Status, int] = {"due": 0, "open": 1, "running": 1}


class MyGame(Struct, frozen=True):
    """A game of one person."""

    table: str
    game: str
    title: str
    picture: Annotated[str, Meta(description="The address of a small picture of the board.")]
    status: Annotated[
        Status,
        Meta(description="`due` waits for this person, `open` for another player to sit down; "
             "`over` is a finished one of which they held several seats."),
    ]
    line: Annotated[str, Meta(description="How it stands, in words.")]
    people: Annotated[str, Meta(description="With whom.")]
    at: Annotated[int, Meta(description="When something last happened, in Unix milliseconds.")]
    ago: Annotated[str, Meta(description="The same in words.")]
    until: Annotated[
        int | None,
        Meta(description="With a clock of days, when the first seat to move is out of time, in "
             "Unix milliseconds."),
    ]
    left: Annotated[str, Meta(description="How much time that is, in words.")]


async def running(
    context: PageContext, notebook: Notebook, *, game: str = "", search: str = ""
) -> list[MyGame]:
    """The games that are not over: those that wait for this person first."""
    notebooks: Notebooks = context.app.notebooks
    found, _ = await notebooks.tables(
        notebook, over=False, game=game, search=search, limit=MOST_RUNNING
    )
    games = await _shown(context, notebook, found)
    return sorted(games, key=lambda one: RANKS.get(one.status, 2))


async def finished(
    context: PageContext, notebook: Notebook, *, game: str = "", search: str = "", page: int = 1,
) -> tuple[list[MyGame], int]:
    """A page of the games that are over, and the number of pages."""
    notebooks: Notebooks = context.app.notebooks
    found, total = await notebooks.tables(
        notebook, over=True, game=game, search=search, skip=PAGE_GAMES * (page - 1),
        limit=PAGE_GAMES,
    )
    return await _shown(context, notebook, found), max(1, -(-total // PAGE_GAMES))


async def next_waiting(house: House, notebooks: Notebooks, notebook: Notebook, after: str) -> str:
    """The table that waits longest for this person, another than `after`; empty if there is none.
    """
    found, _ = await notebooks.tables(notebook, over=False, limit=MOST_RUNNING)
    for one in reversed(found):
        table = await _read(house, one.id)
        if one.id != after and table is not None and is_due(table, _seats(table, notebook)):
            return one.id
    return ""


async def due_tables(house: House, notebooks: Notebooks, notebook: Notebook) -> list[Table]:
    """The tables that wait for a person, among those used last, the latest first."""
    found, _ = await notebooks.tables(notebook, over=False, limit=MOST_LOOKED_AT)
    read = [await _read(house, one.id) for one in found]
    return [
        table for table in read if table is not None and is_due(table, _seats(table, notebook))
    ]


async def _read(house: House, id: str) -> Table | None:
    try:
        return await house.table(id)
    except Damaged:
        return None


def _seats(table: Table, notebook: Notebook) -> tuple[int, ...]:
    return table.held(NOTEBOOK + notebook.id)


async def _shown(
    context: PageContext, notebook: Notebook, found: list[HeldTable]
) -> list[MyGame]:
    unlisted = set(read_progress(notebook).unlisted)
    games = []
    for one in found:
        if one.id in unlisted:
            continue
        table = await _read(context.house, one.id)
        if table is not None:
            games.append(_game(context, table, _seats(table, notebook), one.changed))
    return games


def _game(context: PageContext, table: Table, seats: tuple[int, ...], changed: int) -> MyGame:
    match = table.match
    status = _status(table, seats)
    others = [seat for seat in range(match.start.seats) if seat not in seats]
    called = table.views.called(context.lang)
    names = [
        context.say("my.open-seat") if match.players[seat].open and not match.players[seat].name
        else called[seat] if match.players[seat].level is not None or match.players[seat].bot
        else shown(match.players[seat].name, context.lang) or called[seat]
        for seat in others
    ]
    return MyGame(
        table=table.id, game=match.game.slug, title=match.game.title,
        picture=table_picture(table), status=status, line=_line(context, match, status, called),
        people=context.say("my.with", names=", ".join(names)) if names
        else context.say("my.this-screen"),
        at=changed, ago=ago(context, time.time() - changed / 1000), **_deadline(context, match),
    )


def _deadline(context: PageContext, match: Match) -> dict[str, Any]:
    """The time by which a move must be played if the clock counts days, and how long that is."""
    now: int = context.house.now()
    reading = None if match.outcome is not None else match.clock(now)
    if reading is None or reading.kind != "days" or reading.soonest is None:
        return {"until": None, "left": ""}
    hours = max(1, reading.soonest // 3_600_000)
    left = context.count("my.hours", hours) if hours < 48 \
        else context.count("my.days", hours // 24)
    return {"until": now + reading.soonest, "left": left}


def _status(table: Table, seats: tuple[int, ...]) -> Status:
    match = table.match
    if match.outcome is None:
        if is_due(table, seats):
            return "due"
        return "running" if match.begun else "open"
    if len(seats) != 1:
        return "over"
    if not match.outcome.winners:
        return "draw"
    return "won" if seats[0] in match.outcome.winners else "lost"


def _line(context: PageContext, match: Match, status: Status, called: list[str]) -> str:
    if status == "over" and match.outcome is not None:
        names = ", ".join(called[seat] for seat in match.outcome.winners)
        return context.say("my.winner", names=names) if names else context.say("my.draw")
    return context.say(f"my.{status}")
