"""An evening in real browsers: phones, guests entered by hand, computers, and the wall."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrive
from tests.browser.test_pages import findings

PHONE = (390, 844)
TELEVISION = (1920, 1080)
LETTERS_PX = 36
"""The smallest letters of the wall at this size: they can be read from five metres."""
SMALL_LETTERS = """(least) => [...document.querySelectorAll("main *")]
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .filter((one) => !one.closest("svg, .unseen"))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
  .map((one) => one.outerHTML.slice(0, 80))"""


def begin(host: Page, **choices: str) -> str:
    """Open an evening; returns its address."""
    host.goto("/evening")
    host.locator("input[name=title]").fill("Jeudi au refuge")
    host.locator("input[name=games][value=tortuga]").check()
    host.locator(f"input[name=format][value={choices.pop('format', 'swiss')}]").check()
    for name, value in choices.items():
        host.locator(f"[name={name}]").select_option(value)
    host.locator(".evening-plan button.main").click()
    expect(host.locator("#evening-share")).to_be_visible()
    found = re.search(r"/evening/[\w-]+", host.url)
    assert found
    return found[0]


def join(phone: Page, evening: str, name: str) -> None:
    phone.goto(evening)
    phone.locator("#join-name").fill(name)
    phone.locator("#evening-now button[value=join]").click()
    expect(phone.locator("#join-name")).to_have_count(0)


def do(host: Page, what: str) -> None:
    host.locator(f"#evening-now button[value={what}]").first.click()


def add(host: Page, name: str) -> None:
    host.locator("#add-name").fill(name)
    host.locator("button[value=add]").click()
    expect(host.locator("#evening-guests")).to_contain_text(name)


def test_phones_a_real_board_and_the_wall(
    arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    host, wall = arrive(PHONE).page, arrive(TELEVISION).page
    evening = begin(host, board="real")
    wall.goto(f"{evening}/wall")
    phones = {name: arrive(PHONE).page for name in ("Anaïs", "Zoé")}
    for name, phone in phones.items():
        join(phone, evening, name)
        expect(wall.locator(".names")).to_contain_text(name)    # the wall was not loaded again
    do(host, "pair")
    for phone in phones.values():
        expect(phone.locator(".my-game")).to_be_visible()
    expect(wall.locator(".wall-tables .who")).to_contain_text("Anaïs")
    do(host, "start")
    expect(host.locator("#evening-now button[value=start]")).to_have_count(0)
    for phone in phones.values():
        with phone.expect_response(lambda answer: answer.request.method == "POST"):
            phone.locator("button[value='1-2']").click()
    expect(host.locator("#evening-tables .over")).to_have_count(1)
    expect(wall.locator(".wall-tables .score")).to_have_text("1 – 0")
    assert wall.evaluate(SMALL_LETTERS, LETTERS_PX) == []
    for page, name in ((host, "host"), (phones["Zoé"], "guest"), (wall, "wall")):
        assert findings(page) == []
        picture(page, f"evening-{name}")
    host.locator(".undo button").click()
    expect(host.locator("#evening-tables .over")).to_have_count(0)
    expect(wall.locator(".wall-tables .score")).to_have_text("")


@pytest.mark.exhaustive
def test_twelve_at_an_evening(arrive: Arrive, picture: Callable[[Page, str], None]) -> None:
    """Six phones, two guests entered by hand, three computers and a wall; a latecomer, a leaver."""
    host, wall = arrive(PHONE).page, arrive(TELEVISION, dark=True).page
    evening = begin(host)
    wall.goto(f"{evening}/wall")
    names = ["Anaïs", "Zoé", "Léo", "Max", "Ines"]
    phones = {name: arrive(PHONE).page for name in names}
    for name, phone in phones.items():
        join(phone, evening, name)
    for name in ("Odile", "Bruno"):
        add(host, name)
    for number in range(3):
        host.locator("button[value=computer]").click()
        expect(host.locator("#evening-guests li")).to_have_count(8 + number)
    for round in range(1, 4):
        if round == 2:                          # a latecomer, and one who leaves
            late = phones["Late"] = arrive(PHONE).page
            join(late, evening, "Late")
            phones["Max"].locator("button[value=leave]").click()
            expect(phones["Max"].locator("button[value=return]")).to_be_visible()
            del phones["Max"]
        do(host, "pair")
        expect(host.locator("#evening-now button[value=start]")).to_be_visible()
        do(host, "start")
        expect(host.locator("#evening-now button[value=start]")).to_have_count(0)
        expect(wall.locator(".wall-boards figure").first).to_be_visible()
        picture(wall, f"evening-twelve-{round}")
        running = host.locator(".host-tables li:not(.over) details")
        while count := running.count():
            row = host.locator(".host-tables li:not(.over)").first
            if row.locator("details").get_attribute("open") is None:
                row.locator("summary").click()
            row.locator("button[name=places]").first.click()
            expect(running).to_have_count(count - 1)
    do(host, "close")
    expect(wall.locator(".round")).to_contain_text("terminée")
    rows = host.locator(".evening-standings tbody tr")
    assert rows.count() == 11
    assert wall.evaluate(SMALL_LETTERS, LETTERS_PX) == []
    assert findings(wall) == []
