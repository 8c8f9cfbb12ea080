"""A game's box on paper, true to scale: boards, pieces and cards to cut out, and the rules.

`print_box` lays everything out in millimetres and hands it to Typst, which makes a PDF of vectors
with embedded fonts. It knows no game: what is in the box is data (`game/printed.py`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.game.printed import (
    PrintedBoard,
    PrintedBox,
    PrintedCard,
    PrintedDeck,
    PrintedToken,
)
from escale.game.rules_page import ASIDE, GLOSSARY, LISTS, Section
from escale.game.scene import Panel
from escale.render.framing import figure_scene
from escale.render.svg import LABEL, NAMESPACE, Drawings, number, svg

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
PARTS = ("guide", "board", "pieces", "cards", "rules")
MARGIN_MM = 10.0
"""The margin that printers leave white."""
CAPTION_MM = 8.0
"""The strip below the drawings of a sheet: its name, a ruler, how sheets join."""
OVERLAP_MM = 6.0
"""The strip of its neighbour that a sheet of a board repeats, to be glued."""
BLEED_MM = 1.5
"""The distance that colours go on beyond a cut."""
FLAP_MM = 7.0
"""The height of a standee's foot."""
SIZES_PT = {2: (9.0, 8.5, 8.0), 4: (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)}
"""Sizes of letters by pages of the booklet: one sheet if they stay readable, else two."""
FONTS = Path(__file__).parent / "fonts"
FAMILY = "Inter"
TEMPLATE = Path(__file__).parent / "print_sheets.typ"

Operation = dict[str, Any]
"""One thing on a sheet, with its place in millimetres; `print_sheets.typ` draws it."""

Item = tuple[float, float, Callable[[float, float], Iterable[Operation]]]
"""The width and height of something to cut out, and the function that draws it at a place."""


class NotPrintable(EscaleError):
    """A game without a box to print, or a part that its box does not have."""


@dataclass(slots=True)
class Sheet:
    """A page of drawings."""

    width: float
    height: float
    caption: str
    items: list[Operation] = field(default_factory=list)
    ruler: bool = True


def print_box(
    game: Game[Any], lang: str, *, paper: str = "a4", parts: Iterable[str] = PARTS,
    grey: bool = False,
) -> bytes:
    """The box of a game, or parts of it, as a PDF."""
    return _Printer(game, lang, paper, grey).pdf(tuple(parts))


def parts_of(game: Game[Any]) -> tuple[str, ...]:
    """The parts of a game's box; none if it cannot be printed."""
    box = game.printed
    if box is None:
        return ()
    has = {"pieces": bool(box.tokens), "cards": bool(box.decks)}
    return tuple(part for part in PARTS if has.get(part, True))


def tiles(length: float, room: float) -> list[tuple[float, float]]:
    """The parts of a length that is divided among sheets: the start and the length of each.

    Parts repeat `OVERLAP_MM` of their neighbour, and are equally long.

    >>> tiles(150, 190), tiles(300, 190)
    ([(0.0, 150)], [(0.0, 153.0), (147.0, 153.0)])
    """
    if length <= room:
        return [(0.0, length)]
    count = math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM))
    part = (length + OVERLAP_MM * (count - 1)) / count
    return [(number * (part - OVERLAP_MM), part) for number in range(count)]


def in_grey(text: str) -> str:
    """A drawing or a colour with each colour as the grey of its brightness.

    >>> in_grey('fill="#ff0000" stroke="#fff"')
    'fill="#4c4c4c" stroke="#ffffff"'
    """
    def grey(colour: re.Match[str]) -> str:
        digits = colour[1] if len(colour[1]) == 6 else "".join(2 * one for one in colour[1])
        red, green, blue = (int(digits[at:at + 2], 16) for at in (0, 2, 4))
        level = int(0.299 * red + 0.587 * green + 0.114 * blue)
        return f"#{level:02x}{level:02x}{level:02x}"

    return re.sub(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?![0-9a-zA-Z-])", grey, text)


