"""Every box can be opened and its game played to the end, by pointing and by keys."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

import escale
from tests.browser.conftest import DESKTOP, PHONE, Arrive
from tests.browser.hands import (
    assert_steady,
    choose,
    one_move,
    open_pane,
    play_out,
    start,
    turn,
    watch_shifts,
)

SLUGS = [game.slug for game in escale.games()]
Picture = Callable[[Page, str], None]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_whole_game_against_the_computer_by_pointing(
    slug: str, arrive: Arrive, picture: Picture
) -> None:
    page = arrive(DESKTOP).page
    short = {"option_short": "on"} if slug == "canyon-1997" else {}
    start(page, slug, level="bosco", **short)       # it wins soon
    assert "seat=" not in page.url
    turn(page)
    picture(page, f"{slug}-desktop")
    watch_shifts(page)
    play_out(page, seed=sum(map(ord, slug)))
    expect(page.locator("#end")).to_be_visible()
    assert_steady(page)
    expect(page.locator("#status")).not_to_be_empty()
    picture(page, f"{slug}-end")
    if page.locator("#end-more details.proof").count():
        open_pane(page, "more")
        page.locator("#end-more summary").click()
        expect(page.locator("#end-more .verdict")).to_have_class("verdict good")
    # Back to the beginning, and forward again.
    page.locator("#end button:not(.main)").first.click()        # it plays at once
    expect(page.locator("#replay-play")).to_have_attribute("aria-pressed", "true")
    page.locator("#replay-play").click()
    expect(page.locator("#now")).to_be_visible()
    page.locator("#replay-forward").click()
    page.locator("#now").click()
    expect(page.locator("#now")).to_be_hidden()


@pytest.mark.exhaustive                 # test_moments.py has a moment of every game at that size
@pytest.mark.parametrize("slug", SLUGS)
def test_a_phone_shows_all_of_it(slug: str, arrive: Arrive, picture: Picture) -> None:
    page = arrive(PHONE, touch=True).page
    start(page, slug, level="mousse")
    turn(page)
    across = page.evaluate("document.documentElement.scrollWidth")
    assert across <= PHONE[0], "the page is wider than the phone"
    picture(page, f"{slug}-phone")
    chance = random.Random(1)
    before = page.locator("#log li").count()
    for _ in range(40):
        if page.locator("#log li").count() > before:
            break
        if turn(page) == "mine":
            choose(page, chance)
    assert page.locator("#log li").count() > before
    picture(page, f"{slug}-phone-moved")


def test_a_whole_game_by_keys_alone(arrive: Arrive) -> None:
    page = arrive(lang="en-GB").page
    page.goto("/")
    assert page.url.endswith("/en") or page.url.endswith("/en/")
    chance = random.Random(4)

    def tab_to(selector: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"no way by Tab to {selector}")

    tab_to("a[href$='/g/tortuga']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/tortuga")
    tab_to("form[data-way] button.main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    turn(page)
    tab_to("#board")
    typed = 0
    while turn(page) == "mine":
        button = page.locator("#buttons button.choice").first
        if button.is_visible():
            tab_to("#buttons button.choice")
        else:
            if not page.evaluate("document.activeElement.id === 'board'"):
                page.locator("#board").focus()
            arrow = chance.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"))
            page.keyboard.press(arrow)
        page.keyboard.press("Enter")
        typed += 1
        assert typed < 1000
    expect(page.locator("#end")).to_be_visible()
    assert typed > 5
    # Everything was told as well as shown.
    assert page.locator("#announcements p").count() > 0


def walk(page: Page, seed: int, most: int = 1500) -> int:
    """Play on by arrows and Enter alone until the game is over; tells how many keys that took."""
    chance, typed = random.Random(seed), 0
    while (now := turn(page)) != "over":
        assert typed < most
        typed += 1
        if now == "cover":                      # its button has the focus
            page.keyboard.press("Enter")
            expect(page.locator("#hand-cover")).to_have_count(0)
            continue
        if not page.evaluate("document.activeElement.closest('#board, #buttons') !== null"):
            page.locator("#board").focus()
        for _ in range(chance.randrange(1, 4)):
            page.keyboard.press(chance.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
        page.keyboard.press("Enter")
    return typed


@pytest.mark.parametrize(("slug", "choices"), [
    ("qenj3", {}),
    pytest.param("canyon-1997", {"option_short": "on"}, marks=pytest.mark.exhaustive),
])
def test_games_are_played_to_the_end_by_arrows_and_enter(
    slug: str, choices: dict[str, str], arrive: Arrive
) -> None:
    page = arrive(lang="en-GB").page
    start(page, slug, **choices)
    assert walk(page, 3) > 5
    expect(page.locator("#end")).to_be_visible()


def test_a_hand_is_told_and_told_again_and_arrows_walk_the_bids(arrive: Arrive) -> None:
    page = arrive(lang="en-GB").page
    start(page, "canyon-1997")
    bids = page.locator("#buttons button.choice")
    for _ in range(20):                                             # canoes are placed
        if turn(page) != "mine" or bids.count() == 9:
            break
        page.locator("#board").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
    hand = page.locator("#announcements p", has_text="Your hand, 8 cards: ")
    expect(hand).to_have_count(1)
    cards = (hand.text_content() or "").removesuffix(".").split(": ")[1].split(", ")
    assert len(cards) == 8
    assert all(card.split()[0] in ("blue", "red", "green", "yellow", "purple") for card in cards)
    page.locator("#board").focus()
    page.keyboard.press(".")
    expect(hand).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(bids.nth(0)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(bids.nth(8)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(bids.nth(1)).to_be_focused()


def test_arrows_go_around_the_board_and_enter_again_changes_nothing(arrive: Arrive) -> None:
    page = arrive(lang="en-GB").page
    start(page, "tortuga", option_first="south")
    turn(page)
    pointed = page.locator("#pointed")
    page.locator("#board").focus()
    page.keyboard.press("Shift+ArrowRight")
    names = []
    for _ in range(14):
        names.append((pointed.text_content() or "").split(",")[0])
        page.keyboard.press("Shift+ArrowRight")
    assert len(set(names)) < len(names)                 # it came by the same cell again
    for _ in range(14):
        page.keyboard.press("Shift+ArrowUp")
    expect(pointed).to_contain_text("edge of the board")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    chosen = page.locator("#board .mark.chosen")
    if chosen.count():
        page.keyboard.press("Enter")
        expect(chosen).not_to_have_count(0)


def test_a_move_is_typed_and_a_wrong_one_is_answered_by_its_rule(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", option_first="south")
    turn(page)
    open_pane(page, "words")
    page.locator("#notation").fill("d2-d4")
    page.keyboard.press("Enter")
    answer = page.locator("#answer")
    expect(answer).to_be_visible()
    rule = answer.locator("a").get_attribute("href")
    assert rule == "/g/tortuga/rules#jump"
    page.locator("#notation").fill("d2-d3")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("d2-d3")


def test_a_reason_that_comes_after_the_next_move_is_not_told(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", option_first="south")
    turn(page)
    held: list[Route] = []
    page.route("**/explain?*", lambda route: held.append(route))
    open_pane(page, "words")
    with page.expect_request("**/explain?*"):
        page.locator("#notation").fill("d2-d4")
        page.keyboard.press("Enter")
    page.locator("#notation").fill("d2-d3")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("d2-d3")
    for route in held:
        route.continue_()
    turn(page)
    expect(page.locator("#answer")).to_be_hidden()


def test_choices_that_cannot_be_had_are_asked_for_again(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page

    def thin_out(line: WebSocketRoute) -> None:
        """Let the house keep back what follows d2, as it does where a tree is too large to send."""
        house = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = json.loads(message)
            if "d2" in (told.get("state", {}).get("choices") or {}):
                told["state"]["choices"]["d2"] = None
            line.send(json.dumps(told))

        house.on_message(pass_on)

    page.route_web_socket("**/live", thin_out)
    start(page, "tortuga", option_first="south")
    turn(page)
    page.route("**/choices?*", lambda route: route.abort())
    page.locator("#board .piece[data-at=d2]").first.click()
    expect(page.locator("#note")).to_have_text("Cela n’a pas marché. Essayez encore.")
    assert [error for error in visitor.errors if "net::" not in error] == []
    visitor.errors.clear()              # a request that fails is an error in every browser's log
    page.unroute("**/choices?*")
    page.locator("#board .piece[data-at=d2]").first.click()
    expect(page.locator("#board .mark.chosen")).to_have_count(1)
    open_pane(page, "words")
    page.locator("#notation").fill("d2-d3")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("d2-d3")


def test_half_a_move_is_given_up(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", option_first="south")
    turn(page)
    chosen = page.locator("#board .mark.chosen")
    choose(page, random.Random(2))
    expect(chosen).to_have_count(1)
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    choose(page, random.Random(2))
    expect(chosen).to_have_count(1)
    page.locator("#status").click()
    page.mouse.click(5, 300)
    expect(chosen).to_have_count(0)


def test_marks_pulse_when_they_appear_and_not_for_ever(arrive: Arrive) -> None:
    page = arrive(calm=False).page
    start(page, "tortuga", option_first="south")
    turn(page)
    pulses = "document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)"
    assert 0 < max(page.evaluate(pulses)) < 6_000
    # They are the same marks while people talk: they do not begin again.
    page.evaluate("window.mark = document.querySelector('#board .mark.next')")
    open_pane(page, "talk")
    page.locator("#talk-text").fill("bonjour")
    page.keyboard.press("Enter")
    expect(page.locator("#talk")).to_contain_text("bonjour")
    assert page.evaluate("window.mark.isConnected")


def test_moves_that_were_taken_back_are_marked(arrive: Arrive, picture: Picture) -> None:
    page = arrive().page
    start(page, "tortuga", "screen", option_first="south")
    chance = random.Random(3)
    for _ in range(3):
        one_move(page, chance)
    lines = page.locator("#log li:has(.move)")
    third = lines.last.locator(".move").inner_text()
    count = page.locator("#replay-count")
    expect(count).to_have_text("Coup 3 sur 3")
    page.locator("#undo").click()                   # the third, then by a key the second
    expect(count).to_have_text("Coup 2 sur 2")
    page.keyboard.press("Backspace")
    expect(page.locator("#log .undone")).to_have_count(2)
    expect(lines).to_have_count(3)
    expect(lines.last.locator("s")).to_contain_text(third)
    expect(lines.last).to_contain_text("repris")
    expect(lines.last.locator("button")).to_have_count(0)      # there is no such position any more
    expect(lines.first.locator("s")).to_have_count(0)
    expect(count).to_have_text("Coup 1 sur 1")
    one_move(page, chance)
    expect(count).to_have_text("Coup 2 sur 2")
    expect(page.locator("#log .undone")).to_have_count(2)
    picture(page, "tortuga-taken-back")


def test_what_chance_draws_is_no_move_of_the_replay(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canyon-1997", "screen", option_short="on")
    assert turn(page) == "mine"                # where canoes start is public: no hand is covered
    count = page.locator("#replay-count")
    expect(count).to_have_text("Avant le premier coup.")
    # The whole deal is one step.
    assert page.locator("#replay").get_attribute("max") == "1"
    page.locator("#log summary").click()
    page.locator("#log li li button").first.click()         # in the midst of it
    expect(page.locator("#now")).to_be_visible()
    page.locator("#replay-back").click()
    expect(page.locator("#replay-back")).to_be_disabled()
    page.locator("#replay-forward").click()
    expect(page.locator("#now")).to_be_hidden()
    assert turn(page) == "mine"
    choose(page, random.Random(1))
    expect(count).to_have_text("Coup 1 sur 1")


@pytest.mark.parametrize("calm", [False, True], ids=["moving", "calm"])
def test_a_piece_slides_to_its_place_unless_the_reader_wants_nothing_to_move(
    calm: bool, arrive: Arrive
) -> None:
    page = arrive(calm=calm, speed="normal").page
    page.add_init_script("""
        window.slides = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            const places = frames.map((one) => one.transform);
            if (places[0]) window.slides.push([places, options.duration]);
            return animate.call(this, frames, options);
        };
    """)
    start(page, "tortuga", option_first="south")
    turn(page)
    place = page.locator("#board .piece[data-at=d2]").get_attribute("transform")
    open_pane(page, "words")
    page.locator("#notation").fill("d2-d3")
    page.keyboard.press("Enter")
    expect(page.locator("#board .piece[data-at=d3]")).to_have_count(1)
    slides = page.evaluate("window.slides")
    if calm:
        assert slides == []
    else:
        (first, last), duration = slides[0]
        numbers = r"-?\d+(?:\.\d+)?"
        assert re.findall(numbers, first)[:2] == re.findall(numbers, str(place))[:2]
        assert first != last
        assert 0 < duration < 1000


def test_a_piece_is_dragged(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "tortuga", option_first="south")
    turn(page)

    def middle(selector: str) -> tuple[float, float]:
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle("#board .piece[data-at=d2]"))
    page.mouse.down()
    page.mouse.move(*middle("#board .cell[data-at=d3]"), steps=5)
    page.mouse.up()
    expect(page.locator("#log")).to_contain_text("d2-d3")
