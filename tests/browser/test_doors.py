"""Shelf, box and one's games: what one needs is in sight, and a table is light."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import open_pane, start, turn
from tests.browser.test_pages import findings

USUAL_PHONE = (390, 844)
LIGHT = 100_000
"""Bytes that a table may weigh when nothing of it is known: page, styles, scripts, state."""
FACE = 15_000
"""Bytes of the titles' typeface, which every page has: most who sit down have it already."""
Picture = Callable[[Page, str], None]


def test_a_box_has_its_button_in_sight(arrive: Arrive, picture: Picture) -> None:
    page = arrive(PHONE, touch=True).page
    for game in escale.games():
        for lang in ("", "/en"):
            page.goto(f"{lang}/g/{game.slug}")
            for size in (PHONE, USUAL_PHONE, DESKTOP):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                button = page.locator("form[data-way] button.main").first.bounding_box()
                assert button is not None
                assert button["y"] + button["height"] <= size[1], (game.slug, lang, size)
    page.goto("/g/tortuga")
    page.locator(".brief > summary").click()
    expect(page.locator(".brief li").first).to_contain_text("conduire une de ses tortues")
    picture(page, "box-button")


def test_the_filters_are_behind_one_button_where_there_is_little_room(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    page.goto("/")
    button, field = page.locator(".filters > summary"), page.locator("#q")
    expect(button).to_be_visible()
    expect(field).to_be_hidden()
    button.click()
    field.fill("tortue")
    expect(page.locator(".box")).to_have_count(1)
    page.goto("/?players=5")                    # what is filtered says by what
    expect(page.locator("#players")).to_be_visible()
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.goto("/")
    expect(button).to_be_hidden()
    expect(field).to_be_visible()


def test_the_computer_is_the_first_time_a_beginner_then_who_it_was_last(arrive: Arrive) -> None:
    page = arrive().page
    chosen = page.locator("input[name=level]:checked")
    page.goto("/g/tortuga")
    expect(chosen).to_have_value("mousse")
    page.locator("input[name=level][value=bosco]").check()
    page.locator("form[data-way] button.main").first.click()
    turn(page)
    page.goto("/g/tortuga")
    expect(chosen).to_have_value("bosco")
    page.goto("/g/canoe")                       # a strong player of one game may be new to another
    expect(chosen).to_have_value("mousse")


def test_the_shelf_lists_two_games_in_progress_and_any_can_be_taken_off(arrive: Arrive) -> None:
    page = arrive(PHONE).page
    for slug in ("canoe", "tortuga", "qenj4"):
        start(page, slug, level="mousse")
        turn(page)
    last = page.url.rsplit("/", 1)[1]
    page.goto("/")
    mine = page.locator(".my-table")
    expect(mine).to_have_count(2)
    thumbnail = mine.locator(f"a[href$='{last}'] img")
    small = f"/picture/table/{last}.svg?n={_events(page, last)}"
    expect(thumbnail).to_have_attribute("src", small)
    page.wait_for_load_state("networkidle")
    assert thumbnail.evaluate("(image) => image.naturalWidth") > 0
    mine.filter(has=page.locator(f"a[href$='{last}']")).locator(".unlist").click()
    expect(page.locator(f"a[href$='{last}']")).to_have_count(0)
    page.locator(".unlisted button").click()    # undone
    expect(page.locator(f"a[href$='{last}']")).to_have_count(1)
    mine.filter(has=page.locator(f"a[href$='{last}']")).locator(".unlist").click()
    page.locator(".all-mine a, .places a[href='/mine']").last.click()
    expect(mine).to_have_count(2)
    expect(page.locator(f"a[href$='{last}']")).to_have_count(0)
    page.goto(f"/t/{last}")                     # the seat is still mine
    assert turn(page) == "mine"


def _events(page: Page, table: str) -> str:
    ask = "(id) => fetch(`/api/tables/${id}`).then((answer) => answer.json())"
    state = page.evaluate(ask, table)
    return str(state["n"])


@pytest.mark.parametrize("slug", [
    game.slug if game.slug in ("canyon-1997", "qenj2")      # the most parts, the most drawings
    else pytest.param(game.slug, marks=pytest.mark.exhaustive) for game in escale.games()
])
def test_a_table_is_light(slug: str, arrive: Arrive) -> None:
    page = arrive(USUAL_PHONE).page
    page.goto(f"/g/{slug}")
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.clearBrowserCache")
    weights: dict[str, int] = {}
    fonts: set[str] = set()
    frames: list[dict[str, Any]] = []
    wire.on("Network.loadingFinished",
            lambda done: weights.update({done["requestId"]: done["encodedDataLength"]}))
    wire.on("Network.responseReceived",
            lambda one: fonts.add(one["requestId"]) if one["type"] == "Font" else None)
    wire.on("Network.webSocketFrameReceived", lambda frame: frames.append(frame))
    page.locator("form[data-way] button.main").first.click()
    page.wait_for_url("**/t/*")
    turn(page)
    page.wait_for_load_state("networkidle")
    # The socket compresses each message, knowing those before.
    told = "".join(frame["response"]["payloadData"] for frame in frames)
    face = sum(weights.pop(font) for font in fonts)
    total = sum(weights.values()) + len(zlib.compress(told.encode(), 6))
    assert len(weights) > 20                    # nothing came from a cache
    assert total < LIGHT, f"{slug}: {total} bytes in {len(weights)} answers"
    assert face < FACE


def test_a_game_is_read_from_the_table_as_my_seat_sees_it(
    arrive: Arrive, picture: Picture
) -> None:
    page = arrive(USUAL_PHONE).page
    start(page, "canyon-1997", level="mousse")
    turn(page)
    open_pane(page, "words")
    page.locator("#move-list button").first.click()
    turn(page)
    open_pane(page, "more")
    page.locator("#score").click()
    expect(page.locator(".score-part .diagram svg").first).to_be_visible()
    spectator = arrive().page
    spectator.goto(page.url)
    own = page.locator(".score").inner_html()           # one's own cards are seen
    assert spectator.locator(".score").inner_html() != own
    assert page.evaluate("document.documentElement.scrollWidth") <= USUAL_PHONE[0]
    assert findings(page) == []
    picture(page, "score-phone")
    with page.expect_download() as saved:
        page.locator("[data-transcript]").click()
    assert saved.value.suggested_filename.endswith(".jsonl")
    page.emulate_media(media="print")
    expect(page.locator(".score-tools")).to_be_hidden()
    expect(page.locator(".score")).to_be_visible()


def test_the_end_of_a_game_leads_to_its_score_sheet(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", level="mousse")
    turn(page)
    open_pane(page, "more")
    page.locator("#resign").click()
    page.locator("#sure button[value=yes]").click()
    page.locator("#score").click()
    expect(page.locator(".score .result")).not_to_be_empty()
