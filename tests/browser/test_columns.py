"""In the four Qenj, any cell of a column stands for it, and its halves for North and South."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import escale
from escale.game.viewer import ALL
from escale.kernel import CHANCE
from escale.server.tables.branches import branch
from tests.browser.conftest import DESKTOP, Arrive
from tests.browser.hands import open_pane, start, turn

PHONE = (390, 844)
HALF = {"qenj1": 2, "qenj2": 4, "qenj3": 3}
"""The rows of each half, where a side is chosen."""
ROWS = {"qenj1": 4, "qenj2": 9, "qenj3": 6}


def place(page: Page, cell: str) -> Locator:
    """A lit cell, not the one shown once more at the other end of the ring."""
    lit = page.locator(f"#board .mark.place[data-at={cell}]")
    boxes = [box for one in lit.all() if (box := one.bounding_box())]
    board = page.locator("#board svg").first.bounding_box()
    assert board is not None
    middle = board["x"] + board["width"] / 2
    inner = min(range(len(boxes)), key=lambda i: abs(boxes[i]["x"] - middle))
    return lit.nth(inner)


def point(page: Page, element: Locator, across: float = 0.5) -> None:
    """A finger on something; `across` says how far from its left edge."""
    box = element.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + across * box["width"], box["y"] + box["height"] / 2)


def lit(page: Page) -> set[str]:
    """The cells that stand for something."""
    marks = page.locator("#board .mark.place").all()
    return {str(mark.get_attribute("data-at")) for mark in marks}


def movable(page: Page, depth: int = 1) -> Locator:
    """A piece that South may move: the nearest of its column, or the one that many deep."""
    marks = page.locator("#board .mark.next:not(.place)").all()
    names = {str(mark.get_attribute("data-at")) for mark in marks}
    for letter in "cdefghi":
        column = sorted((name for name in names if name[0] == letter), reverse=True)
        if len(column) >= depth:
            return page.locator(f"#board .piece[data-at={column[depth - 1]}]").first
    raise AssertionError(f"no piece to move among {names}")


def played(page: Page) -> str:
    """The last move, as the house wrote it down."""
    table = page.url.split("/t/")[1]
    answer = page.request.get(f"/api/tables/{table}").json()
    plays = [item["move"] for item in answer["log"] if item["do"] == "play"]
    return str(plays[-1]) if plays else ""


def play(page: Page) -> str:
    """Confirm what is chosen, and tell what was played."""
    before = page.locator("#log li[data-ply]").count()
    page.locator("#buttons .confirm").click()
    expect(page.locator("#log li[data-ply]")).to_have_count(before + 1)
    return played(page)


def sit(page: Page, slug: str, side: str = "north") -> None:
    """Start on this screen, and take a side by pointing at its half."""
    quick = {"option_setup": "quick"} if slug in ("qenj1", "qenj2") else {}
    start(page, slug, "screen", **quick)
    turn(page)
    if slug in HALF:
        row = 1 if side == "north" else ROWS[slug]
        point(page, place(page, f"e{row}"))
        expect_side(page, side)
        expect(page.locator("#buttons [data-atom=north]")).to_have_count(0)
        turn(page)


def expect_side(page: Page, side: str) -> None:
    """The side that was pointed at is taken: what is one button is not confirmed."""
    expect(page.locator("#log li[data-ply]").last).to_contain_text("s’assied au nord")
    assert played(page) == side


@pytest.mark.parametrize(("slug", "side"), [
    ("qenj2", "south"), *(
        pytest.param(*one, marks=pytest.mark.exhaustive)
        for one in (("qenj1", "north"), ("qenj3", "north"))
    ),
])
def test_a_side_is_taken_by_pointing_at_its_half(slug: str, side: str, arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    quick = {"option_setup": "quick"} if slug in ("qenj1", "qenj2") else {}
    start(page, slug, "screen", **quick)
    turn(page)
    rows = ROWS[slug]
    half = range(1, HALF[slug] + 1) if side == "north" else range(rows - HALF[slug] + 1, rows + 1)
    assert {f"d{row}" for row in half} <= lit(page)
    point(page, place(page, f"d{half[-1 if side == 'north' else 0]}"))
    expect_side(page, side)


@pytest.mark.parametrize("slug", [
    "qenj3", *(pytest.param(slug, marks=pytest.mark.exhaustive) for slug in ("qenj1", "qenj4")),
])
def test_a_piece_is_moved_by_pointing_at_the_cells_of_a_column(slug: str, arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, slug)
    piece = movable(page)
    column = str(piece.get_attribute("data-at"))[0]
    point(page, piece)
    for _ in range(8):                        # where the piece goes, and those that go with it
        if page.locator("#buttons .confirm").count():
            break
        point(page, page.locator("#board .mark.next").last)
        expect(page.locator("#answer")).to_be_hidden()
    assert play(page)[0] == column


@pytest.mark.parametrize(("row", "side", "across"), [
    (2, "north", 0.1), pytest.param(8, "south", 0.9, marks=pytest.mark.exhaustive),
])
def test_one_tap_on_a_half_says_column_and_side(
    row: int, side: str, across: float, arrive: Arrive
) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, "qenj2")
    piece = movable(page)
    begun = piece.get_attribute("data-at")
    point(page, piece)
    column = min(cell[0] for cell in lit(page))
    assert {f"{column}{number}" for number in range(1, 10)} <= lit(page), "all of it is lit"
    point(page, place(page, f"{column}{row}"), across)
    expect(page.locator("#answer")).to_be_hidden()
    assert play(page) == f"{begun}-{column}-{side}"


def test_the_middle_of_a_column_says_the_column_and_the_side_is_asked(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, "qenj2")
    piece = movable(page)
    begun = piece.get_attribute("data-at")
    point(page, piece)
    column = min(cell[0] for cell in lit(page))
    point(page, place(page, f"{column}5"))
    expect(page.locator("#buttons .choice")).to_have_text(["au nord", "au sud"])
    assert lit(page) == {f"{column}{row}" for row in (1, 2, 3, 4, 6, 7, 8, 9)}
    point(page, place(page, f"{column}9"))
    assert play(page) == f"{begun}-{column}-south"


def test_every_piece_of_a_stack_is_asked_for_its_side(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, "qenj2")
    point(page, movable(page, depth=2))
    column = min(cell[0] for cell in lit(page))
    point(page, place(page, f"{column}1"))
    expect(page.locator("#buttons .confirm")).to_have_count(0)
    point(page, place(page, f"{column}9"))
    assert play(page).endswith(f"-{column}-north-south")


def test_a_turned_board_means_the_same_cells(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, "qenj2")
    north = page.locator("#board .cell[data-at=e1]").first.bounding_box()
    page.locator("#flip").click()
    turned = page.locator("#board .cell[data-at=e1]").first.bounding_box()
    assert north is not None
    assert turned is not None
    assert turned["y"] > north["y"]
    point(page, movable(page))
    column = min(cell[0] for cell in lit(page))
    point(page, place(page, f"{column}2"))
    assert play(page).endswith(f"-{column}-north")


def test_a_piece_is_dragged_onto_a_column(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    sit_by_button(page)
    piece = movable(page).bounding_box()
    assert piece is not None
    page.mouse.move(piece["x"] + piece["width"] / 2, piece["y"] + piece["height"] / 2)
    page.mouse.down()
    page.mouse.move(piece["x"] + 30, piece["y"] - 30, steps=4)
    column = min(cell[0] for cell in lit(page))
    goal = place(page, f"{column}8").bounding_box()
    assert goal is not None
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.locator("#answer")).to_be_hidden()
    if page.locator("#buttons .confirm").count():
        play(page)
    assert played(page).endswith(f"-{column}-south")


def sit_by_button(page: Page) -> None:
    start(page, "qenj2", "screen", option_setup="quick")
    turn(page)
    page.locator("#buttons .choice[data-atom=north]").click()
    expect(page.locator("#log li[data-ply]").last).to_contain_text("nord")
    expect(page.locator("#buttons [data-atom=north]")).to_have_count(0)    # the next is asked
    turn(page)


def test_keys_reach_the_columns_and_their_halves_are_told(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    sit_by_button(page)
    before = page.locator("#log li[data-ply]").count()
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    cells = lit(page)
    assert cells
    pointed = page.locator("#pointed")
    for arrow in ("ArrowRight", "ArrowLeft", *["ArrowUp"] * 9):     # to a column, then north in it
        page.keyboard.press(arrow)
    told, _, edge = (pointed.text_content() or "").partition(" · ")
    assert edge == "bord du plateau"
    cell, stands, column, side, choice = told.split(", ")
    assert cell in cells
    assert stands == "vide"
    assert (column, side, choice) == (f"colonne {cell[0]}", "au nord", "choix possible")
    page.keyboard.press("Enter")
    while page.locator("#buttons .choice").count():      # a stack is asked for each piece
        page.locator("#buttons .choice").first.click()
    expect(page.locator("#log li[data-ply]")).to_have_count(before + 1)
    assert f"-{cell[0]}-north" in played(page)


def test_a_cell_of_another_column_is_refused_with_the_reason(arrive: Arrive) -> None:
    page = arrive(PHONE, touch=True).page
    sit(page, "qenj2")
    piece = movable(page)
    point(page, piece)
    columns = {cell[0] for cell in lit(page)}
    away = [letter for letter in "bcdefghijk"
            if all(abs(ord(letter) - ord(column)) > 1 for column in columns)
            and letter != str(piece.get_attribute("data-at"))[0]]
    point(page, page.locator(f"#board .cell[data-at={away[0]}1]").first)
    expect(page.locator("#answer")).to_contain_text("La force de votre proxime est")
    expect(page.locator("#board .mark.refused")).to_have_count(1)
    refused = page.locator("#board .mark.refused").get_attribute("data-at")
    assert refused == f"{away[0]}1"


WALK = """async ({trees, places}) => {
  const { cellsFor, meant, unpack } = await import("/static/js/trie.js");
  const missed = [];
  const walk = (root, node, path) => {
    if (typeof node === "string") return;
    const next = Object.keys(node);
    for (const atom of next) {
      const cells = cellsFor(places, atom, path, next);
      for (const cell of places[atom] ? cells : [atom]) {
        const [first] = meant(root, path, cell, places);
        if (first !== atom) missed.push([...path, atom, cell].join(" "));
      }
      if (places[atom] && !cells.length) missed.push([...path, atom].join(" "));
      walk(root, node[atom], [...path, atom]);
    }
  };
  for (const tree of trees.map((sent) => unpack(sent).choices)) walk(tree, tree, []);
  return missed;
}"""


@pytest.mark.parametrize(("slug", "options"), [
    ("qenj1", {"setup": "quick"}), ("qenj2", {"setup": "quick"}),
    ("qenj2", {"setup": "quick", "unstack": "free"}), ("qenj3", {}), ("qenj4", {}),
])
def test_every_move_can_be_pointed_at(slug: str, options: dict[str, str], arrive: Arrive) -> None:
    """Each cell that stands for an atom means it, wherever the atom may come."""
    page = arrive().page
    page.goto("/about")
    trees: list[Any] = []
    chance = random.Random(f"{slug} {options}")
    position = escale.game(slug).start_with(options, seed=3)
    while position.moves() and len(trees) < 30:
        if position.turn != CHANCE and chance.random() < (0.2 if "unstack" in options else 1):
            trees.append(branch(position.game, position.choices(), room=10**9))
        position = position.play(chance.choice(position.moves()))
    places = json.loads(json.dumps(position.scene(ALL).as_json()["places"]))
    assert page.evaluate(WALK, {"trees": trees, "places": places}) == []


def test_moves_are_read_and_typed_in_french(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    sit_by_button(page)
    move = page.locator("#log li[data-ply] .move").last
    expect(move).to_have_text("nord")
    piece = str(movable(page).get_attribute("data-at"))
    open_pane(page, "words")
    field = page.locator("#notation")
    field.fill(f"{piece} col")
    suggested = page.locator("#suggested button")
    expect(suggested.first).to_contain_text(f"{piece}-")
    first = str(suggested.first.text_content())
    column = first.removeprefix(f"{piece}-")
    assert len(column) == 1
    suggested.first.click()
    expect(field).to_have_value(f"{first}-")
    for begun in ("n", "no", "au n"):
        field.fill(f"{first}-{begun}")
        expect(suggested).to_have_text([f"{first}-nord"])
    field.fill(f"{piece} Colonne {column} – AU NORD")
    page.keyboard.press("Enter")
    expect(move).to_have_text(f"{piece}-{column}-nord")
    assert played(page) == f"{piece}-{column}-north"


@pytest.mark.parametrize("typed", [
    pytest.param("COMPLETER", marks=pytest.mark.exhaustive), "Compléter au hasard",
])
def test_a_button_may_be_typed_in_any_language_without_accents(typed: str, arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    start(page, "qenj1", "screen", option_setup="full")
    turn(page)
    open_pane(page, "words")
    page.locator("#notation").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#log li[data-ply] .move").filter(has_text="compléter")).to_have_count(1)
    assert played(page) == "fill"


def test_notation_may_still_be_typed_and_what_is_wrong_is_answered(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    sit_by_button(page)
    piece = movable(page)
    begun = str(piece.get_attribute("data-at"))
    point_with_mouse(page, piece)
    column = min(cell[0] for cell in lit(page))
    page.keyboard.press("Escape")
    open_pane(page, "words")
    field = page.locator("#notation")
    field.fill(f"{begun} colonne {begun[0]}")          # a piece does not stay where it is
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_contain_text("La force de votre proxime est")
    field.fill(f"{begun}-{column}-south")
    page.keyboard.press("Enter")
    expect(page.locator("#log li[data-ply] .move").last).to_contain_text("sud")
    assert played(page) == f"{begun}-{column}-south"


def point_with_mouse(page: Page, element: Locator) -> None:
    box = element.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
