"""Another player's move: a pause, one step after another, and only then choices and the end.

Time stands still in these pages, but for what a test lets pass; the house is as quick as ever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrive
from tests.browser.hands import hear, open_pane, start, stop_clock, turn, wait_until

TICK = 40
"""Milliseconds between two looks at the page."""
CHAIN = ("d2-d3", "d7-d5", "d3-c3", "e6-c5-e4")
"""North's reply is a chain of two jumps."""
WON = ("d1-d3", "d6-d5", "d3-d4", "d5-d3-d1")
"""The same, and it wins."""

SEEN = """() => ({
  pieces: [...document.querySelectorAll("#board .piece")]
    .map((one) => one.dataset.at).sort().join(" "),
  mine: document.querySelector("#table").classList.contains("mine"),
  next: document.querySelectorAll("#board .mark.next").length,
  end: !document.querySelector("#end").hidden,
  told: document.querySelector("#announcements").children.length,
})"""

PLAYED = """(move) => window.heard.some(({ events = [] }) => events.some(
  (one) => one.do === "play" && one.seat === 1 && (!move || one.move === move)))"""
"""North's move has been heard."""


@dataclass
class Duel:
    """Two people: South in the browser, North over HTTP."""

    page: Page
    table: str = ""
    tokens: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)

    def ask(self, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        answer = self.page.request.fetch(
            f"/api/tables{path}", method="GET" if body is None else "POST", headers=headers,
            **({} if body is None else {"data": body}),
        )
        assert answer.ok, answer.text()
        return answer.json()

    def open(self, *moves: str, **more: Any) -> None:
        """Sit down, and play some moves before the page is opened; then time stops."""
        seats = [{"kind": "person", "name": "Ana"}, {"kind": "open"}]
        order = {"game": "tortuga", "seats": seats, "options": {"first": "south"}, **more}
        made = self.ask("", order)
        self.table = made["table"]
        north = self.ask(f"/{self.table}/seats/1", {"name": "Bo"})
        self.tokens = [made["token"], north["token"]]
        for number, move in enumerate(moves):
            self.play(number % 2, move)
        self.page.clock.install()
        hear(self.page)
        self.page.goto(f"/t/{self.table}#seat={self.tokens[0]}")
        self.page.wait_for_function("() => window.heard.length")
        assert turn(self.page) == "mine"
        stop_clock(self.page)

    def play(self, seat: int, move: str | None = None) -> str:
        token = self.tokens[seat]
        here = self.ask(f"/{self.table}/moves", token=token)
        move = move or here["moves"][0]["text"]
        self.ask(f"/{self.table}/events", {
            "do": "play", "seat": seat, "id": f"n{here['n']}", "n": here["n"], "move": move,
        }, token)
        return move

    def mine(self, move: str | None = None) -> None:
        """Play in the browser, until the move is shown: at once, without any time."""
        move = move or self.ask(f"/{self.table}/moves", token=self.tokens[0])["moves"][0]["text"]
        before = self.seen()["told"]
        self.page.locator("#notation").fill(move)
        self.page.locator("#notation").press("Enter")
        expect(self.page.locator("#announcements p")).to_have_count(before + 1)

    def reply(self, move: str | None = None) -> None:
        """North answers, and the page has heard it."""
        self.page.evaluate("() => void (window.heard = [])")
        move = self.play(1, move)
        self.page.wait_for_function(PLAYED, arg=move)

    def seen(self) -> Any:
        return self.page.evaluate(SEEN)

    def wait(self, **wanted: Any) -> Any:
        """What is seen once it is so; the clock of the page stands still meanwhile."""
        def found() -> Any:
            seen = self.seen()
            return seen if all(seen[name] == value for name, value in wanted.items()) else None

        return wait_until(self.page, found, f"{wanted} is seen")

    def watch(self, ms: int) -> list[tuple[int, Any]]:
        """What is seen while time passes: each time that something changes, with the time."""
        last = self.seen()
        found = []
        for passed in range(TICK, ms + 1, TICK):
            self.page.clock.run_for(TICK)
            now = self.seen()
            if now != last:
                found.append((passed, now))
            last = now
        return found


def typed(page: Page) -> None:
    open_pane(page, "words")


@pytest.mark.parametrize(("line", "calm"), [(CHAIN, False), (WON, True)])
def test_a_reply_comes_after_a_breath_and_step_by_step(
    line: tuple[str, ...], calm: bool, arrive: Arrive
) -> None:
    duel = Duel(arrive(calm=calm, speed="normal").page)
    duel.open(*line[:2])
    typed(duel.page)
    duel.mine(line[2])
    start = duel.seen()
    duel.reply(line[3])
    assert duel.seen() == start                     # it has come, and waits
    events = duel.watch(2400)
    (first, jumped), (second, landed), (third, done) = events
    # My move takes 240 ms to be shown, the breath before a move of two steps 650.
    assert 240 + 600 <= first <= 240 + 800
    assert 200 <= second - first <= 320
    assert 200 <= third - second <= 320
    way = line[3].split("-")
    for seen, at in ((jumped, way[1]), (landed, way[2])):
        assert at in seen["pieces"].split()
        assert way[0] not in seen["pieces"].split()
        # Until all of it was shown there is nothing to choose, no end, and nothing is told.
        assert (seen["mine"], seen["next"], seen["end"], seen["told"]) == (
            False, 0, False, start["told"])
    assert done["pieces"] == landed["pieces"]
    assert done["told"] > start["told"]
    if line is WON:
        assert done["end"]
    else:
        assert done["mine"]
        assert done["next"]


def test_who_has_seen_enough_goes_on_and_who_has_not_sees_it_again(arrive: Arrive) -> None:
    visitor = arrive(speed="normal")
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    duel = Duel(page)
    duel.open(*CHAIN[:2])
    typed(page)
    duel.mine(CHAIN[2])
    mine = duel.seen()["pieces"]
    duel.reply(CHAIN[3])

    # A tap goes on at once, and means nothing else.
    page.locator("#board").click()
    shown = duel.wait(mine=True)
    assert "e4" in shown["pieces"].split()
    assert not [url for url in asked if "explain" in url]

    # With one key it is seen again, and a half-made move is kept.
    page.locator("#board .mark.next").first.click(force=True)
    chosen = page.locator("#board .mark.chosen")
    expect(chosen).to_have_count(1)
    page.keyboard.press(",")
    duel.wait(pieces=mine)
    assert chosen.count() == 0
    again = [seen["pieces"] for _, seen in duel.watch(3000)]
    assert any("c5" in pieces.split() for pieces in again)
    assert duel.seen()["pieces"] == shown["pieces"]
    expect(chosen).to_have_count(1)
    page.keyboard.press("Escape")

    # A hidden tab shows no animation.
    duel.mine()
    duel.reply()
    assert not duel.seen()["mine"]
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      Object.defineProperty(document, "hidden", { get: () => false, configurable: true });
    }""")
    duel.wait(mine=True)

    # A page opened again in the middle shows the present; after that, too, what led to it.
    duel.mine()
    before = duel.seen()["pieces"]
    duel.reply()
    page.reload()
    expect(page.locator("#table")).to_have_class(re.compile(r"\bmine\b"))
    now = duel.seen()["pieces"]
    assert now != before
    page.locator("#again").click()
    duel.wait(pieces=before)
    page.clock.run_for(4000)
    assert duel.seen()["pieces"] == now

    # Instant is instant, and stays chosen.
    open_pane(page, "more")
    expect(page.locator("#speed-normal")).to_be_checked()
    page.locator("#speed-instant").check()
    typed(page)
    duel.mine()
    duel.reply()
    duel.wait(mine=True)
    open_pane(page, "more")
    page.locator("#speed-calm").check()
    page.reload()
    open_pane(page, "more")
    expect(page.locator("#speed-calm")).to_be_checked()
    typed(page)
    duel.mine()
    duel.reply()
    (first, _), *_ = duel.watch(4000)
    assert first >= 1.75 * (240 + 600)


def test_where_a_clock_runs_nobody_waits(arrive: Arrive) -> None:
    duel = Duel(arrive(speed="normal").page)
    duel.open(*CHAIN[:2], clock={"initial": 300, "increment": 0})
    typed(duel.page)
    duel.mine(CHAIN[2])
    duel.reply(CHAIN[3])
    duel.page.clock.run_for(130)                    # my own move is on its way for so long
    seen = duel.seen()
    assert seen["mine"]
    assert "e4" in seen["pieces"].split()


def test_a_takeback_in_the_middle_of_the_computers_reply(arrive: Arrive) -> None:
    page = arrive(speed="normal").page
    page.clock.install()
    hear(page)
    start(page, "tortuga", level="mousse", option_first="south")
    page.wait_for_function("() => window.heard.length")
    assert turn(page) == "mine"
    stop_clock(page)
    before = page.evaluate(SEEN)
    undo = page.locator("#undo")
    assert undo.get_attribute("aria-disabled") == "true"
    undo.click(force=True)                          # it says why it does nothing
    expect(page.locator("#note")).to_have_text("Aucun coup à reprendre pour l’instant.")
    assert undo.get_attribute("title") == "Aucun coup à reprendre pour l’instant."
    typed(page)
    page.locator("#notation").fill("d2-d3")
    page.locator("#notation").press("Enter")
    expect(page.locator("#board .piece[data-at=d3]")).to_have_count(1)
    expect(undo).to_have_attribute("aria-disabled", "false")
    page.wait_for_function(PLAYED)                  # the reply is there, and not shown
    page.locator("#board").focus()
    page.keyboard.press("Backspace")
    expect(page.locator("#board .piece[data-at=d2]")).to_have_count(1)
    page.clock.run_for(3000)
    after = page.evaluate(SEEN)
    assert (after["pieces"], after["mine"]) == (before["pieces"], True)
    assert after["next"] == before["next"]
    expect(page.locator("#takeback")).to_be_hidden()        # no other player has to agree


UNITS = """async () => {
  const folder = document.querySelector("link[rel=stylesheet]").href.replace(/css\\/.*/, "js");
  const { halfway, steps } = await import(`${folder}/motion.js`);
  const { episodesOf } = await import(`${folder}/episodes.js`);
  const { breathBefore, stepOf } = await import(`${folder}/speed.js`);
  const cells = [..."abcde"].map((id, i) => ({ id, x: 100 * i, y: 0, outline: [], extra: false }));
  const piece = (at, name, x) => ({ at, name, symbol: name, x, y: 0, extra: false });
  const areas = [{ id: "out", spots: [[0, 9], [5, 9]] }];
  const scene = (pieces) => ({ cells, pieces, areas, highlights: {} });
  const changes = [
    { kind: "jumped", piece: "red", at: "a", to: "c", over: "b" },
    { kind: "captured", piece: "blue", at: "b" },
    { kind: "jumped", piece: "red", at: "c", to: "e", over: "d" },
    { kind: "taken", piece: "blue", at: "d", to: "out" },
    { kind: "told" },
  ];
  const before = scene([piece("a", "red", 0), piece("b", "blue", 100), piece("d", "blue", 300)]);
  const after = scene([piece("e", "king", 400), piece("out", "blue", 0)]);
  const groups = steps(changes);
  let now = before;
  const seen = groups.map((group, i) => {
    now = halfway(now, after, group, groups.slice(i + 1).flat());
    return now.pieces.map(({ at, name, x }) => `${name} ${at} ${x}`).sort().join(", ");
  });
  const tempo = { step: 240, breath: 600, look: 1500, open: false };
  const trick = { do: "play", seat: 1, changes: [{ kind: "played" }, { kind: "taken" }],
                  pauses: [{ after: 1, scene: { turn: null } }] };
  const items = [
    { do: "play", seat: 0, changes }, trick,
    { do: "draw", changes: [{ kind: "dealt" }] }, { do: "draw", changes: [{ kind: "dealt" }] },
  ];
  return {
    groups: groups.map((group) => group.length), seen,
    shots: episodesOf(items, (item) => item.seat === 0).map(
      ({ changes, later, look, begins }) => [changes.length, later.length, look, begins]),
    one: breathBefore(tempo, 1, 0), long: breathBefore(tempo, 20, 0),
    five: [0, 1, 2, 3, 4].reduce((sum, n) => sum + breathBefore(tempo, 1, n), 0),
    instant: breathBefore({ ...tempo, breath: 0 }, 3, 0),
    move: 20 * stepOf(tempo, 20),
  };
}"""


def test_the_middle_of_a_move_and_its_times(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/about")
    found = page.evaluate(UNITS)
    assert found["groups"] == [2, 1, 1, 1]          # what is jumped goes with the jump
    assert found["seen"] == [
        "blue d 300, red c 200",
        "blue d 300, king e 400",                   # nothing more happens there: as it will be
        "blue out 0, king e 400",
        "blue out 0, king e 400",
    ]
    # Mine at once; a card until the trick is looked at; what follows; a deal as a whole.
    assert found["shots"] == [[5, 1, False, 0], [1, 0, True, 2], [1, 2, False, 0], [2, 0, False, 0]]
    assert (found["one"], found["long"], found["instant"]) == (600, 800, 0)
    assert found["five"] <= 1500                    # five computers in a row
    assert found["move"] <= 2000                    # however many steps
