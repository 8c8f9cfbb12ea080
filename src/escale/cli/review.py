"""`escale review`: the review of a transcript, as text, as JSON or as an HTML page."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from html import escape
from typing import Annotated, Literal

import msgspec
import typer

from escale.cli.options import Lang, Output, Transcript, write_lines
from escale.cli.verify import read_transcript
from escale.game.texts import speak
from escale.match.match import Match
from escale.study.judging import DEFAULT, Budget, Steps
from escale.study.review import Review
from escale.study.review import review as review_match
from escale.study.review_words import ReviewText, write_review
from escale.study.words import words


def review(
    transcript: Transcript,
    form: Annotated[
        Literal["text", "json", "html"], typer.Option("--format", help="What to write.")
    ] = "text",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, help="Positions, or simulated games, that one search may "
                     "look at; a move takes two to four searches."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides between equal moves.")] = 0,
    output: Output = None,
    lang: Lang = None,
) -> None:
    """Review a finished game: errors, turning points, best lines."""
    if form == "html":
        from escale.server.pages import page_context  # noqa: F401 - report a missing package before the work
    effort = DEFAULT if budget is None else Budget(budget, budget)
    match, language = Match.replay(read_transcript(transcript)), speak(lang)
    found = make_review(match, effort, seed, language)
    sentences = write_review(found, match, language)
    if form == "json":
        text = as_json(found, sentences)
    elif form == "html":
        text = as_html(match, sentences, language)
    else:
        text = "\n".join(as_text(sentences, language))
    write_lines(text, output)


def make_review(match: Match, budget: Budget, seed: int, lang: str) -> Review:
    """Review a match, with a progress bar on standard error."""
    making = review_match(match, budget, seed)
    first = next(making)
    label = words().say("review.making", lang)
    with typer.progressbar(length=max(1, first.total), label=label, file=sys.stderr) as bar:
        done = 0
        steps = Steps(making)
        for progress in steps:
            bar.update(progress.done - done)
            done = progress.done
    return steps.result


def as_text(found: ReviewText, lang: str) -> Iterator[str]:
    """The lines of a review for the terminal."""
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


def as_json(found: Review, sentences: ReviewText) -> str:
    """The review with its figures and sentences, as JSON."""
    return msgspec.json.format(
        msgspec.json.encode({"review": found, "words": sentences}), indent=2
    ).decode()


def as_html(match: Match, found: ReviewText, lang: str) -> str:
    """A self-contained HTML document, with a diagram of each turning point."""
    from markupsafe import Markup

    from escale.game.viewer import ALL
    from escale.render.svg import definitions
    from escale.server.pages import pictures
    from escale.server.pages.page_context import templates
    from escale.server.study.reviews import drawn
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
            Markup(pictures.table(
                positions[found.moves[turn.index].ply], ALL, defs=False, lang=lang
            ).svg)
            for turn in found.turns
        ],
        say=partial(page_words().say, lang=lang), lang=lang,
    )
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(found.title)}</title>\n<style>{style}</style>\n"
        f"{definitions(match.game.art)}\n<main>{body}</main>"
    )
