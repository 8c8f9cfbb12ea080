"""A notebook on several devices: opened by the camera, by a code, and taken away again."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Arrive
from tests.browser.hands import start, turn
from tests.qr import read_qr


def test_a_seat_follows_to_a_second_device_by_camera_and_to_a_third_by_the_code(
    arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    page, phone, tablet = arrive().page, arrive(PHONE).page, arrive(lang="en-GB").page
    start(page, "tortuga", option_first="south")
    assert turn(page) == "mine"
    table = page.url
    page.wait_for_function("!Object.keys(JSON.parse(localStorage['escale.seats'] ?? '{}')).length")
    page.reload()                               # the token is forgotten, the seat is not
    assert turn(page) == "mine"
    # The plain link says that the seat is elsewhere, and leads to where its code is typed.
    phone.goto(table)
    phone.locator("#seat-elsewhere").click()
    expect(phone.locator("#code")).to_be_visible()
    page.goto("/notebook")
    page.locator("button.main").click()
    phone.goto(read_qr(page.locator(".opening-qr svg").evaluate("(svg) => svg.outerHTML")))
    expect(phone.locator("#code")).to_be_hidden()
    assert "#" not in phone.url
    phone.locator("#open button").click()
    phone.locator(f".my-table.due a[href$='{table.rsplit('/', 1)[1]}']").click()
    assert turn(phone) == "mine"
    # A third device, by the letters that are read aloud.
    phone.goto("/notebook")
    phone.locator("button.main").click()
    code = phone.locator(".spoken").inner_text()
    picture(phone, "notebook-code")
    tablet.goto(f"/en/open?to={table.replace(page.url.split('/notebook')[0], '')}")
    tablet.locator("#code").fill(code.lower())
    tablet.locator("#open button").click()
    assert turn(tablet) == "mine"
    # The first signs the phone out, which watches from then on.
    phone.goto(table)
    assert turn(phone) == "mine"
    page.goto("/notebook")
    expect(page.locator(".devices li")).to_have_count(3)
    mine = phone.context.cookies()
    assert all(cookie["httpOnly"] for cookie in mine)
    last = page.locator(".devices li").filter(has_not=page.locator("em"))
    for _ in range(2):                          # both others
        last.first.locator("button").click()
    expect(page.locator(".devices li")).to_have_count(1)
    expect(phone.locator("#table")).not_to_have_class(re.compile(r"\bmine\b"))
    expect(phone.locator("#seat-elsewhere")).to_be_visible()
    page.goto(table)
    assert turn(page) == "mine"
