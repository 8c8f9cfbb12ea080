"""The link that one sends to others leads them here, or the page says that it cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from escale.render.qr import qr_svg
from tests.browser.conftest import ELSEWHERE, PHONE, Arrive, Visitor
from tests.browser.hands import open_pane, start, turn
from tests.browser.test_pages import findings
from tests.server.hosting import Hosted, hosted

COOP = "The Cross-Origin-Opener-Policy header has been ignored"


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path, host="0.0.0.0", machine=lambda: (ELSEWHERE, "fd00::7")) as house:
        yield house


def browse(chromium: Browser, house: Hosted) -> Visitor:
    """A visitor at the machine on which that house runs."""
    return Visitor(chromium.new_context(
        base_url=house.url,
        permissions=["clipboard-read", "clipboard-write"], locale="en-GB",
    ).new_page())


def copied(page: Page, button: str) -> str:
    """What a button puts on the clipboard."""
    page.locator(button).click()
    expect(page.locator("#note")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_an_invitation_made_at_localhost_opens_on_another_machine(
    open_to_all: Hosted, chromium: Browser
) -> None:
    here, there = browse(chromium, open_to_all), browse(chromium, open_to_all)
    start(here.page, "canoe", "link")
    [tools, waiting] = [
        here.page.locator(part).bounding_box() for part in (".board-tools", "#waiting")
    ]
    assert tools
    assert waiting
    assert waiting["x"] + waiting["width"] <= tools["x"], "a long invitation covers the tools"
    link = copied(here.page, "#waiting .copy")
    port = open_to_all.url.rsplit(":", 1)[1]
    assert link.startswith(f"http://{ELSEWHERE}:{port}/en/t/")
    expect(here.page.locator(".only-here")).to_have_count(0)
    # It says why that is another address than the one it is at, and the code has it, too.
    expect(here.page.locator(".other-address")).to_contain_text(f"{ELSEWHERE}:{port}")
    expect(here.page.locator("#waiting .address")).to_have_value(link)
    code = here.page.locator(".qr")
    here.page.wait_for_load_state("networkidle")
    assert code.evaluate("(image) => image.naturalWidth") > 0
    answer = here.page.request.get(code.get_attribute("src") or "")
    assert answer.text() == qr_svg(link)
    # The guest sits down there, by HTTP and WebSocket at that address.
    there.page.goto(link)
    there.page.locator("#waiting input").fill("Ana")
    there.page.locator("#waiting button.main").click()
    expect(there.page.locator("#seats .mine")).to_have_count(1)
    expect(here.page.locator("#seats")).to_contain_text("Ana")
    open_pane(there.page, "more")
    there.page.locator("#table-link").click()
    expect(there.page.locator("#link")).to_have_value(link)     # no clipboard without HTTPS
    assert here.errors == []
    assert [error for error in there.errors if COOP not in error] == []
    for visitor in (here, there):
        visitor.page.context.close()


def test_the_invitation_stands_first_and_shares_as_the_system_does(
    open_to_all: Hosted, chromium: Browser, picture: Callable[[Page, str], None]
) -> None:
    host, guest = browse(chromium, open_to_all), browse(chromium, open_to_all)
    page = host.page
    page.set_viewport_size({"width": 390, "height": 844})
    start(page, "canoe", "link")
    expect(page.locator(".invitation")).to_be_visible()
    assert page.locator(".share").count() == page.evaluate("Number('share' in navigator)")
    page.add_init_script(
        "navigator.share = (what) => { window.shared = what; return Promise.reject(); }"
    )
    page.reload()
    page.locator(".share").click()
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.locator("#waiting .address").input_value()
    assert "Canoë" in shared["title"]
    invitation, computer = page.locator(".invitation"), page.locator(".open-seats")
    above, below = invitation.bounding_box(), computer.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    picture(page, "invitation-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert findings(page) == []
    # Listed in the lobby from here, and no longer.
    guest.page.goto("/en/lobby")
    expect(guest.page.locator(".tables")).to_have_count(0)
    listed = page.locator(".listed input")
    listed.check()
    expect(page.locator("#log")).to_contain_text("lists the table in the lobby")
    guest.page.reload()
    expect(guest.page.locator(".tables button.main")).to_have_count(1)     # which would sit down
    guest.page.goto(page.url)
    expect(guest.page.locator("#waiting button.main")).to_be_visible()
    expect(listed).to_be_focused()                  # what was told has not taken it away
    listed.uncheck()
    expect(page.locator("#log")).to_contain_text("takes the table out of the lobby")
    guest.page.goto("/en/lobby")
    expect(guest.page.locator(".tables")).to_have_count(0)
    assert host.errors + guest.errors == []
    for visitor in (host, guest):
        visitor.page.context.close()


def test_a_seat_link_made_at_localhost_opens_on_another_device(
    open_to_all: Hosted, chromium: Browser
) -> None:
    here, there = browse(chromium, open_to_all), browse(chromium, open_to_all)
    start(here.page, "tortuga", option_first="south")
    turn(here.page)
    open_pane(here.page, "more")
    link = copied(here.page, "#seat-link")
    assert link.startswith(f"http://{ELSEWHERE}:")
    there.page.goto(link)
    assert turn(there.page) == "mine"
    for visitor in (here, there):
        visitor.page.context.close()


def test_the_origin_that_the_house_was_told_is_in_the_invitation(
    tmp_path: Path, chromium: Browser
) -> None:
    with hosted(tmp_path, origins=("https://club.example",)) as house:
        page = browse(chromium, house).page
        start(page, "canoe", "link")
        link = copied(page, "#waiting .copy")
        assert link.startswith("https://club.example/en/t/")
        expect(page.locator(".only-here")).to_have_count(0)
        page.context.close()


@pytest.mark.parametrize(("lang", "sentence"), [
    ("fr-FR", "Ce lien ne marche que sur cet ordinateur."),
    ("en-GB", "This link works on this computer only."),
])
def test_a_link_for_this_machine_only_says_so(
    arrive: Arrive, picture: Callable[[Page, str], None], lang: str, sentence: str
) -> None:
    page = arrive(PHONE, lang=lang).page
    start(page, "canoe", "link")
    remark = page.locator("#waiting .only-here")
    expect(remark).to_contain_text(sentence)
    expect(page.locator(".qr")).to_have_count(0)    # it would lead a phone to itself
    picture(page, f"invitation-{lang}")
    with page.expect_popup() as opened:
        remark.locator("a").click()
    expect(opened.value.locator("#friends + p + pre")).to_contain_text("--host 0.0.0.0")
    open_pane(page, "more")
    expect(page.locator("#pane-more .only-here")).to_contain_text(sentence)


def test_a_game_is_shared_as_a_moving_picture_with_its_link(arrive: Arrive) -> None:
    page = arrive((390, 844), touch=True).page
    page.add_init_script("""
      navigator.canShare = () => true;
      navigator.share = async (what) => { window.what = what; };
    """)
    start(page, "qenj3", "screen")
    turn(page)
    page.locator("#menu").click()
    page.locator("#tab-more").click()
    page.locator("#share").click()              # the position, while the game goes on
    picture = page.locator(".share img[data-ready]")
    expect(picture).to_have_attribute("src", re.compile(r"/fr\.png"))
    page.locator(".share button").last.click()
    page.locator("#resign").click()
    page.locator("#sure button[value=yes]").click()
    page.locator("#end button", has_text="Partager").click()
    expect(picture).to_have_attribute("src", re.compile(r"/game\.png"))
    assert findings(page) == []
    page.locator(".share .main").click()
    files = page.evaluate("window.what.files.map(({ name, type, size }) => [name, type, size])")
    [[name, kind, size]] = files
    assert name.startswith("qenj3-")
    assert kind == "image/png"
    assert size > 1000
    assert page.evaluate("window.what.text").endswith(page.evaluate("location.pathname"))
