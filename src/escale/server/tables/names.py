"""Names of tables, and the tokens that hold seats: random, or the same again for the same order.

Under the id of an order they follow from it: a client that did not get the answer asks again, and
gets the same. The id is then as secret as the token.
"""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256

NAME, TOKEN = 9, 24
"""Bytes."""


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def table_name(order: str | None) -> str:
    """A name for a table that was ordered under an id."""
    return _word(NAME, order, "table")


def table_token(order: str | None) -> str:
    """What holds the seats of a table that was ordered under an id."""
    return _word(TOKEN, order, "token")


def seat_token(order: str | None, table: str, seat: int) -> str:
    """What holds a seat that was asked for under an id."""
    return _word(TOKEN, order, "seat", table, str(seat))


def _word(size: int, order: str | None, *about: str) -> str:
    if order is None:
        return secrets.token_urlsafe(size)
    digest = sha256(":".join([*about, order]).encode()).digest()
    return base64.urlsafe_b64encode(digest[:size]).decode()
