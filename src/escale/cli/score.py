"""`escale score`: a transcript as a page to read and to print."""

from __future__ import annotations

from functools import partial
from html import escape

from escale.cli.options import Lang, Output, Transcript, write_lines
from escale.cli.verify import read_transcript
from escale.game.texts import speak
from escale.game.viewer import ALL
from escale.match.match import Match
from escale.render.svg import definitions

STYLES = ("base.css", "score.css")


def score(transcript: Transcript, output: Output = None, lang: Lang = None) -> None:
    """Make a score sheet: a page with moves and diagrams."""
    write_lines(score_page(read_transcript(transcript), speak(lang)), output)


def score_page(transcript: str, lang: str) -> str:
    """A self-contained HTML document."""
    from escale.server.pages.page_context import templates
    from escale.server.pages.scoresheet import scoresheet
    from escale.server.tables.views import Sight
    from escale.web import STATIC, counted, words

    match = Match.replay(transcript)
    sheet = templates.get_template("score_parts.html").module
    body = sheet.sheet(                                                 # type: ignore[attr-defined]
        scoresheet(match, Sight(viewer=ALL, lang=lang)), partial(words().say, lang=lang),
        partial(counted, lang=lang),
    )
    styles = "\n".join((STATIC / "css" / name).read_text("utf-8") for name in STYLES)
    title = words().say("score.title", lang, title=match.game.title)
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{styles}</style>\n"
        f"{definitions(match.game.art)}\n<main><article class=\"score\">{body}</article></main>"
    )
