"""The review of a game: asked for, awaited, walked by keyboard, played on from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import httpx2
import pytest
from playwright.sync_api import Page, expect

import escale
from tests.browser.conftest import DESKTOP, PHONE, Arrive, House
from tests.browser.test_pages import findings
from tests.sizes import PATIENCE_SECONDS

LINE = (
    "a4-b4", "d2-e2", "g4-f4", "f1-d3", "f4-e4", "c1-d2", "d6-d5", "d3-c3", "d5-c4", "c3-c5",
    "b5-d5-b3-north", "e2-e3", "e4-e2-c1", "d1-f1", "c1-d1",
)
FIRST = 9
"""From here on it is played: what is short is soon reviewed."""


@pytest.fixture(scope="module")
def finished(house: House) -> str:
    """A table whose match is over; South throws a win away with its last move but one."""
    start = escale.game("tortuga").start(first="north")
    for move in LINE[:FIRST]:
        start = start.play(move)
    with httpx2.Client(base_url=house.address, timeout=PATIENCE_SECONDS) as client:
        people = [{"kind": "person", "name": name} for name in ("Ana", "Bo")]
        order = {"game": "tortuga", "seats": people, "position": start.text}
        opened = client.post("/api/tables", json=order).json()
        path, token = f"/api/tables/{opened['table']}", f"Bearer {opened['token']}"
        for number, move in enumerate(LINE[FIRST:], FIRST):
            state = client.get(path).json()
            client.post(f"{path}/events", headers={"authorization": token}, json={
                "do": "play", "id": f"move-{number}", "seat": state["turn"], "n": state["n"],
                "move": move,
            }).raise_for_status()
        assert client.get(path).json()["outcome"]
        return str(opened["table"])


def fits(page: Page) -> bool:
    fits: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fits


def test_a_game_is_reviewed_and_walked_by_keyboard(
    arrive: Arrive, finished: str, picture: Callable[[Page, str], None]
) -> None:
    page = arrive(DESKTOP).page
    page.goto(f"/t/{finished}")
    link = page.locator("#end a", has_text="Analyser")
    link.focus()
    page.keyboard.press("Enter")                    # it is asked for by coming
    told = page.locator("#announcements")
    expect(page.locator("#board svg").first).to_be_visible()
    expect(page.locator(".review:not([data-making])")).to_be_attached()
    page.keyboard.press("Home")                     # while it is made, the last move is shown first
    expect(told).to_have_text("Le début de la partie.")
    expect(page.locator(".review-moves tbody tr[data-index]")).to_have_count(6)
    expect(page.locator("svg.curve polygon")).to_have_count(2)

    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Coup 1, Ana : c3-c5.")
    expect(told).to_contain_text("Coup forcé.")
    page.keyboard.press("End")
    expect(told).to_contain_text("Coup 6, Bo : c1-d1.")
    expect(told).to_contain_text("Bo a atteint la base adverse")
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Gaffe. b1-b2 gagnait : c’est prouvé.")
    expect(page.locator(".review-moves tr.now")).to_have_attribute("data-index", "4")
    expect(page.locator("#board .arrow")).to_have_count(2)    # played, and better
    page.keyboard.press("Home")
    expect(told).to_have_text("Le début de la partie.")
    assert told.get_attribute("aria-live") == "polite"

    # The turning point: the better move is pointed out, then played.
    turn = page.locator("[data-turn]", has_text="d1-f1")
    expect(turn.locator("h3")).to_contain_text("Ici, Ana pouvait gagner")
    turn.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(turn).to_contain_text("c’est prouvé")
    turn.locator("[data-line]").focus()
    page.keyboard.press("Enter")
    expect(told).to_have_text("Il fallait jouer b1-b2. Avancez pour voir la suite.")
    expect(page.locator("#board .arrow")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Meilleure suite. Ana : b1-b2.")
    expect(page.locator("#board")).to_have_attribute("aria-label", told.inner_text())
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Il fallait jouer b1-b2.")
    picture(page, "review-desktop")

    # And played on from, against a level.
    expect(page.locator('#replay [name="seat"]')).to_have_value("0")
    page.locator("#replay select").select_option("matelot")
    page.locator("#replay button[type=submit]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/review" not in url)
    expect(page.locator("#board [data-at='b1']").first).to_be_attached()


def test_a_review_fits_a_phone_and_says_the_same_in_english(
    arrive: Arrive, finished: str, picture: Callable[[Page, str], None]
) -> None:
    page = arrive(PHONE, lang="en-GB", touch=True, dark=True).page
    page.goto(f"/en/t/{finished}/review")
    told = page.locator("#announcements")
    expect(told).to_have_text("The beginning of the game.")
    assert fits(page)
    page.locator('[data-go="on"]').tap()
    expect(told).to_contain_text("Move 1, Ana: c3-c5. Forced move.")
    page.locator("#menu").tap()
    page.locator(".review-moves [data-index='4'] button.go").tap()
    expect(page.locator("#sheet")).to_be_hidden()       # what was chosen in it is seen
    expect(told).to_contain_text("Blunder. b1-b2 was winning: this is proven.")
    page.locator("#menu").tap()
    for table in (".review-moves", ".review-summary"):      # wider than its frame, not its caption
        for scrolled in (0, 60):
            left, right, frame = page.locator(table).evaluate("""(table, scrolled) => {
              const frame = table.parentElement;
              frame.scrollLeft = scrolled;
              const words = document.createRange();
              words.selectNodeContents(table.caption);
              const lines = [...words.getClientRects()];
              const { left, right } = frame.getBoundingClientRect();
              return [Math.min(...lines.map((line) => line.left)) - left,
                right - Math.max(...lines.map((line) => line.right)),
                frame.scrollWidth - frame.clientWidth];
            }""", scrolled)
            assert frame > 60
            assert min(left, right) >= 0, f"{table}: the caption is cut off"
    page.locator(".sheet-close").tap()
    page.locator('[data-go="back"]').tap()
    page.locator("svg.curve").click(position={"x": 4, "y": 20})
    expect(told).to_have_text("The beginning of the game.")
    assert fits(page)
    assert findings(page) == []
    picture(page, "review-phone")


def test_without_scripts_the_review_can_be_read(house: House, finished: str) -> None:
    with httpx2.Client(base_url=house.address, headers={"accept-language": "fr"}) as client:
        made = client.post(f"/api/tables/{finished}/review")
        while made.json()["state"] != "made":
            time.sleep(0.1)
            made = client.get(f"/api/tables/{finished}/review")
        text = client.get(f"/t/{finished}/review").text
        assert "b1-b2 gagnait" in text
        assert "<polyline" in text
        assert "/review" in client.get(f"/t/{finished}/score").text


def test_a_review_grows_on_the_page(
    arrive: Arrive, finished: str, picture: Callable[[Page, str], None]
) -> None:
    """What is judged later appears without a new page; the place on the board stays."""
    page = arrive(DESKTOP).page
    answer = page.request.post(f"/api/tables/{finished}/review")
    while answer.json()["state"] == "making":
        answer = page.request.get(f"/api/tables/{finished}/review")
    whole = answer.json()
    html = page.request.get(f"/t/{finished}/review").text()
    some = {**whole, "state": "making", "done": 2, "review": {**whole["review"], "moves": [
        {**move, "before": [], "judged": "Pas encore jugé"} if index < 4 else move
        for index, move in enumerate(whole["review"]["moves"])
    ]}}
    ends = threading.Event()
    page.route(f"**/api/tables/{finished}/review*", lambda route: route.fulfill(
        json=whole if ends.is_set() else some))
    page.route(f"**/t/{finished}/review", lambda route: route.fulfill(
        body=html if ends.is_set() else html.replace(
            f'data-review="{finished}"', f'data-review="{finished}" data-making'),
        content_type="text/html"))
    page.goto(f"/t/{finished}/review")
    told = page.locator("#announcements")
    expect(told).to_contain_text("Coup 6, Bo : c1-d1.")
    page.evaluate("document.body.dataset.same = 'page'")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Pas encore jugé")
    ends.set()
    expect(told).to_contain_text("Coup 1, Ana : c3-c5. Coup forcé.")
    expect(page.locator(".review:not([data-making])")).to_be_attached()
    assert page.evaluate("document.body.dataset.same") == "page"
    page.locator(".review-moves [data-index='4'] button.go").click()
    expect(told).to_contain_text("Gaffe.")
