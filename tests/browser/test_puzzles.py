"""Puzzles in a browser: solved by pointing and by keys alone, mistakes refuted on the board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import escale
from escale.study.puzzles import Puzzle, puzzles_of
from escale.study.solving import judge
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import assert_steady, watch_shifts
from tests.browser.test_pages import Picture, findings

CANOE = escale.game("canoe")
SHORT = [one for one in puzzles_of(CANOE).values() if one.moves == 2]


def planting(puzzle: Puzzle) -> bool:
    """Whether every move of the solver is one hole."""
    return all("-" not in move for move in puzzle.line[::2])


def point(page: Page, move: str) -> None:
    """Make a move by pointing."""
    for atom in move.split("-"):
        mark = page.locator(f'#board .mark.next[data-at="{atom}"]').first
        mark.scroll_into_view_if_needed()
        box = mark.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def mistake(puzzle: Puzzle) -> str:
    """A hole that is wrong to plant in."""
    start = puzzle.start(CANOE)
    moves = [move for move in start.moves() if len(move.atoms) == 1]
    return next(move.text for move in moves if judge(puzzle, start.play(move)).kind == "wrong")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_from_the_list_to_the_solution(
    size: tuple[int, int], arrive: Arrive, picture: Picture
) -> None:
    puzzle = next(filter(planting, SHORT))
    page = arrive(size, touch=size == PHONE).page
    page.goto("/puzzles")
    page.locator('.puzzle-games a[href$="game=canoe"]').click()
    page.locator(f'a[data-puzzle="canoe/{puzzle.id}"]').click()
    told = page.locator("#announcements")
    expect(page.locator("#board .mark.next").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    watch_shifts(page)

    point(page, mistake(puzzle))
    expect(told).to_have_class(re.compile("no"))
    expect(page.locator("#retry")).to_be_focused()
    picture(page, f"puzzle-refuted-{size[0]}")
    page.locator("#retry").click()
    expect(page.locator("#retry")).to_be_hidden()

    page.locator("#hint").click()
    expect(told).to_contain_text("Thème")
    expect(told.locator("a")).to_have_attribute("href", re.compile("/g/canoe/rules#"))
    first, reply, last = puzzle.line
    point(page, first)
    expect(told).to_contain_text(CANOE.spell(CANOE.split(reply), "fr"))
    expect(told).to_have_class(re.compile("yes"))
    expect(page.locator(f'#board .mark.next[data-at="{last}"]')).to_be_attached()
    assert findings(page) == []
    point(page, last)
    expect(told).to_contain_text("Résolu")
    expect(page.locator("#next")).to_be_focused()
    picture(page, f"puzzle-solved-{size[0]}")
    assert_steady(page)
    expect(page.locator("[data-puzzle-run]")).to_contain_text("Résolus : 1")

    # It is remembered, and the next one is another.
    page.locator("#next").click()
    expect(page).not_to_have_url(re.compile(puzzle.id))
    page.goto("/puzzles?game=canoe&moves=2")
    expect(page.locator(".puzzle-list .done")).to_have_count(1)
    expect(page.locator(".puzzle-list .done")).to_have_attribute(
        "data-puzzle", f"canoe/{puzzle.id}"
    )
    page.locator("#stars").select_option("5")
    expect(page).to_have_url(re.compile("stars=5"))


def go_to(page: Page, hole: str) -> None:
    """Walk to a hole with arrows, by what is said."""
    page.keyboard.press("Shift+ArrowRight")
    for _ in range(40):
        said = page.locator("#pointed").text_content() or ""
        here = said.split(",")[0]
        if here == hole:
            return
        across, up = ord(hole[0]) - ord(here[0]), int(hole[1]) - int(here[1])
        arrow = ("ArrowUp" if up > 0 else "ArrowDown") if abs(up) >= abs(across) else (
            "ArrowRight" if across > 0 else "ArrowLeft")
        page.keyboard.press(f"Shift+{arrow}")
    raise AssertionError(f"no way by arrows to {hole}")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something has the keyboard."""
    for _ in range(60):
        if page.evaluate("document.activeElement.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {name}")


