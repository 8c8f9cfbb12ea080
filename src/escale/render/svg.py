"""Scenes as SVG documents: one function draws any game, with the game's own art.

An `art.svg` is a root whose `id` is the game's slug, around `<defs>` in which every `id` is that
slug, a hyphen and a name. A scene and this module use the bare names: the symbol `turtle-south` of
Tortuga's scenes is `tortuga-turtle-south` in its art. In addition to one symbol for each kind of
piece, drawn in the box from -50 to 50, an art may have

- `board`, a symbol in the board's coordinates: what lies under everything;
- `cell`, a symbol around the origin: what is drawn at each cell, in place of its outline;
- `cell-d1`, the same for a single cell, and any other symbol that a scene's cells name;
- `label-NAME`, an empty `<text>`: where and how labels are written on pieces with that symbol;
- `label`, an empty `<text>`: its attributes are those of the labels; the same for the labels of any
  other style that a scene names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from xml.etree import ElementTree as ET

from escale.game.scene import Area, Caption, Cell, Piece, Scene

NAMESPACE = "http://www.w3.org/2000/svg"

STAR = "M37-62l7 16 18 2-13 12 3 18-15-9-15 9 3-18-13-12 18-2z"

#: Eight rays around a ring.
RAYS = "M0-51v-9M0 51v9M-51 0h-9M51 0h9M36-36l6-6M-36-36l-6-6M36 36l6 6M-36 36l-6 6"

#: Marks for highlighted places: they differ in shape as well as colour; for a cell 100 wide.
MARKS = f"""<svg xmlns="{NAMESPACE}">
  <symbol id="escale-last">
    <circle r="45" fill="#fff3b0" fill-opacity=".4" stroke="#5b3d00" stroke-width="7"/>
    <circle r="45" fill="none" stroke="#ffd94a" stroke-width="3.5"/>
  </symbol>
  <symbol id="escale-next">
    <circle r="15" fill="#1b4f9c" stroke="#fff" stroke-width="4"/>
  </symbol>
  <symbol id="escale-next-piece">
    <circle r="43" fill="#fff" fill-opacity=".5" stroke="#fff" stroke-opacity=".7"
      stroke-width="11"/>
    <circle r="43" fill="none" stroke="#1b4f9c" stroke-width="7" stroke-linecap="round"
      stroke-dasharray="0 15.01"/>
  </symbol>
  <symbol id="escale-chosen">
    <circle r="43" fill="#fff" fill-opacity=".5" stroke="#fff" stroke-width="13"/>
    <circle r="43" fill="none" stroke="#1b4f9c" stroke-width="9" stroke-dasharray="46 21.54"
      stroke-dashoffset="23"/>
  </symbol>
  <symbol id="escale-look">
    <g stroke-linejoin="round">
      <circle r="52" fill="none" stroke="#5b3d00" stroke-width="12"/>
      <circle r="52" fill="none" stroke="#ffd94a" stroke-width="7"/>
      <path d="{STAR}" fill="#ffd94a" stroke="#5b3d00" stroke-width="4"/>
    </g>
  </symbol>
  <symbol id="escale-end">
    <g fill="none" stroke-linecap="round">
      <circle r="46" stroke="#fff" stroke-width="12"/>
      <path d="{RAYS}" stroke="#fff" stroke-width="13"/>
      <circle r="46" stroke="#0a6b4f" stroke-width="6"/>
      <path d="{RAYS}" stroke="#0a6b4f" stroke-width="7"/>
    </g>
  </symbol>
  <symbol id="escale-refused">
    <g fill="none" stroke-linecap="round">
      <path d="M-27-27 27 27M27-27-27 27" stroke="#fff" stroke-width="17"/>
      <path d="M-27-27 27 27M27-27-27 27" stroke="#b3122a" stroke-width="10"/>
    </g>
  </symbol>
