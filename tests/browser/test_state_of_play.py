"""The browser puts scenes together as Python does; the board in words comes when it is read."""

from __future__ import annotations

import itertools
import random

import pytest
from msgspec import json
from playwright.sync_api import expect

import escale
from escale.game.state_of_play import board_part, difference
from escale.game.viewer import ALL
from tests.browser.conftest import DESKTOP, Arrive
from tests.browser.hands import open_pane, start

#: What differs is merged, one after another, and each state of play joined with the board.
JOIN = """async ({board, first, differences}) => {
  const table = document.querySelector("script[src$='/table.js']").src;
  const { join, merge } = await import(table.replace("table.js", "state_of_play.js"));
  const scenes = [join(first, board)];
  let play = first;
  for (const one of differences) {
    play = merge(play, one);
    scenes.push(join(play, board));
  }
  return scenes;
}"""


@pytest.mark.parametrize("slug", ["canoe", "canyon-1997", "qenj2"])
def test_the_browser_joins_the_parts_of_a_scene(arrive: Arrive, slug: str) -> None:
    page = arrive(DESKTOP).page
    start(page, "tortuga", "screen")
    chance = random.Random(4)
    box = escale.game(slug)
    position = box.start(seed=2)
    scenes = [position.scene(ALL)]
    while position.turn is not None and len(scenes) < 40:
        position = position.play(chance.choice(position.moves()))
        scenes.append(position.scene(ALL))
    part = board_part(box, position.options, position.seats)
    plays = [part.state_of_play(scene) for scene in scenes]
    joined = page.evaluate(JOIN, json.decode(json.encode({
        "board": json.decode(part.json), "first": plays[0],
        "differences": [difference(*pair) for pair in itertools.pairwise(plays)],
    })))
    assert joined == [json.decode(json.encode(scene.as_json())) for scene in scenes]


def test_the_board_in_words_is_there_when_its_pane_is_open(arrive: Arrive) -> None:
    page = arrive(DESKTOP).page
    start(page, "tortuga", "screen")
    text = page.locator("#board-text")
    expect(text).to_have_text("")
    open_pane(page, "words")
    expect(text).to_contain_text("▲")
    before = text.text_content() or ""
    page.locator("#move-list button").first.click()
    expect(text).not_to_have_text(before)
