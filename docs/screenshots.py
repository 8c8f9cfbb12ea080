"""Take the pictures of the README: `python -m docs.screenshots`, in a checkout.

It needs Playwright and Chromium. Two computers play the beginning of each game, so that the same
pictures can be taken again when pages change.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright

import escale
from bench.server import measured_house
from escale.opponents import think

FOLDER = Path(__file__).parent
PICTURES = {
    # name: (game, options, moves played, width, height)
    "laptop": ("tortuga", {"first": "south"}, 17, 1100, 660),
    "phone": ("canyon-1972", {}, 20, 360, 720),
}


def post(address: str, body: object, token: str = "") -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept-Language": "en"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    with urlopen(Request(address, json.dumps(body).encode(), headers)) as answer:
        found: dict[str, str] = json.load(answer)
        return found


def played_table(house: str, slug: str, options: dict[str, str], plies: int) -> str:
    """The address of both seats at a table where so many moves have been played."""
    order = {"game": slug, "options": options, "seats": [{"kind": "person"}] * 2}
    made = post(f"{house}/api/tables", order)
    position = escale.game(slug).start_with(options)
    events = Request(f"{house}/api/tables/{made['table']}", headers={"Accept-Language": "en"})
    with urlopen(events) as answer:
        first = json.load(answer)["n"]
    for ply in range(plies):
        move = think(position, "pilote", seed=ply).move
        post(f"{house}/api/tables/{made['table']}/events", {
            "do": "play", "seat": position.turn, "id": f"move-{ply}", "n": first + ply,
            "move": move.text,
        }, made["token"])
        position = position.play(move)
    return f"{house}/t/{made['table']}#seat={made['token']}"


def main() -> None:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, measured_house(
        str(Path(folder) / "house.sqlite3"), 1
    ) as (_, port):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (slug, options, plies, width, height) in PICTURES.items():
            address = played_table(f"http://127.0.0.1:{port}", slug, options, plies)
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale="en-GB",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(address)
            page.wait_for_selector("#status:not(:empty)")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