class _Printer:
    """Collects the sheets and the drawings of one document."""

    def __init__(self, game: Game[Any], lang: str, paper: str, grey: bool) -> None:
        if game.printed is None:
            raise NotPrintable(f"{game.slug} has no box to print")
        self.game, self.lang, self.grey = game, lang, grey
        self.box: PrintedBox = game.printed
        self.width, self.height = PAPERS[paper]
        self.drawings = Drawings(game.art)
        self.files: dict[str, bytes] = {}
        self.names: dict[str, str] = {}

    def pdf(self, parts: Sequence[str]) -> bytes:
        import typst  # an extra, and large: only printing needs it

        sheets: list[Sheet] = []
        for part, drawn in (("board", self.boards), ("pieces", self.tokens), ("cards", self.cards)):
            if part in parts:
                sheets += drawn()
        data = {
            "lang": self.lang, "title": self.game.title, "authors": ", ".join(self.game.authors),
            "paper": [self.width, self.height], "family": FAMILY, "margin": MARGIN_MM,
            "ink": "#2b2119", "soft": "#65543f",
            "say": {key: self.say(f"print.{key}") for key in ("ruler", "fold")},
            "guide": self.guide(sheets) if "guide" in parts else None,
            "sheets": [
                {"width": one.width, "height": one.height, "caption": plain(one.caption),
                 "items": one.items, "ruler": one.ruler}
                for one in sheets
            ],
            "rules": self.rules() if "rules" in parts else None,
        }

        def compiled(size: float) -> dict[str, Any]:
            text = json.dumps({**data, "size": size}, ensure_ascii=False)
            self.files["data.json"] = (in_grey(text) if self.grey else text).encode()
            return {"main": TEMPLATE.read_bytes(), **self.files}

        options: dict[str, Any] = {"font_paths": [str(FONTS)], "ignore_system_fonts": True}
        size = SIZES_PT[4][-1]
        for most, size in [(most, size) for most, sizes in SIZES_PT.items() for size in sizes]:
            pages = typst.query(compiled(size), "<rules-pages>", field="value", one=True, **options)
            if json.loads(pages) <= most:
                break
        return bytes(typst.compile(compiled(size), format="pdf", **options))

    # ---- words ----

    def say(self, key: str, **values: object) -> str:
        """A sentence of the game's texts, or of the texts that all games share."""
        return plain(self.game.texts.say(key, self.lang, **values))

    def counted(self, key: str, count: int, **values: object) -> str:
        return plain(self.game.texts.count(key, self.lang, count, **values))

    # ---- drawings ----

    def drawing(self, text: str) -> str:
        """The name under which Typst finds a drawing."""
        text = re.sub(r'font-family="[^"]*"', f'font-family="{FAMILY}"', text)
        if self.grey:
            text = in_grey(text)
        if text not in self.names:
            self.names[text] = f"drawing-{len(self.names)}.svg"
            self.files[self.names[text]] = text.encode()
        return self.names[text]

    def symbol(self, name: str, *, label: str = "", frame: Sequence[float] | None = None,
               emblem: str = "") -> str:
        """A drawing of one symbol of the art."""
        left, top, width, height = frame or (-50, -50, 100, 100)
        root = ET.Element("svg", {
            "xmlns": NAMESPACE, "viewBox": " ".join(map(number, (left, top, width, height))),
            "width": number(width), "height": number(height),
        })
        root.append(self.drawings.defs)
        ET.SubElement(root, "use", {"href": self.drawings.ref(name)})
        if label:
            style = self.drawings.styles.get(f"label-{name}", {"dy": ".35em"})
            ET.SubElement(root, "text", {**LABEL, **style}).text = label
        if emblem:
            for turn in ("", "rotate(180) "):
                ET.SubElement(root, "use", {
                    "href": self.drawings.ref(emblem),
                    "transform": f"{turn}translate({number(left + width - 17)} "
                                 f"{number(top + 13)}) scale(.27)",
                })
        return self.drawing(ET.tostring(root, encoding="unicode"))

    # ---- boards ----

    def boards(self) -> Iterator[Sheet]:
        for board in self.box.boards:
            yield from self.board(board)

    def board(self, board: PrintedBoard) -> Iterator[Sheet]:
        """The board on the fewest sheets, upright or across."""
        scale = board.unit_mm / 100
        wide, high = board.frame[2] * scale, board.frame[3] * scale

        def divided(width: float, height: float) -> tuple[list[Any], list[Any]]:
            room = width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - CAPTION_MM
            return tiles(wide, room[0]), tiles(high, room[1])

        page = min(
            ((self.width, self.height), (self.height, self.width)),
            key=lambda page: len(divided(*page)[0]) * len(divided(*page)[1]),
        )
        columns, rows = divided(*page)
        count = len(columns) * len(rows)
        scene = self.game.empty_board()
        for down, (top, height) in enumerate(rows):
            for across, (left, width) in enumerate(columns):
                shown = Panel(
                    "sheet", board.frame[0] + left / scale, board.frame[1] + top / scale,
                    width / scale, height / scale,
                )
                caption = self.say(f"print.{board.name}")
                if count > 1:
                    at = down * len(columns) + across + 1
                    caption = self.say("print.sheet", what=caption, number=at, count=count)
                sheet = Sheet(*page, caption)
                x = (page[0] - width) / 2
                y = MARGIN_MM
                drawing = svg(replace(scene, panels=(shown,)), self.game.art, panel="sheet")
                sheet.items.append(_image(self.drawing(_sized(drawing, shown)), x, y, width,
                                          height))
                sheet.items += _corners(x, y, width, height)
                sheet.items += [
                    _line(x + (a - shown.x) * scale, y + (b - shown.y) * scale, c * scale,
                          d * scale, "cut")
                    for a, b, c, d in board.cuts
                ]
                sheet.items += _joins(x, y, width, height, across, down, columns, rows)
                if count > 1:
                    sheet.items += _miniature(page, across, down, len(columns), len(rows))
                yield sheet

    # ---- pieces ----

    def tokens(self) -> Iterator[Sheet]:
        """Discs, then standees, on as many sheets as they need."""
        size = self.box.disc_mm
        items: list[Item] = [
            (1.5 * size, 2 * size + 2 * FLAP_MM, partial(self.standee, token)) if token.stands
            else (size, 2 * size, partial(self.disc, token))
            for token in sorted(self.box.tokens, key=lambda token: token.stands)
            for _ in range(token.count + token.spare)
        ]
        yield from self.packed(self.say("print.pieces"), items)

    def disc(self, token: PrintedToken, x: float, y: float) -> list[Operation]:
        """Two faces that touch; the lower one is upside down, and upright when it is folded."""
        size = self.box.disc_mm
        art = 0.94 * size
        inset = (size - art) / 2
        back = token.back or token.front
        return [
            _circle(x + size / 2, y + half * size + size / 2, size / 2 + BLEED_MM, token.ground)
            for half in (0, 1)
        ] + [
            _image(self.symbol(token.front), x + inset, y + inset, art, art),
            _image(self.symbol(back), x + inset, y + size + inset, art, art, turn=180),
            *(_circle(x + size / 2, y + half * size + size / 2, size / 2, "", "cut")
              for half in (0, 1)),
            _line(x + size * 0.3, y + size, size * 0.4, 0, "fold"),
        ]

    def standee(self, token: PrintedToken, x: float, y: float) -> list[Operation]:
        """A strip: foot, face, face upside down, foot."""
        size = self.box.disc_mm
        width = 1.5 * size
        art = 0.94 * min(width, size * 1.5)
        frame = (-50.0, -33.0, 100.0, 66.0)
        tall = art * frame[3] / frame[2]
        inset = (width - art) / 2
        back = token.back or token.front
        top = y + FLAP_MM
        return [
            _rect(x - BLEED_MM, top, width + 2 * BLEED_MM, 2 * size, token.ground),
            _image(self.symbol(token.front, frame=frame), x + inset, top + size + 1, art, tall),
            _image(self.symbol(back, frame=frame), x + inset, top + size - 1 - tall, art, tall,
                   turn=180),
            _rect(x, y, width, 2 * size + 2 * FLAP_MM, "", "cut"),
            *(_line(x, top + down, width, 0, "fold") for down in (0, size, 2 * size)),
        ]

    # ---- cards ----

    def cards(self) -> Iterator[Sheet]:
        """The fronts of each deck, each sheet followed by its backs, mirrored."""
        for deck in self.box.decks:
            yield from self.deck(deck)

    def deck(self, deck: PrintedDeck) -> Iterator[Sheet]:
        width, height = self.box.card_mm
        cards: list[PrintedCard | None] = [*deck.cards, *(None for _ in range(deck.spare))]
        name = self.say(f"print.{deck.name}")

        def front(card: PrintedCard | None, x: float, y: float) -> Iterator[Operation]:
            if card is not None:
                face = self.symbol(card.front, label=card.label, frame=self.box.card_art,
                                   emblem=card.emblem)
                yield _image(face, x, y, width, height)
            yield from _corners(x, y, width, height)

        def back(card: PrintedCard | None, x: float, y: float) -> Iterator[Operation]:
            emblem = card.emblem if card and deck.back_emblem else ""
            picture = self.symbol(deck.back, frame=self.box.card_art, emblem=emblem)
            # A little larger than the card: the two sides never meet exactly.
            yield _image(picture, x - BLEED_MM, y - BLEED_MM, width + 2 * BLEED_MM,
                         height + 2 * BLEED_MM)

        fronts = self.packed(name, [(width, height, partial(front, card)) for card in cards])
        backs = self.packed(
            self.say("print.backs", what=name),
            [(width, height, partial(back, card)) for card in cards], mirrored=True,
        )
        for pair in zip(fronts, backs, strict=True):
            yield from pair

    def packed(
        self, caption: str, items: Sequence[Item], *, mirrored: bool = False
    ) -> list[Sheet]:
        """Sheets with these things in rows; mirrored for the other side of the paper."""
        gap = 2 * BLEED_MM + 1
        right, bottom = self.width - MARGIN_MM, self.height - MARGIN_MM - CAPTION_MM
        begin = MARGIN_MM + BLEED_MM
        sheets: list[Sheet] = []
        x, y, row = begin, begin, 0.0
        for width, height, made in items:
            if x + width + BLEED_MM > right:
                x, y, row = begin, y + row + gap, 0.0
            if not sheets or y + height + BLEED_MM > bottom:
                sheets.append(Sheet(self.width, self.height, caption, ruler=not mirrored))
                x, y, row = begin, begin, 0.0
            sheets[-1].items += made(self.width - x - width if mirrored else x, y)
            x, row = x + width + gap, max(row, height)
        if len(sheets) > 1:
            for number, sheet in enumerate(sheets, 1):
                sheet.caption = self.say("print.sheet", what=caption, number=number,
                                         count=len(sheets))
        return sheets

    # ---- words on paper ----

    def guide(self, sheets: Sequence[Sheet]) -> dict[str, Any]:
        """The instructions for the box: its contents, the steps, and possible substitutes."""
        contents = [self.say(f"print.{board.name}") for board in self.box.boards]
        contents += [
            self.counted(f"print.{token.name}", token.count) +
            (" " + self.counted("print.spare", token.spare) if token.spare else "")
            for token in self.box.tokens
        ]
        contents += [
            self.counted(f"print.{deck.name}-count", len(deck.cards)) for deck in self.box.decks
        ]
        steps = ["scale", "board"]
        steps += ["discs"] if any(not token.stands for token in self.box.tokens) else []
        steps += ["standees"] if any(token.stands for token in self.box.tokens) else []
        steps += ["cards"] if self.box.decks else []
        return {
            "title": self.say("print.guide", title=self.game.title),
            "contents": contents, "inside": self.say("print.inside"),
            "steps": [self.say(f"print.step-{step}") for step in steps],
            "how": self.say("print.how"),
            "household": self.say("print.household"),
            "instead": self.say("print.instead"),
            "sheets": self.counted("print.sheets", len(sheets)),
            "thanks": self.say("print.thanks"),
        }

    def rules(self) -> dict[str, Any]:
        """The rules page, its sentences and the figures beside them."""
        page = self.game.rules[self.lang]
        beside = {example.beside: example for example in self.game.examples if example.beside}

        def figure(paragraph: str) -> Mapping[str, Any] | None:
            example = beside.get(paragraph)
            if example is None:
                return None
            scene = figure_scene(example, self.game)
            frame = scene.panels[0]
            drawing = svg(scene, self.game.art, panel=frame.id, say=lambda caption: self.say(
                caption.key, **(caption.values or {})))
            return {
                "svg": self.drawing(_sized(drawing, frame)),
                "caption": plain(example.caption[self.lang]),
                "shape": frame.width / frame.height,
            }

        def shown(section: Section) -> dict[str, Any]:
            items = [item for item in section.items if not item.startswith("{#")]
            return {
                "heading": plain(section.heading), "small": section.id in ASIDE,
                "list": [_runs(item) for item in items] if section.id in LISTS else [],
                "rules": [
                    {"number": one.number, "runs": _runs(one.text), "figure": figure(one.id)}
                    for one in section.paragraphs
                ],
            }

        return {
            "title": plain(page.title), "introduction": _runs(page.introduction),
            "authors": ", ".join(self.game.authors),
            "sections": [shown(one) for one in page.sections if one.id != GLOSSARY or one.items],
        }


