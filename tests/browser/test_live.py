"""The connection to a table, with a socket and requests that answer when the test wants them to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Arrive

FAKES = """() => {
  window.sockets = [];
  window.asked = [];
  window.heard = [];
  window.WebSocket = class {
    static OPEN = 1;
    constructor() { this.readyState = 0; this.sent = []; window.sockets.push(this); }
    send(text) { this.sent.push(JSON.parse(text)); }
    close() { this.readyState = 3; this.onclose?.(); }
    open() { this.readyState = 1; this.onopen(); }
    say(message) { this.onmessage({ data: JSON.stringify(message) }); }
  };
  window.fetch = (url, options = {}) => new Promise((answer, fail) => {
    options.signal?.addEventListener("abort", () => fail(options.signal.reason));
    window.asked.push({
      url, body: options.body && JSON.parse(options.body), options,
      say: (body, status = 200) => answer(new Response(JSON.stringify(body), { status })),
      fail: () => fail(new TypeError("no network")),
    });
  });
}"""

LIVE = """async (folder) => {
  const { Live } = await import(`${folder}/live.js`);
  window.live = new Live("t", null, {
    state: (state) => window.heard.push(["state", state.n]),
    events: (state, items) => window.heard.push(["events", state.n, items.length]),
    presence: () => {},
    refused: (refusal) => window.heard.push(["refused", refusal.code]),
    status: (status) => { window.status = status; },
  });
  window.live.open();
}"""


class Line:
    """A page with nothing but a `Live` in it, and the other end of its line."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def js(self, code: str, value: Any = None) -> Any:
        return self.page.evaluate(f"(value) => {{ {code} }}", value)

    def settle(self) -> None:
        """Let promises that have been kept be heard."""
        self.page.evaluate("() => new Promise((done) => { const c = new MessageChannel();"
                           " c.port1.onmessage = done; c.port2.postMessage(0); })")

    def socket_opens(self) -> None:
        self.js("sockets.at(-1).open()")

    def socket_closes(self) -> None:
        self.js("sockets.at(-1).close()")

    def socket_says(self, message: dict[str, Any]) -> None:
        self.js("sockets.at(-1).say(value)", message)
        self.settle()

    def answer(self, index: int, message: dict[str, Any], status: int = 200) -> None:
        """Answer one of the requests."""
        self.js("asked.at(value[0]).say(value[1], value[2])", [index, message, status])
        self.settle()

    def pass_time(self, seconds: float) -> None:
        self.page.clock.run_for(round(1000 * seconds))
        self.settle()

    def fall_back_to_polling(self) -> None:
        for _ in range(20):
            if self.js("return live.polling"):
                return
            if self.js("return live.socket !== null"):
                self.socket_closes()
            else:
                self.page.clock.run_for(500)
        raise AssertionError("it does not poll")

    def socket_comes_back(self) -> None:
        for _ in range(60):
            if self.js("return live.socket !== null"):
                self.socket_opens()
                return
            self.page.clock.run_for(500)
        raise AssertionError("no socket comes back")

    @property
    def asked(self) -> list[str]:
        found: list[str] = self.js("return asked.map((one) => one.url)")
        return found

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.js("return live.state")
        return found


#: A board that the page brings along.
BOARDS = """(boards) => {
  const block = document.createElement("script");
  Object.assign(block, { type: "application/json", id: "boards" });
  block.textContent = JSON.stringify(boards);
  document.body.append(block);
}"""


@pytest.fixture
def line(arrive: Arrive) -> Line:
    page = arrive().page
    page.goto("/about")
    page.clock.install()
    folder = page.evaluate(
        "document.querySelector('link[rel=stylesheet]').href.replace(/css\\/.*/, 'js')"
    )
    page.evaluate(BOARDS, {"/a-board": {"cells": [], "areas": [], "labels": [], "panels": []}})
    page.evaluate(FAKES)
    page.evaluate(LIVE, folder)
    return Line(page)


def state(n: int, *, seat: int = 0, **more: Any) -> dict[str, Any]:
    """The whole state after `n` events."""
    return {
        "type": "state", "n": n, "ply": n, "turn": n % 2, "thinking": n % 2 == 1,
        "outcome": None, "you": {"seats": [0], "as": seat}, "seats": [],
        "scene": {
            "board": "/a-board", "turn": n % 2, "highlights": {}, "tallies": {}, "pieces": [],
        },
        "log": [event(number) for number in range(1, n + 1)], **more,
    }


def event(n: int) -> dict[str, Any]:
    return {"n": n, "ply": n, "do": "play", "sentence": f"Move {n}."}


def told(n: int, since: int, **more: Any) -> dict[str, Any]:
    """What a socket says when something has happened: what is new, and what it changes."""
    return {
        "type": "events", "n": n, "events": [event(number) for number in range(since + 1, n + 1)],
        "state": {"n": n, "ply": n, "turn": n % 2, "thinking": n % 2 == 1,
                  "scene": {"turn": n % 2}, **more},
    }


def gap(n: int, since: int, *, seat: int = 0) -> dict[str, Any]:
    """What is answered to who asks for events since then: they, and the whole state."""
    whole = state(n, seat=seat)
    del whole["type"], whole["log"]
    return {**told(n, since), "state": whole}


def polling(line: Line) -> None:
    """Live at event 4, without a socket, waiting for news."""
    line.socket_opens()
    line.socket_says(state(4))
    line.fall_back_to_polling()
    assert "since=4" in line.asked[-1]


