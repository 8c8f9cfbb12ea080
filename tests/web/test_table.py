"""The table in a browser: played by touch, by keys and by two, cut off and resumed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from escale import game, games
from tests.server.hosting import MOUSSE, OPEN, Hosted, hosted, person
from tests.web.browsing import chromium, legal, play_by_touch, tap, visit

QUICK = ("tortuga", "qenj3")            # the others take minutes


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(Path(tmp_path_factory.mktemp("house"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.mark.parametrize("slug", [
    pytest.param(box.slug, marks=() if box.slug in QUICK else pytest.mark.exhaustive)
    for box in games()
])
@pytest.mark.parametrize("phone", [
    False, pytest.param(True, marks=pytest.mark.exhaustive),
], ids=["desktop", "phone"])
def test_a_whole_game_by_touch(house: Hosted, browser: Browser, slug: str, phone: bool) -> None:
    others = [MOUSSE] * (game(slug).seats[0] - 1)
    table = house.create(slug, person("Ana"), *others, options=dict(game(slug).quick))
    page = visit(browser, house, table, phone=phone)
    play_by_touch(page, random.Random(slug), phone=phone)
    assert table.get()["outcome"] is not None
    page.locator("#end summary").click()
    expect(page.locator(".verdict")).to_have_class("verdict good")
    page.context.close()


def test_a_move_by_keys_alone(house: Hosted, browser: Browser) -> None:
    table = house.create("tortuga", person("Ana"), MOUSSE, options={"first": "south"})
    page = visit(browser, house, table)
    page.locator("#board").focus()
    for key in ("ArrowUp", "Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#told p").first).to_contain_text("South’s turtle goes from")
    expect(page.locator("#board")).to_be_focused()
    # An impossible move is explained, with its rule; then a possible one by its notation.
    expect(page.locator("#status")).to_have_text("Your turn.")
    page.keyboard.type("d1-d7")
    page.keyboard.press("Enter")
    expect(page.locator("#answer a")).to_be_visible()
    before = table.get()["ply"]
    move = table.get("/moves")["moves"][0]["text"]
    page.locator("#notation").fill(move)
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_be_hidden()
    table.wait_for(ply=before + 2, turn=0)
    page.context.close()


def test_half_a_move_is_kept_and_given_up(house: Hosted, browser: Browser) -> None:
    table = house.create("tortuga", person("Ana"), OPEN, options={"first": "south"})
    other = table.sit(1, name="Bo")
    page = visit(browser, house, table)
    tap(page, legal(page)[0], phone=False)
    expect(page.locator("#buttons .cancel")).to_be_visible()
    other.act("say", 1, text="<img src=x onerror=alert(1)>")
    expect(page.locator("#talk span")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".mark.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".mark.chosen")).to_have_count(0)
    page.context.close()


def test_two_browsers_one_of_them_cut_off(house: Hosted, browser: Browser) -> None:
    table = house.create("tortuga", person("Ana"), OPEN, options={"first": "south"})
    guest = visit(browser, house, table.holding(None))
    guest.locator("#guest-name").fill("Bo")
    guest.get_by_role("button", name="Sit here").click()
    host = visit(browser, house, table)
    # The host's socket is lost, and so is every new one: the move goes another way.
    sockets: list[WebSocketRoute] = []

    def refuse(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.close()

    host.route_web_socket("**/live", refuse)
    host.reload()
    expect(host.locator("#connection")).to_have_text("Slow connection", timeout=20_000)
    tap(host, legal(host)[0], phone=False)
    tap(host, legal(host)[0], phone=False)
    expect(guest.locator("#status")).to_have_text("Your turn.")
    assert len(sockets) >= 3
    tap(guest, legal(guest)[0], phone=False)
    tap(guest, legal(guest)[0], phone=False)
    expect(host.locator("#status")).to_have_text("Your turn.", timeout=20_000)
    assert table.get()["ply"] == 2
    for page in (host, guest):
        page.context.close()


def test_a_curtain_before_hidden_hands(house: Hosted, browser: Browser) -> None:
    names = ["Ana", "Bo", "Cleo"]
    table = house.create("canyon-1997", *map(person, names))
    page = visit(browser, house, table)
    curtain = page.locator("#curtain")
    expect(curtain).to_be_visible()
    first = table.get()["turn"]
    expect(curtain).to_contain_text(names[first])
    curtain.get_by_role("button").click()
    expect(curtain).to_be_hidden()
    tap(page, legal(page)[0], phone=False)
    expect(curtain).to_contain_text(names[(first + 1) % 3])
    page.context.close()