</svg>"""
UNDER = ("last", "next", "chosen")
OVER = ("refused", "look", "end")              # marks that a piece must not hide

#: The rim of a hull and what is within: the colour, and the width beside that of half a cell.
HULL = (("#4a2c12", 1.75), ("#f2dcae", 1.53))
CROWDED_END_SCALE = 0.6                 # of the mark of an end, where pieces lie close together

#: The attributes of labels, if a game's art has none.
LABEL = {
    "text-anchor": "middle", "fill": "#444", "font-family": "sans-serif", "font-size": "20",
}
UNTOUCHED = {"pointer-events": "none"}  # fingers reach the cell or the piece below
FAINT = {"opacity": ".4"}               # places that are shown a second time


def svg(
    scene: Scene, art: str, *, width: int | None = None, coordinates: bool = True,
    title: str = "", description: str = "", panel: str | None = None, defs: bool = True,
    say: Callable[[Caption], str] | None = None,
) -> str:
    """The scene as a complete document, without scripts, styles or external references.

    `art` is the text of the game's `art.svg`. With a `width`, in pixels, the picture has that size;
    without one it fills its frame. `description` is for people who do not see the picture; a text
    board is best. `panel` names the one part of the scene to show. The document can also be part of
    an HTML page; where a page has several of one game, it contains the game's `definitions` once,
    and each is drawn without its own `defs`. Captions are written if `say` is given.
    """
    drawings = Drawings(art)
    frame = next(
        ((part.x, part.y, part.width, part.height) for part in scene.panels if part.id == panel),
        (0, 0, scene.width, scene.height),
    )
    root = ET.Element("svg", {
        "xmlns": NAMESPACE, "role": "img",
        "viewBox": " ".join(map(number, frame)),
    })
    if width is not None:
        root.set("width", str(width))
        root.set("height", str(round(width * frame[3] / frame[2])))
    for tag, words in (("title", title), ("desc", description)):
        if words:
            ET.SubElement(root, tag).text = printable(words)
    if defs:
        root.append(drawings.defs)
    if drawings.has("board"):
        turned = {"transform": ground(scene)} if scene.quarters else {}
        ET.SubElement(root, "use", {"class": "board", "href": drawings.ref("board"), **turned})
    layers: list[tuple[str, dict[str, str], Iterable[ET.Element]]] = [
        ("cells", {}, (drawings.cell(cell, 90 * scene.quarters) for cell in scene.cells)),
        ("hulls", UNTOUCHED, hulls(scene)),
        ("marks", UNTOUCHED, marks(scene, UNDER)),
        (
            "labels", {**UNTOUCHED, **LABEL, **drawings.styles.get("label", {})},
            labels(scene, drawings.styles, say) if coordinates else (),
        ),
        ("areas", {}, (outline(area) for area in scene.areas)),
        ("pieces", {}, (drawn for piece in scene.pieces for drawn in drawings.piece(piece))),
        ("marks", UNTOUCHED, marks(scene, OVER)),
    ]
    for name, attributes, elements in layers:
        ET.SubElement(root, "g", {"class": name, **attributes}).extend(list(elements))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def definitions(art: str) -> str:
    """The game's drawings and the marks, not shown: for a page with drawings without `defs`.

    The empty texts of the art are included: scripts read from them how to write labels.
    """
    root = ET.Element("svg", {
        "xmlns": NAMESPACE, "class": "definitions", "width": "0", "height": "0",
        "aria-hidden": "true", "focusable": "false",
    })
    drawings = Drawings(art)
    for name, style in drawings.styles.items():
        ET.SubElement(drawings.defs, "text", {"id": f"{drawings.slug}-{name}", **style})
    root.append(drawings.defs)
    return ET.tostring(root, encoding="unicode")


class Drawings:
    """A game's art and the marks, ready to be referenced."""

    def __init__(self, art: str) -> None:
        source = bare(art)
        self.slug = source.get("id", "")
        self.defs = ET.Element("defs")
        for defs in source.findall("defs"):
            self.defs.extend(defs)
        self.defs.extend(bare(MARKS))
        self.names = {element.get("id") for element in self.defs.iter()}
        self.styles: dict[str, dict[str, str]] = {}
        for element in self.defs.findall("text"):
            style = dict(element.items())
            self.styles[style.pop("id").removeprefix(f"{self.slug}-")] = style
            self.defs.remove(element)
        for symbol in self.defs.iter("symbol"):
            # Symbols clip what lies left of or above their origin unless told otherwise.
            symbol.set("overflow", "visible")

    def has(self, name: str) -> bool:
        """Whether the game's art has a drawing with this name."""
        return f"{self.slug}-{name}" in self.names

    def ref(self, name: str) -> str:
        """The reference to the game's drawing with this name; KeyError if there is none."""
        if not self.has(name):
            raise KeyError(f"the art of {self.slug!r} has no {self.slug}-{name}")
        return f"#{self.slug}-{name}"

    def cell(self, cell: Cell, facing: int) -> ET.Element:
        """A cell, drawn by its own symbol, by that of all cells, or by its outline."""
        common = {"class": "cell", "data-at": cell.id, **(FAINT if cell.extra else {})}
        for name in (cell.symbol, f"cell-{cell.id}", "cell"):
            if name and self.has(name):
                place = placed(cell.x, cell.y, facing)
                return ET.Element("use", {**common, "href": self.ref(name), "transform": place})
        line = {**common, "fill": "#fff", "fill-opacity": ".2", "stroke": "#444"}
        if cell.outline:
            points = " ".join(f"{number(x)},{number(y)}" for x, y in cell.outline)
            return ET.Element("polygon", {**line, "points": points})
        return ET.Element(
            "circle", {**line, "cx": number(cell.x), "cy": number(cell.y), "r": "20"}
        )

    def piece(self, piece: Piece) -> Iterator[ET.Element]:
        """A piece, turned in its direction, with its text."""
        place = {
            **(FAINT if piece.extra or piece.faded else {}),
            "transform": placed(piece.x, piece.y, piece.facing),
        }
        yield ET.Element("use", {
            "class": "piece" if piece.owner is None else f"piece owner-{piece.owner}",
            "data-at": piece.at,
            **({"data-atom": piece.atom} if piece.atom else {}),
            "href": self.ref(piece.symbol),
            **place,
        })
        if piece.label:
            style = self.styles.get(f"label-{piece.symbol}", {"dy": ".35em"})
            written = ET.Element("text", {**UNTOUCHED, **LABEL, **style, **place})
            written.text = piece.label
            yield written


