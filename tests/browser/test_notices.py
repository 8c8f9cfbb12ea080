"""Notices in a browser: pushed to the service worker, and rung by the page itself."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from escale.web import STATIC
from tests.browser.conftest import Arrive

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