def plain(text: str) -> str:
    """A text with the spaces that the fonts have."""
    return text.replace("\u202f", "\xa0")


def _runs(text: str) -> list[list[str]]:
    """A text as runs in bold, in italics, or neither.

    >>> _runs("A **bold** and *slanted* word")
    [['', 'A '], ['bold', 'bold'], ['', ' and '], ['italic', 'slanted'], ['', ' word']]
    """
    runs = []
    for part in re.split(r"(\*\*[^*]+\*\*|\*[^*]+\*)", plain(text)):
        if part.startswith("**"):
            runs.append(["bold", part[2:-2]])
        elif part.startswith("*"):
            runs.append(["italic", part[1:-1]])
        elif part:
            runs.append(["", part])
    return runs


def _sized(drawing: str, frame: Panel) -> str:
    """A drawing with its size, from which Typst knows its shape."""
    return drawing.replace(
        "<svg ", f'<svg width="{number(frame.width)}" height="{number(frame.height)}" ', 1
    )


def _image(name: str, x: float, y: float, width: float, height: float, turn: int = 0) -> Operation:
    return {"do": "image", "svg": name, "x": x, "y": y, "width": width, "height": height,
            "turn": turn}


def _circle(x: float, y: float, radius: float, fill: str, style: str = "") -> Operation:
    return {"do": "circle", "x": x - radius, "y": y - radius, "radius": radius, "fill": fill,
            "style": style}


