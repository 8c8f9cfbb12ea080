"""Styles, scripts, fonts and icons as they are sent: read once, compressed once.

Nothing is built or bundled. Scripts and styles are sent without their comments and indents, line by
line, unchanged otherwise, so that a line of an error is a line of the file: the types in comments
would be a third of what a table weighs.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import brotli

from escale.web import STATIC

TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".ico": "image/x-icon"}
"""Types that systems name differently, or not at all."""

# What a comment must not be looked for in comes first: strings, templates, patterns.
SCRIPT = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:\[!&|?{};])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)"""
    r"""|/\*.*?\*/|//[^\n]*|^[ ]+""",
    re.DOTALL | re.MULTILINE,
)
STYLE = re.compile(r"""(?P<kept>"[^"\n]*"|'[^'\n]*')|/\*.*?\*/|^[ ]+""", re.DOTALL | re.MULTILINE)
COMMENTS = {".js": SCRIPT, ".css": STYLE}
IMPORT = re.compile(
    r"""^(?:import|export)\b[^;"]*?(?:\bfrom\s*)?"\./([\w-]+\.js)";""", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent."""

    media_type: str
    body: bytes
    packed: Mapping[str, bytes]
    """The same in each compression that browsers may accept, the best first; empty if none is
    smaller.
    """
    tag: str
    """Its fingerprint, so that browsers which have it already get no copy."""


@cache
def names() -> frozenset[str]:
    """The paths of all files; no other path can be requested."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()
    )


@cache
def _read(name: str) -> StaticFile:
    path = STATIC / name
    body = path.read_bytes()
    if path.suffix in COMMENTS:
        body = without_comments(body.decode(), COMMENTS[path.suffix]).encode()
    # Browsers know Brotli over HTTPS and on this machine, gzip everywhere.
    packed = {"br": brotli.compress(body), "gzip": gzip.compress(body, 9, mtime=0)}
    media_type = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return StaticFile(
        media_type, body, packed if len(packed["gzip"]) < 0.95 * len(body) else {},
        sha256(body).hexdigest()[:16],
    )


def read_all() -> None:
    """Read and compress every file before the first request for one."""
    for name in names():
        _read(name)


def static_file(name: str) -> StaticFile | None:
    """The file with this path, if it exists."""
    return _read(name) if name in names() else None


def without_comments(text: str, pattern: re.Pattern[str] = SCRIPT) -> str:
    r"""A script, or with the other pattern a style, with as many lines as before, none indented.

    >>> without_comments('let a = "//"; // two\n/** @type {X} */ (b) = /[/*]/; /* c\n */ d();')
    'let a = "//"; \n (b) = /[/*]/; \n d();'
    >>> without_comments('if (a) {\n  b = `c\n  d`;\n}')
    'if (a) {\nb = `c\n  d`;\n}'
    """
    def bare(found: re.Match[str]) -> str:
        return found["kept"] or "\n" * found[0].count("\n")

    return pattern.sub(bare, text)


@cache
def modules(entry: str) -> tuple[str, ...]:
    """A module of `js/` and all that it imports, near ones first: to be asked for at once."""
    found = dict.fromkeys([entry])
    waiting = [entry]
    while waiting:
        new = [name for name in _imports(waiting.pop(0)) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(found)


def _imports(module: str) -> Iterator[str]:
    for found in IMPORT.finditer((STATIC / "js" / module).read_text("utf-8")):
        yield found[1]
