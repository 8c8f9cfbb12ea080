"""Bot accounts in the database: the host creates and removes them; a token is shown once."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Select, delete, exc, insert, or_, select
from sqlalchemy.engine import URL

from escale.games import game
from escale.match.limits import About, NewName
from escale.store.database import open_database, writing
from escale.store.errors import BadDatabase, StoreError
from escale.store.housekeeping import BEGAN, happened
from escale.store.records import Bot
from escale.store.schema import bots, tables, tokens

PREFIX = "bot-"
"""How a bot's token begins, so that other tokens are not looked up."""
WAITING_MILLISECONDS = 1_800_000
"""A table whose match has not begun is listed for this long after it was set up."""
TOKEN_BYTES = 24
"""The random bytes of a token."""

Result = TypeVar("Result")


def is_bots(token: str | None) -> bool:
    """Whether a token begins like a bot's."""
    return bool(token and token.startswith(PREFIX))


def create_bot(url: URL, name: str, *, about: str = "", games: Sequence[str] = ()) -> str:
    """Create an account and return its token, of which no copy is kept.

    StoreError if the name is taken, UnknownGame if there is no such game.
    """
    try:
        name = msgspec.convert(name.strip(), NewName)
        about = msgspec.convert(about.strip(), About)
    except msgspec.ValidationError as error:
        raise StoreError(f"expected a name, and a line about the bot: {error}") from None
    if not name:
        raise BadDatabase("bot-name")
    token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    bot = Bot(
        name, sha256(token.encode()).hexdigest(), time.time_ns() // 1_000_000, about,
        known_games(games),
    )

    def add(connection: Connection) -> str:
        if connection.execute(select(bots).where(bots.c.name == name)).first() is not None:
            raise BadDatabase("bot-twice", name=name)
        connection.execute(insert(bots), [bot.row()])
        return token

    return _with_database(url, add)


def known_games(games: Sequence[str]) -> tuple[str, ...]:
    """The slugs of these games, each once; UnknownGame if there is no such game."""
    return tuple(dict.fromkeys(game(slug).slug for slug in games))


def remove_bot(url: URL, name: str) -> bool:
    """Remove an account and its token's seats; returns whether there was one."""
    def remove(connection: Connection) -> bool:
        known = connection.execute(select(bots).where(bots.c.name == name)).first()
        if known is None:
            return False
        connection.execute(delete(tokens).where(tokens.c.sha256 == known.sha256))
        connection.execute(delete(bots).where(bots.c.name == name))
        return True

    return _with_database(url, remove)


def list_bots(url: URL) -> list[Bot]:
    """All accounts."""
    return _with_database(url, read_bots)


def read_bots(connection: Connection) -> list[Bot]:
    """All accounts, in the order of their names."""
    found = connection.execute(select(bots).order_by(bots.c.name))
    return [Bot.kept(row._asdict()) for row in found]


def held_by(sha256: str, now: int) -> Select[Any]:
    """The tables that are not over where a token holds seats, the oldest first.

    A table whose match has not begun is listed for a limited time only: otherwise unanswered
    challenges, and games that wait for others, would fill a bot's list.
    """
    return (
        select(tables.c.id).join(tokens, tokens.c.table_id == tables.c.id)
        .where(tokens.c.sha256 == sha256, tables.c.over.is_(False), tables.c.closed.is_(False),
               or_(tables.c.created > now - WAITING_MILLISECONDS, happened(BEGAN)))
        .order_by(tables.c.created, tables.c.id)
    )


def _with_database(url: URL, do: Callable[[Connection], Result]) -> Result:
    engine = open_database(url)
    try:
        with writing(engine).begin() as connection:
            return do(connection)
    except exc.SQLAlchemyError as error:
        raise BadDatabase("refused", why=error) from error
    finally:
        engine.dispose()
