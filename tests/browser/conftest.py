"""A house for the tests, Chromium, and pages that note whatever goes wrong in them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.sizes import PATIENCE_SECONDS, THOROUGH

CHROMIUM = next(filter(None, map(shutil.which, (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
))), None)
"""The browser; best the one without windows, which needs less than half of the processor time."""
ELSEWHERE = "198.51.100.7"
"""An address of the network at which the browser finds this machine, even without a network."""
FLAGS = (
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-quic",
)
PHONE = (320, 640)
DESKTOP = (1280, 800)
PICTURES = os.environ.get("ESCALE_PICTURES", "")
"""The folder for pictures of what was tested; without it only failures leave any."""
FAILURES = Path("artifacts/browser")
"""Where pictures of failures are left."""
FAILED = pytest.StashKey[bool]()

CHANCE = {} if THOROUGH else {"ESCALE_TEST_CHANCE": "1"}
"""`make test` gives all tables the same chance outcomes (tests/site), `make test-all` does not."""

PATIENCE_MS = 1000 * PATIENCE_SECONDS
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium nothing here can run, and that must be noticed."""
    if CHROMIUM is None:
        loud = pytest.mark.skip(reason="CHROMIUM IS NOT INSTALLED: NO BROWSER TEST WAS RUN")
        for item in items:
            if "/browser/" in item.path.as_posix():
                item.add_marker(loud)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed
    return report


@dataclass
class House:
    """A server in its own process, which can be stopped and started again."""

    database: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", str(self.port),
             "--away", "2", "--no-limits"],
            env={**os.environ, "ESCALE_DATABASE": f"sqlite:///{self.database}", **CHANCE},
            stdout=subprocess.DEVNULL,
        )
        until = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.address}/api/games", timeout=PATIENCE_SECONDS):
                    return
            except OSError:             # it does not listen yet
                time.sleep(0.1)
        raise RuntimeError("the house did not open")

    def close(self, *, brutally: bool = False) -> None:
        assert self.process is not None
        if brutally:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(PATIENCE_SECONDS)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The house, open."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    opened = House(tmp_path_factory.mktemp("house") / "house.db", port)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser, one for all tests here: driving it keeps an event loop running, as tests
    elsewhere do themselves.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Visitor:
    """A visitor with a browser of their own, who notes every error of the page."""

    page: Page
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.context.set_default_timeout(PATIENCE_MS)
        self.page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        self.page.on("console", lambda message: self.errors.append(message.text)
                     if message.type == "error" else None)


Arrive = Callable[..., Visitor]


@pytest.fixture
def arrive(
    house: House, chromium: Browser, request: pytest.FixtureRequest
) -> Iterator[Arrive]:
    """Opens a visitor's browser; at the end, none of their pages may have had an error.

    Unless asked otherwise they want to see everything at once: most tests are not about pace.
    """
    visitors: list[Visitor] = []

    def come(
        size: tuple[int, int] = DESKTOP, *, lang: str = "fr-FR", touch: bool = False,
        dark: bool = False, calm: bool = True, speed: str = "instant",
    ) -> Visitor:
        context = chromium.new_context(
            base_url=house.address, viewport={"width": size[0], "height": size[1]}, locale=lang,
            has_touch=touch, color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if calm else "no-preference",
        )
        context.add_init_script(f"""
          if (!localStorage.getItem("escale.speed")) {{
            localStorage.setItem("escale.speed", JSON.stringify("{speed}"));
          }}
        """)
        visitors.append(Visitor(context.new_page()))
        return visitors[-1]

    yield come
    for number, visitor in enumerate(visitors):
        if request.node.stash.get(FAILED, False) and not visitor.page.is_closed():
            take(visitor.page, FAILURES / f"{request.node.name.replace('/', '-')}-{number}.png")
        visitor.page.context.close()
    assert [error for visitor in visitors for error in visitor.errors] == []


def take(page: Page, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        page.screenshot(path=path)
    except Error:           # just resized, Chromium may have nothing drawn yet
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.screenshot(path=path)


@pytest.fixture
def picture() -> Callable[[Page, str], None]:
    """Saves what a page looks like, to be looked at, where pictures are wanted."""
    return lambda page, name: take(page, Path(PICTURES) / f"{name}.png") if PICTURES else None
