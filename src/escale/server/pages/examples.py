"""The figures of the rules as data: positions, each with the move or attempt that it shows."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import Struct

from escale.game.game import Game


class ExampleFacts(Struct, frozen=True):
    """A figure of the rules: a position, with the move or attempt that it shows."""

    id: str
    rules: list[str]
    caption: str
    position: str
    line: list[str]
    move: str | None
    attempt: str | None
    refused: str | None
    cells: list[str]


@cache
def examples(box: Game[Any], lang: str) -> list[ExampleFacts]:
    """The figures of the rules: positions, each with the move or attempt that it shows."""
    return [
        ExampleFacts(
            id=example.id, rules=list(example.rules), caption=example.caption[lang],
            position=example.position, line=list(example.line), move=example.move,
            attempt=example.attempt, refused=example.refused, cells=list(example.cells),
        )
        for example in box.examples
    ]
