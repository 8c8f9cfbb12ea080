"""Several people, each with a browser of their own."""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from playwright.sync_api import APIResponse, Error, Page, Route, WebSocketRoute, expect

from tests.browser.conftest import PHONE, Arrive, House
from tests.browser.hands import (
    READY,
    choose,
    choose_all,
    one_move,
    open_pane,
    play_out,
    start,
    turn,
    wait_until,
)
from tests.browser.line import Line


def sit(page: Page, link: str, name: str) -> None:
    """Come to a table by its link and take a seat that is open."""
    page.goto(link)
    field = page.locator("#waiting input").first
    field.fill(name)
    page.locator("#waiting button").first.click()
    expect(page.locator("#seats .mine")).to_have_count(1)


def on_turn(*pages: Page) -> Page | None:
    """The page whose turn it is; None when the game is over."""
    def found() -> tuple[Page | None] | None:
        for page in pages:
            match page.evaluate(READY):
                case "over":
                    return (None,)
                case "mine":
                    return (page,)
        return None

    return wait_until(pages[0], found, "somebody can move")[0]


def play_out_together(*pages: Page, chance: random.Random, most: int = 1000) -> None:
    """Play on by pointing, each on their own page, until the game is over."""
    for _ in range(most):
        mover = on_turn(*pages)
        if mover is None:
            return
        choose(mover, chance)
    raise AssertionError(f"the game was not over after {most} choices")


def test_two_browsers_and_a_line_that_breaks(arrive: Arrive, house: House) -> None:
    line = Line(house.port)
    here, there = arrive(), arrive(PHONE, lang="en-GB")
    first, second = here.page, there.page
    start(first, "qenj4", "link")
    sit(second, first.url.replace(house.address, line.address), "<b>Escale</b>")
    expect(first.locator("#seats")).to_contain_text("<b>Escale</b>")    # a name is a text
    chance = random.Random(3)
    for _ in range(2):
        mover = on_turn(first, second)
        assert mover is not None
        one_move(mover, chance)
    # One side is cut off and sees it; the other plays on; then it catches up.
    line.cut()
    expect(second.locator("#connection")).to_be_visible()
    mover = on_turn(first, second)
    if mover is first:
        one_move(first, chance)
    line.mend()
    expect(second.locator("#connection")).to_be_hidden()
    expect(second.locator("#log li")).to_have_count(first.locator("#log li").count())
    there.errors.clear()                # a broken connection is an error in every browser's log
    # Chat is plain text.
    open_pane(first, "talk")
    first.locator("#talk-text").fill("<script>alert(1)</script> bonjour")
    first.keyboard.press("Enter")
    open_pane(second, "talk")
    expect(second.locator("#talk")).to_contain_text("<script>alert(1)</script> bonjour")
    open_pane(second, "log")
    play_out_together(first, second, chance=chance)
    expect(first.locator("#end")).to_be_visible()
    expect(second.locator("#end")).to_be_visible()
    # Another game, sides changed: both players go there.
    before = first.url
    first.locator("#end button.main").click()
    second.locator("#offer button.main").click()
    first.wait_for_url(lambda url: url != before)
    expect(second.locator("#seats .mine .seat-label")).to_have_text("A")
    second.close()                      # before the line: it would note that as an error
    expect(first.locator("#seats .mine")).to_have_count(1)
    expect(first.locator("#board svg .piece").first).to_be_visible()
    line.close()


def test_two_tabs_of_one_seat_stay_in_step(arrive: Arrive) -> None:
    page = arrive().page
    start(page, "canoe", level="mousse")
    turn(page)
    twin = page.context.new_page()
    twin.goto(page.url)
    assert turn(twin) == "mine"
    one_move(page, random.Random(5))
    expect(twin.locator("#log li")).not_to_have_count(0)
    turn(page)
    turn(twin)
    assert page.locator("#log li").count() == twin.locator("#log li").count()


def test_a_seat_link_restores_the_seat_elsewhere(arrive: Arrive) -> None:
    page, elsewhere = arrive().page, arrive(PHONE).page
    start(page, "tortuga", option_first="south")
    turn(page)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    open_pane(page, "more")
    page.locator("#seat-link").click()
    elsewhere.goto(page.evaluate("window.copied"))
    assert turn(elsewhere) == "mine"
    assert "#" not in elsewhere.url


