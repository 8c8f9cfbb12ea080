"""Sending pages compressed."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

ASIS = ("/api", "/static/")
"""Answers for programs are small and go at once; files are compressed already, and so is a PNG."""

BOARDS = "/boards/"
"""What does not change of a game's scenes: many numbers, sent once."""


class Compression:
    """Compresses pages and drawings."""

    def __init__(self, app: ASGIApp) -> None:
        self.plain = app
        self.compressed = GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, compressed or not."""
        compresses = scope["type"] == "http" and (
            BOARDS in scope["path"] or not scope["path"].startswith(ASIS)
        ) and not scope["path"].endswith(".png")
        await (self.compressed if compresses else self.plain)(scope, receive, send)
