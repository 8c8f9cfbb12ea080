"""Boxes on paper, measured in the PDF: sizes of sheets and cells, counts of pieces, fonts."""

from __future__ import annotations

import io
import itertools
import math
from collections import Counter
from collections.abc import Iterator

import pypdf
import pytest
from pypdf.generic import ContentStream

import escale
from escale.game.printed import PrintedToken
from escale.render.print_sheets import (
    OVERLAP_MM,
    PAPERS,
    NotPrintable,
    in_grey,
    parts_of,
    print_box,
    tiles,
)

GAMES = ("canoe", "canyon-1972", "canyon-1997", "qenj1", "qenj2", "qenj3", "qenj4", "tortuga")
MM = 72 / 25.4
Matrix = tuple[float, float, float, float, float, float]


def document(slug: str, *parts: str, paper: str = "a4", grey: bool = False) -> pypdf.PdfReader:
    game = escale.game(slug)
    pdf = print_box(game, "fr", paper=paper, parts=parts or parts_of(game), grey=grey)
    return pypdf.PdfReader(io.BytesIO(pdf))


def times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, n = outer
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
            e * g + f * i + k, e * h + f * j + n)


def origins(page: pypdf.PageObject, pdf: pypdf.PdfReader) -> Iterator[tuple[float, float]]:
    """Where on a page, in millimetres from below, anything is drawn around a point of its own."""
    here: Matrix = (1, 0, 0, 1, 0, 0)
    stack: list[Matrix] = []
    for operands, operator in ContentStream(page.get_contents(), pdf).operations:
        if operator == b"q":
            stack.append(here)
        elif operator == b"Q":
            here = stack.pop()
        elif operator == b"cm":
            here = times(tuple(float(one) for one in operands), here)  # type: ignore[arg-type]
            yield here[4] / MM, here[5] / MM
        elif operator == b"Tm":
            there = times(tuple(float(one) for one in operands), here)  # type: ignore[arg-type]
            yield there[4] / MM, there[5] / MM


def apart(points: list[tuple[float, float]], across: float, down: float) -> int:
    """How many points have another one so far away, to a tenth of a millimetre."""
    return sum(
        any(abs(x + across - u) < 0.1 and abs(y + down - v) < 0.1 for u, v in points)
        for x, y in points
    )


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_has_the_size_of_the_paper_upright_or_across(slug: str, paper: str) -> None:
    wide, high = PAPERS[paper]
    pages = document(slug, paper=paper).pages
    assert len(pages) >= 4
    for page in pages:
        size = float(page.mediabox.width) / MM, float(page.mediabox.height) / MM
        assert sorted(size) == pytest.approx(sorted((wide, high)), abs=0.05)


# How far apart neighbouring cells are, in millimetres, and how many of them have a neighbour there.
NEIGHBOURS = {
    "tortuga": (0, 25.68, 30), "canoe": (17.28, 0, 53), "qenj1": (21.84, 0, 44),
    "qenj2": (20.58, 0, 40), "qenj3": (27.0, 0, 48), "qenj4": (27.0, 0, 48),
    "canyon-1997": (25.0, 0, 100),
}


@pytest.mark.parametrize("slug", NEIGHBOURS)
def test_cells_are_true_to_scale_to_a_tenth_of_a_millimetre(slug: str) -> None:
    across, down, pairs = NEIGHBOURS[slug]
    pdf = document(slug, "board")
    found = sum(apart(list({(round(x, 3), round(y, 3)) for x, y in origins(page, pdf)}), across,
                      down) for page in pdf.pages)
    assert found >= pairs


def test_the_rows_of_canyon_1972_are_true_to_scale() -> None:
    """Its cells are parts of one drawing: the numbers along the edge are measured."""
    pdf = document("canyon-1972", "board")
    points = [point for page in pdf.pages for point in origins(page, pdf)]
    step = 54 * 0.275
    assert apart(points, step, step) >= 10