@pytest.mark.exhaustive                 # the next test kills the house with a move under way
def test_a_house_that_is_killed_goes_on_where_it_was(arrive: Arrive, house: House) -> None:
    visitor = arrive()
    page = visitor.page
    start(page, "tortuga", level="mousse")
    chance = random.Random(8)
    if turn(page) == "mine":
        one_move(page, chance)
    turn(page)
    told = page.locator("#log li").count()
    house.close(brutally=True)
    expect(page.locator("#connection")).to_be_visible()
    house.open()
    expect(page.locator("#connection")).to_be_hidden()
    assert page.locator("#log li").count() >= told
    play_out(page, seed=9)
    expect(page.locator("#end")).to_be_visible()
    visitor.errors.clear()              # a refused connection is an error in every browser's log


def test_a_move_made_while_the_house_is_killed_is_played_when_it_is_back(
    arrive: Arrive, house: House
) -> None:
    visitor = arrive()
    page = visitor.page
    start(page, "tortuga", level="mousse")
    chance = random.Random(8)
    one_move(page, chance)
    turn(page)
    sockets: list[object] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    house.close(brutally=True)
    expect(page.locator("#connection")).to_have_class("toast connection lost")
    choose_all(page, chance)
    status = page.locator("#status")
    expect(status).to_have_text("Coup gardé : il partira dès que la connexion sera rétablie.")
    # The next socket is tried some seconds from now: until then the page asks again and again,
    # and what it is told arrives when a socket has long told more.
    wait_until(page, lambda: len(sockets) >= 5, "five sockets")
    late: list[tuple[Route, APIResponse]] = []

    def keep_back(route: Route) -> None:
        try:
            late.append((route, route.fetch()))
        except Error:                   # the house is closed
            route.abort()

    page.route("**/events?since=*", keep_back)
    house.open()
    assert turn(page) == "mine"
    told = page.locator("#log li").count()
    for route, answer in late:
        with contextlib.suppress(Error):    # the request is no longer waited for
            route.fulfill(response=answer)
    page.unroute("**/events?since=*")
    page.evaluate("fetch('/api/games').then((answer) => answer.text())")    # later than all of them
    assert page.evaluate(READY) == "mine"
    assert page.locator("#log li").count() == told
    one_move(page, chance)
    assert turn(page) in ("mine", "over")
    visitor.errors.clear()              # a refused connection is an error in every browser's log


def test_a_move_is_said_to_be_kept_until_it_can_be_sent(arrive: Arrive) -> None:
    visitor = arrive(lang="en-GB")
    page = visitor.page
    sockets: list[WebSocketRoute] = []
    line = "whole"

    def connect(socket: WebSocketRoute) -> None:
        if line == "cut":
            socket.close()
            return
        sockets.append(socket)
        house = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = json.loads(message)
            moved = any(event["do"] == "play" for event in told.get("events", ()))
            if line == "whole" or not (moved or told["type"] == "done"):
                socket.send(message)

        house.on_message(pass_on)

    page.route_web_socket("**/live", connect)
    start(page, "tortuga", "screen", option_first="south")
    turn(page)
    line = "cut"
    page.route("**/events?*", lambda route: route.abort())
    sockets[-1].close()
    expect(page.locator("#connection")).to_be_visible()
    chance = random.Random(2)
    choose_all(page, chance)
    status, marks = page.locator("#status"), page.locator("#board .mark.next")
    expect(status).to_have_text("Your move is kept and will be sent when the connection is back.")
    expect(page.locator("#table.mine")).to_have_count(0)
    # It is sent when a socket is back; until it is answered, no other can be made.
    line = "without answers"
    expect(status).to_have_text("Sending…")
    expect(marks).to_have_count(0)
    line = "whole"
    sockets[-1].close()
    expect(status).to_have_text(
        "North, your turn. Choose the turtle to move.")
    expect(marks).not_to_have_count(0)
    visitor.errors.clear()              # a broken connection is an error in every browser's log


