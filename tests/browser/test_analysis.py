"""The analysis board: moves, variations, positions by text and by hand, and what is thought."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Arrive, House, Visitor

Picture = Callable[[Page, str], None]


def cell(page: Page, name: str) -> None:
    page.locator(f"#board .cell[data-at='{name}']").first.click(force=True)


def moves(page: Page) -> list[str]:
    """What stands in the list of moves."""
    return [" ".join(text.split()) for text in page.locator("#moves .move").all_inner_texts()]


def current(page: Page) -> str:
    return " ".join(page.locator("#moves [aria-current]").inner_text().split())


def refusals_are_fine(visitor: Visitor) -> None:
    """What the house refuses, the browser notes as an error, too."""
    assert all("the server responded with a status of 4" in error for error in visitor.errors)
    visitor.errors.clear()


def test_variations_are_kept_walked_promoted_and_deleted(arrive: Arrive) -> None:
    visitor = arrive(DESKTOP)
    page = visitor.page
    page.goto("/g/canoe/analyse")
    expect(page.locator("#asked")).to_contain_text("Au tour de Clair")
    # Lines with values, pointed out on the board.
    expect(page.locator("#lines .line")).to_have_count(3)
    expect(page.locator("#lines .line").first).to_contain_text("%")
    expect(page.locator("#board .arrow.rank-0")).to_have_count(1)
    for name, ply in (("e3", "1. e3"), ("f3", "2. f3")):
        cell(page, name)
        expect(page.locator("#moves [aria-current]")).to_have_text(ply)
    page.locator("#walk-back").click()
    expect(page.locator("#moves [aria-current]")).to_have_text("1. e3")
    cell(page, "h4")
    expect(page.locator("#moves [aria-current]")).to_have_text("2. h4")
    assert moves(page) == ["Départ", "1. e3", "2. f3", "2. h4"]
    expect(page.locator("#moves .variation .move")).to_have_text(["2. h4"])
    page.locator("#promote").click()
    expect(page.locator("#moves .variation .move")).to_have_text(["2. f3"])
    # The address has everything: the same page again, and the same in English.
    before = page.locator("#position").input_value()
    page.reload()
    expect(page.locator("#moves [aria-current]")).to_have_text("2. h4")
    expect(page.locator("#moves .variation .move")).to_have_text(["2. f3"])
    assert page.locator("#position").input_value() == before
    page.locator("a.tongue").click()
    page.wait_for_url("**/en/g/canoe/analyse#*")
    expect(page.locator("#moves [aria-current]")).to_have_text("2. h4")
    page.locator("#remove").click()
    expect(page.locator("#moves [aria-current]")).to_have_text("1. e3")
    assert moves(page) == ["Start", "1. e3", "2. f3"]
    # Going along a line of the house.
    page.locator("#lines .move").nth(1).click()
    expect(page.locator("#moves [aria-current]")).to_contain_text("3. ")
    # What is no move is explained.
    page.locator("#walk-first").click()
    expect(page.locator("#asked")).to_contain_text("Light")
    page.locator("#position").fill("nonsense")
    page.locator("#position-form button").click()
    expect(page.locator("#note")).to_contain_text("A position is written")
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")                        # a link within the page loses nothing
    expect(page.locator("#main")).to_be_focused()
    page.wait_for_url("**/analyse#p=*")
    assert moves(page)[:2] == ["Start", "1. e3"]
    refusals_are_fine(visitor)


def test_by_keyboard_alone(arrive: Arrive) -> None:
    visitor = arrive(PHONE)
    page = visitor.page
    page.goto("/g/tortuga/analyse#p=S2N/S3N/S4N/SS3NN/S4N/S3N/S2N+south+0")
    expect(page.locator("#asked")).to_contain_text("Sud")
    page.locator("#board").focus()
    page.keyboard.press("Enter")                        # to the first piece
    expect(page.locator("#pointed")).not_to_be_empty()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves [aria-current]")).to_contain_text("1. ")
    expect(page.locator("#announcements")).not_to_be_empty()
    first = current(page)
    page.keyboard.press("PageUp")
    expect(page.locator("#moves [aria-current]")).to_have_text("Départ")
    page.keyboard.press("PageDown")
    expect(page.locator("#moves [aria-current]")).to_have_text(first)
    if page.locator("#menu").is_visible():
        page.locator("#menu").click()
    page.locator("#moves [aria-current]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves [aria-current]")).to_have_text("Départ")
    page.keyboard.press("End")
    expect(page.locator("#moves [aria-current]")).to_have_text(first)
    page.keyboard.press("Home")
    expect(page.locator("#moves [aria-current]")).to_have_text("Départ")
    # A piece is put down by keys, too.
    page.locator("#edit").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#editor-status")).to_have_text("Cette position est possible.")
    page.keyboard.press("ArrowRight")                   # north's turtles
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#editor-status")).not_to_have_text("")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    refusals_are_fine(visitor)


def test_a_position_is_set_up_by_hand_and_told_why_not(arrive: Arrive, picture: Picture) -> None:
    visitor = arrive(DESKTOP)
    page = visitor.page
    page.goto("/g/canyon-1972/analyse")
    expect(page.locator("#asked")).to_contain_text("Rouge")
    page.locator("#edit").click()
    status = page.locator("#editor-status")
    expect(status).to_have_text("Cette position est possible.")
    cell(page, "d5")
    expect(status).to_contain_text("15 dans la boîte, pas 16")
    expect(page.locator("#editor-done")).to_be_disabled()
    page.locator("#editor-clear").click()
    expect(status).to_contain_text("aucun pion")
    cell(page, "c6")
    expect(status).to_contain_text("canyon : c6")
    cell(page, "c6")
    cell(page, "a1")
    page.locator("#palette input[value=yellow]").check(force=True)
    cell(page, "h8")
    page.locator("#editor-turn").select_option("yellow")
    expect(status).not_to_have_class("no")
    picture(page, "analysis-editor")
    page.locator("#editor-done").click()
    refusals_are_fine(visitor)
    expect(page.locator("#position")).to_have_value("7Y/8/8/8/8/8/8/R7 yellow 0")
    # A table from here, marked as such.
    page.locator("details:has(#table-form) summary").click()
    page.locator("#table-seat").select_option("1")
    page.locator("#table-form button").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#log")).to_contain_text("position composée")


def _post(house: House, path: str, body: dict[str, Any], token: str = "") -> Any:
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    request = urllib.request.Request(house.address + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_a_match_is_analysed_when_that_is_fair(arrive: Arrive, house: House) -> None:
    person = {"kind": "person", "name": "Ana"}
    seats = [person, {"kind": "open"}]
    running = _post(house, "/api/tables", {"game": "canoe", "seats": seats})
    visitor = arrive(DESKTOP)
    page = visitor.page
    page.goto(f"/g/canoe/analyse?table={running['table']}")
    expect(page.locator("#note")).to_be_visible()
    expect(page.locator("#note")).to_contain_text("encore entre plusieurs personnes")
    expect(page.locator("#asked")).to_contain_text("Clair")
    refusals_are_fine(visitor)

    over = _post(house, "/api/tables", {"game": "canoe", "seats": [person, person]})
    path, token = f"/api/tables/{over['table']}/events", over["token"]
    for number, (seat, move) in enumerate(((0, "e3"), (1, "f3"), (0, "e4")), 1):
        _post(house, path, {"do": "play", "id": f"m{number}", "seat": seat, "n": number,
                            "move": move}, token)
    _post(house, path, {"do": "resign", "id": "r", "seat": 1}, token)
    page.goto(f"/g/canoe/analyse?table={over['table']}&ply=2")
    expect(page.locator("#moves [aria-current]")).to_have_text("2. f3")
    assert moves(page) == ["Départ", "1. e3", "2. f3", "3. e4"]


def test_six_seats_with_cards(arrive: Arrive, picture: Picture) -> None:
    visitor = arrive(PHONE)
    page = visitor.page
    page.goto("/g/canyon-1997/analyse")
    expect(page.locator("#asked")).to_contain_text("hasard")
    expect(page.locator("#edit")).to_be_hidden()

    # A position is written, with the help of examples; the board and what is wrong come into sight.
    if page.locator("#menu").is_visible():
        page.locator("#menu").click()
    page.locator(".writing summary").click()
    page.locator(".writing a").first.click()
    expect(page.locator("#asked")).to_contain_text("Loutre")
    expect(page.locator("#asked")).to_be_in_viewport()
    field = page.locator("#position")
    expect(field).to_have_value("r7.dB.tg4/Oc1.hb7r2/Hd1.hg2y5/Be1.hp19 otter 60")
    page.locator("#menu").click()           # closed by what was chosen in it
    field.fill(field.input_value().replace("g2y5", "g2b7"))
    field.press("Enter")
    expect(page.locator("#note")).to_have_text("La carte b7 est là deux fois.")
    expect(page.locator("#note")).to_be_in_viewport()
    refusals_are_fine(visitor)

    page.locator("#menu").click()
    page.locator("details:has(#start-form) summary").click()
    page.locator("#start-seats").select_option("6")
    page.locator("#start-form button").click()
    page.locator("#draw").click()
    expect(page.locator("#lines .line").first).to_contain_text("%")
    expect(page.locator("#assumed")).to_contain_text("Cartes sur table")
    page.locator("#menu").click()
    page.locator("#open-cards").uncheck()
    expect(page.locator("#assumed")).to_contain_text("peut savoir")
    picture(page, "analysis-cards")
