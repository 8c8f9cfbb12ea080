"""The house within a browser, run natively: whole games, refusals, and what survives."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from typing import Any

import pytest

import escale
from escale.match.match import Match
from escale.server.offline.device import Device
from escale.study.puzzles import puzzles_of
from tests.server.offline.keeping import Browser, Page
from tests.sizes import PATIENCE_SECONDS

SLUGS = [game.slug for game in escale.games()]
BLOCKED = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import escale.server.offline.device
"""
ABSENT = {
    "alembic", "anyio", "brotli", "fastapi", "jinja2", "markupsafe", "platformdirs", "pydantic",
    "resvg_py", "rich", "segno", "sqlalchemy", "starlette", "typer", "uvicorn", "websockets",
}


async def opened(device: Device, form: str) -> tuple[Page, dict[str, Any]]:
    """A page at a new table, everybody seated."""
    made = await device.request("POST", "/api/tables?lang=en", form.encode())
    order: dict[str, Any] = json.loads(made.body)
    assert made.status == 200, order
    page = Page(device)
    await page.open(order["table"], order["token"])
    for seat in order["seats"]:
        await page.act("sit", seat=seat, value="00" * 16)
    return page, order


async def play_on(page: Page, table: str, seats: list[int], most: int, seed: int = 1) -> Match:
    """Play by chance for these seats, until the game is over or they have made so many moves."""
    chance = random.Random(seed)
    found = await page.device.table(table)
    assert found is not None
    match = found.match
    for _ in range(most):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while match.outcome is None and not set(match.choosing) & set(seats):
                await asyncio.sleep(0)          # a computer thinks
        if match.outcome is not None:
            break
        seat = next(seat for seat in match.choosing if seat in seats)
        await page.act("view", **{"as": seat})
        move = chance.choice(match.position.with_turn(seat).moves()).text
        await page.act("play", seat=seat, n=len(match.events), move=move)
        refused = [one for one in page.heard if one["type"] == "refused"]
        assert not refused, refused
    return match


def test_what_runs_in_a_browser_needs_no_server_and_no_database() -> None:
    code = BLOCKED.format(absent=ABSENT)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("slug", SLUGS)
def test_games_are_played_against_the_computer(slug: str) -> None:
    async def play() -> None:
        browser = Browser()
        device = browser.device()
        form = f"game={slug}&way=computer&level=mousse&lang=en&my-seat=0"
        page, order = await opened(device, form)
        match = await play_on(page, order["table"], order["seats"], 12)
        assert match.outcome is not None or match.position.plies >= 4
        lines = browser.tables[order["table"]]["lines"]
        assert Match.replay("\n".join(lines)).position == match.position, "each event is kept"

    asyncio.run(play())


def test_a_whole_game_ends_and_goes_on_from_what_was_kept() -> None:
    async def play() -> None:
        browser = Browser()
        page, order = await opened(browser.device(), "game=tortuga&way=screen&lang=en")
        table, token = order["table"], order["token"]
        match = await play_on(page, table, order["seats"], 10)
        again = Page(browser.device())          # the browser was closed meanwhile
        await again.open(table, token)
        assert again.heard[0]["n"] == len(match.events)
        match = await play_on(again, table, order["seats"], 400)
        assert match.outcome is not None
        assert browser.tables[table]["over"]
        said = await again.device.request("GET", f"/api/tables/{table}?lang=en", token=token)
        assert json.loads(said.body)["outcome"]["text"]
        await again.act("offer", seat=0, what="rematch", value="11" * 16)
        for _ in range(50):
            await asyncio.sleep(0)
        following = (await again.device.table(table)).match.next    # type: ignore[union-attr]
        assert following is not None
        assert following.startswith("here-")
        assert following in browser.tables

    asyncio.run(play())


def test_a_table_that_another_page_has_changed_is_read_again() -> None:
    async def play() -> None:
        browser = Browser()
        one, order = await opened(browser.device(), "game=tortuga&way=screen&lang=en")
        other = Page(browser.device())
        await other.open(order["table"], order["token"])
        await play_on(other, order["table"], order["seats"], 1)
        before = len(browser.tables[order["table"]]["lines"])
        match = (await one.device.table(order["table"])).match      # type: ignore[union-attr]
        seat = match.choosing[0]
        move = match.position.moves()[0].text
        await one.act("play", seat=seat, n=len(match.events), move=move)
        assert one.heard[-1]["type"] == "refused"
        assert one.closed == [1012]
        assert len(browser.tables[order["table"]]["lines"]) == before
        again = Page(one.device)
        await again.open(order["table"], order["token"])
        assert again.heard[0]["n"] == before - 1, "without the header"

    asyncio.run(play())


