"""The page says what to do, in the words of the game, to those who look and to those who listen."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, expect

import escale
from escale.devkit.prompts import nodes
from escale.devkit.starts import random_starts
from escale.game.position import Position
from escale.game.prompts import Questions
from escale.game.texts import LANGUAGES
from escale.game.viewer import viewer_on_turn
from escale.kernel import CHANCE, Random
from escale.server.pages import board_words
from escale.server.tables.views import situation
from escale.web import client_words
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import end_pauses, open_pane, start, turn

ASK = """async ({list, cases}) => {
  const { question } = await import("/static/js/prompt.js");
  return cases.map(
    ({scene, path, next, situation}) => question(scene, path, next, situation, list));
}"""
END = """async (cells) => {
  const { listen } = await import("/static/js/prompt.js");
  const table = {asked: "", page: null, moment: "", state: {outcome: {cells}}};
  listen(table, "Clair gagne.");
  listen(table, "Clair gagne.");
  return document.querySelector("#announcements").lastElementChild.textContent;
}"""
HEAR = """() => {
  window.heard = [];
  const note = (records) => {
    const added = records.flatMap(({addedNodes}) => [...addedNodes]);
    window.heard.push(...added.map((node) => node.textContent));
  };
  new MutationObserver(note).observe(document.querySelector("#announcements"), {childList: true});
}"""


def some_positions(game: escale.Game[Any]) -> Iterator[tuple[Position, Random]]:
    """Positions of random games in which a seat has to choose."""
    for first, random in random_starts(game, 4, seed=5):
        position, asked = first, 0
        while position.turn is not None and asked < 24:
            if position.turn == CHANCE:
                position = position.play(position.draw(random))
                continue
            if asked % 4 == 0:
                yield position, random
            moves = position.moves()
            position = position.play(moves[random.below(len(moves))])
            asked += 1


def test_the_page_asks_as_python_does(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canoe")
    for game in escale.games():
        cases: dict[str, list[Any]] = {lang: [] for lang in LANGUAGES}
        expected: dict[str, list[str]] = {lang: [] for lang in LANGUAGES}
        for position, random in some_positions(game):
            questions = Questions(position)
            seen = position.scene(viewer_on_turn(position.turn))
            scene = {"cells": [{"id": cell.id} for cell in seen.cells],
                     "pieces": [{"at": piece.at} for piece in seen.pieces]}
            for atoms, following in nodes(position, random, 5):
                for lang in LANGUAGES:
                    cases[lang].append({"scene": scene, "path": [*atoms], "next": [*following],
                                        "situation": situation(position, lang)})
                    expected[lang].append(questions.ask(atoms, following, lang))
        for lang in LANGUAGES:
            given = {"list": board_words.prompts(game, lang), "cases": cases[lang]}
            assert page.evaluate(ASK, given) == expected[lang], game.slug
            assert all(expected[lang])
    # What shows how it ended is named, once.
    told = page.locator("#announcements p").count()
    assert page.evaluate(END, ["d7", "e6"]) == "Clair gagne. À voir en d7, e6."
    assert page.locator("#announcements p").count() == told + 1


CARD = 40
"""How high the card of one's own seat is, at most, in pixels."""


def rises(page: Page, sentences: list[str]) -> list[int]:
    """How far the bar rises over what is above it, with each of these asked."""
    fill = """(status, sentences) => sentences.map((words) => {
        status.textContent = words;
        const bar = document.querySelector("#bar");
        const beside = bar.getBoundingClientRect().left > innerWidth / 2;
        const rows = getComputedStyle(bar.parentElement).gridTemplateRows.split(" ");
        return beside ? bar.scrollHeight - bar.clientHeight
          : bar.offsetHeight - parseFloat(rows.at(-1));
    })"""
    found: list[int] = page.locator("#status").evaluate(fill, sentences)
    return found


