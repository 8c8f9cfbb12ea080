"""How a board that is much wider than high fills a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrive
from tests.browser.hands import FITTED, start, turn

TALL, SMALL, ON_ITS_SIDE = (390, 844), (360, 640), (844, 390)
LEAST = 25.9
"""Pixels from the middle of a cell to that of the next."""

#: The middles of cells by name, those shown once more apart; what is written, with its size in
#: pixels, its turn, and whether it is cut off; how wide the picture and its frame are.
DRAWN = """() => {
  const svg = document.querySelector("#board svg");
  const picture = svg.getBoundingClientRect();
  const frame = document.querySelector("#board .panel");
  const cells = [...svg.querySelectorAll(".cell:not([opacity])")].map((cell) => {
    const { e, f } = cell.getScreenCTM();
    return [cell.dataset.at, e, f];
  });
  const labels = [...svg.querySelectorAll(".labels text")].map((label) => {
    const { a, b } = label.getScreenCTM();
    const box = label.getBoundingClientRect();
    return {
      text: label.textContent, turned: b !== 0,
      size: parseFloat(getComputedStyle(label).fontSize) * a,
      cut: box.left < picture.left - 1 || box.right > picture.right + 1
        || box.top < picture.top - 1 || box.bottom > picture.bottom + 1,
    };
  });
  return { cells, labels, width: picture.width, height: picture.height,
           room: [frame.clientWidth, frame.clientHeight] };
}"""


def drawn(page: Page) -> dict[str, Any]:
    page.wait_for_selector("#board svg .cell:not([opacity])")
    page.evaluate(FITTED)
    found: dict[str, Any] = page.evaluate(DRAWN)
    found["cells"] = {name: (x, y) for name, x, y in found["cells"]}
    return found


def pitch(cells: dict[str, tuple[float, float]]) -> float:
    """How far the nearest two cells are apart."""
    places = list(cells.values())
    return min(
        max(abs(x - u), abs(y - v))
        for number, (x, y) in enumerate(places) for u, v in places[number + 1 :]
    )


def resize(page: Page, size: tuple[int, int]) -> dict[str, Any]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return drawn(page)


@pytest.mark.parametrize("slug", ["qenj1", "qenj2", "qenj3", "qenj4"])
def test_columns_stand_beside_each_other_at_every_size(
    slug: str, arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    page = arrive(TALL, touch=True).page
    start(page, slug, "screen", **({"option_setup": "quick"} if slug in ("qenj1", "qenj2") else {}))
    turn(page)
    for size in (TALL, SMALL, ON_ITS_SIDE):
        seen = resize(page, size)
        cells = seen["cells"]
        # Columns from a to the right; South, where the last row is, below.
        assert cells["a1"][0] < cells["b1"][0] < cells["c1"][0]
        assert cells["a1"][1] < cells["a2"][1] < cells["a3"][1]
        assert pitch(cells) >= LEAST
        assert seen["width"] <= seen["room"][0]             # all of it is seen without scrolling
        assert seen["height"] <= seen["room"][1]
        labels = seen["labels"]
        assert {"a", "b", "1", "2"} <= {label["text"] for label in labels}
        assert [label for label in labels if label["turned"] or label["cut"]] == []
    picture(page, f"{slug}-columns")

    # The button turns it to its other side: South is above.
    page.locator("#flip").click()
    turned = drawn(page)["cells"]
    assert turned["a1"][0] > turned["b1"][0]
    assert turned["a1"][1] > turned["a2"][1]


def test_who_plays_in_the_north_has_it_below(arrive: Arrive) -> None:
    page = arrive(TALL, touch=True).page
    start(page, "qenj3", "computer", level="mousse")
    turn(page)
    if page.locator("#buttons [data-atom=north]").count():
        page.locator("#buttons [data-atom=north]").click()
        expect(page.locator("#buttons [data-atom=north]")).to_have_count(0)
        turn(page)
    north = "nord" in page.locator("#seats .mine .tallies").inner_text()
    cells = drawn(page)["cells"]
    column = min(cells)[0]      # the computer may have emptied column a, which is then removed
    assert (cells[f"{column}1"][1] > cells[f"{column}6"][1]) == north
    mine, board = page.locator("#seats .mine").bounding_box(), page.locator("#board").bounding_box()
    assert mine is not None
    assert board is not None
    assert mine["y"] >= board["y"] + board["height"] - 1


def test_a_wide_board_without_sides_stands_upright_on_a_phone(arrive: Arrive) -> None:
    page = arrive(TALL, touch=True).page
    start(page, "canoe", "screen")
    turn(page)
    cells = drawn(page)["cells"]
    assert cells["d1"][1] > cells["e1"][1] > cells["f1"][1]
    # Each reserve is on the side of its player's card.
    near, far = (page.locator(f"#board .piece[data-at='{colour} reserve']").first.bounding_box()
                 for colour in ("light", "dark"))
    assert near is not None
    assert far is not None
    assert near["y"] > far["y"]
    assert pitch(cells) >= 36
    across = resize(page, ON_ITS_SIDE)["cells"]
    assert across["d1"][0] < across["e1"][0]
    assert pitch(resize(page, SMALL)["cells"]) >= LEAST
    # What rim there is no room for is missing on both sides: neither reserve is cut.
    left, right = page.locator("#board svg").evaluate("""(svg) => {
      const frame = svg.getBoundingClientRect();
      const boxes = [...svg.querySelectorAll(".piece")].map((one) => one.getBoundingClientRect());
      return [Math.min(...boxes.map((box) => box.left)) - frame.left,
              frame.right - Math.max(...boxes.map((box) => box.right))];
    }""")
    assert left > 7
    assert right > 7


def test_where_a_stack_will_land_is_shown_before_it_is_decided(arrive: Arrive) -> None:
    page = arrive(TALL, touch=True).page
    start(page, "qenj2", "screen", option_setup="quick")
    turn(page)
    told = page.locator("#log li[data-ply]")
    before = told.count()
    page.locator("#buttons [data-atom=north]").click()
    if page.locator("#buttons .confirm").count():
        page.locator("#buttons .confirm").click()
    expect(told).to_have_count(before + 1)
    expect(page.locator("#buttons [data-atom=north]")).to_have_count(0)    # the next is asked
    turn(page)
    page.locator("#board .piece[data-at=e5]").first.tap()       # of three, the two nearest to South
    ghosts = page.locator("#board .ghost")
    expect(ghosts).to_have_count(0)                             # no column yet
    column = str(page.locator("#board .mark.place").first.get_attribute("data-at"))[0]
    middle = page.locator(f"#board .mark.place[data-at={column}5]").last
    middle.tap(force=True)                                      # the middle is of neither side
    expect(page.locator("#buttons .choice")).to_have_count(2)
    where = {str(ghost.get_attribute("data-at")) for ghost in ghosts.all()}
    assert where == {f"{column}3", f"{column}7"}                # above the pieces, or below
    page.locator(f"#board .mark.place[data-at={column}8]").last.hover(force=True)
    sure = page.locator("#board .ghost.sure")
    expect(sure).to_have_attribute("data-at", f"{column}7")
    page.locator("#board").focus()
    page.locator("#board").press("Escape")
    expect(ghosts).to_have_count(0)
