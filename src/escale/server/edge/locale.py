"""The language of a page: its address decides, and a first visit is sent to the right address.

French pages have no prefix, English ones are under `/en`. A visitor to an address without a prefix
is sent on to the language of the `lang` cookie, else to the one their browser asks for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from escale.game.texts import LANGUAGES

if TYPE_CHECKING:
    from starlette.requests import Request

DEFAULT, *OTHERS = LANGUAGES
COOKIE = "lang"

_WISH = re.compile(r"\s*([a-z]{2,8})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*", re.I)


def split(path: str) -> tuple[str, str]:
    """The language of an address, and the same address without its prefix.

    >>> split("/en/g/tortuga"), split("/g/tortuga"), split("/en"), split("/entry")
    (('en', '/g/tortuga'), ('fr', '/g/tortuga'), ('en', '/'), ('fr', '/entry'))
    """
    for lang in OTHERS:
        if path == f"/{lang}" or path.startswith(f"/{lang}/"):
            return lang, path.removeprefix(f"/{lang}") or "/"
    return DEFAULT, path


def address(path: str, lang: str) -> str:
    """The address of a page in a language.

    >>> address("/", "en"), address("/mine", "en"), address("/mine", "fr")
    ('/en', '/en/mine', '/mine')
    """
    if lang == DEFAULT:
        return path
    return f"/{lang}" if path == "/" else f"/{lang}{path}"


def preferred(accept: str) -> str:
    """The language of the house that an Accept-Language header likes best.

    >>> preferred("en-GB,en;q=0.9,fr;q=0.8"), preferred("de, en;q=0.5"), preferred("de")
    ('en', 'en', 'fr')
    """
    best, most = DEFAULT, 0.0
    for part in accept[:1000].split(","):
        wish = _WISH.fullmatch(part)
        if wish is None or wish[1].lower() not in LANGUAGES:
            continue
        liking = float(wish[2] or 1)
        if liking > most:
            best, most = wish[1].lower(), liking
    return best


def wished(request: Request) -> str:
    """The language that a visitor chose, else the one their browser asks for."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", ""))


def local(path: str) -> str:
    """The path if it is one of this house, else `/`: a redirect never leads to another site.

    >>> local("/g/tortuga?q=1"), local("//elsewhere.example"), local("https://elsewhere.example")
    ('/g/tortuga?q=1', '/', '/')
    """
    return path if re.fullmatch(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*|/", path[:2000]) else "/"


def in_language(path: str, lang: str) -> str:
    """The same path of this house in another language; the result is always local.

    >>> in_language("/en/mine?x=1", "fr"), in_language("/en//elsewhere.example", "fr")
    ('/mine?x=1', '/')
    """
    here, mark, query = local(path).partition("?")
    return address(local(split(here)[1]), lang) + mark + query