def test_six_on_the_river_and_one_leaves(arrive: Arrive) -> None:
    first, second, third = (arrive(PHONE if index else (1280, 800)).page for index in range(3))
    start(
        first, "canyon-1997", "link", seats="6", option_short="on",
        seat_3="mousse", seat_4="mousse", seat_5="mousse",
    )
    for page, name in ((second, "Amont"), (third, "Bartholomée")):
        sit(page, first.url, name)
    named = third.locator("#seats .seat-name", has_text="Bartholomée")
    expect(named).to_be_visible()
    assert named.evaluate("(name) => name.scrollWidth <= name.clientWidth")
    chance = random.Random(6)
    for _ in range(12):
        mover = on_turn(first, second, third)
        if mover is not None:
            choose(mover, chance)
    third.close()                       # a player leaves without a word
    expect(first.locator("#seats .seat-2")).to_have_class(re.compile(r"\baway\b"))
    # The others let the computer finish.
    waits = first.locator("#waiting button")
    expect(waits).to_be_visible()
    covered = first.locator("#board .panel").evaluate_all("""(panels) => {
      const { left } = document.querySelector("#waiting").getBoundingClientRect();
      return panels.filter((panel) => panel.getBoundingClientRect().right > left + 1).length;
    }""")
    assert covered == 0                 # the player who continues sees the whole board
    waits.click()
    expect(first.locator("#seats .seat-2 .seat-kind")).not_to_be_empty()
    # The computer plays for the one who left, and the game goes on.
    name = first.locator("#seats .seat-2 .seat-label").inner_text()
    told = first.locator("#log")
    before = told.inner_text().count(name)
    for _ in range(60):
        if told.inner_text().count(name) > before + 1:
            break
        mover = on_turn(first, second)
        assert mover is not None
        choose(mover, chance)
    assert told.inner_text().count(name) > before + 1


#: Notes what the status line says from now on.
NOTE_STATUS = """() => {
  const status = document.querySelector("#status");
  window.said = [];
  new MutationObserver(() => window.said.push(status.textContent))
    .observe(status, { childList: true, characterData: true, subtree: true });
}"""


def test_a_stand_in_is_named_and_its_person_is_not_asked(arrive: Arrive) -> None:
    anna, boris = arrive(PHONE).page, arrive().page
    start(anna, "tortuga", "link", name="Anna")
    sit(boris, anna.url, "Boris")
    mover = on_turn(anna, boris)
    assert mover is not None
    other, name = (boris, "Anna") if mover is anna else (anna, "Boris")
    open_pane(mover, "more")
    mover.locator("#hand").click()
    mover.evaluate(NOTE_STATUS)
    mover.locator("#sure button[value=yes]").click()
    take = mover.locator("#take")
    expect(take).to_be_visible()
    expect(other.locator("#seats .seat-name", has_text=f"pour {name}")).to_be_visible()
    turn(other)                         # the computer has made its move
    expect(mover.locator("#log .who").last).to_contain_text(f"pour {name}")
    assert [text for text in mover.evaluate("window.said") if "vous" in text] == []
    take.click()
    expect(take).to_be_hidden()
    expect(other.locator("#seats .seat-name", has_text=f"pour {name}")).to_have_count(0)


def test_sockets_that_never_open(arrive: Arrive) -> None:
    page, other = arrive().page, arrive().page
    start(other, "tortuga", "link", option_first="south")
    refused: list[WebSocketRoute] = []

    def refuse(socket: WebSocketRoute) -> None:
        refused.append(socket)
        socket.close()

    page.route_web_socket("**/live", refuse)
    sit(page, other.url, "Nord")
    expect(page.locator("#connection")).to_be_visible()
    chance = random.Random(11)
    one_move(other, chance)
    expect(page.locator("#table.mine")).to_have_count(1)
    one_move(page, chance)
    expect(other.locator("#table.mine")).to_have_count(1)
    assert len(refused) >= 2


