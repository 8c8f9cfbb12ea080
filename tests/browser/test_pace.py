"""One thing after another: what is shown keeps its time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import PAUSE, READY, choose, hear, start, stop_clock, turn, wait_until

Picture = Callable[[Page, str], None]

PACE = """async () => {
  const folder = document.querySelector("link[rel=stylesheet]").href.replace(/css\\/.*/, "js");
  const { Pace } = await import(`${folder}/pace.js`);
  window.timers = [];
  window.shown = [];
  window.time = 0;
  window.pace = new Pace({
    now: () => time,
    after: (ms, then) => {
      const timer = { due: time + ms, then };
      timers.push(timer);
      return () => { timers = timers.filter((one) => one !== timer); };
    },
  });
  window.beat = (name, ms) => (hurried) => { shown.push(hurried ? `(${name})` : name); return ms; };
  window.tick = () => { const { due, then } = timers.shift(); time = due; then(); };
}"""


@pytest.fixture
def pace(arrive: Arrive) -> Callable[[str], Any]:
    page = arrive().page
    page.goto("/about")
    page.evaluate(PACE)
    return lambda code: page.evaluate(f"() => {{ {code}; return shown.join(' '); }}")


def test_each_thing_waits_until_the_one_before_has_had_its_time(pace: Callable[[str], Any]) -> None:
    assert pace("pace.add([beat('a', 0), beat('b', 100), beat('c', 50)])") == "a b"
    assert pace("pace.add([beat('d', 0)])") == "a b"
    assert pace("tick()") == "a b c"
    assert pace("tick()") == "a b c d"
    assert pace("pace.add([beat('e', 0)])") == "a b c d e"


def test_who_hurries_comes_to_the_present_in_the_same_order(pace: Callable[[str], Any]) -> None:
    pace("pace.add([beat('a', 100), beat('b', 100), beat('c', 100)])")
    assert pace("pace.skip()") == "a (b) (c)"
    assert pace("shown.push(timers.length)") == "a (b) (c) 0"
    assert pace("pace.add([beat('d', 0)])") == "a (b) (c) 0 d"


def test_far_behind_everything_is_skipped_by_itself(pace: Callable[[str], Any]) -> None:
    waiting = range(1, 61)
    for number in (0, *waiting):
        assert pace(f"pace.add([beat({number}, 100)])") == "0"
    everything = " ".join(f"({number})" for number in (*waiting, 61))
    assert pace("pace.add([beat(61, 100)])") == f"0 {everything}"


def test_a_breath_is_counted_from_when_the_last_thing_was_over(pace: Callable[[str], Any]) -> None:
    breath = "() => { const ms = pace.left(600); shown.push(`wait ${ms}`); return ms; }"
    assert pace("pace.add([beat('mine', 240)])") == "mine"
    pace(f"time = 400; tick(); time = 400; pace.add([{breath}, beat('reply', 240)])")
    assert pace("") == "mine wait 440"
    assert pace("tick()") == "mine wait 440 reply"
    # A player who has thought for longer is not waited for.
    pace(f"tick(); time += 5000; pace.add([{breath}, beat('slow', 0)])")
    assert pace("") == "mine wait 440 reply wait 0 slow"
    # After a skip the next breath begins anew.
    pace("pace.add([beat('a', 100), beat('b', 100)]); pace.skip()")
    assert pace(f"pace.add([{breath}])").endswith("a (b) wait 600")


CARDS = "#board .piece[data-at$=' card']"
"""The cards of a trick that are on the table."""

DONE = """() => heard.map(({ state, thinking }) => thinking ?? state?.thinking)
  .findLast((thinking) => thinking !== undefined) === false"""
"""No computer is to move, as far as the page has heard."""


def finish_trick(page: Page, chance: random.Random) -> None:
    """Play until a trick is complete and waits to be seen."""
    def seen() -> bool:
        if page.locator(PAUSE).count():
            return True
        if page.evaluate(READY) == "mine":
            choose(page, chance)
        page.clock.run_for(120)
        return False

    wait_until(page, seen, "a trick is complete")


@pytest.mark.parametrize("calm", [True, False])
def test_a_trick_is_seen_before_the_next_card_is_led(
    calm: bool, arrive: Arrive, picture: Picture
) -> None:
    """Time stands still, but for what the test lets pass: the computers are never too fast."""
    page = arrive(PHONE if calm else DESKTOP, calm=calm, speed="normal").page
    page.clock.install()
    hear(page)
    start(page, "canyon-1997", level="mousse", option_short="on")
    assert turn(page) == "mine"
    stop_clock(page)
    chance = random.Random(5)
    seats = page.locator("#seats .seat").count()
    for _ in range(2):
        finish_trick(page, chance)
        page.clock.run_for(400)                 # the last card is on its way
        expect(page.locator(PAUSE)).to_have_count(1)
        expect(page.locator(CARDS)).to_have_count(seats)
        picture(page, f"canyon-1997-trick-{'calm' if calm else 'moving'}")
        # The next seat has led by now; it is not shown, and nothing can be chosen.
        page.wait_for_function(DONE)
        page.clock.run_for(900)
        assert page.locator(CARDS).count() == seats
        assert page.locator("#board .mark.next").count() == 0
        page.clock.run_for(900)
        expect(page.locator(PAUSE)).to_have_count(0)
        expect(page.locator(CARDS)).not_to_have_count(seats)


def test_who_does_not_look_at_a_trick_is_not_kept_waiting(arrive: Arrive) -> None:
    page = arrive(speed="normal").page
    page.clock.install()
    hear(page)
    start(page, "canyon-1997", level="mousse", option_short="on")
    assert turn(page) == "mine"
    stop_clock(page)
    chance = random.Random(5)
    finish_trick(page, chance)
    answers: list[str] = []
    page.on("request", lambda request: answers.append(request.url))
    page.locator("#board").click()                  # a tap ends the pause, and does nothing else
    expect(page.locator(PAUSE)).to_have_count(0)
    assert not [url for url in answers if "explain" in url]
    # What happened in the background is not shown one by one.
    finish_trick(page, chance)
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      Object.defineProperty(document, "hidden", { get: () => false, configurable: true });
    }""")
    expect(page.locator(PAUSE)).to_have_count(0)
    # To who opens it, a table is shown at once; the last trick can be seen again.
    finish_trick(page, chance)
    page.reload()
    page.wait_for_function("() => document.querySelector('#board .piece')")
    expect(page.locator(PAUSE)).to_have_count(0)
    assert turn(page) in ("mine", "over")
    seats = page.locator("#seats .seat").count()
    page.locator("#last-look").click()
    expect(page.locator(PAUSE)).to_have_count(1)
    expect(page.locator(CARDS)).to_have_count(seats)
    page.clock.run_for(2500)
    expect(page.locator(PAUSE)).to_have_count(0)
    assert turn(page) in ("mine", "over")
