"""A board that is turned is turned as a whole: the ground, the cells, and all that lies on them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import escale
from escale.game.game import Game
from escale.game.scene import Scene
from escale.game.viewer import ALL
from escale.games.canyon_1972.board import HEIGHT, SEATS, TALLIES
from escale.render.svg import svg
from tests.browser.conftest import Arrive
from tests.browser.hands import start, turn

BOXES = [box for box in escale.games() if not box.start(seed=1).scene(ALL).panels]

#: Hexagons, squares with sums beside them, and a ring.
every_shape = pytest.mark.parametrize("box", [
    box if box.slug in ("tortuga", "canyon-1972", "qenj3")
    else pytest.param(box, marks=pytest.mark.exhaustive) for box in BOXES
], ids=lambda box: str(box.slug))
#: One whose board is turned for a tall phone, and one whose is not.
some_boxes = pytest.mark.parametrize("box", [
    box if box.slug in ("canoe", "tortuga") else pytest.param(box, marks=pytest.mark.exhaustive)
    for box in BOXES
], ids=lambda box: str(box.slug))

#: A board of its own on the page, as large as the test wants, with a scene that the test gives it.
LAY_OUT = """async ({slug, scene}) => {
  const table = document.querySelector("script[src$='/table.js']").src;
  const { Board } = await import(table.replace("table.js", "board.js"));
  const host = document.createElement("div");
  host.id = "laid-out";
  const height = Math.floor(900 * scene.height / scene.width);      // all of a ring is seen
  Object.assign(host.style, { width: "900px", height: `${height}px` });
  document.body.append(host);
  window.laidOut = new Board(host, slug);
  window.laidOut.draw(scene, { still: true });
}"""

#: The same drawn by svg.py.
INSERT = """(text) => {
  const host = document.createElement("div");
  host.id = "inserted";
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  host.append(document.importNode(picture, true));
  document.querySelector("#inserted")?.remove();
  document.body.append(host);
}"""

#: What is drawn, each thing with its place in the picture, its place on the ground, and its turn.
DRAWN = """(selector) => {
  const svg = document.querySelector(selector);
  const ground = svg.querySelector(".board");
  const within = (seen, element) => {
    const { x, y } = seen.matrixTransform(element.getScreenCTM().inverse());
    return [x, y];
  };
  return [...svg.querySelectorAll(".board, .cell, .piece, .area, .labels text")].map((element) => {
    const own = element.getScreenCTM();
    const { localName } = element;
    const kind = localName === "text" ? "label" : element.getAttribute("class").split(" ")[0];
    const box = element.getBBox();
    const point = kind === "label"
      ? new DOMPoint(+element.getAttribute("x"), +element.getAttribute("y"))
      : kind === "area" || localName === "polygon" || localName === "circle"
        ? new DOMPoint(box.x + box.width / 2, box.y + box.height / 2)
        : new DOMPoint(0, 0);
    const seen = point.matrixTransform(own);
    return {
      kind, name: element.dataset.at ?? element.textContent,
      picture: within(seen, svg), ground: within(seen, ground),
      turned: Math.round(Math.atan2(own.b, own.a) * 180 / Math.PI) !== 0,
    };
  });
}"""

#: Pieces on cells that are not drawn within the drawing of their cell.
ASTRAY = """(selector) => {
  const svg = document.querySelector(selector);
  const cells = [...svg.querySelectorAll(".cell")];
  return [...svg.querySelectorAll(".piece")].filter((piece) => {
    const own = cells.filter((cell) => cell.dataset.at === piece.dataset.at);
    const box = piece.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return own.length && !own.some((cell) => {
      const around = cell.getBoundingClientRect();
      return around.left < x && x < around.right && around.top < y && y < around.bottom;
    });
  }).map((piece) => piece.dataset.at);
}"""


def later(box: Game[Any], moves: int = 9) -> Scene:
    """The table after some moves."""
    position = box.start(seed=5)
    for number in range(moves):
        if legal := position.moves():
            position = position.play(legal[number * 7 % len(legal)])
    return position.scene(ALL)


def lay_out(page: Page, box: Game[Any], scene: Scene) -> None:
    start(page, box.slug, "screen")
    page.evaluate(LAY_OUT, {"slug": box.slug, "scene": scene.as_json()})


def drawn(page: Page, selector: str = "#laid-out svg") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(DRAWN, selector)
    return found


def things(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(one["kind"], one["name"]) for one in found]


def alike(some: list[dict[str, Any]], others: list[dict[str, Any]], where: str) -> bool:
    """Whether both drawings have the same things in the same places, as far as one sees."""
    return things(some) == things(others) and all(
        one[where] == pytest.approx(other[where], abs=0.2)
        for one, other in zip(some, others, strict=True)
    )


@every_shape
def test_everything_keeps_its_place_on_the_ground_when_the_board_is_turned(
    box: Game[Any], arrive: Arrive
) -> None:
    page = arrive().page
    scene = later(box)
    lay_out(page, box, scene)
    before = drawn(page)
    assert len(before) > len(scene.cells) + len(scene.pieces)
    assert page.evaluate(ASTRAY, "#laid-out svg") == []
    page.evaluate("window.laidOut.turn()")
    after = drawn(page)
    assert page.evaluate(ASTRAY, "#laid-out svg") == []
    assert alike(after, before, "ground")
    for one, other in zip(before, after, strict=True):
        x, y = one["picture"]
        assert other["picture"] == pytest.approx([scene.width - x, scene.height - y], abs=0.2)
    # The ground and what is drawn on it are turned; nothing that is written ever is.
    assert all(one["turned"] for one in after if one["kind"] == "board")
    assert not any(one["turned"] for one in (*before, *after) if one["kind"] == "label")
    page.evaluate("window.laidOut.turn()")
    assert alike(drawn(page), before, "picture")
    # The pictures of the house are turned alike.
    for seen in (scene, scene.flip()):
        page.evaluate(INSERT, svg(seen, box.art, width=900, defs=False))
        here, there = drawn(page), drawn(page, "#inserted svg")
        assert alike(here, there, "picture")
        assert alike(here, there, "ground")
        assert [one["turned"] for one in here] == [one["turned"] for one in there]
        page.evaluate("window.laidOut.turn()")


@some_boxes
def test_the_button_turns_a_board_between_two_seats(box: Game[Any], arrive: Arrive) -> None:
    page = arrive().page
    start(page, box.slug, "screen")
    turn(page)
    page.reload()                       # so that all is drawn in the scene's order, as later
    turn(page)
    before = drawn(page, "#board svg")
    page.locator("#flip").click()
    after = drawn(page, "#board svg")
    assert alike(after, before, "ground")
    assert not alike(after, before, "picture")
    page.reload()                       # the board stays as it was left
    turn(page)
    assert alike(drawn(page, "#board svg"), after, "picture")
    assert alike(drawn(page, "#board svg"), before, "ground")
    page.locator("#flip").click()
    assert alike(drawn(page, "#board svg"), before, "picture")


def test_a_river_with_seats_all_around_cannot_be_turned(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canyon-1997", level="mousse")
    turn(page)
    expect(page.locator("#flip")).to_be_hidden()


def test_who_sits_opposite_finds_their_own_sum_beside_their_own_pawn(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canyon-1972", my_seat="1", level="mousse")
    turn(page)
    turned = re.compile(r"rotate\(180 490 490\)$")
    expect(page.locator("#board .board")).to_have_attribute("transform", turned)
    labels = [one for one in drawn(page, "#board svg") if one["kind"] == "label"]
    for number in range(len(SEATS)):
        points = page.locator(f"#seats .seat-{number} .tally").first.inner_text()
        counted = "/".join(re.findall(r"\d+", points))
        # On the plate that shows the seat's own pawn; the viewer's, Yellow's, is near.
        [written] = [
            one for one in labels
            if one["name"] == counted and one["ground"] == pytest.approx(TALLIES[number], abs=0.2)
        ]
        assert (written["picture"][1] > HEIGHT / 2) == (number == 1)