def test_by_keyboard_alone(arrive: Arrive) -> None:
    # The solver sits below, so that the arrows go as the names of the holes do.
    puzzle = next(one for one in filter(planting, SHORT) if one.start(CANOE).turn == 0)
    page = arrive(DESKTOP, lang="en-GB").page
    page.goto(f"/en/puzzles/canoe/{puzzle.id}")
    told = page.locator("#announcements")
    expect(page.locator("#board .mark.next").first).to_be_attached()
    tab_to(page, "board")
    go_to(page, mistake(puzzle))
    page.keyboard.press("Enter")
    expect(page.locator("#retry")).to_be_focused()
    page.keyboard.press("Enter")                    # take it back
    expect(page.locator("#board")).to_be_focused()
    first, reply, last = puzzle.line
    go_to(page, first)
    page.keyboard.press("Enter")
    expect(told).to_contain_text(CANOE.spell(CANOE.split(reply), "en"))
    expect(page.locator(f'#board .mark.next[data-at="{last}"]')).to_be_attached()
    tab_to(page, "board")
    go_to(page, last)
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Solved")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile(puzzle.id))
    expect(page.locator("h1")).to_contain_text("Canoë, puzzle no.")


def test_every_game_shows_its_move(arrive: Arrive, picture: Picture) -> None:
    page = arrive(PHONE).page
    for game in escale.games():
        puzzle = list(puzzles_of(game).values())[-1]
        page.goto(f"/puzzles/{game.slug}/{puzzle.id}")
        page.locator("#hint").click()
        expect(page.locator("#hint")).to_have_text("Montrer le coup")
        page.locator("#hint").click()
        solution = puzzle.start(game).find(puzzle.line[0])
        expect(page.locator("#announcements")).to_contain_text(solution.label("fr"))
        expect(page.locator("#board .arrow, #choices .pointed").first).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        picture(page, f"puzzle-{game.slug}")


def test_the_solution_plays_itself(arrive: Arrive, picture: Picture) -> None:
    """It is played on the board to its end; then the next puzzle is offered."""
    puzzle = next(filter(planting, SHORT))
    page = arrive(PHONE, lang="en-GB", touch=True).page
    page.goto(f"/en/puzzles/canoe/{puzzle.id}")
    expect(page.locator("#board .mark.next").first).to_be_attached()
    page.locator("#solution").tap()
    expect(page.locator("#announcements")).to_contain_text("That is the solution.")
    expect(page.locator("#next")).to_be_focused()
    for button in ("#solution", "#hint", "#retry"):
        expect(page.locator(button)).to_be_hidden()
    expect(page.locator("#board .mark.end").first).to_be_attached()     # the canoes that won
    picture(page, "puzzle-solution")
    page.locator("#again").tap()                    # and it may be played by hand
    expect(page.locator("#board .mark.next").first).to_be_attached()
    expect(page.locator("#solution")).to_be_visible()
    page.locator("#menu").tap()
    expect(page.locator("[data-puzzle-run]")).to_contain_text("Solved: 0. Your rating:")


RECORD = """async () => {
  const { fail, rated, solve } = await import("/static/js/puzzle_record.js");
  const { puzzles } = await import("/static/js/memory.js");
  const easy = [800, 60], told = [];
  const note = () => told.push([puzzles().rating[0], puzzles().rating[1], puzzles().day.run]);
  note();
  solve("a/1", true, easy, "2026-11-18");
  note();
  solve("a/1", true, easy, "2026-11-18");
  note();
  fail("a/2", easy);
  note();
  fail("a/2", easy);
  solve("a/2", false, easy, "2026-11-19");
  note();
  solve("a/3", true, easy, "2026-11-21");
  note();
  const vague = rated([1500, 100], [1500, 300], true);
  const certain = rated([1500, 100], [1500, 10], true);
  return { told, vague, certain };
}"""


def test_a_rating_and_the_days_in_a_row_are_remembered(arrive: Arrive) -> None:
    page = arrive(PHONE).page
    page.goto("/puzzles")
    found = page.evaluate(RECORD)
    none, won, again, missed, solved, later = found["told"]
    assert none == [900, 350, 0]
    assert won[0] > 900
    assert won[1] < 350
    assert won[2] == 1
    assert again == won                             # a puzzle counts once
    assert missed[0] < won[0]
    assert solved == [*missed[:2], 2]               # solved after a mistake: the day counts
    assert later[2] == 1                            # a day was left out
    assert found["certain"][0] > found["vague"][0] > 1500
    page.evaluate("""() => {
      const today = new Date().toISOString().slice(0, 10);
      const kept = JSON.parse(localStorage.getItem("escale.puzzles"));
      kept.day = { last: today, run: 6 };
      localStorage.setItem("escale.puzzles", JSON.stringify(kept));
    }""")
    page.goto("/")
    expect(page.locator(".puzzle-day img")).to_be_visible()
    expect(page.locator(".day-streak")).to_have_text("Jours de suite : 6.")
