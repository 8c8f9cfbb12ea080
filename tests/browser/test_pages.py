"""The pages: for every size of screen, in both languages, for those who do not see them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import open_pane, start, turn

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
PAGES = (
    "/", "/g/tortuga", "/g/canyon-1997", "/g/qenj2/rules", "/lobby", "/mine", "/about", "/puzzles",
    "/no",
)
Picture = Callable[[Page, str], None]


def findings(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {json.dumps([node['html'] for node in violation['nodes']])[:400]}"
        for violation in found["violations"] if violation["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_accessible_and_fit(path: str, arrive: Arrive, picture: Picture) -> None:
    visitor = arrive(PHONE)
    page = visitor.page
    name = path.strip("/").replace("/", "-") or "shelf"
    for lang, colours in (("fr", "light"), ("en", "dark")):     # the same in any language
        page.emulate_media(color_scheme="dark" if colours == "dark" else "light")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.goto(path if lang == "fr" else f"/en{path}")
        expect(page.locator("html")).to_have_attribute("lang", lang)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        expect(page.locator(".places a:visible")).to_have_count(4)
        picture(page, f"page-{name}-{lang}-phone-{colours}")
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        picture(page, f"page-{name}-{lang}-desktop-{colours}")
        assert findings(page) == []
    if path == "/no":
        visitor.errors.clear()          # the browser notes that the page was not found


@pytest.mark.parametrize("slug", [
    game.slug if game.slug in ("canoe", "canyon-1997", "qenj2")
    else pytest.param(game.slug, marks=pytest.mark.exhaustive) for game in escale.games()
])
def test_tables_are_accessible(slug: str, arrive: Arrive) -> None:
    page = arrive(dark=slug < "d").page
    start(page, slug, level="mousse")
    turn(page)
    assert findings(page) == []
    # What is beside the board: the words differ from game to game, talk and the rest do not.
    for pane in ("words", "talk", "more") if slug == escale.games()[0].slug else ("words",):
        open_pane(page, pane)
        assert findings(page) == []


def test_what_fingers_touch_is_large_enough(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    for path in ("/", "/g/tortuga", "/lobby"):
        page.goto(path)
        small = page.evaluate("""() => [...document.querySelectorAll(
            "button, select, summary, input:is([type=text], [type=search], :not([type]))"
          )].filter((one) => one.checkVisibility()).map((one) => [one.outerHTML.slice(0, 80),
            one.getBoundingClientRect()]).filter(([, box]) => box.height < 43.5 || box.width < 43.5)
          .map(([html]) => html)""")
        assert small == [], path


def test_language_is_chosen_and_remembered(arrive: Arrive) -> None:
    page = arrive(lang="en-GB").page
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator("a[hreflang=fr]").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_the_shelf_is_searched_and_filtered(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/")
    boxes = page.locator("main [data-box], main .box")
    total = boxes.count()
    assert total >= len(escale.games())
    page.locator("input[type=search]").fill("tortue")
    expect(page.locator("main")).to_contain_text("Tortuga")


USUAL_PHONE = (390, 844)
MAIN_LINE = 6000
"""How tall the rules may be on such a phone, in pixels, down to what is folded away."""


@pytest.mark.parametrize("lang", [
    pytest.param("", id="fr"), pytest.param("/en", id="en", marks=pytest.mark.exhaustive),
])
def test_the_rules_fit_a_phone(lang: str, arrive: Arrive, picture: Picture) -> None:
    page = arrive(USUAL_PHONE).page
    tall = {}
    for game in escale.games():
        page.goto(f"{lang}/g/{game.slug}/rules")
        folded = page.locator(".chapter.rare").bounding_box()
        assert folded is not None
        tall[game.slug] = folded["y"]
        picture(page, f"rules-{game.slug}{lang.replace('/', '-')}")
    assert {slug: height for slug, height in tall.items() if height > MAIN_LINE} == {}


def test_an_address_opens_what_is_folded_away(arrive: Arrive) -> None:
    page = arrive(PHONE).page
    page.goto("/g/tortuga/rules#corner")
    expect(page.locator("#corner")).to_be_in_viewport()
    folded = page.locator("details.more figure").last
    expect(folded).to_be_hidden()
    page.goto(f"/g/tortuga/rules#{folded.get_attribute('id')}")
    expect(folded).to_be_in_viewport()


def test_a_figure_answers(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/g/tortuga/rules")
    figure = page.locator("figure.example:not([data-still])").first
    figure.locator(".figure-open").click()
    answer = figure.locator(".figure-answer")
    marks = figure.locator(".mark.next")
    marks.first.wait_for()
    for _ in range(6):
        if "yes" in (answer.get_attribute("class") or "") or not marks.count():
            break                                   # answered, or about to be
        box = marks.first.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(answer).to_have_class("figure-answer yes")
    figure.locator(".choices button").click()       # once more
    expect(answer).to_have_text("Choisissez la tortue à déplacer.")
    figure.locator(".cell[data-at='d4']").click(force=True)
    expect(answer).to_have_class("figure-answer no")


def test_my_games_and_the_shelf_know_my_tables(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canoe", level="mousse")
    turn(page)
    table = page.url
    for path in ("/", "/mine"):
        page.goto(path)
        link = page.locator(f".my-table a[href$='{table.rsplit('/', 1)[1]}']")
        expect(link.first).to_be_visible()
