"""Covers and figures: each game has its cover, each example its figure, and they show it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from escale.game.game import Game
from escale.game.viewer import ALL
from escale.games import game, games
from escale.render.framing import TALLEST
from escale.server.pages import pictures

SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("box", games(), ids=lambda box: str(box.slug))


@every_game
def test_the_cover_is_the_opening(box: Game[Any]) -> None:
    cover = pictures.cover(box)
    root = ET.fromstring(cover.svg)
    assert root.get("width") == str(cover.width)
    assert root.get("height") == str(cover.height)
    assert 0.4 < cover.height / cover.width <= TALLEST + 0.01


@every_game
def test_every_example_has_a_figure(box: Game[Any]) -> None:
    for example in box.examples:
        picture = pictures.figure(box, example.id)
        frame = ET.fromstring(picture.svg).get("viewBox") or ""
        left, top, width, height = map(float, frame.split())
        assert width > 0
        if example.attempt is not None:
            assert pictures.refusal_of(box, example).paragraph == example.refused
        scene = box.position(example.position, line=example.line).scene(ALL)
        places = {cell.id: (cell.x, cell.y) for cell in scene.cells}
        touched = [*example.cells, *box.split(example.attempt or example.move or "")]
        for x, y in (places[at] for at in touched if at in places):
            assert left <= x <= left + width, example.id
            assert top <= y <= top + height, example.id


def marked(picture: pictures.Picture) -> dict[str, str]:
    return {
        element.get("data-at", ""): element.get("class", "").removeprefix("mark ")
        for element in ET.fromstring(picture.svg).iter(f"{SVG}use")
        if element.get("class", "").startswith("mark ")
    }


def test_a_figure_lights_what_its_move_touches() -> None:
    box = game("canoe")
    assert marked(pictures.figure(box, "move")) == {"g3": "chosen", "f4": "next"}
    assert marked(pictures.figure(box, "move-too-far")) == {"g3": "chosen", "g5": "refused"}


def test_nothing_hidden_is_in_a_figure() -> None:
    """A figure shows what the seat on turn sees: the others' cards have no faces."""
    box = game("canyon-1997")
    drawn = ET.fromstring(pictures.figure(box, "follow-suit").svg)
    example = next(e for e in box.examples if e.id == "follow-suit")
    position = box.position(example.position, line=example.line)
    hands = {name: str(value).split() for name, value in position.cells.items()
             if name.endswith(" hand")}
    shown = {use.get("data-atom") for use in drawn.iter(f"{SVG}use")}
    assert position.turn is not None
    own = f"{box.seat_names[position.turn]} hand"
    assert set(hands[own]) <= shown
    for name, cards in hands.items():
        if name != own:
            assert not shown & set(cards)


def frame(picture: pictures.Picture) -> tuple[float, ...]:
    return tuple(map(float, (ET.fromstring(picture.svg).get("viewBox") or "").split()))


def test_a_long_board_is_shown_whole_where_the_example_says_so() -> None:
    box = game("canyon-1997")
    example = next(e for e in box.examples if e.whole)
    river, *_ = box.position(example.position, line=example.line).scene(ALL).panels
    whole = next(e.id for e in box.examples if e.whole)
    assert frame(pictures.figure(box, whole)) == (river.x, river.y, river.width, river.height)
    _, _, width, height = frame(pictures.figure(box, "start-only"))
    assert height <= TALLEST * width


@pytest.mark.parametrize("name", ["ruff", "lead", "bids", "dealer"])
def test_cards_are_shown_without_the_board(name: str) -> None:
    """All of the table's lines and the hand, readable: nothing of the river beside them."""
    box = game("canyon-1997")
    example = next(e for e in box.examples if e.id == name)
    scene = box.position(example.position, line=example.line).scene(ALL)
    river, *_ = scene.panels
    left, top, width, height = frame(pictures.figure(box, name))
    assert left >= river.x + river.width
    assert width > height
    for piece in scene.pieces:
        if piece.owner is not None and piece.x > left:
            assert top < piece.y < top + height


@pytest.mark.parametrize(("name", "cells"), [
    ("pushed-over", {"b26", "c26", "d26", "e21"}),
    ("blocked", {"b12"}),
])
def test_what_a_card_does_to_canoes_is_shown_on_the_river(name: str, cells: set[str]) -> None:
    box = game("canyon-1997")
    picture = pictures.figure(box, name)
    assert cells <= set(marked(picture))
    assert frame(picture)[0] == 0


def test_an_unknown_figure() -> None:
    with pytest.raises(KeyError):
        pictures.figure(game("canoe"), "no-such-example")
