"""A made-up language, in which every sentence is marked: what is not marked was never translated.

As a program, `python -m tests.pseudo_language FOLDER` visits every page of a house in that language
and prints what each says without a mark, as JSON.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import escale
from escale.devkit import po
from escale.devkit.translating import export, import_files
from escale.game.languages import Language
from escale.games import games

CODE = "qps"
BEGIN, END = "\u27e6", "\u27e7"
SILENT = ("script", "style", "code", "pre", "template", "textarea")
"""Elements for machines."""
WHOLE = (
    "p", "li", "td", "th", "dd", "dt", "h1", "h2", "h3", "figcaption", "summary", "label", "button",
    "a", "title", "caption", "legend", "option", "text",
)
"""Elements that hold sentences, with links and emphasis in them."""
SPOKEN = ("alt", "title", "placeholder", "aria-label", "label")

TECHNICAL = ("/api", "/manifest.webmanifest", "/mine/next")
"""Pages for programs, and addresses that lead to another page."""

NAMES = ("Escale", "Français", "English", "Pseudo", "fr", "en", "Ana")
"""What is the same in every language, besides the names of games, of people and of publishers."""


def make(home: Path, *, without: str = "") -> Language:
    """The language as a folder in `home`, by way of PO files as a translator would return them.

    Keys that begin with `without` are left untranslated.
    """
    language = Language(
        CODE, "Pseudo", "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);"
    )
    files = home / "po"
    for path in export(language, files):
        header, entries = po.read(path.read_text("utf-8"))
        for entry in entries:
            if without and entry.context.startswith(without):
                continue
            if entry.plural is None:
                entry.said = [marked(entry.source)]
            else:
                entry.said = [marked(f"{entry.plural} ~{form}") for form in range(3)]
        path.write_text(po.write(header.items(), entries), "utf-8")
    done = import_files(files, home)
    assert not done.refused
    return done.language


def marked(sentence: str) -> str:
    """A sentence in the pseudo-language. Explained words keep their form: `*word*: meaning`."""
    word = re.fullmatch(r"(\s*)(.*?)(\s*)", sentence, re.DOTALL)
    assert word
    if explained := re.fullmatch(r"\*([^*]+)\*(\s*:\s*)(.+)", sentence):
        return f"*{BEGIN}{explained[1]}{END}*{explained[2]}{BEGIN}{explained[3]}{END}"
    return f"{word[1]}{BEGIN}{word[2]}{END}{word[3]}"


def unmarked(text: str) -> str:
    """What a text says outside its marks."""
    rest, depth = [], 0
    for letter in text:
        depth += (letter == BEGIN) - (letter == END)
        if depth == 0 and letter != END:
            rest.append(letter)
    return "".join(rest)


def untranslated(text: str) -> list[str]:
    """The words of a text that were never translated; cells such as a1, addresses and the codes of
    evenings are no words.
    """
    left = re.sub(r"https?://\S+|\b[A-Z\d]{3} ?[A-Z\d]{3}\b", " ", unmarked(text))
    return re.findall(r"[^\W\d_]{2,}", _names().sub(" ", left))


@cache
def _names() -> re.Pattern[str]:
    names = {*NAMES}
    for box in games():
        names |= {box.title, *box.authors, box.publisher or "Escale"}
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest)})(?!\w)")


def texts_of(root: ET.Element) -> Iterator[str]:
    """What people read or hear of a page, a piece at a time."""
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2]
        for name in SPOKEN:
            if value := element.get(name):
                yield value
        if tag == "meta" and element.get("name") == "description":
            yield element.get("content") or ""
    yield from _inner(root)


def _inner(element: ET.Element) -> Iterator[str]:
    """The texts of an element and of what is in it; a paragraph with links is one text."""
    tag = str(element.tag).rpartition("}")[2]
    if tag in SILENT:
        return
    if tag in WHOLE:
        yield " ".join(_read(element))
        return
    yield element.text or ""
    for child in element:
        yield from _inner(child)
        yield child.tail or ""


def _read(element: ET.Element) -> Iterator[str]:
    if str(element.tag).rpartition("}")[2] in SILENT:
        return
    yield element.text or ""
    for child in element:
        yield from _read(child)
        yield child.tail or ""


def registered_pages() -> list[str]:
    """The addresses of all pages, without their language, as the rooms of the server name them."""
    rooms = Path(escale.__file__).parent / "server"
    return sorted({
        address for path in rooms.rglob("*.py")
        for address in re.findall(r'^@page\(\w+, "([^"]+)"\)', path.read_text("utf-8"), re.M)
    })


def main(folder: Path) -> None:
    """Visit every page, and print what is not marked."""
    from starlette.testclient import TestClient

    from escale.game.texts import LANGUAGES
    from escale.server.app import create_app
    from escale.server.edge.limits import Limits
    from escale.server.settings import Settings
    from escale.study.puzzles import puzzles_of
    from escale.web import STATIC
    from escale.web.script_words import script_words
    from tests.server.pages.test_pages import read

    assert CODE in LANGUAGES
    settings = Settings(
        database=f"sqlite:///{folder}/escale.db", workers=1, limits=Limits.none(),
        admin_token="a-token-of-the-tests", embed=("any",),
    )
    found: dict[str, list[str]] = {}
    scripts = sorted(path.name for path in (STATIC / "js").glob("*.js"))
    with TestClient(create_app(settings), "http://localhost", follow_redirects=False) as client:
        paths = ["/", "/lobby", "/mine", "/notebook", "/notebook/erased", "/open", "/about",
                 "/host", "/puzzles", "/bots", "/away", "/mail/confirm", "/mail/stop",
                 "/nothing-here", "/admin"]
        for box in games():
            rooms = ("", "/rules", "/rules/text", "/learn", "/analyse", "/print", "/table",
                     "/review")
            paths += [f"/g/{box.slug}{room}" for room in rooms]
            paths.append(f"/puzzles/{box.slug}/{next(iter(puzzles_of(box)))}")
            answer = client.post("/tables", data={
                "game": box.slug, "way": "screen", "lang": CODE, "name": "Ana",
            })
            table = answer.headers["location"].partition("#")[0].removeprefix(f"/{CODE}")
            paths += [table, f"{table}/score", f"{table}/review", f"{table}/wall"]
            paths.append(f"/embed/puzzle/{box.slug}/{next(iter(puzzles_of(box)))}")
            example = next(iter(box.examples)).id
            paths.append(f"/embed/figure/{box.slug}/{example}")
        paths += ["/room", "/e/ABC234", "/evening", f"/embed{table.replace('/t/', '/table/')}"]
        for format in ("swiss", "free"):
            answer = client.post("/evening", data={
                "title": "Ana", "format": format, "games": "tortuga", "rounds": "3", "lang": CODE,
            }, headers={"accept-language": CODE})
            host = answer.headers["location"].removeprefix(f"/{CODE}")
            client.post(host, data={"do": "add", "names": "Ana", "lang": CODE})
            evening = host.removesuffix("/host")
            paths += [host, evening, f"{evening}/wall", f"{evening}/season"]
        client.post("/admin/login", data={"token": "a-token-of-the-tests", "lang": CODE})
        paths.append(table.replace("/t/", "/admin/tables/"))
        for path in paths:
            answer = client.get(f"/{CODE}{path}" if path != "/" else f"/{CODE}")
            assert answer.status_code in (200, 404, 409), (path, answer.status_code)
            part = "" if answer.text.startswith("<!") else "<!doctype html><title></title>"
            said = [*texts_of(read(part + answer.text))]
            found[path] = sorted({word for text in said for word in untranslated(text)})
    found["scripts"] = sorted({
        word for said in script_words(CODE, *scripts).values() for word in untranslated(said)
    })
    found["not visited"] = [
        pattern for pattern in registered_pages() if pattern not in TECHNICAL
        and not any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path) for path in paths)
    ]
    print(json.dumps({path: words for path, words in found.items() if words}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
