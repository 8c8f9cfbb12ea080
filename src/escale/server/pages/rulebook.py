"""The rules of a game as a page shows them: under headings, each paragraph with its figures."""

from __future__ import annotations

from functools import cache
from typing import Any

from escale.game.examples import Example
from escale.game.game import Game
from escale.kernel import CHANCE
from escale.server.pages import markdown, pictures


@cache
def sections(box: Game[Any], lang: str) -> list[dict[str, Any]]:
    """The rules under their headings, each paragraph with its examples."""
    beside: dict[int, list[dict[str, Any]]] = {}
    numbers = {example.id: number for number, example in enumerate(_in_order(box), 1)}
    for example in _in_order(box):
        beside.setdefault(_paragraph(example), []).append(
            _figure(box, example, numbers[example.id], lang)
        )
    found: dict[str, list[dict[str, Any]]] = {}
    for paragraph in box.rules[lang].paragraphs:
        found.setdefault(paragraph.section, []).append({
            "number": paragraph.number, "html": markdown.html(paragraph.text, lang),
            "ours": paragraph.reconstruction,
            "figures": beside.get(paragraph.number, []),
            "see": [
                (example.id, numbers[example.id]) for example in _in_order(box)
                if paragraph.number in example.rules
                and paragraph.number != _paragraph(example)
            ],
        })
    return [
        {"heading": heading, "id": markdown.slug(heading), "paragraphs": paragraphs}
        for heading, paragraphs in found.items()
    ]


def _in_order(box: Game[Any]) -> list[Example]:
    """The examples as their paragraphs come."""
    return sorted(box.examples, key=_paragraph)


def _paragraph(example: Example) -> int:
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
        "move": example.move, "attempt": example.attempt, "told": told,
    }
