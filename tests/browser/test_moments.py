"""Every page with a board, in every moment, at every size: the whole board and bar, no text cut.

One page is resized instead of loaded again. `make test` touches every moment and size, with boards
of all shapes; all games, moments and sizes together are in `make test-all`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

import escale
from escale.web import words
from tests.browser.conftest import Arrive
from tests.browser.hands import FITTED, STEADY, WATCH, choose, end_pauses, start, turn

SLUGS = [game.slug for game in escale.games()]
WHOLE = ("canoe", "canyon-1997", "qenj2", "tortuga")
"""Games of which every kind of page is looked at in `make test`: boards of all shapes."""
REVIEWED = "tortuga"
SIZES = [(390, 844), (360, 640), (844, 390), (1280, 800), (768, 1024)]

#: What is wrong with the page as it is drawn, each as a sentence.
FAULTS = """() => {
  const wrong = [];
  const seen = (one) => one.checkVisibility({ visibilityProperty: true })
    && one.getClientRects().length > 0;
  const name = (one) => one.id || one.textContent.trim().slice(0, 30) || one.className;
  const root = document.documentElement;
  const scrolls = root.scrollHeight > innerHeight + 1 || root.scrollWidth > innerWidth + 1;
  if (scrolls) wrong.push("the page scrolls");
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const parts = [...document.querySelectorAll("#board .panel")];
  if (!parts.length) wrong.push("there is no board");
  for (const part of parts) {
    const inner = part.firstElementChild.getBoundingClientRect();
    const { left, right, top, bottom } = part.dataset.panel ? part.getBoundingClientRect() : inner;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      wrong.push(`${part.dataset.panel || "the board"} is not wholly in view`);
    }
    const beside = right <= bar.left + 1 || left >= bar.right - 1;
    const covered = !part.dataset.panel && !beside && bottom > bar.top + 1;
    if (covered) wrong.push("the bar covers the board");
  }
  for (const card of document.querySelectorAll(".players > .seat")) {
    const { bottom, right } = card.getBoundingClientRect();
    if (bottom > bar.top + 1 && right > bar.left + 1 && bottom < bar.bottom) {
      wrong.push("the bar covers a player");
    }
  }
  if (bar.top < 0 || bar.bottom > innerHeight + 1 || bar.right > innerWidth + 1) {
    wrong.push("the bar is not in view");
  }
  const pressed = ".bar :is(button, a.button, select), .rail :is(a, button)";
  for (const button of document.querySelectorAll(pressed)) {
    if (!seen(button)) continue;
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!there || !button.contains(there)) {
      wrong.push(`${name(button)} is covered by ${there && name(there)}`);
    }
    if (width < 24 || height < 24) wrong.push(`${name(button)} is too small for a finger`);
  }
  for (const text of document.querySelectorAll(".bar *, .players *, .rail-title, .rail *")) {
    // Of the best line as many moves are shown as there is room for, each whole; the sheet has all.
    if (text.closest("svg") || text.closest(".unseen, select, .best") || !seen(text)) continue;
    if (![...text.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const style = getComputedStyle(text);
    if (style.clipPath !== "none" || style.display === "inline") continue;
    if (text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 2) {
      wrong.push(`cut: ${name(text)}`);
    }
    const { right, top, bottom } = text.getBoundingClientRect();
    const rail = text.closest(".rail")?.getBoundingClientRect();
    if (rail && (top < rail.top - 1 || bottom > rail.bottom + 1)) {
      wrong.push(`higher than the rail: ${name(text)}`);
    }
    const out = right > innerWidth + 1 || bottom > innerHeight + 1;
    if (out) wrong.push(`out of view: ${name(text)}`);
  }
  return wrong;
}"""


class Sizes:
    """Looks at moments of one page: at every size, or each at the next one."""

    def __init__(self, page: Page, first: int, *, every: bool) -> None:
        self.page = page
        self.next = first
        self.every = every
        self.found: dict[str, list[str]] = {}

    def look(self, moment: str) -> None:
        before = self.page.viewport_size
        for size in SIZES if self.every else [SIZES[self.next % len(SIZES)]]:
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
            self.page.evaluate(FITTED)
            if faults := self.page.evaluate(FAULTS):
                self.found[f"{moment} at {size[0]} × {size[1]}"] = faults
        self.next += 1
        if before:
            self.page.set_viewport_size(before)
            self.page.evaluate(FITTED)


def until_mine(page: Page, chance: random.Random, moves: int) -> None:
    """Make some moves, and wait for one's turn."""
    for _ in range(moves):
        end_pauses(page)
        if turn(page) == "mine":
            choose(page, chance)
    end_pauses(page)
    assert turn(page) == "mine"


def at_the_table(page: Page, slug: str) -> Iterator[str]:
    """The moments of a game against the computer, one after the other."""
    start(page, slug, "computer", level="mousse")
    chance = random.Random(7)
    until_mine(page, chance, 3)
    page.keyboard.press("Escape")
    yield "my turn"
    page.locator("#hint").click()
    expect(page.locator("#advice button")).to_have_count(2)
    yield "hint"
    page.locator("#advice button").nth(1).click()
    for _ in range(20):                     # half a move, or a whole one that waits to be confirmed
        if page.locator("#buttons .cancel").count():
            break
        choose(page, chance)
        page.evaluate(FITTED)
    yield "half-made move"
    page.keyboard.press("Escape")
    for moment, selector, said, buttons in LONGEST:
        page.evaluate(PUT, [selector, said, buttons])
        yield moment
        page.evaluate(PUT, [selector, "", []])
    page.evaluate("document.querySelector('#coach').click()")
    expect(page.locator("#note")).to_be_visible()
    yield "something said in passing"
    if page.evaluate("!document.querySelector('#resign').hidden"):
        page.evaluate("document.querySelector('#resign').click()")
        page.locator("#sure button[value=yes]").click()
        expect(page.locator("#end .main")).to_be_visible()
        yield "end"
        page.locator("#end button").nth(1).click()
        expect(page.locator("#replay-play")).to_be_visible()
        yield "replay"


#: Says something in one of the places of the bar, with as many buttons; or takes it away again.
PUT = """([selector, words, buttons]) => {
  const place = document.querySelector(selector);
  place.hidden = !words;
  place.replaceChildren(...(selector === "#answer" ? [words] : [Object.assign(
    document.createElement("p"), { textContent: words })]));
  if (selector === "#answer") {
    const link = document.createElement("a");
    place.append(" ", Object.assign(link, { href: "#", textContent: "Lire la règle" }));
  }
  if (!buttons.length) return;
  const row = Object.assign(document.createElement("p"), { className: "row" });
  row.append(...buttons.map((text) => Object.assign(
    document.createElement("button"), { type: "button", textContent: text })));
  place.append(row);
}"""


def longest() -> Iterator[tuple[str, str, str, list[str]]]:
    """The moments that depend on what others do, or on chance, with the longest words they have."""
    say = words().say
    refusals = [game.texts.template(key, "fr") for game in escale.games() for key in game.texts
                if key.startswith("refusal.")]
    said = re.sub("{.*?}", "h12", max(refusals, key=len))
    yield "refusal", "#answer", f"{said} (Règle 12.)", []
    coach = [say("client.coach-another", "fr"), say("client.coach-anyway", "fr")]
    yield "coach's warning", "#advice", said, coach
    offer = say("client.offered-rematch", "fr", name="Maximilien (Nord)")
    answers = [say("client.accept", "fr"), say("client.decline", "fr")]
    yield "offer", "#offer", f"{offer} {offer}", answers


LONGEST = list(longest())


def in_a_lesson(page: Page, slug: str) -> Iterator[str]:
    page.goto(f"/g/{slug}/learn")
    page.wait_for_selector("#learn[data-step] #board svg", state="attached")
    yield "lesson"
    for _ in range(4):
        before = page.locator("#learn").get_attribute("data-step")
        page.locator("#skip").click()
        page.wait_for_selector(f"#learn:not([data-step='{before}'])", state="attached")
    page.locator("#show").click()
    expect(page.locator("#answer")).not_to_be_empty()
    yield "lesson, shown"


def at_a_puzzle(page: Page, slug: str) -> Iterator[str]:
    page.goto(f"/puzzles?game={slug}")
    page.locator(".puzzle-list a").first.click()
    page.wait_for_selector("#board svg .piece", state="attached")
    yield "puzzle"
    page.locator("#hint").click()
    expect(page.locator("#announcements")).not_to_be_empty()
    yield "puzzle, hint"


def in_an_analysis(page: Page, slug: str) -> Iterator[str]:
    page.goto(f"/g/{slug}/analyse")
    page.wait_for_selector("#board svg .cell", state="attached")
    expect(page.locator("#asked")).not_to_be_empty()
    yield "analysis"


def in_a_review(page: Page, slug: str) -> Iterator[str]:
    """Of the game that was just played at this page, if it is over."""
    table = page.url.split("/t/")[-1]
    if page.locator("#table.over").count() == 0:
        return
    page.goto(f"/t/{table}/review")
    page.wait_for_selector(".review #board svg .piece", state="attached")
    expect(page.locator("#announcements")).not_to_be_empty()
    yield "review"
    page.locator("[data-go=on]").click()
    yield "review, a move"


Kind = Callable[[Page, str], Iterator[str]]
KINDS: list[Kind] = [
    at_the_table, in_a_lesson, at_a_puzzle, in_an_analysis,
]


def look_at_all(
    page: Page, slug: str, number: int, *, every: bool, kinds: Sequence[Kind] = KINDS
) -> None:
    sizes = Sizes(page, number, every=every)
    reviewed = every or slug == REVIEWED        # a review takes seconds
    for visit in kinds:
        for moment in visit(page, slug):
            sizes.look(moment)
        if visit is at_the_table and reviewed:
            for moment in in_a_review(page, slug):
                sizes.look(moment)
    assert sizes.found == {}


@pytest.mark.parametrize("slug", [
    slug if slug in WHOLE else pytest.param(slug, marks=pytest.mark.exhaustive) for slug in SLUGS
])
def test_every_moment_of_every_game_at_some_size(slug: str, arrive: Arrive) -> None:
    page = arrive(SIZES[0], touch=True).page
    look_at_all(page, slug, SLUGS.index(slug), every=False)


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in WHOLE])
def test_one_kind_of_page_of_the_other_games(slug: str, arrive: Arrive) -> None:
    """All of them are in the exhaustive test above."""
    page, number = arrive(SIZES[0], touch=True).page, SLUGS.index(slug)
    look_at_all(page, slug, number, every=False, kinds=[KINDS[1 + number % 3]])


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
def test_every_moment_of_every_game_at_every_size(slug: str, arrive: Arrive) -> None:
    page = arrive(SIZES[0], touch=True).page
    look_at_all(page, slug, 0, every=True)


@pytest.mark.parametrize("path", ["/t/", "learn", "analyse", "puzzle"])
def test_nothing_shifts_from_load_to_end_on_a_slow_phone(path: str, arrive: Arrive) -> None:
    page = arrive(SIZES[0], touch=True).page
    if path == "/t/":
        start(page, "qenj3", "computer", level="mousse")
        address = page.url
    elif path == "puzzle":
        page.goto("/puzzles?game=canoe")
        address = page.locator(".puzzle-list a").first.get_attribute("href") or ""
    else:
        address = f"/g/canoe/{path}"
    page.add_init_script(f"({WATCH})()")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address)
    page.wait_for_selector("#board .mark.next, #buttons button", state="attached")
    page.evaluate(FITTED)
    shifted = page.evaluate("window.shifted")
    assert shifted["sum"] <= STEADY, shifted
