"""The rules of a game as a page shows them: under headings, each paragraph with its figures."""

from __future__ import annotations

from functools import cache
from typing import Any

from escale.game.examples import Example
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.kernel import CHANCE
from escale.server.pages import markdown, pictures


@cache
def sections(box: Game[Any], lang: str) -> list[dict[str, Any]]:
    """The rules under their headings, each paragraph with its examples."""
    beside: dict[str, list[dict[str, Any]]] = {}
    numbers = {example.id: number for number, example in enumerate(_in_order(box), 1)}
    for example in _in_order(box):
        beside.setdefault(_paragraph(example), []).append(
            _figure(box, example, numbers[example.id], lang)
        )
    found: dict[str, list[dict[str, Any]]] = {}
    for paragraph in box.rules[lang].paragraphs:
        found.setdefault(paragraph.section, []).append({
            "number": paragraph.number, "id": paragraph.id,
            "html": markdown.html(paragraph.text, lang), "ours": paragraph.reconstruction,
            "figures": beside.get(paragraph.id, []),
            "see": [
                (example.id, numbers[example.id]) for example in _in_order(box)
                if paragraph.id in example.rules and paragraph.id != _paragraph(example)
            ],
        })
    return [
        {"heading": heading, "id": f"section-{markdown.slug(heading)}", "paragraphs": paragraphs}
        for heading, paragraphs in found.items()
    ]


def _in_order(box: Game[Any]) -> list[Example]:
    """The examples as their paragraphs come."""
    numbers = box.rules[LANGUAGES[0]].numbers
    return sorted(box.examples, key=lambda example: numbers[_paragraph(example)])


def _paragraph(example: Example) -> str:
    """The one that an example stands beside: it refuses the attempt, or is the last it shows."""
    return example.refused or example.rules[-1]


def _figure(box: Game[Any], example: Example, number: int, lang: str) -> dict[str, Any]:
    """An example as its figure shows it, with what comes of the move or the attempt."""
    told = ""
    position = example.reach(box)
    if example.attempt is not None:
        told = pictures.refusal_of(box, example).text(lang)
    elif example.move is not None:
        after = position.play(example.move)
        told = after.outcome.text(lang) if after.outcome else ""
    return {
        "id": example.id, "number": number, "caption": example.caption[lang],
        "picture": pictures.figure(box, example.id),
        "still": position.turn is None or position.turn == CHANCE,
        "move": _spelled(box, example.move, lang), "attempt": _spelled(box, example.attempt, lang),
        "told": told,
    }


def _spelled(box: Game[Any], text: str | None, lang: str) -> str | None:
    """A move, legal or not, as people read it."""
    return None if text is None else box.spell(box.split(text), lang)
