"""Qenj 1 and 2 begin at once wherever one clicks to play; the sheet's set-up is one click away."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import Arrive
from tests.browser.hands import start

PHONE = (390, 844)



def setup_of(page: Page) -> str:
    """The set-up of the table that a page shows."""
    table = page.url.split("/t/")[1].split("#")[0]
    header = page.request.get(f"/api/tables/{table}/transcript").text().splitlines()[0]
    told = json.loads(header)
    return escale.game(told["game"]).position(told["start"]).options["setup"]


@pytest.mark.parametrize(("slug", "way"), [
    ("qenj1", "computer"), *(
        pytest.param(*one, marks=pytest.mark.exhaustive)
        for one in (("qenj2", "screen"), ("qenj2", "link"))
    ),
])
def test_a_click_begins_at_once(slug: str, way: str, arrive: Arrive) -> None:
    page = arrive().page
    start(page, slug, way)
    assert setup_of(page) == "quick"


@pytest.mark.parametrize(("slug", "way", "lang", "words"), [
    ("qenj1", "screen", "fr-FR", "comme sur la feuille"),
    ("qenj2", "computer", "en-GB", "as on the sheet"),
    pytest.param("qenj1", "link", "en-GB", "as on the sheet", marks=pytest.mark.exhaustive),
])
def test_the_sheets_set_up_is_one_click_away(
    slug: str, way: str, lang: str, words: str, arrive: Arrive
) -> None:
    page = arrive(PHONE, lang=lang).page
    page.goto(f"/g/{slug}")
    form = page.locator("form").filter(has=page.locator(f"input[name=way][value={way}]"))
    if way != "computer":                       # folded on a phone, as a whole
        form.locator(":scope > .fold > summary").click()
    full = form.locator("label.pick").filter(has_text=words)
    expect(full).to_be_visible()                # without opening anything more
    full.click()
    form.locator("button.main").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#board svg .cell", state="attached")
    assert setup_of(page) == "full"
