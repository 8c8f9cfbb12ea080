"""A browser for the tests: Chromium, driven as hands would."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.server.hosting import Hosted, Table

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; skips, loudly, where there is none."""
    found = os.environ.get("ESCALE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("NO PAGE IS TESTED IN A BROWSER: there is no Chromium here (apt: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def visit(browser: Browser, hosted: Hosted, table: Table, *, phone: bool = False) -> Page:
    """Sit down at a table with its token; whatever the page complains about fails the test."""
    size = {"width": 320, "height": 640} if phone else {"width": 1280, "height": 800}
    context = browser.new_context(
        viewport=size, has_touch=phone, is_mobile=phone, locale="en",  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"the page stumbled: {error}"))
    fragment = f"#seat={table.token}" if table.token else ""
    page.goto(f"{hosted.url}/en/t/{table.id}{fragment}")
    expect(page.locator("#board.drawn svg").first).to_be_attached()
    expect(page.locator("#connection")).to_be_hidden()
    return page


def legal(page: Page) -> list[str]:
    """What is lit as possible on the board."""
    names: list[str] = page.evaluate(
        "[...new Set([...document.querySelectorAll('.mark.next')].map((one) => one.dataset.at))]"
    )
    return names


def tap(page: Page, place: str, *, phone: bool) -> None:
    """Touch a place that is lit."""
    x, y = page.evaluate("""(place) => {
      const marks = [...document.querySelectorAll('.mark.next')];
      const mark = marks.find((one) => one.dataset.at === place);
      const panel = mark.closest('.panel').dataset.panel;
      document.querySelector(`.narrow .panel-tab[data-panel="${panel}"]`)?.click();
      mark.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = mark.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }""", place)
    if phone:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def play_by_touch(page: Page, chance: random.Random, *, phone: bool = False) -> None:
    """Choose whatever is possible until the game is over."""
    for _ in range(4000):
        if page.locator("#end").is_visible():
            return
        confirm = page.locator("#buttons .confirm")
        buttons = page.locator("#buttons .choice")
        ways: list[str | int] = [*legal(page), *range(buttons.count())]
        if confirm.count():
            confirm.click()
        elif not ways:
            page.wait_for_timeout(40)
        else:
            way = chance.choice(ways)
            if isinstance(way, int):
                buttons.nth(way).click()
            else:
                tap(page, way, phone=phone)
        assert page.locator("#answer").is_hidden(), page.locator("#answer").inner_text()
    raise AssertionError("the game does not end")
