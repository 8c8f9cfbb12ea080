"""Pictures: everything on the table is in them, and nothing else gets in."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from escale.game.game import Game
from escale.game.scene import Board, Caption, Cell, Kind, Label, Scene, regular
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL
from escale.games import game, games
from escale.render.svg import definitions, ground, svg

SVG = "{http://www.w3.org/2000/svg}"
REASONS = ("last", "next", "chosen", "refused", "look", "end")
PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" id="plain"><defs>{}</defs></svg>'
MAN = '<symbol id="plain-man"><circle r="30"/></symbol>'

every_game = pytest.mark.parametrize("box", games(), ids=lambda box: str(box.slug))


def parsed(scene: Scene, art: str, **options: Any) -> ET.Element:
    return ET.fromstring(svg(scene, art, **options))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def later(box: Game[Any], moves: int = 9) -> Scene:
    """The table after some moves."""
    position = box.start(seed=5)
    for number in range(moves):
        if legal := position.moves():
            position = position.play(legal[number * 7 % len(legal)])
    return position.scene(ALL)


def board(*cells: Cell) -> Board:
    return Board(
        width=300, height=200, cells=cells, kinds={"man": Kind("man", "m", "m", owner=1)},
        rows=(tuple(cell.id for cell in cells),), labels=((10, 190, "a"),),
    )


def plain(*cells: Cell, **pieces: str) -> Scene:
    return board(*cells).scene({**pieces}, turn=0)


# ---- whole pictures, of every game ----

@every_game
def test_everything_on_the_table_is_drawn(box: Game[Any]) -> None:
    scene = later(box)
    root = parsed(scene, box.art, say=lambda caption: caption.key)
    assert root.tag == f"{SVG}svg"
    assert [cell.get("data-at") for cell in of_class(root, "cell")] == [
        cell.id for cell in scene.cells
    ]
    drawn = [
        (piece.get("data-at"), piece.get("href"), piece.get("class"))
        for piece in of_class(root, "piece")
    ]
    assert drawn == [
        (
            piece.at, f"#{box.slug}-{piece.symbol}",
            "piece" if piece.owner is None else f"piece owner-{piece.owner}",
        )
        for piece in scene.pieces
    ]
    texts = [label.text for group in of_class(root, "labels") for label in group]
    assert texts == [
        label.text if isinstance(label.text, str) else label.text.key for label in scene.labels
    ]


@every_game
def test_the_art_has_every_kind_of_piece_and_a_board(box: Game[Any]) -> None:
    art = ET.fromstring(box.art)
    assert art.get("id") == box.slug
    symbols = {symbol.get("id") for symbol in art.iter(f"{SVG}symbol")}
    names = {kind.symbol for kind in box.board.kinds.values()} | {"board"}
    assert {f"{box.slug}-{name}" for name in names} <= symbols


@every_game
def test_ids_are_unique_and_bear_the_game_s_name(box: Game[Any]) -> None:
    ids = [i for element in ET.fromstring(box.art)[0].iter() if (i := element.get("id"))]
    assert all(i.startswith(f"{box.slug}-") for i in ids)
    root = parsed(later(box), box.art)
    counts = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert set(counts.values()) == {1}


@every_game
@pytest.mark.parametrize("flipped", [False, True])
def test_every_reference_is_to_something_in_the_document(box: Game[Any], flipped: bool) -> None:
    scene = later(box)
    for reason, cell in zip(REASONS, scene.cells, strict=False):
        scene = scene.lit(reason, [cell.id])
    text = svg(scene.flip() if flipped else scene, box.art)
    root = ET.fromstring(text)
    ids = {element.get("id"): element.tag for element in root.iter()}
    for use in root.iter(f"{SVG}use"):
        assert use.get("href", "").removeprefix("#") in ids
    for layer in root.findall(f"{SVG}g"):
        for use in layer.iter(f"{SVG}use"):
            assert ids[use.get("href", "").removeprefix("#")] == f"{SVG}symbol"
    assert set(re.findall(r"url\((.*?)\)", text)) <= {f"#{i}" for i in ids}


@every_game
def test_several_drawings_of_a_page_share_their_definitions(box: Game[Any]) -> None:
    shared = ET.fromstring(definitions(box.art))
    drawn = parsed(later(box), box.art, defs=False)
    assert drawn.find(f"{SVG}defs") is None
    ids = {element.get("id") for element in shared.iter()}
    used = {use.get("href", "") for use in drawn.iter(f"{SVG}use")}
    assert used
    assert used <= {f"#{name}" for name in ids}
    assert shared.findall(f"{SVG}g") == []


@every_game
def test_nothing_that_a_strict_policy_would_block(box: Game[Any]) -> None:
    root = parsed(later(box), box.art, title="t", description="d")
    for element in root.iter():
        assert element.tag.removeprefix(SVG) not in ("style", "script", "image", "foreignObject")
        for name, value in element.items():
            assert name != "style"
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith("#")
            assert "//" not in value
            assert "data:" not in value


@every_game
def test_art_is_small(box: Game[Any]) -> None:
    assert len(box.art.encode()) < 20_000


@every_game
def test_nothing_sticks_out_of_the_picture(box: Game[Any]) -> None:
    for scene in (later(box), later(box).flip()):
        spots = [(piece.x, piece.y) for piece in scene.pieces]
        spots += [(cell.x, cell.y) for cell in scene.cells]
        spots += [(label.x, label.y) for label in scene.labels]
        assert all(0 < x < scene.width and 0 < y < scene.height for x, y in spots)


# ---- from the other side ----

def test_a_flipped_board_is_turned_with_its_pieces() -> None:
    box = game("tortuga")
    scene = box.start(first="south").scene(ALL)
    upright, turned = parsed(scene, box.art), parsed(scene.flip(), box.art)

    def at(root: ET.Element, kind: str, cell: str) -> tuple[int, int, int]:
        """Where it is drawn, and by how much it is turned."""
        [found] = [e for e in of_class(root, kind) if e.get("data-at") == cell]
        x, y, *turn = re.findall("[0-9.]+", found.get("transform", ""))
        return round(float(x)), round(float(y)), int(turn[0]) if turn else 0

    middle, below, above = round(scene.width / 2), 690, 97
    assert below + above == round(scene.height)
    assert of_class(upright, "board")[0].get("transform") is None
    turn = of_class(turned, "board")[0].get("transform", "")
    assert turn.startswith(f"rotate(180 {scene.width / 2:g} ")
    # South's turtle on its base: below and looking up, then above and looking down.
    assert at(upright, "piece", "d1") == (middle, below, 0)
    assert at(turned, "piece", "d1") == (middle, above, 180)
    # North's look down to begin with.
    assert at(upright, "piece", "d7") == (middle, above, 180)
    assert at(turned, "piece", "d7") == (middle, below, 0)
    assert at(upright, "cell", "d1") == (middle, below, 0)
    assert at(turned, "cell", "d1") == (middle, above, 180)


@every_game
def test_four_quarter_turns_give_the_same_picture(box: Game[Any]) -> None:
    scene = later(box)
    seen = scene
    for quarters in (1, 2, 3):
        seen = seen.turned(1)
        assert seen.quarters == quarters
        assert (seen.width, seen.height) == (
            (scene.height, scene.width) if quarters % 2 else (scene.width, scene.height)
        )
        spots = [(cell.x, cell.y) for cell in seen.cells]
        spots += [(label.x, label.y) for label in seen.labels]
        assert all(0 < x < seen.width and 0 < y < seen.height for x, y in spots)
        # The ground turns with what stands on it: a cell stays over the same point of the drawing.
        turn, x, y = map(float, re.findall(r"[\d.]+", ground(seen)))
        assert turn == 90 * quarters
        for cell, other in zip(scene.cells, seen.cells, strict=True):
            across, down = cell.x - x, cell.y - y
            for _ in range(quarters):
                across, down = -down, across
            assert (other.x, other.y) == pytest.approx((x + across, y + down), abs=0.02)
    assert svg(seen.turned(1), box.art) == svg(scene, box.art)
    assert svg(scene.turned(3), box.art) == svg(seen, box.art)


@every_game
def test_every_caption_is_said_in_every_language(box: Game[Any]) -> None:
    captions = [label.text for label in later(box).labels if isinstance(label.text, Caption)]
    assert bool(captions) == (box.slug == "canyon-1997")
    for lang in LANGUAGES:
        for caption in captions:
            assert box.texts.say(caption.key, lang, **(caption.values or {}))


@every_game
def test_turning_twice_gives_the_same_picture(box: Game[Any]) -> None:
    scene = later(box)
    assert svg(scene.flip(), box.art) != svg(scene, box.art)
    assert svg(scene.flip().flip(), box.art) == svg(scene, box.art)


@every_game
def test_nothing_that_is_written_is_ever_upside_down(box: Game[Any]) -> None:
    """Drawings turn with the board, so none of them has words; pieces with words do not turn."""
    for symbol in ET.fromstring(box.art).iter(f"{SVG}symbol"):
        assert list(symbol.iter(f"{SVG}text")) == []
    for scene in (later(box), later(box).flip()):
        for text in parsed(scene, box.art).iter(f"{SVG}text"):
            assert "rotate" not in text.get("transform", "")


@every_game
def test_only_pieces_with_a_front_look_the_other_way_when_the_board_is_turned(
    box: Game[Any]
) -> None:
    scene = later(box)
    turned = {(0, 180), (180, 0)} if box.slug == "tortuga" else {(None, None)}
    for piece, other in zip(scene.pieces, scene.flip().pieces, strict=True):
        assert (piece.facing, other.facing) in turned


@pytest.mark.parametrize("slug", ["qenj1", "qenj2", "qenj3", "qenj4"])
def test_a_seat_s_name_stands_where_it_sits_and_where_its_pieces_lie(slug: str) -> None:
    box = game(slug)
    scene = later(box, 60)
    sides = {seat: tallies[0].name for seat, tallies in scene.tallies.items()}
    assert set(sides.values()) == {"north", "south"}
    for seen, north_is_below in ((scene, False), (scene.flip(), True)):
        for seat, side in sides.items():
            text = side[0].upper()
            [name] = [label for label in seen.labels if label.text == text]
            below = (side == "north") == north_is_below
            assert (name.y > seen.height / 2) == below
            for area in seen.areas:
                if area.id == f"{seat} out":
                    assert (area.spots[0][1] > seen.height / 2) == below


# ---- lit places ----

def marks(root: ET.Element) -> list[tuple[str | None, str | None]]:
    return [(mark.get("data-at"), mark.get("href")) for mark in of_class(root, "mark")]


def test_each_reason_has_its_own_shape() -> None:
    scene = plain(*(Cell(f"a{i}", 100 * i, 100) for i in range(len(REASONS))))
    for i, reason in enumerate(REASONS):
        scene = scene.lit(reason, [f"a{i}"])
    root = parsed(scene, PLAIN.format(MAN))
    shapes = {}
    for symbol in root.iter(f"{SVG}symbol"):
        parts = [
            (part.tag, part.get("d"), part.get("r"), part.get("stroke-dasharray"))
            for part in symbol.iter()
        ][1:]
        shapes[f"#{symbol.get('id')}"] = tuple(parts)
    drawn = [shapes[str(href)] for _, href in marks(root)]
    assert [place for place, _ in marks(root)] == [f"a{i}" for i in range(len(REASONS))]
    assert len(set(drawn)) == len(REASONS)
    assert [sorted(mark.get("class", "").split()) for mark in of_class(root, "mark")] == [
        sorted(["mark", reason]) for reason in REASONS
    ]


def test_a_piece_does_not_hide_what_lights_its_cell() -> None:
    cells = (Cell("a1", 100, 100), Cell("b1", 200, 100))
    scene = plain(*cells, a1="man")
    art = PLAIN.format(MAN)
    [(_, empty)] = marks(parsed(scene.lit("next", ["b1"]), art))
    [(_, taken)] = marks(parsed(scene.lit("next", ["a1"]), art))
    assert empty != taken
    root = parsed(scene.lit("refused", ["a1"]).lit("last", ["b1"]), art)
    order = [element.get("class") for element in root.iter() if element.get("data-at")]
    assert order == ["cell", "cell", "mark last", "piece owner-1", "mark refused"]


def test_marks_fit_between_the_cells() -> None:
    scene = plain(Cell("a1", 100, 100), Cell("b1", 160, 100)).lit("last", ["a1"])
    [mark] = of_class(parsed(scene, PLAIN.format(MAN)), "mark")
    assert mark.get("transform") == "translate(100 100) scale(0.6)"


def test_a_lit_area_is_lit_where_its_pieces_lie() -> None:
    box = game("canoe")
    scene = box.start().play("g3").scene(ALL)
    assert scene.highlights == {"g3": "last"}
    scene = scene.lit("next", ["light reserve"])
    root = parsed(scene, box.art)

    def spots(name: str) -> list[str]:
        found = [e for e in of_class(root, name) if e.get("data-at") == "light reserve"]
        return sorted(e.get("transform", "").removesuffix(" scale(0.64)") for e in found)

    assert len(spots("mark")) == 12
    assert spots("mark") == spots("piece")


def test_an_unknown_place_is_not_lit() -> None:
    scene = plain(Cell("a1", 100, 100)).lit("next", ["nowhere"])
    assert marks(parsed(scene, PLAIN.format(MAN))) == []


# ---- how art is used ----

def test_cells_without_a_symbol_show_their_outline_or_a_hole() -> None:
    hexagon = Cell("a1", 100, 100, regular(100, 100, 50, 6))
    root = parsed(plain(hexagon, Cell("b1", 200, 100)), PLAIN.format(MAN))
    outline, hole = of_class(root, "cell")
    assert outline.tag == f"{SVG}polygon"
    assert outline.get("points", "").split()[0] == "150,100"
    assert (hole.tag, hole.get("cx"), hole.get("cy")) == (f"{SVG}circle", "200", "100")


def test_one_cell_may_have_a_symbol_of_its_own() -> None:
    art = PLAIN.format('<symbol id="plain-cell"/><symbol id="plain-cell-b1"/>')
    root = parsed(plain(Cell("a1", 100, 100), Cell("b1", 200, 100)), art)
    assert [cell.get("href") for cell in of_class(root, "cell")] == [
        "#plain-cell", "#plain-cell-b1"
    ]


def test_symbols_are_not_clipped() -> None:
    root = parsed(plain(Cell("a1", 100, 100)), PLAIN.format(MAN))
    assert {symbol.get("overflow") for symbol in root.iter(f"{SVG}symbol")} == {"visible"}


def test_labels_look_as_the_art_says() -> None:
    art = PLAIN.format('<text id="plain-label" fill="#123456" font-size="31"/>')
    [labels] = of_class(parsed(plain(Cell("a1", 100, 100)), art), "labels")
    assert (labels.get("fill"), labels.get("font-size")) == ("#123456", "31")
    assert labels.get("id") is None


def test_a_label_may_have_a_style_of_its_own() -> None:
    art = PLAIN.format('<text id="plain-sum" font-size="40"/>')
    scene = plain(Cell("a1", 100, 100))
    scene = replace(scene, labels=(*scene.labels, Label(50, 60, "7", "sum")))
    root = parsed(scene, art)
    [label] = of_class(root, "sum")
    assert (label.text, label.get("font-size"), label.get("id")) == ("7", "40", None)
    assert [text.get("class") for text in of_class(root, "labels")[0]] == [None, "sum"]
    assert scene.flip().labels[-1] == Label(250, 140, "7", "sum")


def test_a_missing_symbol_is_named() -> None:
    with pytest.raises(KeyError, match="plain-man"):
        svg(plain(Cell("a1", 100, 100), a1="man"), PLAIN.format(""))


# ---- options ----

def test_size_follows_the_width() -> None:
    scene = plain(Cell("a1", 100, 100))
    root = parsed(scene, PLAIN.format(MAN), width=150)
    assert (root.get("width"), root.get("height")) == ("150", "100")
    assert root.get("viewBox") == "0 0 300 200"
    assert parsed(scene, PLAIN.format(MAN)).get("width") is None


def test_coordinates_can_be_left_out() -> None:
    scene = plain(Cell("a1", 100, 100))
    root = parsed(scene, PLAIN.format(MAN), coordinates=False)
    assert list(root.iter(f"{SVG}text")) == []


def test_hostile_words_stay_words() -> None:
    hostile = """</title><script>alert(1)</script> & "quotes" ]]> <img onerror='x'>"""
    scene = plain(Cell("a1", 100, 100))
    text = svg(scene, PLAIN.format(MAN), title=hostile, description=f"{hostile}\n  a text board")
    assert "<script" not in text
    assert "<img" not in text
    root = ET.fromstring(text)
    assert root.findtext(f"{SVG}title") == hostile
    assert root.findtext(f"{SVG}desc") == f"{hostile}\n  a text board"


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    root = parsed(plain(Cell("a1", 100, 100)), PLAIN.format(MAN), title="a\x00b\ud800c\ufffe♟")
    assert root.findtext(f"{SVG}title") == "a\ufffdb\ufffdc\ufffd♟"


def test_drawing_twice_gives_the_same() -> None:
    box = game("canoe")
    scene = box.start().scene(ALL)
    assert svg(scene, box.art) == svg(scene, box.art)


def test_an_empty_area_can_be_lit_and_touched() -> None:
    box = game("canoe")
    start = box.position("4/LLLLLLLLLLLLL/13/13/11/7 light 0")
    assert start.cells["light reserve"] == 0
    root = parsed(start.scene(ALL).lit("next", ["light reserve"]), box.art)
    for name in ("mark", "area"):
        assert [e for e in of_class(root, name) if e.get("data-at") == "light reserve"]


def test_a_finished_canoe_has_a_hull() -> None:
    box = game("canoe")
    position = box.start()
    for hole in ("a5", "m5", "b4", "m3", "c4", "k5"):
        position = position.play(hole)
    assert position.scene(ALL).hulls == ()
    scene = position.play("d5").scene(ALL)
    assert scene.hulls == (("a5", "b4", "c4", "d5"),)
    middles = {cell.id: f"{cell.x:g},{cell.y:g}" for cell in scene.cells}
    line = " ".join(middles[hole] for hole in scene.hulls[0])
    drawn = [e.get("points") for e in parsed(scene, box.art).iter(f"{SVG}polyline")]
    assert drawn.count(line) == 2                   # its rim, and what is within
