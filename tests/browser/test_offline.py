"""Boxes that are taken along, with the real parts: they are built by `make offline`.

The house is killed and the network cut; all the rest is played as a person does.
"""

from __future__ import annotations

import http.server
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import escale
from escale.server.offline.parts import find_parts, usual_folder
from tests.browser import hands
from tests.browser.conftest import PATIENCE_MS, House

PHONE = (390, 844)
PARTS = find_parts()
pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(
        PARTS is None, reason=f"NO PARTS IN {usual_folder()}: PLAYING OFFLINE IS NOT TESTED "
        "(`make offline`)"
    ),
]
GAMES = [(game.slug, game.seats[0]) for game in escale.games()]


@pytest.fixture
def lone_house(tmp_path: Path) -> Iterator[House]:
    """A house of its own, which may be killed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    house = House(tmp_path / "house.db", port)
    house.open()
    yield house
    if house.process is not None and house.process.poll() is None:
        house.close()


@pytest.fixture
def phone(lone_house: House, chromium: Browser) -> Iterator[Page]:
    """A phone that visits this house."""
    yield from visiting(chromium, f"http://localhost:{lone_house.port}")


def visiting(chromium: Browser, address: str) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=address, viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script('localStorage.setItem("escale.speed", JSON.stringify("instant"))')
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def take_along(page: Page, slug: str) -> None:
    page.goto(f"/g/{slug}")
    page.locator("section.take summary").click()
    page.get_by_role("button", name="Emporter").click()
    page.get_by_text("prête à jouer sans réseau").wait_for()


def cut_off(page: Page, house: House) -> None:
    """No network, and no house."""
    house.close(brutally=True)
    page.context.set_offline(True)


def play(page: Page, slug: str, seats: int) -> str:
    """Play a whole game against the computer; returns the table's name."""
    page.goto(f"/g/{slug}")
    form = page.locator("form").filter(has=page.locator("input[name=way][value=computer]"))
    if seats > 2:
        form.locator("details:not(.fold) > summary").first.click()
        form.locator("select[name=seats]").select_option(str(seats))
    form.locator("button.main").click()
    page.wait_for_url("**/table*id=here-*")
    page.locator("#table.drawn").wait_for()
    hands.play_out(page, 7)
    return page.evaluate("() => new URLSearchParams(location.search).get('id')")  # type: ignore[no-any-return]


@pytest.mark.parametrize(("slug", "seats"), GAMES)
def test_a_game_is_played_away_and_found_among_my_games(
    phone: Page, lone_house: House, slug: str, seats: int
) -> None:
    take_along(phone, slug)
    cut_off(phone, lone_house)
    table = play(phone, slug, seats)
    phone.reload()
    phone.locator("#table.over").wait_for()
    lone_house.open()
    phone.context.set_offline(False)
    phone.goto("/mine")
    phone.locator(f".my-table a[href*='{table.replace('here-', 'from-')}']").click()
    phone.locator("#table.over").wait_for()


def test_rules_lesson_puzzle_and_review_without_network(phone: Page, lone_house: House) -> None:
    take_along(phone, "tortuga")
    cut_off(phone, lone_house)
    phone.goto("/")
    phone.get_by_role("link", name="Tortuga").last.wait_for()
    phone.goto("/g/tortuga/rules")
    figure = phone.locator("figure img, .drawn img").first
    hands.wait_until(phone, lambda: figure.evaluate("image => image.naturalWidth"), "a figure")
    phone.goto("/g/tortuga/learn")
    phone.locator("#board svg .piece").first.wait_for(state="attached")
    phone.locator("#show").click()
    phone.locator("#board .arrow, #board .mark").first.wait_for(state="attached")
    phone.goto("/puzzles/tortuga/" + next(iter(puzzle_ids("tortuga"))))
    phone.locator("#board svg .piece").first.wait_for(state="attached")
    phone.locator("#hint").click()
    phone.locator("#answer, .answer").first.wait_for()
    phone.goto("/g/qenj1")
    phone.get_by_text("Pas de réseau").wait_for()
    play(phone, "tortuga", 2)
    phone.locator("#end a", has_text="Analyser").click()
    phone.locator("article.review .review-moves").wait_for(state="attached")


def puzzle_ids(slug: str) -> list[str]:
    from escale.study.puzzles import puzzles_of

    return list(puzzles_of(escale.game(slug)))


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def file_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site of `escale static`, served by a plain file server under a path."""
    root = tmp_path_factory.mktemp("static")
    subprocess.run(
        [sys.executable, "-m", "escale", "static", str(root / "club"), "--base", "/club",
         "--game", "tortuga", "--game", "canoe"], check=True, capture_output=True,
    )
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=os.fspath(root))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_static_pages_are_played_without_a_server(
    chromium: Browser, file_server: str
) -> None:
    for page in visiting(chromium, file_server):
        page.goto("/club/")
        page.get_by_role("link", name="Canoë").last.click()
        page.locator("form").filter(has=page.locator("input[value=computer]")) \
            .locator("button.main").click()
        page.locator("#table.drawn").wait_for()
        hands.play_out(page, 5)
        page.goto("/club/")
        page.locator("[data-my-tables] a[href*='here-']").wait_for()
        page.goto("/club/en/g/tortuga/learn")
        page.locator("#board svg .piece").first.wait_for(state="attached")
        kept = page.evaluate(
            "async () => (await (await caches.open('escale-engine')).keys()).length"
        )
        assert kept >= 4, "the engine is kept for the next visit"
        assert PARTS is not None
        assert PARTS.size < 8_000_000
