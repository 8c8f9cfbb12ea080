"""The lobby: it follows what happens, and one click is enough to sit down."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Arrive


def test_a_table_appears_without_reloading_and_one_click_sits_down(
    arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    here, there = arrive().page, arrive(PHONE).page
    there.goto("/lobby")
    expect(there.locator("#lobby-tables")).to_be_visible()
    here.goto("/lobby")
    here.locator("#seek-game").select_option("tortuga")
    here.locator("#lobby-name").fill("Zénobie")
    here.locator(".seek button").click()
    expect(here.locator("#waiting .meanwhile a")).to_be_visible()
    waiting = there.locator(".card.waiting").filter(has_text="Zénobie")
    expect(waiting.locator(".position")).to_be_visible()        # the page was not loaded again
    picture(there, "lobby-phone")
    waiting.locator("form button").click()
    expect(there.locator("#seats .mine")).to_have_count(1)
    expect(here.locator("#waiting")).to_be_hidden()
    # A third, who only looks, sees the game go on in the lobby, and may watch.
    guest = arrive(lang="en-GB").page
    guest.goto("/en/lobby")
    guest.locator(".card").filter(has_text="Zénobie").locator(".button").click()
    expect(guest.locator("#seat-elsewhere")).to_be_visible()