@pytest.mark.parametrize("slug", GAMES)
def test_all_pieces_are_there_and_one_to_spare(slug: str) -> None:
    """Every face of a piece is a picture: the pieces of the box, twice, and the spare ones."""
    game = escale.game(slug)
    assert game.printed is not None
    tokens = game.printed.tokens
    facts = {
        "canoe": 26, "canyon-1972": 30, "canyon-1997": 8, "qenj1": 12, "qenj2": 36, "qenj3": 21,
        "qenj4": 18, "tortuga": 16,
    }
    assert sum(token.count for token in tokens) == facts[slug]
    if game.supplies is not None and slug != "tortuga":
        most = Counter({supply.piece: supply.most for supply in game.supplies})
        assert {token.name.replace("-", " "): token.count for token in tokens} == {
            name: most[name] for name in most if not (slug in ("qenj1", "qenj2")
                                                      and " " not in name)
        }
    pdf = document(slug, "pieces")
    size = game.printed.disc_mm
    below = [(round(x, 1), round(y, 1)) for page in pdf.pages for x, y in origins(page, pdf)]
    faces = 2 * sum(token.count + token.spare for token in tokens)
    assert len(set(below)) >= faces
    assert size >= 14, "a piece that fingers can hold"


def test_cards_and_backs_meet_when_the_paper_is_turned_over() -> None:
    game = escale.game("canyon-1997")
    assert game.printed is not None
    deck, speed = game.printed.decks
    assert (len(deck.cards), len(speed.cards)) == (50, 30)
    assert Counter(card.front for card in deck.cards) == dict.fromkeys(
        ("card-blue", "card-red", "card-green", "card-yellow", "card-purple"), 10
    )
    pdf = document("canyon-1997", "cards")
    assert len(pdf.pages) % 2 == 0
    width = PAPERS["a4"][0]
    card = game.printed.card_mm[0]
    for front, back in zip(pdf.pages[::2], pdf.pages[1::2], strict=True):
        numbers = {(x, y) for x, y in origins(front, pdf)}
        assert numbers
        assert card < width
        middles = {round(x - width / 2, 1) for x, _ in origins(back, pdf)}
        assert any(abs(x - width / 2 + middle) < 0.2 for x, _ in numbers for middle in middles)


@pytest.mark.parametrize("slug", GAMES)
def test_fonts_are_embedded_and_the_rules_fit_on_four_pages(slug: str) -> None:
    pdf = document(slug, "rules")
    assert len(pdf.pages) <= 4
    fonts = [
        font.get_object() for page in pdf.pages
        for font in page["/Resources"].get("/Font", {}).values()        # type: ignore[attr-defined]
    ]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        described = inner["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described), font["/BaseFont"]
    words = "\n".join(page.extract_text() for page in pdf.pages)
    first, last = words.find("En bref"), words.find("Petit lexique")
    assert 0 <= first < last
    for paragraph in escale.game(slug).rules["fr"].paragraphs[:3]:
        assert paragraph.text.split()[0].strip("*") in words


def test_in_black_and_white_there_is_no_colour() -> None:
    for page in (pdf := document("qenj3", grey=True)).pages:
        for operands, operator in ContentStream(page.get_contents(), pdf).operations:
            if operator in (b"rg", b"RG") or (operator in (b"scn", b"SCN") and len(operands) == 3):
                red, green, blue = map(float, operands)
                assert math.isclose(red, green, abs_tol=0.01), (operator, operands)
                assert math.isclose(green, blue, abs_tol=0.01), (operator, operands)


def test_greys_keep_the_names_of_symbols() -> None:
    assert in_grey('href="#abc-def" fill="#abc"') == 'href="#abc-def" fill="#b7b7b7"'


def test_tiles_cover_a_length_with_the_overlap_between_them() -> None:
    for length in (10, 190, 191, 400, 555.5):
        parts = tiles(length, 190)
        assert parts[0][0] == 0
        assert parts[-1][0] + parts[-1][1] == pytest.approx(length)
        for (begin, size), (following, _) in itertools.pairwise(parts):
            assert begin + size - following == pytest.approx(OVERLAP_MM)
            assert size <= 190


def test_every_piece_has_a_name_in_both_languages_and_a_drawing() -> None:
    for slug in GAMES:
        game = escale.game(slug)
        assert game.printed is not None
        for token in game.printed.tokens:
            assert isinstance(token, PrintedToken)
            for lang in ("fr", "en"):
                assert game.texts.count(f"print.{token.name}", lang, token.count)
        assert all(game.texts.say("print.household", lang) for lang in ("fr", "en"))


def test_a_game_without_a_box_cannot_be_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = escale.game("tortuga")
    monkeypatch.setattr(type(game), "printed", None)
    assert parts_of(game) == ()
    with pytest.raises(NotPrintable):
        print_box(game, "en")
