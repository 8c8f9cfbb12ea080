"""How a game ends at the table, and who is who: what is lit, told, counted down and offered."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

import escale
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.hands import open_pane, turn
from tests.browser.test_pages import findings
from tests.server.hosting import MOUSSE, OPEN, Hosted, Table, hosted, person

#: What is counted before the first move, for all seats together.
COUNTED = {
    "canoe": {"13 pegs in reserve", "0 canoes of 2"},
    "canyon-1972": {"55 points of 135 possible", "0 pawns captured"},
    "canyon-1997": {"not on the water yet"},
    "tortuga": {"8 turtles standing"},
    "qenj1": {"side yet to be chosen"},
    "qenj2": {"side yet to be chosen"},
    "qenj3": {"side yet to be chosen", "0 of 3 pebbles taken out"},
    "qenj4": {"plays from the North", "plays from the South", "0 of 2 pebbles taken out"},
}

WATCH = """() => {
  window.seen = { sparks: 0 };
  new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.className === "sparks") window.seen.sparks += 1;
  }))).observe(document.body, { childList: true });
}"""


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A house in this process, so that a game can be led close to its end at once."""
    with hosted(tmp_path_factory.mktemp("house")) as open_house:
        yield open_house


class Seats:
    """Pages that look at tables of that house."""

    def __init__(self, house: Hosted, browser: Browser) -> None:
        self.house, self.browser = house, browser
        self.errors: list[str] = []

    def look(
        self, table: Table, *, lang: str = "fr", size: tuple[int, int] = DESKTOP,
        calm: bool = True,
    ) -> Page:
        context = self.browser.new_context(
            base_url=self.house.url, viewport={"width": size[0], "height": size[1]},
            locale=lang, reduced_motion="reduce" if calm else "no-preference",
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        prefix = "" if lang == "fr" else f"/{lang}"
        page.goto(f"{prefix}/t/{table.id}#seat={table.token}")
        page.wait_for_selector("#seats .emblem")
        page.evaluate(WATCH)
        return page


@pytest.fixture
def seats(near: Hosted, chromium: Browser) -> Iterator[Seats]:
    opened = Seats(near, chromium)
    yield opened
    for context in chromium.contexts:
        context.close()
    assert opened.errors == []


def lead(house: Hosted, table: Table, moves: list[str]) -> None:
    """Play moves at a table through the house itself."""
    async def play() -> None:
        found = await house.house.table(table.id)
        assert found is not None
        for move in moves:
            act = partial(found.match.play, cast("int", found.match.turn), move)
            await found._change(act)
    house.run(play())


def random_line(
    game: str, *, seed: int, plies: int | None = None, winner: int = 0, **options: str
) -> list[str]:
    """The moves of a random game: so many, or up to the end of one that this seat wins."""
    chance = random.Random(seed)
    while True:
        position = escale.game(game).start_with(options)
        while position.turn is not None and (plies is None or position.plies < plies):
            position = position.play(chance.choice(position.moves()))
        won = position.outcome is not None and position.outcome.cells \
            and position.outcome.winners == (winner,)
        if won if plies is None else position.outcome is None:
            return [move.text for move in position.line()]


def typed(page: Page, move: str) -> None:
    open_pane(page, "words")
    page.locator("#notation").fill(move)
    page.keyboard.press("Enter")


def at(page: Page) -> list[str]:
    return [str(one.get_attribute("data-at")) for one in page.locator("#board .mark.end").all()]


def test_at_one_screen_what_decided_is_lit_and_a_click_swaps_the_seats(seats: Seats) -> None:
    line = random_line("tortuga", seed=3, first="south")
    table = seats.house.create(
        "tortuga", person("Anna"), person("Boris"), options={"first": "south"}
    )
    lead(seats.house, table, line[:-1])
    page = seats.look(table, calm=False)
    assert turn(page) == "mine"
    # Each card has its piece and its count, and the near side's card is the last.
    symbols = [
        str(use.get_attribute("href")) for use in page.locator("#seats .emblem use").all()
    ]
    assert symbols == ["#tortuga-turtle-north", "#tortuga-turtle-south"]
    expect(page.locator("#seats .seat-0")).to_contain_text("tortues debout")
    page.locator("#flip").click()
    expect(page.locator("#seats li").last).to_have_class("seat seat-1 mine")
    page.locator("#flip").click()
    expect(page.locator("#log .who").last).to_contain_text("Boris (Nord)")
    assert at(page) == []
    typed(page, line[-1])
    expect(page.locator("#board .mark.end")).to_have_count(1)
    assert at(page) == ["d7"]
    expect(page.locator("#status")).to_contain_text(
        re.compile(r"^En \d+ coups, après (le saut par-dessus .*|\d sauts .*)\s: "
                   r"Anna a atteint la base adverse et gagne\.$")
    )
    expect(page.locator("#end-more .where")).to_have_text("À voir sur le plateau\xa0: d7.")
    expect(page.locator("#announcements")).to_contain_text("À voir sur le plateau\xa0: d7.")
    expect(page.locator("#seats .seat-0")).to_have_class("seat seat-0 mine won")
    assert findings(page) == []
    # A celebration that ends, and that moves nothing that is there.
    assert page.evaluate("window.seen.sparks") == 1
    expect(page.locator(".sparks")).to_have_count(0)
    # The end is lit when one comes back to it, and not before.
    page.locator("#end button:not(.main)").first.click()
    expect(page.locator("#board .mark.end")).to_have_count(0)
    page.locator("#now").click()
    expect(page.locator("#board .mark.end")).to_have_count(1)
    before = page.url
    page.locator("#end button.main").click()
    page.wait_for_url(lambda url: url != before and "/t/" in url)
    expect(page.locator("#seats .seat-0 .seat-name")).to_have_text("Boris")
    expect(page.locator("#seats .seat-1 .seat-name")).to_have_text("Anna")
    assert turn(page) == "mine"


def test_what_a_chain_jumps_is_turned_at_once(seats: Seats) -> None:
    """Before the move is whole, and until it is given up."""
    chance, position = random.Random(4), escale.game("tortuga").start(first="south")
    while not (chains := [
        move for move in position.moves() if len(move.changes) > 4
        and [other.atoms[0] for other in position.moves()].count(move.atoms[0]) == 1
    ]):
        position = position.play(chance.choice(position.moves()))
    table = seats.house.create(
        "tortuga", person("Anna"), person("Boris"), options={"first": "south"}
    )
    lead(seats.house, table, [move.text for move in position.line()])
    page = seats.look(table)
    assert turn(page) == "mine"
    before = page.locator("#board .piece").count()
    page.locator(f"#board .mark.next[data-at='{chains[0].atoms[0]}']").click(force=True)
    turned = [change.at for change in chains[0].changes if change.kind == "turned"]
    # There is one way to go on from that turtle, so all of it is shown.
    for part in ("use.became", ".piece.gone"):
        expect(page.locator(f"#board {part}")).to_have_count(len(turned))
        assert {one.get_attribute("data-at")
                for one in page.locator(f"#board {part}").all()} == {*turned}
    page.keyboard.press("Escape")
    expect(page.locator("#board .became, #board .piece.gone")).to_have_count(0)
    assert page.locator("#board .piece").count() == before


def test_against_the_computer_one_click_swaps_the_seats(seats: Seats) -> None:
    table = seats.house.create("tortuga", person(), MOUSSE, options={"first": "south"})
    page = seats.look(table, lang="en", size=PHONE)
    assert turn(page) == "mine"
    expect(page.locator("#seats li").last).to_have_class("seat seat-0 mine to-move")
    typed(page, "d2-d3")
    open_pane(page, "log")
    expect(page.locator("#log .who").nth(0)).to_have_text("You (South)")
    expect(page.locator("#log .who").nth(1)).to_have_text("Cabin boy (North)")
    expect(page.locator("#announcements")).to_contain_text("Cabin boy (North): ")
    assert turn(page) == "mine"
    open_pane(page, "more")
    page.locator("#resign").click()
    page.locator("#sure button").first.click()
    expect(page.locator("#status")).to_contain_text("You have lost in 2 moves.")
    # Nothing on the board shows a resignation, and the loser sees no celebration.
    assert at(page) == []
    expect(page.locator("#end-more .where")).to_have_count(0)
    assert page.evaluate("window.seen.sparks") == 0
    # What decided is left out where the game itself has much to say: a phone shows three lines.
    said = page.evaluate("""async () => {
      const { story } = await import("/static/js/ending.js");
      const end = (text) => story({
        outcome: { winners: [1], text, after: "after 4 captures in one move" },
        seats: [{}, {}], you: { seats: [0] }, moves: 54 });
      return [end("North wins."), end("A sentence of the game. ".repeat(4).trim())];
    }""")
    assert said == [
        "You have lost in 54 moves, after 4 captures in one move. North wins.",
        "You have lost in 54 moves. " + "A sentence of the game. " * 3 + "A sentence of the game.",
    ]
    # The winner has a star, before a name that may be too long for its card.
    star = "(name) => getComputedStyle(name, '::before').content"
    assert page.locator(".seat.won .seat-name").evaluate(star) == '"★ "'
    before = page.url
    page.locator("#end button.main").click()
    page.wait_for_url(lambda url: url != before and "/t/" in url)
    expect(page.locator("#seats li").last).to_have_class(re.compile("seat-1 mine"))
    expect(page.locator("#seats .seat-0 .seat-name")).to_have_text("Cabin boy")


def test_between_people_each_clicks_once(seats: Seats) -> None:
    first = seats.house.create("canoe", person("Anna"), OPEN)
    second = first.sit(1, name="Boris")
    # Two canoes, while Dark plants far away.
    light = ["a5", "b4", "c4", "d5", "c2", "d1", "e1", "f2"]
    dark = ["m5", "m4", "m3", "l6", "k6", "l2", "k5"]
    moves = [move for pair in zip(light, dark, strict=False) for move in pair]
    lead(seats.house, first, moves)
    anna, boris = seats.look(first), seats.look(second, calm=False)
    assert turn(anna) == "mine"
    expect(boris.locator("#seats li").last).to_have_class("seat seat-1 mine")
    expect(anna.locator("#seats .seat-0")).to_contain_text("1 canoë sur 2")
    hulls = anna.locator("#board .hull.rim")
    expect(hulls).to_have_count(1)                  # what is finished is seen at once
    expect(hulls).to_have_attribute("data-at", "a5 b4 c4 d5")
    expect(anna.locator("#seats .seat-0")).to_contain_text("6 pions en réserve")
    typed(anna, light[-1])
    for page in (anna, boris):
        expect(page.locator("#board .mark.end")).to_have_count(8)
        assert sorted(at(page)) == sorted(light)
        expect(page.locator("#board .hull.rim")).to_have_count(2)
    expect(anna.locator("#status")).to_contain_text("Vous avez gagné en 15 coups\u202f!")
    expect(boris.locator("#status")).to_contain_text("Vous avez perdu en 15 coups.")
    # Anna wants no movement, and Boris has nothing to celebrate.
    assert [page.evaluate("window.seen.sparks") for page in (anna, boris)] == [0, 0]
    before = anna.url
    anna.locator("#end button.main").click()
    boris.locator("#offer button.main").click()
    for page in (anna, boris):
        page.wait_for_url(lambda url: url != before and "/t/" in url)
    assert anna.url == boris.url
    expect(anna.locator("#seats li").last).to_have_class("seat seat-1 mine")
    expect(boris.locator("#seats .seat-0 .seat-name")).to_have_text("Boris")


def test_the_last_twenty_plies_count_down(seats: Seats) -> None:
    line = random_line("canoe", seed=5, plies=182)
    table = seats.house.create("canoe", person("Anna"), person("Boris"))
    lead(seats.house, table, line[:179])
    page = seats.look(table, size=PHONE)
    expect(page.locator("#countdowns")).to_be_hidden()
    assert table.get()["countdowns"] == []
    lead(seats.house, table, line[179:180])
    expect(page.locator("#countdowns")).to_have_text(
        "Limite de 200 coups\xa0: il en reste 20, puis la partie est nulle."
    )
    expect(page.locator("#announcements")).to_contain_text("il en reste 20")
    assert findings(page) == []
    lead(seats.house, table, line[180:182])
    expect(page.locator("#countdowns")).to_contain_text("il en reste 18,")
    [countdown] = table.get()["countdowns"]
    assert countdown == {
        "ending": "length", "left": 18,
        "text": "Limit of 200 turns: 18 left, then the game is a draw.",
    }


@pytest.mark.parametrize("slug", [game.slug for game in escale.games()])
def test_every_seat_has_its_emblem_and_says_what_is_counted(slug: str, seats: Seats) -> None:
    game: Any = escale.game(slug)
    table = seats.house.create(
        slug, *[person(f"P{seat}") for seat in range(game.seats[0])], options=dict(game.quick)
    )
    page = seats.look(table, size=(390, 844))
    for card in page.locator("#seats li").all():
        emblem = card.locator(".emblem")
        assert emblem.get_attribute("aria-label")
        box = emblem.locator("use").bounding_box()
        assert box is not None
        assert box["width"] > 12
    counted = {tally for badge in table.get()["badges"] for tally in badge["tallies"]}
    assert counted == COUNTED[slug]