def _rect(x: float, y: float, width: float, height: float, fill: str, style: str = "") -> Operation:
    return {"do": "rect", "x": x, "y": y, "width": width, "height": height, "fill": fill,
            "style": style}


def _line(x: float, y: float, across: float, down: float, style: str) -> Operation:
    return {"do": "line", "x": x, "y": y, "across": across, "down": down, "style": style}


def _corners(x: float, y: float, width: float, height: float) -> Iterator[Operation]:
    """Marks outside the corners of a thing to cut out: the cut removes them."""
    for left, way in ((x, -1), (x + width, 1)):
        for top, sense in ((y, -1), (y + height, 1)):
            yield _line(left + way * 0.6, top, way * 2.4, 0, "cut")
            yield _line(left, top + sense * 0.6, 0, sense * 2.4, "cut")


def _joins(
    x: float, y: float, width: float, height: float, across: int, down: int,
    columns: Sequence[Any], rows: Sequence[Any],
) -> Iterator[Operation]:
    """The lines on this sheet at which the edges of its neighbours are laid."""
    if across < len(columns) - 1:
        yield _line(x + width - OVERLAP_MM, y, 0, height, "join")
    if down < len(rows) - 1:
        yield _line(x, y + height - OVERLAP_MM, width, 0, "join")


def _miniature(
    page: tuple[float, float], across: int, down: int, columns: int, rows: int
) -> Iterator[Operation]:
    """A small plan of all sheets with this one marked, in the corner of the caption."""
    wide, high = 3.2, (CAPTION_MM - 1.5) / rows
    left = page[0] - MARGIN_MM - columns * wide
    top = page[1] - MARGIN_MM - rows * high
    for row in range(rows):
        for column in range(columns):
            here = (column, row) == (across, down)
            yield _rect(left + column * wide, top + row * high, wide, high,
                        "#65543f" if here else "#ffffff", "cut")
