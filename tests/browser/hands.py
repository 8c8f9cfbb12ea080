"""Hands for the tests: they point, press keys and wait as a person does, and know no game."""

from __future__ import annotations

import random
from typing import Literal

from playwright.sync_api import Locator, Page

Turn = Literal["mine", "over", "curtain"]

PAUSE = "#board .mark.look"
"""What lights the place to look at while a move has not gone on yet."""

READY = """() => {
  const main = document.querySelector("#table");
  if (main.classList.contains("over")) return "over";
  if (!document.querySelector("#curtain").hidden) return "curtain";
  const sending = document.querySelectorAll("#board .mark.next, #buttons button").length === 0;
  return main.classList.contains("mine") && !sending ? "mine" : null;
}"""


#: Adds up, from now on, how far things move that nobody has touched; names what moved most.
WATCH = """() => {
  window.shifted = { sum: 0, worst: 0, what: "" };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shifted.sum += value;
      if (value <= window.shifted.worst) continue;
      const what = sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join();
      Object.assign(window.shifted, { worst: value, what });
    }
  }).observe({ type: "layout-shift" });
}"""
STEADY = 0.05
"""The most that a whole game may shift."""


def watch_shifts(page: Page) -> None:
    """Begin to measure layout shift."""
    page.evaluate(WATCH)


def assert_steady(page: Page) -> None:
    """Since `watch_shifts` nothing has moved that nobody touched; and nothing moves for ever."""
    shifted = page.evaluate("window.shifted")
    assert shifted["sum"] <= STEADY, shifted
    ends = page.evaluate(
        "document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)"
    )
    assert all(end is not None and end < 6_000 for end in ends), ends


def start(page: Page, slug: str, way: str = "computer", **choices: str) -> None:
    """Open a box and sit down, the details filled in as wished."""
    page.goto(f"/g/{slug}")
    form = page.locator("form").filter(has=page.locator(f"input[name=way][value={way}]"))
    if choices:
        form.locator("details summary").first.click()
    for name, value in choices.items():
        field = form.locator(f"[name={name.replace('_', '-')}]")
        if field.first.get_attribute("type") == "radio":
            form.locator(f"[name={name.replace('_', '-')}][value={value}]").check()
        elif field.first.evaluate("element => element.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)
    form.locator("button.main").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#board svg .piece, #board svg .cell", state="attached")


def turn(page: Page, timeout: float = 20_000) -> Turn:
    """Wait until it is this page's turn, or the game is over, or a hand is to be passed on."""
    found: Turn = page.wait_for_function(READY, timeout=timeout).json_value()
    return found


def offered(page: Page) -> list[Locator]:
    """What can be pointed at or pressed next."""
    marks = page.locator("#board .mark.next")
    buttons = page.locator("#buttons button.choice, #buttons button.confirm")
    return [*buttons.all(), *marks.all()]


def choose(page: Page, chance: random.Random) -> None:
    """Point at something that may come next, whatever it is."""
    confirm = page.locator("#buttons button.confirm")
    if confirm.count():
        confirm.click()
        return
    found = offered(page)
    chance.shuffle(found)
    for place in found:
        if not place.is_visible():
            continue
        if place.evaluate("element => element.localName") == "button":
            place.click()
            return
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        if box is None:
            continue
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return
    page.wait_for_timeout(50)           # what may be chosen is not drawn yet


def one_move(page: Page, chance: random.Random) -> None:
    """Make one whole move."""
    told = page.locator("#log li:has(.move)")
    before = told.count()
    turn(page)
    for _ in range(400):
        if told.count() > before:
            return
        if page.evaluate(READY) == "mine":
            choose(page, chance)
        page.wait_for_timeout(50)
    raise AssertionError("the move was not told")


def end_pauses(page: Page) -> None:
    """Tap when there is something to look at, as who has seen enough does."""
    page.wait_for_function(f"() => ({READY})() || document.querySelector('{PAUSE}')")
    while page.locator(PAUSE).count():
        page.locator("#board").press("Enter")


def play_out(page: Page, seed: int, most: int = 2000) -> int:
    """Play on by pointing until the game is over; tells how often something was pointed at."""
    chance = random.Random(seed)
    for done in range(most):
        end_pauses(page)
        match turn(page):
            case "over":
                return done
            case "curtain":
                page.locator("#curtain button").click()
            case "mine":
                choose(page, chance)
    raise AssertionError(f"the game was not over after {most} choices")
