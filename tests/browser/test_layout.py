"""What must be seen together is seen together, on phones, tablets and desks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import DESKTOP, Arrive
from tests.browser.hands import (
    assert_steady,
    choose,
    end_pauses,
    start,
    turn,
    watch_shifts,
)

SLUGS = [game.slug for game in escale.games()]
TALL, TABLET = (390, 844), (768, 1024)
ON_ITS_SIDE = (844, 390)
Picture = Callable[[Page, str], None]

#: Those of the elements that are not wholly in sight, or have something else in front of them.
UNSEEN = """(elements) => elements.filter((element) => {
  const box = element.getBoundingClientRect();
  const frame = element.closest(".panel, .bar, body").getBoundingClientRect();
  const [left, top] = [Math.max(0, frame.left), Math.max(0, frame.top)];
  const [right, bottom] = [Math.min(innerWidth, frame.right), Math.min(innerHeight, frame.bottom)];
  if (box.left < left - 1 || box.top < top - 1) return true;
  if (box.right > right + 1 || box.bottom > bottom + 1) return true;
  const whole = element.ownerSVGElement ?? element;
  return [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]].some(([across, down]) =>
    !whole.contains(document.elementFromPoint(
      box.left + across * box.width, box.top + down * box.height)));
}).map((element) => element.dataset.at ?? element.textContent)"""

PLACES = "(pieces) => pieces.map((piece) => piece.dataset.at)"

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
        end_pauses(page)
        match turn(page):
            case "cover":
                page.locator("#hand-cover button").click()
                expect(page.locator("#hand-cover")).to_have_count(0)
            case "mine":
                if page.locator(selector).count():
                    return
                choose(page, chance)
    raise AssertionError(f"never offered: {selector}")


#: How large each of some texts is drawn, in pixels.
SIZES = """(texts) => texts.map((text) => [
  text.textContent, parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a])"""


#: Players whose names do not fit their cards.
CRAMPED = """(parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)"""

RIVER, TILES, STRIP = (f"#board [data-kind={kind}]" for kind in ("board", "tile", "strip"))


def everything_to_decide_by_is_seen(page: Page, seats: int, *, bids: bool) -> None:
    """Hand, trump, bids, tricks, names and canoes: in sight together, and not covered."""
    expect(page.locator(f"{STRIP} .piece[data-at$=' hand']")).to_have_count(8)
    expect(page.locator(f"{TILES} .piece[data-at$=' seat']")).to_have_count(seats)
    expect(page.locator(f"{RIVER} .piece")).to_have_count(seats)
    seen = [
        "#status", f"{STRIP} .piece[data-at$=' hand']", f"{STRIP} .piece[data-at=trump]",
        f"{STRIP} .labels text", f"{TILES} .piece", f"{TILES} .labels text", f"{RIVER} .piece",
    ]
    assert {selector: found for selector in seen if (found := unseen(page, selector))} == {}
    for what in ("bid", "tricks") if bids else ():      # a high bid is laid with several cards
        places = page.locator(f"{TILES} .piece[data-at$=' {what}']").evaluate_all(PLACES)
        assert len(set(places)) == seats
    people = page.locator("#seats .seat, #seats :is(.seat-name, .seat-label):visible")
    assert people.evaluate_all(CRAMPED) == []
    assert page.evaluate("scrollY") == 0


def all_can_be_read(page: Page, lang: str) -> None:
    """What is written beside the river is large enough, and in the reader's language."""
    written = page.locator(f"{TILES} text, {STRIP} text").evaluate_all(SIZES)
    assert [(text, size) for text, size in written if size < 11] == []
    words = {text for text, _ in written}
    assert words >= ({"Votre main", "Atout", "Annonce", "Levées", "Tour 1\xa0: 8 cartes", "vous"}
                     if lang == "fr" else
                     {"Your hand", "Trumps", "Bid", "Tricks", "Round 1: 8 cards", "you"})
    names = {"fr": {"Loutre", "Héron", "Castor"}, "en": {"Otter", "Heron", "Beaver"}}
    assert words >= names[lang]


@pytest.mark.parametrize(("size", "way", "seats"), [
    (TALL, "computer", 3), (TALL, "screen", 6), *(
        pytest.param(*one, marks=pytest.mark.exhaustive) for one in (
            (TABLET, "computer", 6), (TABLET, "screen", 3), (DESKTOP, "computer", 6),
            (DESKTOP, "screen", 3), (ON_ITS_SIDE, "computer", 6),
        )
    ),
], ids=str)
def test_one_bids_and_plays_with_everything_in_sight(
    size: tuple[int, int], way: str, seats: int, arrive: Arrive, picture: Picture
) -> None:
    lang = "fr" if way == "computer" else "en"
    page = arrive(size, lang=lang).page
    level = {"level": "mousse"} if way == "computer" else {}
    start(page, "canyon-1997", way, seats=str(seats), **level)
    chance = random.Random(5)
    play_until(page, "#buttons [data-atom^=bid]", chance)
    picture(page, f"canyon-1997-bid-{size[0]}-{way}-{seats}")
    assert unseen(page, "#buttons button") == []
    everything_to_decide_by_is_seen(page, seats, bids=False)
    play_until(page, "#board [data-kind=strip] .piece.live", chance)
    picture(page, f"canyon-1997-card-{size[0]}-{way}-{seats}")
    everything_to_decide_by_is_seen(page, seats, bids=True)
    if size != ON_ITS_SIDE:             # where the parts are smaller, and still whole
        all_can_be_read(page, lang)


