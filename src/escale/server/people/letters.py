"""Mail of notices: what waits, with pictures of the boards, and one click that ends it.

Its links have a token that the house computes from a key of its own, so that none is stored.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from markupsafe import escape

from escale.web import words

KEY = "mail-key"
"""The name of the house's value from which tokens are computed."""
PACES = ("now", "twice", "daily")
"""How often mail is sent: at once, or in digests."""
HOURS = {"daily": (8,), "twice": (8, 18)}
"""The hours of digests, in the reader's time zone."""
TOKEN_LETTERS = 32
PICTURE_WIDTH = 300


@dataclass(frozen=True, slots=True)
class Line:
    """One game in a message."""

    table: str
    game: str
    text: str
    """What there is to tell of it."""
    link: str
    picture: bytes | None = None
    """A PNG of the board, as its reader may see it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to one person."""

    name: str
    """The same for the same news, so that a receiver knows it again."""
    lang: str
    title: str
    lines: Sequence[Line] = ()
    text: str = ""
    """What is said where there are no games."""

    @property
    def plain(self) -> str:
        """The message as plain text."""
        return self.text or "\n".join(f"{one.text}\n{one.link}" for one in self.lines)


def token(key: str, purpose: str, endpoint: str) -> str:
    """What a link for one purpose has: it names the endpoint, and is made by the house alone."""
    made = hmac.new(key.encode(), f"{purpose}:{endpoint}".encode(), sha256).hexdigest()
    return f"{endpoint}.{made[:TOKEN_LETTERS]}"


def read_token(key: str, purpose: str, given: str) -> str | None:
    """The endpoint that a token names; None if the house has not made it for this purpose."""
    endpoint = given[:100].rpartition(".")[0]
    made = token(key, purpose, endpoint)
    return endpoint if hmac.compare_digest(made.encode(), given.encode()) else None


def letter(message: Message, to: str, stop: str, host: str, now: int) -> EmailMessage:
    """A message as mail; `stop` is the address that ends them, by one click."""
    mail = EmailMessage()
    mail["To"] = to
    mail["Subject"] = message.title
    mail["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
    mail["Message-ID"] = f"<{message.name}@{urlsplit(host).hostname or 'localhost'}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["List-Unsubscribe"] = f"<{stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    end = words().say("letter.stop", message.lang)
    mail.set_content(f"{message.plain}\n\n-- \n{end}\n{stop}\n")
    pictures = {f"{one.table}@escale": one.picture for one in message.lines if one.picture}
    games = [
        f'<p><a href="{escape(one.link)}">'
        + (f'<img src="cid:{one.table}@escale" width="{PICTURE_WIDTH}" alt=""><br>'
           if one.picture else "")
        + f"<b>{escape(one.text)}</b></a></p>" for one in message.lines
    ] or [f"<p>{escape(line)}</p>" for line in message.text.split("\n")]
    mail.add_alternative(
        f'<!doctype html><html lang="{message.lang}"><body>{"".join(games)}'
        f'<p><small><a href="{escape(stop)}">{escape(end)}</a></small></p></body></html>',
        subtype="html",
    )
    html = mail.get_payload()[-1]                   # type: ignore[index]
    assert isinstance(html, EmailMessage)
    for name, picture in pictures.items():
        html.add_related(picture, "image", "png", cid=f"<{name}>", disposition="inline")
    return mail


def next_digest(now: int, pace: str, zone: str) -> int:
    """When the next digest is sent, in Unix milliseconds.

    >>> [next_digest(0, *wish) // 3_600_000 for wish in (("daily", "Europe/Paris"), ("twice", ""))]
    [7, 8]
    """
    try:
        there = ZoneInfo(zone or "UTC")
    except (ValueError, OSError, LookupError):      # no such zone, or no list of them here
        there = ZoneInfo("UTC")
    here = datetime.fromtimestamp(now / 1000, there)
    for days in (0, 1):
        day = here.date() + timedelta(days=days)
        for hour in HOURS[pace]:
            at = datetime.combine(day, time(hour), there)
            if at > here:
                return int(at.timestamp()) * 1000
    raise AssertionError("no digest tomorrow")
