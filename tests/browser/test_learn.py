"""Lessons: every step of every game is done on its board, by pointing and by keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import escale
from escale.game.game import Game
from escale.study.lessons import Lesson, Step, lesson
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import assert_steady, turn, watch_shifts
from tests.browser.test_pages import USUAL_PHONE, findings

REPLIED = "À vous d’achever."
CENTRES = """name => {
  const found = [...document.querySelectorAll(
    `#board :is([data-atom='${name}'], [data-at='${name}'])`
  )].filter((one) => one.checkVisibility());
  const cell = found.find((one) => one.matches(".cell:not(.extra)")) ?? found.at(-1);
  cell?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = cell?.getBoundingClientRect();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}"""


def taught(slug: str) -> tuple[Game[Any], Lesson]:
    game = escale.game(slug)
    found = lesson(game)
    assert found is not None
    return game, found


def tap(page: Page, name: str) -> None:
    """Press the button of an atom, or tap where it is on the board."""
    button = page.locator(f"#choices [data-atom='{name}']")
    if button.count():
        button.click()
        return
    centre = page.evaluate(CENTRES, name)
    assert centre is not None, name
    page.mouse.click(centre["x"], centre["y"])


def stages(game: Game[Any], step: Step) -> list[tuple[str, ...]]:
    """What to point at, one after the other: more than once where a reply comes between."""
    if step.point or step.refused:
        return [tuple(game.split(step.hint(game) or ""))]
    found, position, answers = [], step.reach(game), step.answers(game)
    while True:
        text, reply = next(iter(answers.items()))
        found.append(tuple(position.find(text).atoms))
        if reply is None:
            return found
        position, answers = position.play(text).play(reply.move), reply.then


def await_step(page: Page, step: Step) -> None:
    page.wait_for_selector(f"#learn[data-step='{step.id}']", state="attached")


def asks_on(page: Page) -> bool:
    """Whether the move is not whole: a single way is taken without further taps."""
    return page.locator("#board .mark.next, #choices button").count() > 0


def do(page: Page, game: Game[Any], step: Step) -> None:
    """Do what a step asks for, and go on."""
    await_step(page, step)
    going_on = page.locator("#next")
    for number, atoms in enumerate(stages(game, step)):
        if number:
            expect(page.locator("#answer")).to_contain_text(REPLIED)
        for nth, atom in enumerate(atoms):
            if nth == 0 or asks_on(page):
                tap(page, atom)
    expect(page.locator("#answer")).to_contain_text(step.done["fr"])
    going_on.click()


@pytest.mark.parametrize("slug", [game.slug for game in escale.games()])
def test_a_whole_lesson_by_pointing(slug: str, arrive: Arrive) -> None:
    game, found = taught(slug)
    page = arrive(USUAL_PHONE, touch=True, dark=slug > "qenj2").page
    page.goto(f"/g/{slug}/learn")
    await_step(page, found.steps[0])
    watch_shifts(page)
    expect(page.locator("#request .goal")).to_contain_text(game.texts.say("goal", "fr"))
    for step in found.steps:
        await_step(page, step)
        # What the words name has a number, there and on the board; showing always draws something.
        spots = page.locator("#request .spot")
        if spots.count():
            expect(page.locator("#board .arrow .badge")).to_have_count(spots.count())
        page.locator("#show").click()
        drawn = page.locator("#board .arrow:not(:has(.badge)), #choices .pointed")
        expect(drawn).not_to_have_count(0)
        do(page, game, step)
    expect(page.locator("#finish-heading")).to_be_focused()
    assert_steady(page)
    # The board stays, with what was reached, above one button that leads on.
    for part in ("#board", "#finish button.main"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator("#board .mark:is(.end, .chosen)")).not_to_have_count(0)
    # All of it is known to the box, where playing stays in sight.
    page.goto(f"/g/{slug}")
    expect(page.locator("[data-learn]")).to_have_text("Apprendre ✓")
    expect(page.locator("form[data-way] button.main").first).to_be_in_viewport(ratio=1)


def test_a_forbidden_move_on_a_small_phone_and_nothing_is_lost(arrive: Arrive) -> None:
    game, found = taught("tortuga")
    page = arrive(PHONE, touch=True).page
    page.goto("/g/canyon-1997/learn")               # the longest title, the most parts
    page.locator("#skip").click()
    expect(page.locator("#choices button")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.goto("/g/tortuga")
    expect(page.locator("[data-learn]")).to_have_text("Apprendre")
    expect(page.locator("[data-learn]")).to_be_in_viewport(ratio=1)
    page.locator("[data-learn]").click()
    do(page, game, found.steps[0])
    back = found.steps[1]
    await_step(page, back)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    # Legal, but not what was asked; then what was asked, which the rules refuse.
    tap(page, "d4")
    tap(page, "d5")
    expect(page.locator("#answer")).to_have_text(back.other["fr"] if back.other else "")
    expect(page.locator("#retry")).to_be_focused()
    page.locator("#retry").click()
    await_step(page, back)
    expect(page.locator("#board .mark.next")).not_to_have_count(0)
    tap(page, "d4")
    tap(page, "d3")
    answer = page.locator("#answer")
    expect(answer).to_contain_text("une tortue ne va que vers l’avant. (Règle 9.)")
    expect(answer).to_contain_text(back.done["fr"])
    expect(page.locator("#board .mark.refused")).not_to_have_count(0)
    assert findings(page) == []
    # Reloaded, skipped, gone back: what is done stays done.
    page.reload()
    await_step(page, back)
    expect(page.locator("#dots .done")).to_have_count(2)
    page.locator("#skip").click()
    await_step(page, found.steps[2])
    page.locator("#show").click()
    expect(answer).to_have_text("Par exemple\xa0: d2-d4.")
    expect(page.locator("#request .spot")).to_have_count(2)
    expect(page.locator("#board .arrow")).not_to_have_count(0)
    page.locator("#back").click()
    await_step(page, back)
    # What was tried is crossed out, not the piece that must be played instead.
    for step in found.steps[2:5]:
        page.locator("#skip").click()
        await_step(page, step)
    tap(page, "a1")
    expect(answer).to_contain_text(found.steps[4].done["fr"])
    crossed = page.locator("#board .mark.refused")
    expect(crossed).to_have_count(1)
    expect(crossed).to_have_attribute("data-at", "a1")
    page.goto("/g/tortuga")
    expect(page.locator("[data-learn]")).to_have_text("Apprendre\xa0: 3 sur 11")
    page.locator("[data-learn]").click()
    page.locator("#restart").click()
    await_step(page, found.steps[0])
    expect(page.locator("#dots .done")).to_have_count(0)


def test_a_whole_lesson_by_keys_alone_then_the_first_game(arrive: Arrive) -> None:
    game, found = taught("tortuga")
    page = arrive(DESKTOP, lang="en-GB").page
    page.goto("/en/g/tortuga/learn")

    def tab_to(selector: str) -> None:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"no way by Tab to {selector}")

    def go_to(name: str, legal: bool) -> None:
        """Walk with the arrows to a cell, and point at it: from one to the next that may be chosen,
        or over all cells.
        """
        held = "" if legal else "Shift+"
        known: set[tuple[int, int]] = set()
        for _ in range(30):
            here = page.evaluate("""() => {
              const box = document.querySelector("#board .cursor")?.getBoundingClientRect();
              return box?.width ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
            }""")
            goal = page.evaluate(CENTRES, name)
            if here is None:
                page.keyboard.press("ArrowUp")
                continue
            x, y = goal["x"] - here["x"], goal["y"] - here["y"]
            if abs(x) < 10 and abs(y) < 10:
                return page.keyboard.press("Enter")
            across = "Right" if x > 0 else "Left"
            along = "Down" if y > 0 else "Up"
            # The longer way first; where that leads back to where one was, the other one.
            been = (round(x), round(y)) in known
            known.add((round(x), round(y)))
            arrow = across if (abs(x) > abs(y)) != been else along
            page.keyboard.press(f"{held}Arrow{arrow}")
        raise AssertionError(f"no way by arrows to {name}")

    for number, step in enumerate(found.steps):
        await_step(page, step)
        # What is asked is said first; then the board has the keys.
        expect(page.locator("#request")).to_contain_text(step.ask["en"])
        assert page.locator("#request").get_attribute("role") == "status"
        if number == 0:
            tab_to("#board")
        expect(page.locator("#board")).to_be_focused()
        for stage, atoms in enumerate(stages(game, step)):
            if stage:
                expect(page.locator("#answer")).to_contain_text("Now finish it.")
                expect(page.locator("#board")).to_be_focused()
            for nth, atom in enumerate(atoms):
                if nth and not asks_on(page):
                    break
                if atom in ("south", "north"):
                    tab_to(f"#choices [data-atom={atom}]")
                    page.keyboard.press("Enter")
                else:
                    go_to(atom, not step.refused or atom != atoms[-1])
        expect(page.locator("#answer")).to_contain_text(step.done["en"])
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#finish-heading")).to_be_focused()
    assert findings(page) == []
    tab_to("#finish button.main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/t/*")
    assert turn(page) in ("mine", "over")
    expect(page.locator("#coach")).to_have_attribute("aria-pressed", "true")
