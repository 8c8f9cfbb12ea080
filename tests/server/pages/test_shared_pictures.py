"""Pictures of tables: the position as it is, and nothing that a spectator may not see."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

import escale
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import SPECTATOR
from escale.render.qr import qr_svg
from escale.server.pages import pictures
from escale.server.pages.shared_pictures import _cover_card, table_card, table_words
from tests.server.hosting import MOUSSE, OPEN, hosted, person
from tests.server.pages.test_pages import PREFIX, read

SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("box", escale.games(), ids=lambda box: str(box.slug))


def properties(page: str) -> dict[str, str]:
    """What a page tells other sites of itself."""
    return {
        meta.get("property") or meta.get("name") or "": meta.get("content", "")
        for meta in read(page).iter("meta")
    }


def test_a_small_picture_shows_the_position_and_is_not_kept_when_it_is_old(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = house.create("tortuga", person("Ana"), person("Bo"), options={"first": "south"})
        get = house.client.get
        n = table.get()["n"]
        before = get(f"/picture/table/{table.id}.svg?n={n}")
        assert before.headers["content-type"] == "image/svg+xml"
        assert "max-age=86400" in before.headers["cache-control"]
        table.play(0, table.get("/moves")["moves"][0]["text"])
        after = get(f"/picture/table/{table.id}.svg?n={n}")
        assert after.headers["cache-control"] == "no-cache"
        assert after.text != before.text
        assert {use.get("class") for use in ET.fromstring(after.text).iter(f"{SVG}use")} >= {
            "piece owner-0", "piece owner-1", "mark last",
        }
        assert get("/picture/table/none.svg").status_code == 404


def test_a_game_that_is_over_has_an_animation(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = house.create("tortuga", person("Ana"), person("Bo"), options={"first": "south"})
        get = house.client.get
        assert get("/picture/table/none/game.png").status_code == 404
        assert get(f"/picture/table/{table.id}/game.png").status_code == 409
        for seat in (0, 1):
            table.play(seat, table.get("/moves")["moves"][0]["text"])
        table.act("resign", 0)
        n = table.get()["n"]
        picture = get(f"/picture/table/{table.id}/game.png?n={n}")
        assert picture.headers["content-type"] == "image/png"
        assert "max-age=86400" in picture.headers["cache-control"]
        assert b"acTL" in picture.content
        assert picture.content.count(b"fcTL") >= 3          # the beginning, and two moves


def test_no_hidden_card_is_in_a_picture_before_the_end(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = house.create("canyon-1997", person("A"), person("B"), person("C"))
        held, hands = house.house.tables[table.id], set[str]()
        while not hands:                            # where canoes start comes first
            turn = held.match.turn
            assert turn is not None
            table.play(turn, table.get("/moves", **{"as": turn})["moves"][0]["text"])
            hands = {card for name, cards in held.match.position.cells.items()
                     if name.endswith(" hand") for card in str(cards).split()}
        position = held.match.position
        text = house.client.get(f"/picture/table/{table.id}.svg").text
        atoms = {use.get("data-atom") for use in ET.fromstring(text).iter(f"{SVG}use")}
        assert not atoms & hands
        assert text == pictures.table(position, SPECTATOR).svg


def test_a_link_to_a_table_shows_its_card_elsewhere(tmp_path: Path) -> None:
    origin = "https://club.example"
    with hosted(tmp_path, origins=(origin,)) as house:
        table = house.create("canoe", person("Ana"), OPEN)
        for lang in LANGUAGES:
            said = properties(house.client.get(
                f"{PREFIX[lang]}/t/{table.id}", headers={"accept-language": lang}
            ).text)
            held = house.house.tables[table.id]
            assert said["og:image"] == origin + table_card(held, lang)
            assert said["twitter:card"] == "summary_large_image"
            assert "Canoë" in said["og:title"]
            assert said["og:description"] == " · ".join(table_words(held, lang))
            assert "Ana" in said["og:description"]
            picture = house.client.get(said["og:image"].removeprefix(origin))
            assert picture.content.startswith(b"\x89PNG")
            assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
            assert "content-encoding" not in picture.headers
        assert house.client.get(f"/picture/table/{table.id}/de.png").status_code == 404


def test_what_a_card_says_of_a_table(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = house.create("tortuga", person("子"), MOUSSE)
        held = house.house.tables[table.id]
        names, stands = table_words(held, "en")
        assert names == "South – Cabin boy"         # the font has no letters for that name
        assert re.fullmatch(r"Moves played: \d+\.", stands)
        table.act("resign", 0)
        assert table_words(held, "en")[1] == table.get()["outcome"]["text"]


@every_game
def test_the_card_of_a_game_has_its_pitch_and_board(box: Game[Any]) -> None:
    for lang in LANGUAGES:
        root = ET.fromstring(_cover_card(box, lang))
        words = [text.text or "" for text in root.findall(f"{SVG}text")]
        assert words[:2] == ["Escale", box.title]
        assert box.texts.say("pitch", lang).split()[0] in " ".join(words[2:])
        board, = [part for part in root.findall(f"{SVG}svg") if part.get("role") == "img"]
        left, top, width, height = (float(board.get(name, ""))
                                    for name in ("x", "y", "width", "height"))
        assert left >= 0
        assert top >= 0
        assert left + width <= 1200
        assert top + height <= 630


def test_a_box_and_its_rules_show_the_card_of_the_game(client: TestClient) -> None:
    for path in ("/g/canoe", "/g/canoe/rules"):
        said = properties(client.get(path).text)
        assert said["og:image"].endswith("/picture/game/canoe/fr.png")
    assert client.get("/picture/game/canoe/fr.png").content.startswith(b"\x89PNG")
    for path in ("/picture/game/none/fr.png", "/picture/game/canoe/de.png"):
        assert client.get(path).status_code == 404
    assert properties(client.get("/lobby").text)["twitter:card"] == "summary"


def test_a_code_leads_to_a_table_of_this_house_and_nowhere_else(tmp_path: Path) -> None:
    with hosted(tmp_path, host="0.0.0.0", machine=lambda: ("198.51.100.7",)) as house:
        table = house.create("canoe", person("Ana"), OPEN)
        port = house.url.rpartition(":")[2]
        get = house.client.get
        for at in (house.url, f"http://198.51.100.7:{port}"):
            answer = get(f"/picture/table/{table.id}/en/qr.svg", params={"at": at})
            assert answer.headers["content-type"] == "image/svg+xml"
            assert answer.text == qr_svg(f"{at}/en/t/{table.id}")
            assert ET.fromstring(answer.text).find(f"{SVG}path[@fill='#fff']") is not None
        for lang, at in (("de", house.url), ("fr", "https://elsewhere.example"), ("fr", "")):
            answer = get(f"/picture/table/{table.id}/{lang}/qr.svg", params={"at": at})
            assert answer.status_code == 404
        assert get("/picture/table/none/fr/qr.svg", params={"at": house.url}).status_code == 404
