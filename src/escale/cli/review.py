"""`escale review`: the review of a transcript, as text, as JSON or as a page that stands alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from html import escape

import msgspec
import typer

from escale.cli.verification import read_transcript
from escale.match.match import Match
from escale.study.judging import Budget
from escale.study.review import Progress, Review, review
from escale.study.review_words import ToldReview, told
from escale.study.words import words


def reviewed(match: Match, budget: Budget, seed: int, lang: str) -> Review:
    """The review of a match; the terminal shows how far it is."""
    steps = review(match, budget, seed)
    first = next(steps)
    label = words().say("review.making", lang)
    with typer.progressbar(length=max(1, first.total), label=label, file=sys.stderr) as bar:
        done = 0
        while True:
            try:
                progress: Progress = next(steps)
            except StopIteration as end:
                found: Review = end.value
                return found
            bar.update(progress.done - done)
            done = progress.done


def as_text(found: ToldReview, lang: str) -> Iterator[str]:
    """A review in lines for the terminal."""
    say = words().say
    yield from (found.title, found.result, found.effort)
    if found.knowing:
        yield found.knowing
    yield say("review.columns", lang, seats=", ".join(seat.name for seat in found.seats))
    yield ""
    names = [seat.name for seat in found.seats]
    number = max(len(str(len(found.moves))), 2)
    who = max(map(len, names))
    move = max([len(one.label) for one in found.moves], default=0)
    for one in found.moves:
        shares = " ".join(f"{share:3d}" for share in one.before)
        remarks = " ".join(filter(None, (f"{one.judged}.", one.why, one.open)))
        yield (
            f"{one.number:{number}d}. {one.who:{who}}  {one.label:{move}}  {one.symbol:2}  "
            f"[{shares}]  {remarks}"
        )
    end = " ".join(f"{share:3d}" for share in found.end)
    yield f"{'':{number + who + move + 8}}  [{end}]  {found.result}"
    for turn in found.turns:
        yield ""
        yield " ".join(filter(None, (turn.title, turn.why, turn.open)))
        line = " › ".join(step.label for step in turn.better.steps)
        yield "  " + say("review.better-line", lang, line=line)
        yield "  " + turn.better.verdict


def as_json(review: Review, found: ToldReview) -> str:
    """The same as data: the numbers, and all of it in words."""
    return msgspec.json.format(
        msgspec.json.encode({"review": review, "told": found}), indent=2
    ).decode()


def as_html(match: Match, found: ToldReview, lang: str) -> str:
    """The same as a page that stands alone, with a diagram of each turning point."""
    # The web takes a moment to import.
    from markupsafe import Markup

    from escale.game.viewer import ALL
    from escale.render.svg import definitions
    from escale.server.pages import pictures
    from escale.server.pages.page_context import templates
    from escale.server.pages.review_page import drawn
    from escale.study.judging import MARKS
    from escale.study.review_words import mark_name
    from escale.web import STATIC
    from escale.web import words as page_words

    positions = match.positions
    styles = (STATIC / "css" / name for name in ("base.css", "review.css"))
    style = "\n".join(re.sub(r"@font-face \{.*?\}", "", path.read_text("utf-8"), flags=re.DOTALL)
                      for path in styles)
    body = templates.get_template("review_file.html").render(
        review=found, drawn=Markup(drawn(found, lang)),
        marks=[(mark, mark_name(mark, lang)) for mark in MARKS],
        diagrams=[
            Markup(pictures.table(positions[found.moves[turn.index].ply], ALL, defs=False).svg)
            for turn in found.turns
        ],
        say=partial(page_words().say, lang=lang),
    )
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(found.title)}</title>\n<style>{style}</style>\n"
        f"{definitions(match.game.art)}\n<main>{body}</main>"
    )


def review_file(
    path: str, kind: str, budget: Budget, seed: int, lang: str
) -> Iterator[str]:
    """The review of a transcript's file, line by line or in one piece."""
    match = Match.replay(read_transcript(path))
    found = reviewed(match, budget, seed, lang)
    in_words = told(found, match, lang)
    if kind == "json":
        yield as_json(found, in_words)
    elif kind == "html":
        yield as_html(match, in_words, lang)
    else:
        yield from as_text(in_words, lang)
