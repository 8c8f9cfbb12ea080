"""Bots, met by people: seen as bots, challenged from the page, and what they answer."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from escale.store.bots import create_bot, remove_bot
from escale.store.database import database_url
from tests.browser.conftest import PHONE, Arrive, House
from tests.browser.hands import one_move, turn, wait_until
from tests.browser.test_pages import findings

[WALKER] = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs/bots.md").read_text("utf-8"),
    re.DOTALL,
)
"""The bot of the documentation."""
ACCEPT = 'act(event, "sit", seat=seat)'
DECLINE = 'act(event, "decline", seat=seat, reason="clock")'
IGNORE = "pass"


@pytest.fixture
def tokens(house: House) -> Iterator[dict[str, str]]:
    """Accounts for as long as the test takes: the other tests know of no bots."""
    url = database_url(f"sqlite:///{house.database}")
    made = {
        "Walker": create_bot(url, "Walker", about="Walks at random.", games=["tortuga", "canoe"]),
        "Shy": create_bot(url, "Shy"), "Mute": create_bot(url, "Mute"),
        "Sleeper": create_bot(url, "Sleeper"),
    }
    yield made
    for name in made:
        remove_bot(url, name)


@contextmanager
def listening(house: House, token: str, folder: Path, answer: str = ACCEPT) -> Iterator[None]:
    """The bot of the documentation at work; or one that answers challenges in another way."""
    assert ACCEPT in WALKER
    (folder / "bot.py").write_text(WALKER.replace(ACCEPT, answer), "utf-8")
    program = subprocess.Popen([sys.executable, str(folder / "bot.py"), house.address, token])
    try:
        yield
    finally:
        program.kill()
        program.wait()


def wait_for_bot(page: Page, name: str) -> None:
    """The list of bots as soon as one of them listens."""

    def listens() -> bool:
        page.goto("/bots")
        return page.locator(".bot-card.listening").filter(has_text=name).count() > 0

    wait_until(page, listens, f"{name} listens")


def challenge(page: Page, name: str, **fields: str) -> None:
    """From the list of bots to the table, by the keyboard alone."""
    wait_for_bot(page, name)
    page.get_by_role("link", name=re.compile(f"{name}.*Tortuga")).focus()
    page.keyboard.press("Enter")
    form = page.locator("form[aria-labelledby=way-bot]")
    expect(form.locator(f"input[value={name}]")).to_be_checked()
    if fields:
        form.locator("details:not(.fold) > summary").click()
        for field, value in fields.items():
            form.locator(f"[name={field}][value={value}]").check()
    form.locator("button.main").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


def test_a_bot_is_challenged_from_the_page(
    house: House, tokens: dict[str, str], arrive: Arrive, tmp_path: Path,
    picture: Callable[[Page, str], None],
) -> None:
    page, chance = arrive(PHONE).page, random.Random(1)
    with listening(house, tokens["Walker"], tmp_path):
        wait_for_bot(page, "Walker")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert findings(page) == []
        picture(page, "bots-phone")
        asleep = page.locator(".bot-card").filter(has_text="Sleeper")
        expect(asleep).to_contain_text("on ne peut pas le défier pour l’instant")
        expect(asleep.get_by_role("link")).to_have_count(0)
        page.goto("/g/tortuga?bot=Sleeper")
        expect(page.locator("input[name=bot][value=Sleeper]")).to_be_disabled()
        expect(page.locator("form[aria-labelledby=way-bot]")).to_contain_text(
            "Sleeper n’est pas à l’écoute en ce moment"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert findings(page) == []

        challenge(page, "Walker")
        for _ in range(2):
            assert turn(page) == "mine"
            one_move(page, chance)
        assert turn(page) == "mine"
        mark = page.locator("#seats .bot-mark")
        expect(mark).to_have_text("robot")
        seat = page.locator("#seats .seat", has=page.locator(".bot-mark"))
        expect(seat).to_contain_text("Walker")
        expect(page.locator("#log")).to_contain_text("Le robot Walker s’assied")
        expect(page.locator("#log")).to_contain_text("Walker (robot, Nord)")
        assert findings(page) == []
        picture(page, "bot-table-phone")
        page.goto("/mine")
        expect(page.locator(".my-table").first).to_contain_text("avec Walker (robot)")
        page.goto("/lobby")
        expect(page.locator(".lobby-bots")).to_contain_text("Walker")
        assert findings(page) == []


def test_a_bot_declines_or_does_not_answer(
    house: House, tokens: dict[str, str], arrive: Arrive, tmp_path: Path,
    picture: Callable[[Page, str], None],
) -> None:
    page = arrive(lang="en-GB").page
    with listening(house, tokens["Shy"], tmp_path, DECLINE):
        challenge(page, "Shy", clock="live")
        waiting = page.locator("#waiting")
        expect(waiting.locator(".declined")).to_contain_text(
            "Shy declines, as this clock does not suit it: the seat"
        )
        expect(waiting.get_by_role("link", name="See the other bots")).to_be_visible()
        expect(waiting.locator(".copy")).to_be_visible()        # any other player may come
        assert findings(page) == []
        picture(page, "bot-declined")
    page.clock.install()
    with listening(house, tokens["Mute"], tmp_path, IGNORE):
        challenge(page, "Mute", clock="live")
        expect(waiting.locator(".challenge")).to_contain_text("Waiting for its answer")
        expect(waiting.locator(".bot-mark")).to_have_text("bot")
        page.locator(".withdraw").focus()
        page.clock.fast_forward(21_000)
        expect(waiting.get_by_role("alert")).to_contain_text("is listening, but does not answer")
        expect(page.locator(".withdraw")).to_be_focused()
        assert findings(page) == []
        picture(page, "bot-silent")
    expect(waiting.get_by_role("alert")).to_contain_text("is no longer connected")
    page.keyboard.press("Enter")
    expect(waiting).to_contain_text("Waiting for players")
    waiting.get_by_role("button", name="Seat the computer").click()
    expect(waiting).to_be_hidden()
    assert turn(page) == "mine"
