"""A database that goes and comes back while people play."""

from __future__ import annotations

import random

from playwright.sync_api import expect

from tests.browser.conftest import Arrive, House
from tests.browser.hands import choose_all, one_move, start, turn

SENTENCE = "La maison ne peut pas enregistrer les coups en ce moment."


def test_people_read_why_nothing_goes_on_until_it_does(arrive: Arrive, house: House) -> None:
    visitor = arrive()
    page, chance = visitor.page, random.Random(5)
    start(page, "tortuga", way="screen")
    one_move(page, chance)
    turn(page)
    told = page.locator("#log li").count()
    page.evaluate("window.same = true")
    connection = page.locator("#connection")
    away = house.database.with_suffix(".away")
    house.database.rename(away)
    try:
        choose_all(page, chance)        # a whole move, however many taps it takes
        # The move is refused; then the table cannot even be read, and the page says why.
        expect(connection).to_contain_text(SENTENCE)
    finally:
        away.rename(house.database)
    expect(connection).to_be_hidden()
    one_move(page, chance)
    turn(page)
    assert page.locator("#log li").count() > told
    assert page.evaluate("window.same"), "nobody had to load the page again"
    visitor.errors.clear()              # an answer of 503 is an error in every browser's log
