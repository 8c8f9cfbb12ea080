"""Logging in as the host: a token that the host chose, then a cookie that proves it was known.

The cookie is signed with a key made from the token, so that every process of the house knows it,
nothing is kept, and another token ends all sessions.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from hashlib import sha256

from escale.game.errors import BadOption

COOKIE = "escale_admin"
LASTS = 12 * 3600
"""Seconds after which one logs in again."""
SHORTEST = 16
"""Letters of a token, at least: it can be tried from anywhere."""


class Sessions:
    """Knows who has logged in."""

    def __init__(self, token: str, now: Callable[[], float] = time.time) -> None:
        if len(token) < SHORTEST:
            raise BadOption(
                f"ESCALE_ADMIN_TOKEN must have {SHORTEST} letters or more: anybody may try to "
                "guess it"
            )
        self._token = sha256(token.encode()).digest()
        self._key = hmac.digest(token.encode(), b"escale admin session", "sha256")
        self._now = now

    def accepts(self, token: str) -> bool:
        """Whether somebody knows the token; the time it takes tells nothing about it."""
        return hmac.compare_digest(sha256(token.encode("utf-8", "replace")).digest(), self._token)

    def begin(self) -> str:
        """The cookie of somebody who has logged in."""
        stated = f"{int(self._now()) + LASTS}.{secrets.token_hex(8)}"
        return f"{stated}.{self._sign('session', stated)}"

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is one of ours, and still good."""
        stated, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("session", stated).encode()):
            return False
        return int(stated.partition(".")[0]) > self._now()

    def form_key(self, cookie: str) -> str:
        """What a form of this session carries, so that no other site can send it."""
        return self._sign("form", cookie)

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what}:{text}".encode(), "sha256").hexdigest()
