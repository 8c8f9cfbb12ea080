"""Animated pictures of games: what they show is what whole pictures would show, within bounds."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

import escale
from escale.game.game import Game
from escale.game.position import Position
from escale.game.scene import Scene
from escale.game.viewer import ALL
from escale.render import animation
from escale.render.animation import animated_png, chosen
from escale.render.framing import table_scenes
from escale.render.png import png
from escale.render.svg import svg

SIGNATURE = 8


def played(box: Game[Any], most: int, seed: int = 3) -> list[Scene]:
    """The scenes of a game in which chance decides everything."""
    chance = random.Random(seed)
    position: Position = box.start_with(dict(box.quick), seed="animation")
    positions = [position]
    while position.outcome is None and len(positions) < most:
        position = position.play(chance.choice(list(position.moves())))
        positions.append(position)
    return table_scenes([position.scene(ALL) for position in positions])


def chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = SIGNATURE
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        yield kind, picture[at + 8 : at + 8 + length]
        assert zlib.crc32(picture[at + 4 : at + 8 + length]) == struct.unpack_from(
            ">I", picture, at + 8 + length
        )[0]
        at += length + 12


def rows(data: bytes, width: int) -> list[bytearray]:
    """The rows of the pixels of a PNG picture with four bytes a pixel."""
    raw, line = zlib.decompress(data), 4 * width
    found = [bytearray(line)]
    for start in range(0, len(raw), line + 1):
        kind, above = raw[start], found[-1]
        row = bytearray(raw[start + 1 : start + 1 + line])
        for i in range(line):
            left = row[i - 4] if i >= 4 else 0
            corner = above[i - 4] if i >= 4 else 0
            up = above[i]
            if kind == 4:
                guess = left + up - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                              (abs(guess - corner), 2, corner))[2]
            else:
                nearest = (0, left, up, (left + up) // 2)[kind]
            row[i] = (row[i] + nearest) & 255
        found.append(row)
    return found[1:]


def last_picture(animated: bytes) -> tuple[int, list[bytearray], list[bytearray]]:
    """The width, what a program shows that knows no animations, and what is seen in the end."""
    still, pictures, box = b"", [], (0, 0, 0, 0)
    width = 0
    for kind, body in chunks(animated):
        if kind == b"IHDR":
            width = struct.unpack_from(">I", body)[0]
        elif kind == b"IDAT":
            still += body
        elif kind == b"fcTL":
            box = struct.unpack_from(">IIII", body, 4)
        elif kind == b"fdAT":
            pictures.append((box, body[4:]))
    seen = rows(pictures[0][1], width)
    for (across, _, left, top), data in pictures[1:]:
        for y, row in enumerate(rows(data, across), top):
            seen[y][4 * left : 4 * (left + across)] = row
    return width, rows(still, width), seen


def worst_difference(width: int, one: list[bytearray], other: list[bytearray]) -> float:
    """The most by which small squares differ on average: seams hardly count, pieces do."""
    side = 6
    return max(
        sum(abs(one[y][x] - other[y][x])
            for y in range(top, top + side) for x in range(4 * left, 4 * (left + side)))
        / (3 * side * side)
        for top in range(0, len(one) - side, side // 2)
        for left in range(0, width - side, side // 2)
    )


# Hulls and reserves, labels that change, a long board with others beside it, a board that narrows.
@pytest.mark.parametrize("slug", ["canoe", "canyon-1972", "canyon-1997", "qenj3"])
def test_rectangles_that_change_add_up_to_the_last_scene(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = escale.game(slug)
    monkeypatch.setattr(animation, "PIXELS", 8_000)
    monkeypatch.setattr(animation, "MOST_FRAMES", 8)
    *_, animated = animated_png(played(box, 30), box.art)
    width, still, seen = last_picture(animated)
    assert worst_difference(width, still, seen) < 12           # with a reach of 45 it is more


def test_a_long_game_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(animation, "PIXELS", 4_000)
    box = escale.game("tortuga")
    scenes = played(box, 12)
    long = scenes * 40
    assert len(chosen(long)) == animation.MOST_FRAMES
    assert chosen(long)[0] is scenes[0]
    assert chosen(long)[-1] is scenes[-1]
    *_, whole = animated_png(scenes, box.art)
    monkeypatch.setattr(animation, "MOST_BYTES", len(whole) // 2)
    *_, less = animated_png(scenes, box.art)
    assert len(less) < 0.8 * len(whole)
    assert worst_difference(*last_picture(less)) < 12           # it ends as it did


def test_it_is_a_png_with_a_size_a_count_and_a_long_last_look() -> None:
    box = escale.game("tortuga")
    scenes = played(box, 4)
    *early, animated = animated_png(scenes, box.art)
    assert set(early) == {b""}
    kinds = [kind for kind, _ in chunks(animated)]
    assert kinds[:3] == [b"IHDR", b"acTL", b"IDAT"]
    bodies = dict(chunks(animated))
    assert struct.unpack(">II", bodies[b"acTL"]) == (kinds.count(b"fcTL"), 0)
    assert struct.unpack_from(">HH", bodies[b"fcTL"], 20) == (animation.LAST_MS, 1000)
    numbers = [struct.unpack_from(">I", body)[0] for kind, body in chunks(animated)
               if kind in (b"fcTL", b"fdAT")]
    assert numbers == list(range(len(numbers)))
    whole = svg(scenes[0], box.art, panel="frame", width=100)
    assert png(whole, background=animation.PAPER) != png(whole)