def marks(scene: Scene, reasons: tuple[str, ...]) -> Iterator[ET.Element]:
    """The marks of the places that are highlighted for one of these reasons."""
    scale = room(scene) / 50
    cards = {piece.atom for piece in scene.pieces}      # a place may be larger than a cell
    taken = {place for piece in scene.pieces for place in (piece.at, piece.atom)}
    for at, reason in scene.highlights.items():
        if reason not in reasons:
            continue
        symbol = "next-piece" if reason == "next" and at in taken else reason
        # A cell is one spot; an area has as many as there are pieces in it, and at least one.
        spots = {(cell.x, cell.y) for cell in scene.cells if cell.id == at}
        spots |= {(piece.x, piece.y) for piece in scene.pieces if at in (piece.at, piece.atom)}
        spots |= {area.spots[0] for area in scene.areas if area.id == at and not spots}
        beside = all(cell.id != at for cell in scene.cells)
        large = 1.2 if at in cards or (reason == "look" and beside) else scale
        size = CROWDED_END_SCALE * scale if reason == "end" and beside else large
        for x, y in sorted(spots):
            yield ET.Element("use", {
                "class": f"mark {reason}", "data-at": at, "href": f"#escale-{symbol}",
                "transform": f"{placed(x, y)} scale({number(size)})",
            })


def hulls(scene: Scene) -> Iterator[ET.Element]:
    """Each hull as a band along its cells, with a rim."""
    middles = {cell.id: (cell.x, cell.y) for cell in scene.cells if not cell.extra}
    wide = room(scene)
    for cells in scene.hulls:
        points = " ".join(f"{number(x)},{number(y)}" for x, y in (middles[at] for at in cells))
        for colour, width in HULL:
            yield ET.Element("polyline", {
                "points": points, "fill": "none", "stroke": colour,
                "stroke-width": number(width * wide), "stroke-linecap": "round",
                "stroke-linejoin": "round",
            })


def outline(area: Area) -> ET.Element:
    """The rectangle of an area, which can be touched even when it is empty."""
    across, down = zip(*area.spots, strict=True)
    left, top = min(across) - 25, min(down) - 25
    return ET.Element("rect", {
        "class": "area", "data-at": area.id, "fill": "none", "pointer-events": "all",
        "x": number(left), "y": number(top),
        "width": number(max(across) + 25 - left), "height": number(max(down) + 25 - top),
    })


def ground(scene: Scene) -> str:
    """The transform that turns the drawing of the board as the scene is turned."""
    across, down = scene.width / 2, scene.height / 2
    x, y = ((across, down), (across, across), (across, down), (down, down))[scene.quarters]
    return f"rotate({90 * scene.quarters} {number(x)} {number(y)})"


def labels(
    scene: Scene, styles: dict[str, dict[str, str]], say: Callable[[Caption], str] | None = None
) -> Iterator[ET.Element]:
    """The names along the margin or in the cells, each centred on its point."""
    for x, y, text, style in scene.labels:
        words = text if isinstance(text, str) else say(text) if say else ""
        if not words:
            continue
        look = {} if style == "label" else {"class": style, **styles.get(style, {})}
        label = ET.Element("text", {"x": number(x), "y": number(y), "dy": ".35em", **look})
        label.text = words
        yield label


def room(scene: Scene) -> float:
    """The largest radius, at most 50, at which circles around all cells do not overlap."""
    pairs = combinations(scene.cells, 2)
    return min((50, *(math.hypot(a.x - b.x, a.y - b.y) / 2 for a, b in pairs)))


def placed(x: float, y: float, facing: int | None = None) -> str:
    """The transform that moves a symbol to its place."""
    turn = f" rotate({facing})" if facing else ""
    return f"translate({number(x)} {number(y)}){turn}"


def number(value: float) -> str:
    """A length with no more decimals than can be seen."""
    return f"{round(value, 2):g}"


def printable(words: str) -> str:
    """The words without the characters that XML does not allow."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", words)


def bare(text: str) -> ET.Element:
    """The root of an SVG text, its elements named without their namespace."""
    root = ET.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    return root