def test_what_is_asked_always_has_its_room(arrive: Arrive) -> None:
    """No sentence of any game lets the bar rise further than over one's own card."""
    gaps = {"first": "h10", "last": "h10", "next": "h3, h4, h5 ou h6", "cell": "h10", "cards": "8",
            "points": "12", "suit": "violet"}
    for way, name in (("computer", None), ("screen", "Loutre")):
        page = arrive(PHONE).page
        start(page, "canoe", way)
        turn(page)
        asked = []
        for game, lang in itertools.product(escale.games(), LANGUAGES):
            said = client_words(lang)
            for sentence in board_words.prompts(game, lang)["sentences"].values():
                words = sentence.format(**gaps)
                if name:
                    words = said["asked-of"].format(name=name, prompt=words)
                asked.append(words)
        for size in (PHONE, (390, 844), DESKTOP, (640, 320)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            for words, over in zip(asked, rises(page, asked), strict=True):
                assert over <= CARD, (size, words)


def at(page: Page) -> str:
    """What the keyboard is at, as it is said."""
    return page.locator("#pointed").text_content() or ""


def go_to(page: Page, cell: str) -> None:
    """Walk to a hole with arrows, whatever may be chosen."""
    page.locator("#board").press("Shift+ArrowRight")
    for _ in range(40):
        here = at(page).split(",")[0]
        if here == cell:
            return
        across, up = ord(cell[0]) - ord(here[0]), int(cell[1]) - int(here[1])
        arrow = ("ArrowUp" if up > 0 else "ArrowDown") if abs(up) >= abs(across) else (
            "ArrowRight" if across > 0 else "ArrowLeft")
        page.keyboard.press(f"Shift+{arrow}")
    raise AssertionError(f"no way by arrows to {cell}")


LIGHT = ("c3", "d3", "b4", "e4", "i3", "j3", "h4", "k4")
DARK = ("e1", "g1", "i1", "a5", "m5", "g5", "c6")


def test_a_whole_game_by_keys_for_those_who_listen(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    start(page, "canoe", "screen")
    turn(page)
    assert page.get_by_role("log").get_attribute("aria-live") == "polite"
    assert (page.locator("#announcements p").last.text_content() or "").endswith(
        "à vous. Plantez un pion dans un trou.")
    page.evaluate(HEAR)
    holes = [hole for pair in zip(LIGHT, (*DARK, ""), strict=True) for hole in pair if hole]
    for number, hole in enumerate(holes):
        go_to(page, hole)
        assert at(page) == f"{hole}, vide, choix possible"
        page.keyboard.press("Enter")
        if number < len(holes) - 1:
            page.wait_for_function(f"() => window.heard.length >= {2 * (number + 1)}")
    expect(page.locator("#end")).to_be_visible()
    heard: list[str] = page.evaluate("window.heard")
    for number, hole in enumerate(holes[:-1]):
        happened, asked = heard[2 * number: 2 * number + 2]
        assert f"planté en {hole}" in happened
        first = "Plantez un pion dans un trou." if number == 0 else (
            "Plantez un pion, ou choisissez un des vôtres.")
        assert asked == f"{('Foncé', 'Clair')[number % 2]}, à vous. {first}"
    rest = heard[2 * (len(holes) - 1):]
    assert f"planté en {holes[-1]}" in rest[0]
    assert "deux canoës" in rest[1]                             # why it ended …
    assert len(rest) == 3                                       # … and, last, for whom
    assert rest[2].startswith(page.locator("#status").text_content() or "?")
    assert page.locator("#status").get_attribute("aria-live") is None
    go_to(page, "b4")
    assert at(page) == "b4, pion clair"                         # nothing can be chosen any more


def test_half_a_move_is_asked_on_and_given_up(arrive: Arrive) -> None:
    page = arrive(PHONE, lang="en-GB").page
    page.goto("/en/")
    start(page, "tortuga", "screen", option_first="south", option_formation="edges")
    turn(page)
    status, told = page.locator("#status"), page.locator("#announcements p")
    expect(page.locator("#goal")).to_contain_text("Goal: bring a turtle to the enemy base")
    expect(status).to_contain_text("Choose the turtle to move.")
    count = told.count()
    page.locator("#board .piece[data-at=d2]").click()
    expect(status).to_contain_text("Where does the turtle on d2 go?")
    page.locator("#board").press("Escape")
    expect(status).to_contain_text("Choose the turtle to move.")
    said = [text.split("turn. ")[-1] for text in told.all_text_contents()[count:]]
    assert said == ["Where does the turtle on d2 go?", "Choose the turtle to move."]
    open_pane(page, "more")
    page.locator("#confirm-moves").click()
    page.keyboard.press("Escape")
    page.locator("#board .piece[data-at=d2]").click()
    page.locator("#board .cell[data-at=d3]").click(force=True)
    expect(status).to_contain_text("Confirm your move.")
    page.locator("#board").focus()
    page.keyboard.press("Shift+ArrowUp")
    assert re.fullmatch(r"[a-g]\d, (empty|South’s turtle|North’s turtle)", at(page))
    page.locator("#buttons .confirm").click()
    expect(status).to_contain_text("Choose the turtle to move.")


def test_cards_canoes_and_columns_are_named(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    start(page, "canyon-1997", level="mousse")
    turn(page)
    board = page.locator("#board")
    board.press("ArrowRight")
    assert re.fullmatch(r"[a-f]\d+, départ, choix possible", at(page))
    page.keyboard.press("Enter")
    bid = page.locator("#buttons button.choice")
    expect(bid.first).to_be_visible()
    expect(page.locator("#status")).to_contain_text("En secret")
    page.keyboard.press("Shift+ArrowUp")
    for _ in range(12):
        if "canoë Loutre (brun, rond)" in at(page):
            break
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Shift+ArrowRight")
    bid.first.click()
    end_pauses(page)
    turn(page)
    board.press("ArrowRight")
    assert re.fullmatch(r"\d+ (bleu|rouge|vert|jaune|violet), choix possible", at(page))

    page = arrive(DESKTOP).page
    start(page, "qenj2", "screen", option_setup="quick")
    turn(page)
    page.locator("#buttons .choice[data-atom=north]").click()
    expect(page.locator("#buttons [data-atom=north]")).to_have_count(0)    # the next is asked
    turn(page)
    board = page.locator("#board")
    board.press("ArrowRight")
    kind = r"pion (rouge|bleu|jaune) de force [123]"
    assert re.fullmatch(rf"[a-l]\d, {kind}, choix possible", at(page))
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Dans quelle colonne allez-vous")
    for key in (12 * ["ArrowDown"] + ["ArrowRight"]) * 4:
        if at(page).startswith("colonne"):
            break
        page.keyboard.press(key)
    assert re.fullmatch(rf"colonne [a-l](, [a-l]\d {kind}){{3}}, choix possible", at(page))


def test_a_figure_of_the_rules_asks_too(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    page.goto("/g/tortuga/rules")
    figure = page.locator("figure[data-example=opening]")
    figure.locator(".figure-open").click()
    answer = figure.locator(".figure-answer")
    expect(answer).to_have_text("Choisissez la tortue à déplacer.")
    figure.locator(".piece[data-at=d2]").click()
    expect(answer).to_have_text("Où va la tortue en d2\u202f?")
    figure.locator(".cell[data-at=d5]").click(force=True)
    expect(answer).to_contain_text("règle", ignore_case=True)
