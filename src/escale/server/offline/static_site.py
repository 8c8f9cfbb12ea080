"""`escale static`: the pages of the house as files, which any web space can serve.

They are the pages that the house makes, asked of the application itself; their scripts are the
same, too. A mark on each page says that there is no house, so a worker answers (`ask.js`).
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp, Message

from escale.game.texts import LANGUAGES
from escale.games import games
from escale.server.edge import locale
from escale.server.edge.limits import Limits
from escale.server.offline.parts import Parts
from escale.server.offline.routes import box_files, box_pages, box_pictures
from escale.server.settings import Settings
from escale.web import edition
from escale.web.static_files import names, static_file

ORIGIN = "http://localhost"
ATTRIBUTE = re.compile(r"""(\b(?:href|src|action|content)=")(/[^"]*)(")""")
"""An attribute with an address of the house."""
OTHER_LANGUAGE = re.compile(r"/lang/(\w+)\?to=([^&]*)")
PUZZLES_OF = re.compile(r"(/puzzles)\?game=([\w-]+)")
UNFINGERPRINTED = ("js/push_worker.js", "js/offline_worker.js", "icons/escale-192.png")
"""Files that the service worker asks for under addresses without a fingerprint."""


@dataclass(frozen=True, slots=True)
class Site:
    """What was written."""

    files: int
    bytes: int
    playable: bool
    """Whether it has the parts with which one plays; else it can only be read."""


def export(
    folder: Path, app_of: Callable[[Settings], Any], *, base: str = "",
    parts_folder: Path | None = None, slugs: tuple[str, ...] = (),
) -> Site:
    """Write the pages of all games, or of some, to a folder.

    `base` is the path under which the folder will be served, such as `/escale`. `app_of` makes the
    application.
    """
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings(
            database=f"sqlite:///{scratch}/escale.sqlite3", workers=1, limits=Limits.none(),
            offline=parts_folder, alone=True,
        )
        return asyncio.run(_export(folder, app_of(settings), base.rstrip("/"), slugs))


async def _export(folder: Path, app: Any, base: str, slugs: tuple[str, ...]) -> Site:
    writer = Writer(folder, base)
    parts: Parts | None = app.state.parts
    boxes = [box for box in games() if not slugs or box.slug in slugs]
    async with app.router.lifespan_context(app):
        for lang in LANGUAGES:
            for path in _pages([page for box in boxes for page in box_pages(box)], parts):
                status, body = await fetch(app, locale.address(path, lang), lang)
                if status == 200:
                    writer.page(locale.address(path, lang), body.decode())
            _, manifest = await fetch(app, locale.address("/manifest.webmanifest", lang), lang)
            writer.file(locale.address("/manifest.webmanifest", lang), _based(manifest, base))
        for path in sorted({path for box in boxes for path in box_pictures(box)}):
            writer.file(path, (await fetch(app, path, LANGUAGES[0]))[1])
    for name in names():
        found = static_file(name)
        assert found is not None
        writer.file(f"/static/{edition()}/{name}", found.body)
        if name in UNFINGERPRINTED:
            writer.file(f"/static/{name}", found.body)
    for name, address in (("js/sw.js", "/sw.js"), ("icons/favicon.ico", "/favicon.ico")):
        found = static_file(name)
        assert found is not None
        writer.file(address, found.body)
    if parts is not None:
        for name in parts.sizes:
            writer.file(f"{parts.at}{name}", parts.read(name).body)
        for lang in LANGUAGES:
            for box in boxes:
                listed = box_files(parts, box, lang)
                files = [[base + _unqueried(path), size] for path, size in listed.files]
                facts = {"edition": listed.edition, "size": listed.size,
                         "compiled": listed.compiled, "files": files}
                writer.file(locale.address(f"/g/{box.slug}/files.json", lang),
                            json.dumps(facts).encode())
    return Site(writer.files, writer.bytes, parts is not None)


def _pages(paths: list[str], parts: Parts | None) -> Iterator[str]:
    """The pages to write, each once; without the parts no table can be played at."""
    for path in dict.fromkeys(["/about", *paths]):
        if parts is not None or not path.endswith(("/table", "/review", "/away")):
            yield path


async def fetch(app: ASGIApp, address: str, lang: str) -> tuple[int, bytes]:
    """The status and the body of a page, asked of the application itself."""
    parts = urlsplit(address)
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": unquote(parts.path), "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(), "root_path": "",
        "headers": [(b"host", b"localhost"), (b"accept-language", lang.encode())],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }
    status, body = 0, b""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")

    await app(scope, receive, send)
    return status, body


class Writer:
    """Writes files, and pages with their addresses as a file server needs them."""

    def __init__(self, folder: Path, base: str) -> None:
        self._folder = folder
        self._base = base
        self.files = 0
        self.bytes = 0

    def file(self, address: str, body: bytes) -> None:
        """Write a file under its address."""
        path = self._folder / address.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        self.files += 1
        self.bytes += len(body)

    def page(self, address: str, text: str) -> None:
        """Write a page as the index of a folder; the one of all addresses that do not exist, too.
        """
        def replace(found: re.Match[str]) -> str:
            before, path, after = found.groups()
            return f"{before}{self._base}{_unqueried(_in_other_language(path))}{after}"

        text = ATTRIBUTE.sub(replace, text)
        if self._base:
            text = text.replace("<html ", f'<html data-base="{self._base}" ', 1)
            text = text.replace('{"at": "/offline/', f'{{"at": "{self._base}/offline/', 1)
        address = _unqueried(address)
        self.file(f"{address.rstrip('/')}/index.html", text.encode())
        if address == "/away":
            self.file("/404.html", text.encode())


def _in_other_language(path: str) -> str:
    """An address that chooses a language, as that of the page in this language."""
    found = OTHER_LANGUAGE.match(unescape(path))
    return path if found is None else locale.in_language(unquote(unquote(found[2])), found[1])


def _unqueried(path: str) -> str:
    """The address of the puzzles of one game without a query, which file servers do not read."""
    return PUZZLES_OF.sub(r"\1/\2", path)


def _based(manifest: bytes, base: str) -> bytes:
    """A manifest whose addresses begin with the base."""
    return manifest.replace(b'":"/', f'":"{base}/'.encode())
