"""A box to print: the page that asks what is wanted, and the document."""

from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest

from escale.server.pages import printing
from escale.server.pages.painting import Painter
from tests.server.hosting import Hosted, hosted
from tests.server.pages.test_pages import read


def painter_of(house: Hosted) -> Painter:
    painter: Painter = house.app.state.painter
    return painter


def test_the_form_leads_to_a_document_with_the_parts_that_are_ticked(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        get = house.client.get
        [form] = read(get("/en/g/canyon-1997/print").text).iter("form")
        parts = [one.get("value") for one in form.iter("input") if one.get("name") == "part"]
        assert parts == ["guide", "board", "pieces", "cards", "rules"]
        answer = get(form.get("action") or "", params={
            "part": ["board", "pieces"], "paper": "letter", "grey": "1",
        })
        assert answer.headers["content-type"] == "application/pdf"
        assert "escale-canyon-1997-board-pieces-en.pdf" in answer.headers["content-disposition"]
        pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
        sizes = {tuple(sorted((float(page.mediabox.width), float(page.mediabox.height))))
                 for page in pages}
        [(wide, high)] = sizes
        assert (wide, high) == pytest.approx((612, 792), abs=0.2)
        words = "".join(page.extract_text() for page in pages)
        assert "The river" in words
        assert "The pieces" in words
        assert "In short" not in words


def test_a_box_that_was_laid_out_is_kept(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        path = "/g/qenj4/print/en.pdf?part=pieces"
        first = house.client.get(path)
        made = dict(painter_of(house)._made)
        assert house.client.get(path).content == first.content
        assert painter_of(house)._made == made
        assert len(made) == 1


@pytest.mark.parametrize("path", [
    "/en/g/nothing/print", "/g/nothing/print/fr.pdf", "/g/tortuga/print/de.pdf",
    "/g/tortuga/print/fr.pdf?paper=a0",
])
def test_what_there_is_not_is_said(tmp_path: Path, path: str) -> None:
    with hosted(tmp_path) as house:
        assert house.client.get(path).status_code == 404


def test_a_house_that_makes_no_documents_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "can_print", lambda: False)
    with hosted(tmp_path) as house:
        page = house.client.get("/en/g/tortuga/print").text
        assert "escale-games[print]" in page
        assert "<form" not in page.split("<main")[1]
        assert house.client.get("/g/tortuga/print/fr.pdf").status_code == 503
