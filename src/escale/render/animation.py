"""Scenes one after another as an animated PNG, made of what resvg paints.

The first picture is whole; the later ones are only the rectangles in which two scenes differ, found
from the scenes themselves, so that no picture has to be read. A program that shows no animations
shows the last scene.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zlib import crc32

from escale.game.scene import Panel, Scene
from escale.render.png import png
from escale.render.svg import svg

PIXELS = 120_000
"""The size of a picture, roughly."""
MOST_FRAMES = 60
"""The most frames: of a longer series of scenes, some are left out."""
MOST_BYTES = 3_000_000
"""After so many bytes of pictures only the last scene follows."""
FRAME_MS, LAST_MS = 900, 5000
AT_ONCE_MS = 20
"""The time between two rectangles of one scene; browsers lengthen shorter times."""
PAPER = "#f6efe1"
REACH = 85.0
"""The distance that the drawing of a piece or a mark may reach from its place."""
LETTER = 16.0
"""The width of a letter of a label, at most."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of whole pixels."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG picture, and the rectangle that it replaces."""

    box: Box
    png: bytes
    shown_ms: int = FRAME_MS


def animated_png(scenes: Sequence[Scene], art: str) -> Iterator[bytes]:
    """The scenes as one animated PNG, which is the last value; b"" after each picture before.

    Each scene has one panel, the same in all: what is shown of it.
    """
    [frame] = scenes[0].panels
    scale = math.sqrt(PIXELS / (frame.width * frame.height))
    width, height = round(frame.width * scale), round(frame.height * scale)
    scale = width / frame.width
    whole = Box(0, 0, width, height)

    def painted(scene: Scene, box: Box) -> bytes:
        panel = Panel(
            "frame", frame.x + box.left / scale, frame.y + box.top / scale,
            box.width / scale, box.height / scale,
        )
        part = replace(scene, panels=(panel,))
        return png(svg(part, art, panel="frame", width=box.width), background=PAPER)

    scenes = [scenes[0], *(after for before, after in pairwise(scenes)
                           if differences(before, after, frame, scale, whole))]
    last = scenes[-1]
    still = painted(last, whole)
    yield b""
    shown = scenes[0]
    pictures = [Picture(whole, painted(shown, whole))]
    room = MOST_BYTES - 2 * len(still)
    for scene in chosen(scenes):
        if room < 0 and scene is not last:
            continue
        if boxes := differences(shown, scene, frame, scale, whole):
            parts = [Picture(box, painted(scene, box), AT_ONCE_MS) for box in boxes]
            pictures += [*parts[:-1], replace(parts[-1], shown_ms=FRAME_MS)]
            room -= sum(len(part.png) for part in parts)
            shown = scene
            yield b""
    yield joined(still, [*pictures[:-1], replace(pictures[-1], shown_ms=LAST_MS)])


def chosen(scenes: Sequence[Scene]) -> list[Scene]:
    """At most MOST_FRAMES of the scenes, evenly, the first and the last among them."""
    steps = min(MOST_FRAMES, len(scenes)) - 1
    return [scenes[round(step * (len(scenes) - 1) / max(1, steps))] for step in range(steps + 1)]


def differences(one: Scene, other: Scene, frame: Panel, scale: float, whole: Box) -> list[Box]:
    """The pixels that two scenes draw differently, in rectangles that do not overlap."""
    if one.cells != other.cells:
        return [whole]
    found: list[tuple[int, int, int, int]] = []
    for x, y, reach in {*_changed_pieces(one, other), *_changed_marks(one, other),
                        *_changed_labels(one, other)}:
        spot = (max(0, math.floor((x - reach - frame.x) * scale)),
                max(0, math.floor((y - REACH - frame.y) * scale)),
                min(whole.width, math.ceil((x + reach - frame.x) * scale)),
                min(whole.height, math.ceil((y + REACH - frame.y) * scale)))
        if spot[0] >= spot[2] or spot[1] >= spot[3]:
            continue
        while touching := [box for box in found if _touch(box, spot)]:
            found = [box for box in found if box not in touching]
            lefts, tops, rights, lows = zip(spot, *touching, strict=True)
            spot = (min(lefts), min(tops), max(rights), max(lows))
        found.append(spot)
    return [Box(left, top, right - left, low - top) for left, top, right, low in sorted(found)]


def _touch(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return (one[0] < other[2] and other[0] < one[2]) and (one[1] < other[3] and other[1] < one[3])


def _changed_pieces(one: Scene, other: Scene) -> Iterable[tuple[float, float, float]]:
    for piece in set(one.pieces) ^ set(other.pieces):
        yield piece.x, piece.y, REACH


def _changed_marks(one: Scene, other: Scene) -> Iterable[tuple[float, float, float]]:
    before, after = one.highlights, other.highlights
    lit = {at for at in {*before, *after} if before.get(at) != after.get(at)}
    lit |= {at for hull in set(one.hulls) ^ set(other.hulls) for at in hull}
    for scene in (one, other):
        for cell in scene.cells:
            if cell.id in lit:
                yield cell.x, cell.y, REACH
        for piece in scene.pieces:
            if lit & {piece.at, piece.atom}:
                yield piece.x, piece.y, REACH
        for area in scene.areas:
            if area.id in lit:
                yield from ((x, y, REACH) for x, y in area.spots)


def _changed_labels(one: Scene, other: Scene) -> Iterable[tuple[float, float, float]]:
    for scene, unlike in ((one, other), (other, one)):
        for label in scene.labels:
            # A caption is written by the page, not here.
            if isinstance(label.text, str) and label not in unlike.labels:
                yield label.x, label.y, max(REACH, len(label.text) * LETTER)


def joined(still: bytes, pictures: Sequence[Picture]) -> bytes:
    """PNG pictures as one animated PNG; `still` is shown where nothing moves."""
    header, data = _parts(still)
    out = [SIGNATURE, _chunk(b"IHDR", header),
           _chunk(b"acTL", struct.pack(">II", len(pictures), 0)), _chunk(b"IDAT", data)]
    for place, picture in enumerate(pictures):
        box = picture.box
        out.append(_chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", 2 * place, box.width, box.height, box.left, box.top, picture.shown_ms,
            1000, 0, 0,
        )))
        out.append(_chunk(b"fdAT", struct.pack(">I", 2 * place + 1) + _parts(picture.png)[1]))
    out.append(_chunk(b"IEND", b""))
    return b"".join(out)


def _parts(picture: bytes) -> tuple[bytes, bytes]:
    """The header and the data of a PNG picture."""
    header, data, at = b"", b"", len(SIGNATURE)
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        body = picture[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            data += body
        at += length + 12
    return header, data


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc32(kind + body))
