"""From the button on a box to a board that can be played on, in a browser that knows nothing of it.

    python -m bench first-visit [ADDRESS]

needs Playwright, Chromium, and a house at that address (`escale serve --no-browser --no-limits`).
For each game it visits the box, empties the cache, and presses the button; it tells the median of
some visits in seconds, and what was transferred.
"""

from __future__ import annotations

import shutil
import zlib
from statistics import median
from time import perf_counter
from typing import Annotated, Any

import typer
from playwright.sync_api import Browser, sync_playwright

import escale

VISITS = 5
PLAYABLE = "#status:not(:empty)"
"""The first state has come: the board is drawn, and if it is one's turn, a move can be chosen."""


def visit(browser: Browser, house: str, slug: str) -> tuple[float, int]:
    """Seconds until the table is shown as it is, and bytes."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr-FR")
    page = context.new_page()
    page.goto(f"{house}/g/{slug}")
    page.wait_for_load_state("networkidle")
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.clearBrowserCache")
    sizes: list[int] = []
    frames: list[str] = []

    def told(frame: dict[str, Any]) -> None:
        frames.append(frame["response"]["payloadData"])

    wire.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    wire.on("Network.webSocketFrameReceived", told)
    began = perf_counter()
    page.locator("form[data-way] button.main").first.click()
    page.wait_for_selector(PLAYABLE)
    seconds = perf_counter() - began
    page.wait_for_load_state("networkidle")
    context.close()
    return seconds, sum(sizes) + len(zlib.compress("".join(frames).encode()))


def main(house: Annotated[str, typer.Argument()] = "http://127.0.0.1:8000") -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for game in escale.games():
            visits = [visit(browser, house, game.slug) for _ in range(VISITS)]
            seconds = median(seconds for seconds, _ in visits)
            print(f"{game.slug:12} {seconds:5.2f} s {max(size for _, size in visits):7} bytes")
        browser.close()
