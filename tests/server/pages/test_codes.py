"""No page shows an option or a button by its code: people read words of their language."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from escale.game.texts import LANGUAGES
from escale.games import games
from tests.codes import option_codes, shown_codes
from tests.server.pages.test_pages import PREFIX, read
from tests.server.pages.test_pages_of_tables import sit_down

SPOKEN = ("alt", "title", "placeholder", "aria-label", "content")
"""Attributes that people read or hear."""

PAGES = [
    "/", "/lobby", "/mine", "/about",
    *(f"/g/{box.slug}" for box in games()),
    *(f"/g/{box.slug}/rules" for box in games()),
]


def visible(element: ET.Element) -> Iterator[str]:
    """Every piece of text that people read on a page."""
    if element.tag in ("script", "style", "svg", "{http://www.w3.org/2000/svg}svg"):
        return
    yield from (element.get(name, "") for name in SPOKEN)
    yield element.text or ""
    for child in element:
        yield from visible(child)
        yield child.tail or ""


def faults(root: ET.Element, lang: str) -> list[str]:
    """The codes on a page: within its text, or set as code."""
    text = " ".join(visible(root))
    found = [code for box in games() for code in shown_codes(box, text, lang)]
    options = {code for box in games() for code in option_codes(box)}
    return found + [said for code in root.iter("code") if (said := code.text or "") in options]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_no_page_shows_an_option_or_a_button_by_its_code(
    client: TestClient, path: str, lang: str
) -> None:
    if path == "/lobby":
        for box in games():
            sit_down(client, game=box.slug, way="link", public="on")
    address = PREFIX[lang] + path if path != "/" else PREFIX[lang] or "/"
    assert faults(read(client.get(address).text), lang) == []


@pytest.mark.parametrize("slug", [box.slug for box in games()])
def test_no_table_shows_an_option_or_a_button_by_its_code(client: TestClient, slug: str) -> None:
    path, _ = sit_down(client, game=slug, way="screen", lang="fr")
    for lang in LANGUAGES:
        assert faults(read(client.get(PREFIX[lang] + path).text), lang) == []


def test_a_code_on_a_page_is_found() -> None:
    page = "<p>La variante <code>compact</code>, formation=compact : <em>fill</em> ou north.</p>"
    assert set(faults(ET.fromstring(page), "fr")) == {
        "compact", "formation=compact", "fill", "north",
    }
    assert faults(ET.fromstring("<p>Compléter, passer, nord ou sud ; la formation compacte.</p>"),
                  "fr") == []
