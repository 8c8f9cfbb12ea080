"""The rules beside the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import start, turn

Picture = Callable[[Page, str], None]

FIGURES = "[...document.querySelectorAll('#drawer img')]"
SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
  }).observe({ type: "layout-shift" });
}"""


def refused(page: Page) -> None:
    """Half a move, and something that cannot be: a refusal that cites a rule."""
    start(page, "tortuga", option_first="south")
    turn(page)
    page.locator("#board .piece[data-at=d2]").click()
    page.locator("#board .cell[data-at=d5]").click(force=True)
    expect(page.locator("#answer a")).to_be_visible()


def test_a_refusal_opens_its_paragraph_beside_the_board(arrive: Arrive, picture: Picture) -> None:
    visitor = arrive(DESKTOP)
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    refused(page)
    page.evaluate(SHIFTS)
    board, drawer = page.locator("#board"), page.locator("#drawer")
    place = board.bounding_box()
    assert not [url for url in asked if "/rules" in url]            # not before it is wanted
    link = page.locator("#answer a")
    rule = (link.get_attribute("href") or "").partition("#")[2]
    link.click()
    cited = page.locator(f"#rules-{rule}")
    expect(cited).to_be_in_viewport()
    expect(cited).to_have_class("rule cited")
    expect(cited).to_be_focused()
    picture(page, "rules-beside-desktop")

    # The board is where it was, wholly in sight, and the half-made move is kept and can be played.
    assert board.bounding_box() == place
    beside = drawer.bounding_box()
    assert place is not None
    assert beside is not None
    assert place["x"] + place["width"] <= beside["x"]
    assert page.evaluate("window.shifts") < 0.05
    expect(page.locator("#board .mark.chosen")).to_have_count(1)
    page.locator("#board .cell[data-at=d3]").click(force=True)
    expect(page.locator("#board .piece[data-at=d3]")).to_have_count(1)
    expect(drawer).to_be_visible()

    # Links within the rules stay there; a figure can be tried; Escape gives the focus back.
    drawer.locator("a.number").first.click()
    expect(drawer.locator(".rule.cited")).to_have_count(1)
    drawer.locator(".figure-open").first.click()
    expect(drawer.locator("figure .board").first).to_be_visible()
    turn(page)
    page.locator("#board .mark.next").first.click(force=True)
    drawer.locator("#drawer-title").click()
    expect(page.locator("#board .mark.chosen")).to_have_count(1)    # a tap there gives nothing up
    drawer.locator("#drawer-close").focus()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.locator("#board .mark.chosen")).to_have_count(1)
    expect(board).to_be_focused()                                   # the refusal is gone by now

    # The rules were asked for once, and are there without the house.
    page.wait_for_function(f"() => {FIGURES}.every((one) => one.complete)")
    assert len([url for url in asked if "/rules" in url and "css" not in url]) == 1
    page.context.set_offline(True)
    page.locator(".rules-link").click()
    expect(page.locator("#rules-section-brief")).to_be_visible()
    assert page.evaluate(f"{FIGURES}.every((one) => one.naturalWidth)")
    expect(page.locator(".rules-link")).to_have_attribute("aria-expanded", "true")
    page.locator(".rules-link").click()
    expect(drawer).to_be_hidden()
    expect(page.locator(".rules-link")).to_have_attribute("aria-expanded", "false")
    page.context.set_offline(False)
    visitor.errors[:] = [error for error in visitor.errors if "ERR_INTERNET" not in error]


@pytest.mark.parametrize(("size", "lang"), [(PHONE, "en-GB"), ((390, 844), "fr-FR")])
def test_on_a_phone_it_is_a_sheet_that_one_can_close(
    size: tuple[int, int], lang: str, arrive: Arrive, picture: Picture
) -> None:
    page = arrive(size, lang=lang, touch=True, dark=lang.startswith("en")).page
    refused(page)
    page.locator("#answer a").tap()
    drawer, cited = page.locator("#drawer"), page.locator("#drawer .cited")
    expect(cited).to_be_in_viewport()
    expect(cited).to_contain_text("A step" if lang.startswith("en") else "Un pas")
    box, close = drawer.bounding_box(), page.locator("#drawer-close").bounding_box()
    assert box is not None
    assert close is not None
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, size[0], size[1])
    assert box["y"] > size[1] / 4                                   # some of the board is seen
    assert min(close["width"], close["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    picture(page, f"rules-beside-{size[0]}")
    page.locator("#drawer-close").tap()
    expect(drawer).to_be_hidden()
    expect(page.locator("#answer a")).to_be_focused()
    expect(page.locator("#board .mark.chosen")).to_have_count(1)


def test_without_scripts_the_link_opens_the_page(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", option_first="south")
    link = page.locator(".rules-link")
    assert link.get_attribute("href") == "/g/tortuga/rules"
    # With a key held down it is still a link.
    with page.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    expect(opened.value.locator("h1")).to_be_visible()
    expect(page.locator("#drawer")).to_be_hidden()