#: The cells in the middle of which the corners of the lit way are.
ON_WAY = """() => [...document.querySelectorAll("#board .way")].map((line) => {
  const cells = [...line.ownerSVGElement.querySelectorAll(".cell")];
  return [...line.points].map(({ x, y }) =>
    cells.find((cell) => cell.dataset.place === `translate(${x} ${y})`)?.dataset.at);
})"""


def test_the_river_is_enlarged_and_shows_the_way_to_each_end(
    arrive: Arrive, picture: Picture
) -> None:
    page = arrive(TALL).page
    start(page, "canyon-1997", level="mousse", option_short="on")
    ends = page.locator("#board .panel[data-kind=board] .mark.next")
    play_until(page, "#buttons [data-atom^=bid]", random.Random(5))
    river = page.locator("#board .panel[data-kind=board] svg")
    small = river.bounding_box()
    play_until(page, "#board .panel[data-kind=board] .mark.next", random.Random(5))
    large = river.bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 2 * small["width"]
    assert unseen(page, "#board .panel[data-kind=board] .mark.next") == []
    assert unseen(page, "#board .panel[data-kind=board] .piece.owner-0") == []
    canoe = page.locator("#board .panel[data-kind=board] .piece.owner-0").get_attribute("data-at")
    expect(page.locator("#board .way")).to_have_count(0)
    for end in ends.all():
        end.hover(force=True)
        [way] = page.evaluate(ON_WAY)
        assert way[0] == canoe
        assert way[-1] == end.get_attribute("data-at")
        for one, other in itertools.pairwise(way):
            assert max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:]))) == 1
        expect(page.locator("#board .ghost.sure")).to_have_attribute("data-at", way[-1])
    picture(page, "canyon-1997-way")
    page.locator("#status").hover()
    expect(page.locator("#board .way")).to_have_count(0)
    page.locator("#board").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#board .way")).to_have_count(1)
    page.set_viewport_size({"width": TALL[0], "height": 640})
    expect(page.locator("#board .cursor")).to_be_in_viewport(ratio=0.9)     # with less room, too
    page.keyboard.press("Enter")
    play_until(page, "#buttons [data-atom^=bid]", random.Random(5))
    page.set_viewport_size({"width": TALL[0], "height": TALL[1]})
    expect(river).to_have_css("width", f"{small['width']:g}px")     # as if nothing had been


#: A table seen by a spectator: games in which things come and go beside the board.
STEADY_TABLES = [
    ("canyon-1997", TALL, "computer"), ("qenj3", TABLET, "computer"), ("canoe", TALL, "screen"), *(
        pytest.param(*one, marks=pytest.mark.exhaustive) for one in (
            ("canyon-1997", TABLET, "screen"), ("qenj2", TALL, "computer"),
            ("tortuga", TALL, "screen"), ("canyon-1972", TABLET, "computer"),
        )
    ),
]


@pytest.mark.parametrize(("slug", "size", "way"), STEADY_TABLES, ids=str)
def test_nothing_moves_that_nobody_has_touched(
    slug: str, size: tuple[int, int], way: str, arrive: Arrive
) -> None:
    page = arrive(size, touch=True, calm=False).page
    start(page, slug, way, **({"level": "mousse"} if way == "computer" else {}))
    turn(page)
    watch_shifts(page)
    chance = random.Random(7)
    for _ in range(30):
        end_pauses(page)
        match turn(page):
            case "over":
                break
            case "cover":
                page.locator("#hand-cover button").click()
                expect(page.locator("#hand-cover")).to_have_count(0)
            case "mine":
                choose(page, chance)
    assert_steady(page)


@pytest.mark.parametrize("slug", [
    slug if slug in ("canyon-1997", "qenj3", "tortuga")         # a river, a ring, and as most are
    else pytest.param(slug, marks=pytest.mark.exhaustive) for slug in SLUGS
])
def test_a_phone_on_its_side_shows_the_whole_board_and_the_bar_beside_it(
    slug: str, arrive: Arrive, picture: Picture
) -> None:
    page = arrive(ON_ITS_SIDE, touch=True).page
    start(page, slug, level="mousse")
    turn(page)
    for size in (ON_ITS_SIDE, (740, 360), (667, 375), (932, 430)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert unseen(page, "#status") == []
        board, bar = page.locator("#board").bounding_box(), page.locator("#bar").bounding_box()
        assert board is not None
        assert bar is not None
        assert board["x"] + board["width"] <= bar["x"]
        if slug != "canyon-1997":       # whose river is longer than any screen is high
            drawing = page.locator("#board svg").bounding_box()
            assert drawing is not None
            assert drawing["x"] >= 0
            assert drawing["y"] >= 0
            assert drawing["x"] + drawing["width"] <= bar["x"]
            assert drawing["y"] + drawing["height"] <= size[1]
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.set_viewport_size({"width": ON_ITS_SIDE[0], "height": ON_ITS_SIDE[1]})
    picture(page, f"{slug}-on-its-side")
    # Every cell can be reached.
    assert page.evaluate(UNREACHED) == []
    if page.locator("#zoom").is_visible():
        page.locator("#zoom").click()
        assert page.evaluate(UNREACHED) == []
