"""A puzzle solved inside a page of another site; other sites may show nothing."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

import escale
from escale.study.puzzles import puzzles_of
from tests.browser.conftest import PATIENCE_MS
from tests.sizes import PATIENCE_SECONDS

CANOE = escale.game("canoe")
PUZZLE = next(
    one for one in puzzles_of(CANOE).values()
    if one.moves == 2 and all("-" not in move for move in one.line[::2])
)
pytestmark = pytest.mark.exhaustive


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, *words: object) -> None:
        pass


def serve(folder: Path) -> http.server.ThreadingHTTPServer:
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=os.fspath(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A club's page with a puzzle of the house in a frame, and the same at another site."""
    club, other = serve(tmp_path), serve(tmp_path)
    named = f"http://localhost:{club.server_address[1]}"
    process = subprocess.Popen(
        [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", "0", "--no-limits",
         "--embed", named],
        env={**os.environ, "ESCALE_DATABASE": f"sqlite:///{tmp_path}/house.db",
             "ESCALE_LANG": "en"},
        stdout=subprocess.PIPE, text=True,
    )
    assert process.stdout is not None
    address = next(
        word.rstrip("/") for line in process.stdout for word in line.split()
        if word.startswith("http://")
    )
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=PATIENCE_SECONDS).close()
            break
        except OSError:                 # it does not listen yet
            time.sleep(0.1)
    (tmp_path / "index.html").write_text(
        f'<!doctype html><title>Club</title><h1>Club</h1>'
        f'<iframe title="puzzle" width="390" height="640" '
        f'src="{address}/embed/puzzle/canoe/{PUZZLE.id}"></iframe>'
    )
    yield named, f"http://localhost:{other.server_address[1]}"
    process.terminate()
    process.wait(PATIENCE_SECONDS)
    process.stdout.close()
    for server in (club, other):
        server.shutdown()
        server.server_close()


def point(page: Page, frame: FrameLocator, atom: str) -> None:
    mark = frame.locator(f'#board .mark.next[data-at="{atom}"]').first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_puzzle_is_solved_inside_another_page(
    chromium: Browser, sites: tuple[str, str]
) -> None:
    context = chromium.new_context(locale="fr-FR", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    club, other = sites
    page.goto(club)
    frame = page.frame_locator("iframe")
    told = frame.locator("#announcements")
    first, reply, last = PUZZLE.line
    point(page, frame, first)
    expect(told).to_contain_text(CANOE.spell(CANOE.split(reply), "fr"))
    point(page, frame, last)
    expect(told).to_contain_text("Résolu")
    assert context.cookies() == [], "nobody is known in a frame"
    with page.expect_event("console") as refused:
        page.goto(other)
    assert "frame-ancestors" in refused.value.text
    context.close()
