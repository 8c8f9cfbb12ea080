"""Static files: sent without comments, line for line; what a page imports is known beforehand."""

from __future__ import annotations

import gzip
import re

import brotli
import pytest

from escale.web import STATIC
from escale.web.static_files import COMMENTS, modules, names, static_file, without_comments

SCRIPTS = sorted(name for name in names() if name.endswith((".js", ".css")))


@pytest.mark.parametrize(("text", "sent"), [
    ("a(); // why\nb();", "a(); \nb();"),
    ("/** @param {X} x */\nf(x)", "\nf(x)"),
    ("/*\n one\n two */ f()", "\n\n f()"),
    ('f("http://x/*y*/", \'//\', `//${a}/*`); // z', 'f("http://x/*y*/", \'//\', `//${a}/*`); '),
    (r"t.replace(/\/\*[/*]/g, a / b / c); /* d */", r"t.replace(/\/\*[/*]/g, a / b / c); "),
    ("const two = a / b; // c / d", "const two = a / b; "),
    ("x = y ? /'/ : `it's`; // it's", "x = y ? /'/ : `it's`; "),
])
def test_comments_are_left_out_and_nothing_else(text: str, sent: str) -> None:
    assert without_comments(text) == sent


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_file_is_sent_line_for_line(name: str) -> None:
    source = (STATIC / name).read_text("utf-8")
    file = static_file(name)
    assert file is not None
    sent = file.body.decode()
    if file.packed or len(source) > 1000:           # a few lines do not become shorter
        assert gzip.decompress(file.packed["gzip"]) == file.body
        assert brotli.decompress(file.packed["br"]) == file.body
    again = without_comments(sent, COMMENTS[f".{name.rpartition('.')[2]}"])
    assert [line.strip() for line in again.split("\n")] == [
        line.strip() for line in sent.split("\n")
    ]
    for was, is_ in zip(source.split("\n"), sent.split("\n"), strict=True):
        # Each line keeps what is no comment, in its order.
        assert is_.strip() in was or re.sub(r"/\*.*?\*/", "", was).strip() == is_.strip()


def test_only_files_that_are_there_can_be_asked_for() -> None:
    for name in ("", "js", "../texts.toml", "/etc/passwd", "js/../css/base.css", "js/none.js"):
        assert static_file(name) is None
    font = static_file("fonts/fraunces-latin-600-normal.woff2")
    assert font is not None
    assert (font.media_type, font.packed) == ("font/woff2", {})


def test_a_page_asks_at_once_for_everything_that_its_script_imports() -> None:
    asked = modules("table.js")
    assert asked[0] == "table.js"
    assert len(set(asked)) == len(asked)
    for name in asked:
        text = without_comments((STATIC / "js" / name).read_text("utf-8"))
        assert set(re.findall(r'from "\./([\w-]+\.js)"', text)) <= set(asked), name
