"""Hands for the tests: they point, press keys and wait as a person does, and know no game."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic
from typing import Literal, TypeVar

from playwright.sync_api import Page

from tests.browser.conftest import PATIENCE_MS

Turn = Literal["mine", "over", "cover"]
T = TypeVar("T")

PAUSE = "#board .mark.look"
"""What lights the place to look at while a move has not gone on yet."""

READY = """() => {
  const main = document.querySelector("#table");
  if (!main) return null; // the page that was left, or one that has just begun to be read
  if (main.classList.contains("over")) return "over";
  if (document.querySelector("#hand-cover")) return "cover";
  const sending = document.querySelectorAll("#board .mark.next, #buttons button").length === 0;
  return main.classList.contains("mine") && !sending ? "mine" : null;
}"""

PLACE = """(draw) => {
  const seen = (one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  if (all("#sheet .sheet-close").length) return { sheet: true };
  const confirm = all("#buttons button.confirm:enabled");
  const choices = [...all("#buttons button.choice:enabled"), ...all("#board .mark.next")];
  const place = confirm[0] ?? choices[Math.floor(draw * choices.length)];
  if (!place) return null; // what may be chosen is not drawn yet
  place.scrollIntoViewIfNeeded();
  const box = place.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const covered = place.localName === "button" && !place.contains(document.elementFromPoint(x, y));
  return covered ? null : { x, y };
}"""
"""Where to point, to choose what a number from 0 to 1 draws; null while nothing can be chosen."""

FITTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What was changed has been laid out."""

#: Add up, from now on, how far untouched things move; names what moved most.
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
    """Since `watch_shifts` no untouched thing has moved; and nothing moves for ever."""
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
    fold = form.locator(":scope > .fold:not(.levels) > summary")
    if fold.count() and not form.locator("button.main").is_visible():
        fold.click()
    if choices.keys() & {"level"} and not form.locator("[name=level]").first.is_visible():
        form.locator(".levels > summary").click()
    if choices:
        form.locator("details:not(.fold) > summary").first.click()
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


def open_pane(page: Page, name: str) -> None:
    """Open a pane of the sheet, and on a small screen the sheet first."""
    if not page.locator(f"#tab-{name}").is_visible():
        page.locator("#menu").click()
    page.locator(f"#tab-{name}").click()


def wait_until(page: Page, found: Callable[[], T | None], what: str) -> T:
    """What is found as soon as there is something; for what no single page knows."""
    until = monotonic() + PATIENCE_MS / 1000
    while monotonic() < until:
        if (now := found()) is not None and now is not False:
            return now
        page.wait_for_timeout(20)
    raise AssertionError(f"never: {what}")


HEAR = """
window.heard = [];
window.WebSocket = class extends WebSocket {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => window.heard.push(JSON.parse(data)));
  }
};
"""


def hear(page: Page) -> None:
    """Note in `window.heard` every message that the pages opened from now on get by a socket: what
    is noted, the page has heard.
    """
    page.add_init_script(HEAR)


def stop_clock(page: Page) -> None:
    """Let no time pass in the page but what the test lets pass. Only when the page is connected
    and nothing is due: the clock leaps, so that it never has to go back.
    """
    page.clock.pause_at(page.evaluate("Date.now()") + 30_000)


def close_sheet(page: Page) -> None:
    """Close the sheet where it lies over the board, with what can be pointed at under it."""
    close = page.locator("#sheet .sheet-close")
    if close.is_visible():
        close.click()
        close.wait_for(state="hidden")


def turn(page: Page) -> Turn:
    """Wait until it is this page's turn, or the game is over, or a hand is to be passed on."""
    found: Turn = page.wait_for_function(READY).json_value()
    return found


def choose(page: Page, chance: random.Random) -> None:
    """Point at something that may come next, whatever it is; a sheet over the board is closed."""
    draw = chance.random()
    while "sheet" in (place := page.wait_for_function(PLACE, arg=draw).json_value()):
        close_sheet(page)
    page.mouse.click(place["x"], place["y"])


def choose_all(page: Page, chance: random.Random, most: int = 100) -> None:
    """Choose until the move is whole, and this page has no more to choose."""
    for _ in range(most):
        if page.evaluate(READY) != "mine":
            return
        choose(page, chance)
    raise AssertionError(f"the move was not whole after {most} choices")


def one_move(page: Page, chance: random.Random) -> None:
    """Make one whole move, and see it told."""
    turn(page)
    told = "document.querySelectorAll('#log li:has(.move)').length"
    before = page.evaluate(told)
    for _ in range(100):
        after = page.wait_for_function(
            f"(before) => {told} > before ? 'told' : ({READY})() === 'mine' ? 'mine' : null",
            arg=before,
        ).json_value()
        if after == "told":
            return
        choose(page, chance)
    raise AssertionError("the move was not told")


def end_pauses(page: Page) -> None:
    """Tap when there is something to look at, as who has seen enough does."""
    either = f"() => document.querySelector('{PAUSE}') ? 'pause' : ({READY})()"
    while page.wait_for_function(either).json_value() == "pause":
        page.locator("#board").press("Enter")


def play_out(page: Page, seed: int, most: int = 2000) -> int:
    """Play on by pointing until the game is over; tells how often something was pointed at."""
    chance = random.Random(seed)
    for done in range(most):
        end_pauses(page)
        match turn(page):
            case "over":
                return done
            case "cover":
                page.locator("#hand-cover button").click()
                page.locator("#hand-cover").wait_for(state="detached")
            case "mine":
                choose(page, chance)
    raise AssertionError(f"the game was not over after {most} choices")