def test_half_a_move_outlasts_what_people_say(arrive: Arrive) -> None:
    page, other = arrive().page, arrive().page
    start(page, "tortuga", "link", option_first="south")
    sit(other, page.url, "Nord")
    turn(page)
    choose(page, random.Random(2))
    expect(page.locator("#board .mark.chosen")).to_have_count(1)
    open_pane(other, "talk")
    other.locator("#talk-text").fill("<img src=x onerror=alert(1)>")
    other.keyboard.press("Enter")
    expect(page.locator("#talk")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#board .mark.chosen")).to_have_count(1)


def test_who_offered_a_draw_is_told_that_it_was_declined(arrive: Arrive) -> None:
    page, other = arrive(PHONE).page, arrive(PHONE).page
    start(page, "tortuga", "link", option_first="south")
    sit(other, page.url, "Nord")
    turn(page)
    open_pane(page, "more")
    page.locator("#draw").click()
    other.locator("#offer button:not(.main)").click()
    expect(page.locator("#note")).to_contain_text("refuse la nulle")
    expect(page.locator("#note")).to_be_in_viewport(ratio=1)
    expect(other.locator("#offer")).to_be_hidden()
    expect(other.locator("#note")).to_be_hidden()       # the player who declined knows


def test_one_screen_and_hidden_hands(
    arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    page = arrive(PHONE, touch=True).page
    start(page, "canyon-1997", "screen", option_short="on")
    chance = random.Random(7)
    covers = 0
    for done in range(40):
        match turn(page):
            case "cover":
                covers += 1
                assert done >= 3                    # where canoes start is public
                # No hand is in the page, only the trump; river and trick stay in sight.
                expect(page.locator("#board .panel[data-panel=hand] [data-atom]")).to_have_count(1)
                strip = page.locator("#hand-cover").bounding_box()
                assert strip is not None
                for seen in page.locator("#board .panel:not([data-panel=hand])").all():
                    box = seen.bounding_box()
                    assert box is not None
                    assert box["y"] + box["height"] <= strip["y"] + 1
                if covers == 1:
                    picture(page, "canyon-1997-cover")
                page.locator("#hand-cover button").click()
                expect(page.locator("#hand-cover")).to_have_count(0)
            case "mine":
                choose(page, chance)
            case "over":
                break
    assert covers >= 3


def test_one_screen_and_secret_bids(arrive: Arrive) -> None:
    """A bidder reads nowhere what others at this screen have chosen; then all are shown."""
    page = arrive(PHONE, touch=True).page
    start(page, "canyon-1997", "screen")
    chance = random.Random(11)
    bidders = 0
    for _ in range(100):
        if bidders == 3:
            break
        if turn(page) == "cover":
            page.locator("#hand-cover button").click()
            expect(page.locator("#hand-cover")).to_have_count(0)
            continue
        if page.locator("#buttons button.choice").count() == 9:
            told = "".join(page.locator(part).inner_text() for part in ("#announcements", "#log"))
            assert "en secret" not in told
            assert page.locator("#log .sentence", has_text="a choisi sa vitesse").count() == bidders
            shown = page.locator("#board").text_content() or ""
            assert shown.count("?") >= bidders
            bidders += 1
        choose(page, chance)
    assert bidders == 3
    if page.locator("#buttons button.confirm").count():
        choose(page, chance)
    expect(page.locator("#log .sentence").last).to_contain_text("annonce")


def test_what_is_earlier_than_the_last_page_is_asked_for(arrive: Arrive, house: House) -> None:
    page = arrive(lang="en-GB").page
    people = [{"kind": "person", "name": "Ana"}, *[{"kind": "open"}] * 4]
    order = {"game": "canyon-1997", "seats": people}
    made = page.request.post("/api/tables", data=order).json()
    table, tokens = made["table"], [made["token"]]
    for seat in range(1, 5):
        sat = page.request.post(f"/api/tables/{table}/seats/{seat}", data={"name": f"P{seat}"})
        tokens.append(sat.json()["token"])

    def talk(seat: int) -> None:
        with httpx2.Client(base_url=house.address, timeout=60) as client:
            for number in range(50):
                client.post(
                    f"/api/tables/{table}/events",
                    headers={"authorization": f"Bearer {tokens[seat]}"},
                    json={"do": "say", "seat": seat, "id": f"s{number}",
                          "text": f"{seat} {number}"},
                ).raise_for_status()

    talk(0)
    with ThreadPoolExecutor() as pool:
        list(pool.map(talk, range(1, 5)))
    page.goto(f"/en/t/{table}")
    open_pane(page, "talk")
    expect(page.locator("#talk li")).to_have_count(200)
    page.locator("#talk-earlier").click()
    expect(page.locator("#talk li")).to_have_count(250)
    expect(page.locator("#talk li").first).to_contain_text("0 0")
    expect(page.locator("#talk-earlier")).to_be_hidden()
    # What was dealt stands in the part of the log that is asked for; from there one goes back.
    page.reload()
    open_pane(page, "log")
    page.locator("#log-earlier").click()
    expect(page.locator("#log-earlier")).to_be_hidden()
    page.locator("#log summary").first.click()
    page.locator("#log li li button").first.click()
    page.locator("#replay-first").click()
    expect(page.locator("#replay-count")).to_have_text("Before the first move.")
    assert page.locator("#log li").count() > 10
