"""Help at a table: a hint as an arrow and a sentence, and a coach who asks before a blunder."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import assert_steady, open_pane, watch_shifts

MOUSSE = {"kind": "computer", "level": "mousse"}
ANA = {"kind": "person", "name": "Ana"}
MINE = re.compile(r"\bmine\b")
SHOWN = {"text": "d2-d3", "label": "d2-d3", "atoms": ["d2", "d3"], "ways": [["d2", "d3"]]}
REMARK = {
    "ply": 0, "mark": "blunder", "warns": True, "near": True, "look": "d4",
    "better": SHOWN,
    "question": "Are you sure? Look at d4.", "story": "That allowed d5-d4. d2-d3 was better.",
}
HINT = {
    "ply": 0, "move": SHOWN, "kind": "takes", "proven": False, "text": "d2-d3: it takes on d3.",
    "further": "", "chance": True, "look": "d2", "nudge": "There is a chance here: look at d2.",
}


def create(page: Page, game: str, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
    order = {"game": game, "seats": list(seats), **more}
    answer = page.request.post("/api/tables", data=order)
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    return made


def sit(page: Page, made: dict[str, Any], more: str = "", prefix: str = "/en") -> None:
    page.goto(f"{prefix}/t/{made['table']}#seat={made['token']}{more}")
    expect(page.locator("#table")).to_have_class(MINE)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_hint_is_an_arrow_and_a_sentence(
    arrive: Arrive, size: tuple[int, int], picture: Any
) -> None:
    page = arrive(size).page
    sit(page, create(page, "tortuga", ANA, MOUSSE, options={"first": "south"}), prefix="")
    advice, told = page.locator("#advice"), page.locator("#announcements")
    expect(page.locator("#coach")).to_have_attribute("aria-pressed", "false")
    watch_shifts(page)
    page.click("#hint")
    expect(advice.locator("p").first).to_contain_text(
        re.compile(r"^[a-g]\d-[a-g]\d\s: .+\.$"))
    expect(page.locator("#board .arrow polygon")).to_have_count(1)
    sentence = advice.locator("p").first.inner_text()
    expect(told.locator("p").last).to_have_text(sentence)
    assert page.evaluate("""() => {
      const inner = document.querySelector("#advice p").getBoundingClientRect();
      const outer = document.querySelector("#bar").getBoundingClientRect();
      return inner.top >= outer.top && inner.bottom <= outer.bottom + 1;
    }"""), "the sentence is in sight"
    picture(page, f"hint-{size[0]}")
    # Asked again, by its key, it says what will follow; it ends when a move is begun.
    page.keyboard.press("?")
    expect(advice).to_contain_text("Suite probable")
    start, end = sentence.split()[0].split("-")
    open_pane(page, "words")
    page.fill("#notation", f"{start}-{end}")
    expect(advice).to_be_visible()
    page.press("#notation", "Enter")
    if page.locator("#buttons .confirm").is_visible():
        page.click("#buttons .confirm")
    expect(advice).to_be_hidden()
    expect(page.locator("#board .arrow")).to_have_count(0)
    expect(page.locator("#table")).to_have_class(MINE)
    assert_steady(page)

    # Where a move is a button, that is pointed out.
    sit(page, create(page, "qenj3", ANA, MOUSSE), prefix="")
    page.click("#hint")
    expect(page.locator("#buttons .pointed")).to_have_count(1)


def test_between_people_hints_are_agreed_on_before_they_sit_down(arrive: Arrive) -> None:
    page = arrive(lang="en").page
    shut = create(page, "canoe", ANA, {"kind": "open"})
    page.goto(f"/en/t/{shut['table']}")
    expect(page.locator("#waiting")).to_be_visible()
    expect(page.locator(".hints-here")).to_have_count(0)
    page.goto("/en/g/canoe")
    form = page.locator("form").filter(has=page.locator("input[name=way][value=link]"))
    form.locator("details:not(.fold) > summary").click()
    form.locator("input[name=hints]").check()
    form.locator("button.main").click()
    expect(page.locator(".hints-here")).to_be_visible()
    expect(page.locator("#hint")).to_be_hidden()            # no other player is there yet
    page.locator(".open-seats button").first.click()
    expect(page.locator("#table")).to_have_class(re.compile("playing"))
    expect(page.locator("#hint")).to_be_visible()


def test_a_coach_by_keyboard_alone(arrive: Arrive, picture: Any) -> None:
    page = arrive((390, 844), lang="en").page
    judged: list[str] = []
    remark = {**REMARK}

    def judge(route: Route) -> None:
        judged.append(json.loads(route.request.post_data or "{}")["move"])
        route.fulfill(json=remark)

    page.route("**/judge?*", judge)
    late: list[Route] = []

    def advise(route: Route) -> None:
        if len(judged) == 1:
            late.append(route)
        else:
            route.fulfill(json=HINT)

    page.route("**/hint?*", advise)
    made = create(page, "tortuga", ANA, MOUSSE, options={"first": "south"})
    sit(page, made, "&coach=on")
    assert "coach" not in page.evaluate("location.hash")
    advice, table = page.locator("#advice"), page.locator("#table")
    told = page.locator("#announcements")

    # In the first moves it leaves a beginner alone.
    expect(table).to_have_class(MINE)
    expect(advice).to_be_hidden()

    def play(move: str) -> None:
        """Type a move on the board."""
        page.focus("#board")
        page.keyboard.type(move)
        page.keyboard.press("Enter")

    # Before a blunder it asks; one may look for another move …
    play("d2-d3")
    expect(advice).to_contain_text("Are you sure? Look at d4.")
    picture(page, "coach-asks")
    expect(page.get_by_role("button", name="Look for another move")).to_be_focused()
    expect(told.locator("p").last).to_have_text("Are you sure? Look at d4.")
    page.keyboard.press("Enter")
    expect(advice).to_be_hidden()
    expect(table).to_have_class(MINE)
    assert page.locator("#log li").count() <= 2
    # … or play it all the same, and is then told what it was, and may take it back.
    page.click("#hint")
    expect(page.locator("#hint")).to_have_attribute("aria-busy", "true")
    play("d2-d3")
    expect(advice).to_contain_text("Are you sure?")
    # A hint that comes late does not take the question away, …
    late[0].fulfill(json=HINT)
    expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
    expect(advice).to_contain_text("Are you sure?")
    # … and what is said at the table meanwhile takes neither the question nor the move away.
    page.request.post(
        f"/api/tables/{made['table']}/events", headers={"authorization": f"Bearer {made['token']}"},
        data={"do": "say", "seat": 0, "id": "said", "text": "a word"},
    )
    expect(told).to_contain_text("a word")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(advice).to_contain_text("That allowed d5-d4. d2-d3 was better.")
    picture(page, "coach-tells")
    expect(table).to_have_class(MINE)
    undo = page.get_by_role("button", name="Take it back")
    undo.focus()
    page.keyboard.press("Enter")
    expect(advice).to_be_hidden()
    expect(page.locator('#board .piece[data-at="d2"]')).to_have_count(1)
    assert judged == ["d2-d3", "d2-d3"]

    # Switched off among the options, it says nothing more, also when one comes back.
    expect(table).to_have_class(MINE)
    open_pane(page, "more")
    page.click("#coach")
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    play("d2-d3")
    expect(page.locator('#board .piece[data-at="d3"]')).to_have_count(1)
    expect(table).to_have_class(MINE)
    page.reload()
    expect(table).to_have_class(MINE)
    expect(page.locator("#coach")).to_have_attribute("aria-pressed", "false")
    play("a1-a2")
    expect(page.locator('#board .piece[data-at="a2"]')).to_have_count(1)
    assert len(judged) == 2

    # Asked for again, it is back: the switch is among the options.
    open_pane(page, "more")
    page.click("#coach")
    expect(page.locator("#coach")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#note")).to_contain_text("The coach is here")

    # What costs much, but is not proven to lose, passes in the first moves; after them a chance is
    # pointed at, but the move is not told.
    remark["near"] = False
    open_pane(page, "words")
    page.locator("#move-list button").first.click()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(advice).to_contain_text("There is a chance here: look at d2.")
    expect(page.locator("#board .arrow circle")).to_have_count(1)
    expect(page.locator("#hint")).to_be_visible()           # the tools stay
    picture(page, "coach-points")
    page.get_by_role("button", name="OK").click()
    expect(advice).to_be_hidden()
