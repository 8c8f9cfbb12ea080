"""The page of a review, written in the browser from the template that the house uses."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from escale.game.game import Game
from escale.game.texts import number
from escale.opponents import LEVELS
from escale.server.edge import locale
from escale.server.study.reviews import drawn
from escale.study.judging import MARKS
from escale.study.review_words import ReviewText, mark_name
from escale.web import TEMPLATES, words

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _templates() -> Environment:
    # Loaded when the first review is written: most games end without one.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )
    found.globals["written"] = number
    return found


def review_article(review: ReviewText, box: Game[Any], table: str, lang: str) -> str:
    """The review of a table of this device, as HTML."""
    from markupsafe import Markup

    levels = [
        {"level": level, "name": box.called(level, lang, ("level",))} for level in LEVELS
    ]
    return _templates().get_template("review_article.html").render(
        review=review, id=table, progress=None, scored=False, lang=lang,
        box={"slug": box.slug, "levels": levels}, drawn=Markup(drawn(review, lang)),
        marks=[(mark, mark_name(mark, lang)) for mark in MARKS],
        say=lambda key, **values: words().say(key, lang, **values),
        url=lambda path: locale.address(path, lang),
    )
