"""What must be seen together is seen together, on phones, tablets and desks."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import DESKTOP, Arrive
from tests.browser.hands import choose, start, turn

SLUGS = [game.slug for game in escale.games()]
TALL, TABLET = (390, 844), (768, 1024)
ON_ITS_SIDE = (844, 390)
Picture = Callable[[Page, str], None]

#: Those of the elements that are not wholly in sight, or have something else in front of them.
UNSEEN = """(elements) => elements.filter((element) => {
  const box = element.getBoundingClientRect();
  const frame = element.closest(".panel, .desk, body").getBoundingClientRect();
  const [left, top] = [Math.max(0, frame.left), Math.max(0, frame.top)];
  const [right, bottom] = [Math.min(innerWidth, frame.right), Math.min(innerHeight, frame.bottom)];
  if (box.left < left - 1 || box.top < top - 1) return true;
  if (box.right > right + 1 || box.bottom > bottom + 1) return true;
  const whole = element.ownerSVGElement ?? element;
  return [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]].some(([across, down]) =>
    !whole.contains(document.elementFromPoint(
      box.left + across * box.width, box.top + down * box.height)));
}).map((element) => element.dataset.at ?? element.textContent)"""

#: The cells that cannot be scrolled to where a finger reaches them.
UNREACHED = """() => [...document.querySelectorAll("#board .cell")].filter((cell) => {
  cell.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = cell.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const there = document.elementFromPoint(x, y);
  return !there?.closest("#board svg");
}).map((cell) => cell.dataset.at)"""


def unseen(page: Page, selector: str) -> list[str]:
    """What of this is not in sight; there must be some of it."""
    assert page.locator(selector).count() > 0
    found: list[str] = page.locator(selector).evaluate_all(UNSEEN)
    return found


def play_until(page: Page, selector: str, chance: random.Random) -> None:
    """Go on until it is one's turn and there is something to choose of this kind."""
    for _ in range(200):
        match turn(page):
            case "curtain":
                page.locator("#curtain button").click()
                expect(page.locator("#curtain")).to_be_hidden()
            case "mine":
                if page.locator(selector).count():
                    return
                choose(page, chance)
    raise AssertionError(f"never offered: {selector}")


def everything_to_decide_by_is_seen(page: Page) -> None:
    """The whole hand and the trump, whichever part of the table is in front."""
    cards = page.locator("#board .strip .piece[data-at$=' hand']")
    expect(cards).to_have_count(8)
    tabs = [tab for tab in page.locator("#board .panel-tab").all() if tab.is_visible()]
    for number in range(max(1, len(tabs))):
        if tabs:
            tabs[number].click()
        assert unseen(page, "#board .strip .piece[data-at$=' hand']") == []
        assert unseen(page, "#board .piece[data-at=trump]") == []
        assert unseen(page, "#status") == []
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("seats", ["3", "6"])
@pytest.mark.parametrize("way", ["computer", "screen"])
@pytest.mark.parametrize("size", [TALL, TABLET, DESKTOP, ON_ITS_SIDE], ids=str)
def test_one_bids_and_plays_with_hand_and_trump_in_sight(
    size: tuple[int, int], way: str, seats: str, arrive: Arrive, picture: Picture
) -> None:
    page = arrive(size).page
    level = {"level": "mousse"} if way == "computer" else {}
    start(page, "canyon-1997", way, seats=seats, **level)
    chance = random.Random(5)
    play_until(page, "#buttons [data-atom^=bid]", chance)
    picture(page, f"canyon-1997-bid-{size[0]}-{way}-{seats}")
    assert unseen(page, "#buttons button") == []
    everything_to_decide_by_is_seen(page)
    play_until(page, "#board .strip .piece.live", chance)
    picture(page, f"canyon-1997-card-{size[0]}-{way}-{seats}")
    everything_to_decide_by_is_seen(page)


def test_one_s_canoe_stays_in_sight_when_there_is_less_room(arrive: Arrive) -> None:
    page = arrive(TALL).page
    start(page, "canyon-1997", level="mousse")
    play_until(page, "#buttons [data-atom^=bid]", random.Random(5))
    page.locator("#board .panel-tab[data-panel=river]").click()
    assert unseen(page, "#board .panel.shown .piece.owner-0") == []
    page.set_viewport_size({"width": TALL[0], "height": 640})
    expect(page.locator("#board .panel.shown .piece.owner-0")).to_be_in_viewport(ratio=0.9)
    assert unseen(page, "#board .panel.shown .piece.owner-0") == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_phone_on_its_side_shows_the_whole_board_and_the_desk_beside_it(
    slug: str, arrive: Arrive, picture: Picture
) -> None:
    page = arrive(ON_ITS_SIDE, touch=True).page
    start(page, slug, level="mousse")
    turn(page)
    for size in (ON_ITS_SIDE, (740, 360), (667, 375), (932, 430)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert unseen(page, "#status") == []
        board, desk = page.locator("#board").bounding_box(), page.locator("#desk").bounding_box()
        assert board is not None
        assert desk is not None
        assert board["x"] + board["width"] <= desk["x"]
        if slug != "canyon-1997":       # whose river is longer than any screen is high
            drawing = page.locator("#board svg").bounding_box()
            assert drawing is not None
            assert drawing["x"] >= 0
            assert drawing["y"] >= 48   # below the rail
            assert drawing["x"] + drawing["width"] <= desk["x"]
            assert drawing["y"] + drawing["height"] <= size[1]
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.set_viewport_size({"width": ON_ITS_SIDE[0], "height": ON_ITS_SIDE[1]})
    picture(page, f"{slug}-on-its-side")


@pytest.mark.parametrize("slug", SLUGS)
def test_every_cell_can_be_reached_on_a_phone_on_its_side(slug: str, arrive: Arrive) -> None:
    page = arrive(ON_ITS_SIDE, touch=True).page
    start(page, slug, level="mousse")
    turn(page)
    river = page.locator("#board .panel-tab[data-panel=river]")
    if river.is_visible():
        river.click()
    assert page.evaluate(UNREACHED) == []
    if page.locator("#zoom").is_visible():
        page.locator("#zoom").click()
        assert page.evaluate(UNREACHED) == []
