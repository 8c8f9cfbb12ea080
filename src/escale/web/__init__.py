"""The files for browsers: templates, styles, scripts, and the sentences of the pages.

Nothing here is built or bundled: files are served as they are, without their comments.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from escale.game.texts import LANGUAGES, Texts, house

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"
STATIC = FOLDER / "static"


@cache
def words() -> Texts:
    """The sentences of the pages, then the house's."""
    return Texts.read(FOLDER / "texts.toml", house())


def counted(key: str, number: int, lang: str, **values: object) -> str:
    """A sentence about a number of things: `key.one` or `key.many`."""
    return words().count(key, lang, number, number=number, **values)


@cache
def client_words(lang: str) -> dict[str, str]:
    """The sentences of all scripts in one language, by key without `client.`, gaps not filled."""
    if lang not in LANGUAGES:
        raise ValueError(f"expected one of {', '.join(LANGUAGES)}; got {lang[:40]!r}")
    texts = words()
    return {
        key.partition(".")[2]: texts.sentence(key, lang)
        for key in texts if key.partition(".")[0] == "client"
    }


@cache
def edition() -> str:
    """A short name for exactly these static files, so that browsers can cache them for ever."""
    content = sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        content.update(str(path.relative_to(STATIC)).encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:12]