def test_a_late_answer_to_a_poll_does_not_set_back_what_the_socket_told(line: Line) -> None:
    polling(line)
    line.socket_comes_back()
    line.socket_says(gap(6, 4))
    line.answer(0, gap(5, 4))
    assert line.state["n"] == 6
    assert not line.state["thinking"]
    assert [item["n"] for item in line.state["log"]] == [1, 2, 3, 4, 5, 6]


def test_a_socket_that_answers_after_the_poll_does_not_set_it_back(line: Line) -> None:
    polling(line)
    line.socket_comes_back()
    line.answer(0, gap(6, 4))
    line.socket_says(gap(5, 4))
    line.socket_says(told(6, 5))
    assert line.state["n"] == 6
    assert not line.state["thinking"]
    assert [item["n"] for item in line.state["log"]] == [1, 2, 3, 4, 5, 6]
    assert line.js("return heard.filter(([what]) => what === 'events').length") == 1


def test_a_poll_ends_when_a_socket_takes_over(line: Line) -> None:
    polling(line)
    assert not line.js("return asked.at(-1).options.signal.aborted")
    line.socket_comes_back()
    line.socket_says(gap(4, 4))
    assert line.js("return asked.at(-1).options.signal.aborted")
    before = len(line.asked)
    line.pass_time(5)
    assert len(line.asked) == before


def test_one_poll_waits_at_a_time_however_often_the_socket_comes_and_goes(line: Line) -> None:
    polling(line)
    for _ in range(3):
        line.socket_comes_back()
        line.socket_says(gap(4, 4))
        line.fall_back_to_polling()
    assert line.js("return asked.filter((one) => !one.options.signal.aborted).length") == 1


def test_an_older_state_in_a_refusal_is_not_taken_over(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.js("live.act('play', { n: 4 })")
    identity = line.js("return [...live.waiting.keys()][0]")
    line.socket_says(told(6, 4))
    line.socket_says({"type": "refused", "id": identity, "code": "stale", "state": state(5)})
    assert line.state["n"] == 6
    assert line.js("return heard.at(-1)") == ["refused", "stale"]


def test_another_seats_view_of_the_same_moment_is_taken_over(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4, seat=0))
    line.js("live.view(1)")
    line.socket_says(state(4, seat=1))
    assert line.state["you"]["as"] == 1


def test_a_view_that_was_asked_for_earlier_is_not_taken_over(line: Line) -> None:
    polling(line)
    line.js("live.view(1)")
    line.js("live.view(0)")
    line.answer(-1, state(4, seat=0))
    line.answer(-2, state(4, seat=1))
    assert line.state["you"]["as"] == 0
    line.answer(0, gap(5, 4, seat=0))
    assert line.state["n"] == 5


def test_who_comes_back_with_a_seat_starts_afresh(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4, seat=0))
    line.js("live.reopen('token')")
    line.socket_opens()
    line.socket_says(state(4, seat=1))
    assert line.state["you"]["as"] == 1


def test_news_that_do_not_follow_what_is_known_are_asked_for(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.socket_says(told(7, 6))
    assert line.state["n"] == 4
    assert "since=4" in line.asked[-1]
    line.answer(-1, gap(7, 4))
    assert line.state["n"] == 7


def test_a_computer_that_thinks_too_long_is_asked_after(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(5))
    assert line.state["thinking"]
    line.pass_time(7)
    assert "since=5" in line.asked[0]
    line.answer(0, gap(6, 5))
    assert line.state["n"] == 6
    # The socket should have said so: another takes its place.
    line.socket_comes_back()
    assert line.js("return sockets.length") == 2
    assert line.js("return sockets[1].sent[0].since") == 6


def test_a_move_that_is_not_answered_is_sent_again_over_another_socket(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.js("live.act('play', { n: 4, move: 'a1' })")
    line.pass_time(7)
    line.answer(-1, gap(4, 4))
    line.socket_comes_back()
    line.socket_says(gap(4, 4))
    sent = line.js("return sockets.map((one) => one.sent.filter(({ move }) => move))")
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert len(sent[0]) == 1


def test_nobody_asks_while_a_person_thinks(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.pass_time(20)
    assert line.asked == []


def test_what_waits_is_posted_before_the_next_long_wait(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.socket_closes()
    line.js("live.act('play', { n: 4, move: 'a1' })")
    line.fall_back_to_polling()
    assert line.js("return asked.at(-1).body?.move") == "a1"
    # Whatever stands before the house and answers in its place has not refused the move.
    line.answer(-1, {}, 502)
    assert line.js("return live.waiting.size") == 1
    line.pass_time(3)
    assert line.js("return asked.at(-1).body?.move") == "a1"
    line.answer(-1, {"n": 5})
    assert line.js("return live.waiting.size") == 0
    assert "since=4" in line.asked[-1]


def test_an_answer_that_is_late_is_told_within_two_seconds(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    line.pass_time(5)
    assert line.js("return window.status") == "live"        # nothing is due
    line.js("live.act('play', { n: 4, move: 'a1' })")
    line.pass_time(1.9)
    assert line.js("return window.status") == "live"
    line.pass_time(0.2)
    assert line.js("return window.status") == "polling"
    line.socket_says({"type": "done", "id": line.js("return [...live.waiting.keys()][0]"), "n": 5})
    assert line.js("return window.status") == "live"


def test_a_network_that_goes_is_told_at_once_and_tried_again(line: Line) -> None:
    line.socket_opens()
    line.socket_says(state(4))
    assert line.js("return window.status") == "live"
    line.js("dispatchEvent(new Event('offline'))")
    assert line.js("return window.status") == "lost"
    line.socket_comes_back()
    line.socket_says(gap(5, 4))
    assert line.js("return window.status") == "live"
    assert line.state["n"] == 5
