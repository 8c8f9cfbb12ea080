"""A private feed and calendar of the games that wait for a person, for their own programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from fastapi import APIRouter, Request
from markupsafe import escape
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.server.edge import locale
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.security import address
from escale.server.pages.page_context import error_page
from escale.server.people import games
from escale.server.people.notebooks import Notebooks
from escale.server.tables.table import Table
from escale.web import counted, words

router = APIRouter()

MOST_ENTRIES = 50
FORMATS = {"atom": "application/atom+xml", "ics": "text/calendar"}
PRIVATE = {"cache-control": "private, max-age=300", "x-robots-tag": "noindex"}


@router.get("/feed/{secret}.{kind}", include_in_schema=False)
async def feed(request: Request, secret: str, kind: Literal["atom", "ics"]) -> Response:
    """The games that wait for the person whose feed has this secret."""
    notebooks: Notebooks = request.app.state.notebooks
    id = notebooks.notice_service.notebook_of_feed(secret[:100])
    own = None if id is None else await notebooks.by_id(id)
    if own is None:
        limiter: RateLimiter = request.app.state.rate_limiter
        limiter.take("code", address(request))
        return error_page(request, 404)
    due = (await games.due_tables(request.app.state.house, notebooks, own))[:MOST_ENTRIES]
    lang = own.lang if own.lang in LANGUAGES else LANGUAGES[0]
    base = notebooks.notice_service.base()
    drawn = _atom(due, base, lang) if kind == "atom" \
        else _calendar(due, base, lang, notebooks.now())
    return Response(drawn, headers=PRIVATE, media_type=f"{FORMATS[kind]}; charset=utf-8")


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def _title(table: Table, lang: str) -> str:
    return counted("notices.title", 1, lang, title=table.match.game.title)


def _atom(due: list[Table], base: str, lang: str) -> str:
    changed = [table.match.events[-1].at or 0 for table in due]
    entries = "".join(
        f"<entry><id>{escape(base)}/t/{table.id}#{len(table.match.events)}</id>"
        f"<title>{escape(_title(table, lang))}</title>"
        f'<link href="{escape(base + locale.address(f"/t/{table.id}", lang))}"/>'
        f"<updated>{_moment(at).isoformat()}</updated></entry>"
        for table, at in zip(due, changed, strict=True)
    )
    title = escape(words().say("notices.feed-title", lang))
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        f'xml:lang="{lang}"><id>{escape(base)}/feed</id><title>{title}</title>'
        f"<author><name>Escale</name></author>"
        f"<updated>{_moment(max(changed, default=0)).isoformat()}</updated>{entries}</feed>\n"
    )


def _calendar(due: list[Table], base: str, lang: str, now: int) -> str:
    """An event at the time by which a move must be played; without a clock of days, none."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Escale//Notices//EN",
             f"X-WR-CALNAME:{_ics(words().say('notices.feed-title', lang))}"]
    for table in due:
        reading = table.match.clock(now)
        if reading is None or reading.kind != "days" or reading.soonest is None:
            continue
        lines += [
            "BEGIN:VEVENT", f"UID:{table.id}-{len(table.match.events)}@escale",
            f"DTSTAMP:{_moment(table.match.events[-1].at or 0):%Y%m%dT%H%M%SZ}",
            f"DTSTART:{_moment(now + reading.soonest):%Y%m%dT%H%M%SZ}",
            f"SUMMARY:{_ics(_title(table, lang))}",
            f"URL:{base}{locale.address(f'/t/{table.id}', lang)}", "END:VEVENT",
        ]
    return "".join(_folded(line) + "\r\n" for line in [*lines, "END:VCALENDAR"])


def _ics(text: str) -> str:
    """A text as calendars write it.

    >>> _ics("Your turn; at last, Ana")
    'Your turn\\\\; at last\\\\, Ana'
    """
    for each in ("\\", ";", ","):
        text = text.replace(each, f"\\{each}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """A line of a calendar, folded after 70 bytes, between letters."""
    parts, part = [], ""
    for letter in line:
        if len((part + letter).encode()) > 70:
            parts.append(part)
            part = ""
        part += letter
    return "\r\n ".join([*parts, part])