def test_refusals_are_those_of_the_house() -> None:
    async def play() -> None:
        device = Browser().device()
        page, order = await opened(device, "game=tortuga&way=screen&lang=en")
        table, token = order["table"], order["token"]
        await page.act("play", seat=1, n=0, move="d2-d3")
        assert page.heard[-1]["code"] in ("not-your-turn", "stale", "illegal")
        stranger = await device.request("GET", f"/api/tables/{table}?lang=en")
        assert json.loads(stranger.body)["you"]["seats"] == []
        attempt = json.dumps({"as": 0, "atoms": ["d2", "d7"]}).encode()
        why = await device.request("POST", f"/api/tables/{table}/explain?lang=en", attempt, token)
        assert "text" in json.loads(why.body)
        for method, path, code in (
            ("GET", "/api/tables/here-nothing", "unknown-table"),
            ("GET", "/api/lobby", "unknown-page"),
            ("POST", "/api/games/chess/study", "unknown-game"),
            ("POST", f"/api/tables/{table}/events", "bad-request"),
        ):
            answer = await device.request(method, path, b"{", token)
            assert json.loads(answer.body)["code"] == code, path
        link = await device.request("POST", "/api/tables", b"game=tortuga&way=link")
        assert json.loads(link.body)["code"] == "not-now"

    asyncio.run(play())


def test_study_answers_as_in_the_house() -> None:
    async def ask() -> None:
        device = Browser().device()
        _page, order = await opened(device, "game=tortuga&way=computer&level=mousse&lang=en")
        table, token = order["table"], order["token"]
        for _ in range(50):
            await asyncio.sleep(0)

        async def post(path: str, body: dict[str, Any]) -> Any:
            sent = json.dumps(body).encode()
            answer = await device.request("POST", f"{path}?lang=en", sent, token)
            found = json.loads(answer.body)
            assert answer.status == 200, found
            return found if answer.more is None else [found, *answer.more]

        hint = await post(f"/api/tables/{table}/hint", {"as": 0})
        assert hint["text"]
        assert hint["move"]["text"]
        judged = await post(f"/api/tables/{table}/judge", {"as": 0, "move": hint["move"]["text"]})
        assert not judged["warns"]
        position = await post("/api/games/tortuga/study", {"line": [], "draw": True})
        assert position["moves"] > 10
        looks = await post("/api/games/tortuga/analysis", {"line": position["line"], "lines": 2})
        assert len(looks) > 1
        assert looks[-1].last
        game = escale.game("tortuga")
        puzzle = next(iter(puzzles_of(game).values()))
        verdict = await post(
            f"/api/games/tortuga/puzzles/{puzzle.id}/try", {"line": [puzzle.line[0]]}
        )
        assert verdict["verdict"] in ("right", "solved")
        board = position["scene"]["board"]
        assert (await device.request("GET", board)).status == 200
        pace = json.loads((await device.request("GET", "/api/games/tortuga/pace/mousse")).body)
        assert pace["seconds"] >= 0
        assert pace["weaker"] in (True, False)

    asyncio.run(ask())


def test_a_finished_match_is_reviewed_here() -> None:
    async def review() -> None:
        device = Browser().device()
        page, order = await opened(device, "game=tortuga&way=screen&lang=en")
        path = f"/api/tables/{order['table']}/review?lang=en"
        assert json.loads((await device.request("GET", path)).body)["code"] == "still-played"
        await play_on(page, order["table"], order["seats"], 3)
        await page.act("resign", seat=0)
        await device.request("POST", path)
        found = json.loads((await device.request("GET", path)).body)
        while found["state"] == "making":
            await asyncio.sleep(0)
            found = json.loads((await device.request("GET", path)).body)
        assert found["state"] == "made"
        assert found["review"]["moves"]
        written = await device.request("GET", path.replace("/review?", "/review/page?"))
        page_of_review = json.loads(written.body)["html"]
        assert found["review"]["result"] in page_of_review
        assert "<svg" in page_of_review

    asyncio.run(review())
