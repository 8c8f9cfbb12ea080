"""Names of tables and tokens of seats: random, or derived from the id of an order.

A client that did not get the answer to an order repeats it with the same id, and gets the same name
and token. The id is therefore as secret as the token.
"""

from __future__ import annotations

import base64
import re
import secrets
from hashlib import sha256

NAME_BYTES, TOKEN_BYTES = 9, 24
"""The random bytes of a table's name, and of a token."""


def fingerprint(token: str) -> str:
    """The SHA-256 of a token, which is all that is stored of it."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def is_table_name(text: str) -> bool:
    """Whether a table can have this name; the store need not be asked for others."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text) is not None


def table_name(order: str | None) -> str:
    """A name for a table that was ordered with this id; random without one."""
    return _word(NAME_BYTES, order, "table")


def table_token(order: str | None) -> str:
    """The token for the seats of a table that was ordered with this id."""
    return _word(TOKEN_BYTES, order, "token")


def seat_token(order: str | None, table: str, seat: int) -> str:
    """The token for a seat that was requested with this id."""
    return _word(TOKEN_BYTES, order, "seat", table, str(seat))


def _word(size: int, order: str | None, *about: str) -> str:
    if order is None:
        return secrets.token_urlsafe(size)
    digest = sha256(":".join([*about, order]).encode()).digest()
    return base64.urlsafe_b64encode(digest[:size]).decode()
