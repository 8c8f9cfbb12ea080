"""Notices in a browser: pushed to the service worker, and rung by the page itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from escale.web import STATIC
from tests.browser.conftest import Arrive
from tests.browser.hands import wait_until

START = """async () => {
  const { startWorker } = await import("/static/js/worker.js");
  return (await startWorker()).scope;
}"""
WORKER = """async (given) => {
  const told = { shown: [], opened: [], focused: [] };
  const heard = {};
  const self = {
    location, navigator,
    clients: {
      matchAll: async () => given.windows.map((one) => ({
        ...one, focus: () => told.focused.push(one.url),
      })),
      openWindow: (url) => told.opened.push(url),
    },
    registration: {
      showNotification: async (title, { body, tag, data }) => {
        told.shown.push({ title, body, tag, ...data });
      },
    },
    addEventListener: (kind, then) => { heard[kind] = then; },
  };
  const event = (more) => {
    const promises = [];
    const waitUntil = (promise) => promises.push(promise);
    return [{ ...more, waitUntil }, () => Promise.all(promises)];
  };
  CODE
  for (const message of given.pushed) {
    const [pushed, done] = event({ data: { json: () => message } });
    heard.push(pushed);
    await done();
  }
  for (const link of given.tapped) {
    const [tapped, done] = event({ notification: { close: () => {}, data: { link } } });
    heard.notificationclick(tapped);
    await done();
  }
  return told;
}"""


def in_worker(page: Page, **given: Any) -> dict[str, list[Any]]:
    """What the service worker does with messages and taps: no browser without windows shows it."""
    code = (STATIC / "js" / "push_worker.js").read_text("utf-8")
    told: dict[str, list[Any]] = page.evaluate(WORKER.replace("CODE", code), {
        "windows": [], "pushed": [], "tapped": [], **given,
    })
    return told


def test_a_push_is_shown_but_not_while_its_table_is_looked_at(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/")
    assert page.evaluate(START).endswith("/")           # every page is in its scope
    here = {"title": "Your turn", "text": "Tortuga", "link": "/t/here", "tag": "here"}
    away = {"title": "Your turn", "text": "Canoë", "link": "/t/away", "tag": "away"}
    origin = page.evaluate("location.origin")
    told = in_worker(
        page, windows=[{"url": f"{origin}/t/here", "focused": True},
                       {"url": f"{origin}/t/away", "focused": False}],
        pushed=[here, away], tapped=["/t/away?lang=fr", "/t/third"],
    )
    assert told["shown"] == [
        {"title": "Your turn", "body": "Canoë", "tag": "away", "link": "/t/away"}
    ]
    assert told["focused"] == [f"{origin}/t/away"]
    assert told["opened"] == ["/t/third"]


# ---- asked at the right moment, and rung by an open page ----


def table_of_days(page: Page) -> tuple[str, str]:
    """A table with a clock of days at which the reader of the page has the second turn, and the
    token of the player with the first.
    """
    order = {
        "game": "tortuga", "seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}],
        "clock": {"days": 3}, "options": {"first": "south"},
    }
    made = page.request.post("/api/tables", data=order).json()
    sat = page.request.post(f"/api/tables/{made['table']}/seats/1", data={"name": "Bo"}).json()
    page.goto(f"/t/{made['table']}#seat={sat['token']}")
    page.wait_for_selector("#table.playing")
    page.wait_for_function("!Object.keys(JSON.parse(localStorage['escale.seats'] ?? '{}')).length")
    return made["table"], made["token"]


def play_first(page: Page, table: str, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    moves = page.request.get(f"/api/tables/{table}/moves", headers=headers).json()
    answer = page.request.post(f"/api/tables/{table}/events", headers=headers, data={
        "do": "play", "seat": 0, "id": "first", "n": moves["n"], "move": moves["moves"][0]["text"],
    })
    assert answer.ok, answer.text()


def test_leaving_a_game_of_days_asks_once_and_the_page_then_rings(
    arrive: Arrive, picture: Callable[[Page, str], None]
) -> None:
    page = arrive((360, 640)).page
    table, token = table_of_days(page)
    page.wait_for_function("() => performance.getEntriesByType('resource')"
                           ".some(({ name }) => name.includes('/api/notebook/notices'))")
    page.locator("#told-of-this").wait_for(state="attached")
    leave = page.locator(".rail a[href='/'], a[href='/']").first
    question = page.locator("#sure[open]")
    wait_until(page, lambda: asked(page), "the question")
    picture(page, "leaving-360")
    for button in question.locator("button, a").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    question.locator("button.main").click()             # ring as long as a page is open
    page.wait_for_url("**/")
    page.goto(f"/t/{table}")
    page.wait_for_selector("#table.playing")
    leave.click()                                       # it was asked once
    page.wait_for_url("**/")
    wait_until(page, lambda: "turns" in page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).join()"
    ) or None, "the page to listen")
    play_first(page, table, token)
    expect(page.locator("#rung a")).to_have_attribute("href", f"/t/{table}")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    picture(page, "rung-360")
    page.locator("#rung a").click()
    page.wait_for_selector("#table.mine")


def asked(page: Page) -> bool | None:
    """Leave the table, unless the question is there already."""
    if page.locator("#sure[open]").count():
        return True
    if page.locator("#table").count():
        page.locator("a[href='/']").first.click()
        page.wait_for_timeout(50)
    return None


STUBS = """
Object.defineProperty(Notification, "permission", { get: () => "default" });
Notification.requestPermission = async () => "granted";
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => ({
  unsubscribe: async () => true,
  toJSON: () => ({
    endpoint: "https://push.example.org/1",
    keys: { p256dh: applicationServerKey, auth: "secret-of-browser" },
  }),
});
"""


def test_a_browser_that_can_be_pushed_to_gives_the_house_its_address(arrive: Arrive) -> None:
    page = arrive().page
    page.add_init_script(STUBS)
    sent: list[Any] = []

    def take(route: Route) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(json={"kinds": ["push"], "push_key": "", "endpoints": [], "quiet": False})

    page.route("**/api/notebook/notices/push*", take)
    page.request.post("/api/notebook", data={"name": "Ana"})
    page.goto("/notebook")
    key = page.locator("#wishes").get_attribute("data-key")
    page.locator("#want-push").click()
    wait_until(page, lambda: sent or None, "the address")
    assert sent == [{"endpoint": "https://push.example.org/1",
                     "keys": {"p256dh": key, "auth": "secret-of-browser"}}]


def test_where_nothing_can_be_pushed_the_page_says_so(arrive: Arrive) -> None:
    page = arrive().page
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });")
    page.request.post("/api/notebook", data={"name": "Ana"})
    page.goto("/notebook")
    expect(page.locator("#push-words")).to_contain_text("http")
    expect(page.locator("#want-push")).to_be_hidden()
    page.locator("#want-ring").click()
    expect(page.locator("#want-ring")).to_have_attribute("aria-pressed", "true")
