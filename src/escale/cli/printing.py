"""`escale print`: a game's box as a PDF to print and cut out."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

import escale
from escale.cli.language import Misuse
from escale.cli.options import GameName, Lang
from escale.game.texts import speak
from escale.render.print_sheets import PARTS, parts_of, print_box

INSTALL = "pip install 'escale-games[print]'"


class Paper(Enum):
    """The sizes of paper."""

    A4 = "a4"
    LETTER = "letter"


def print_game(
    name: GameName,
    paper: Annotated[Paper, typer.Option(help="The paper.")] = Paper.A4,
    out: Annotated[
        Path | None, typer.Option(help="The PDF file; by default GAME.pdf in this folder.")
    ] = None,
    parts: Annotated[
        str, typer.Option(help="Only these parts, with commas: guide, board, pieces, cards, rules.")
    ] = ",".join(PARTS),
    grey: Annotated[bool, typer.Option("--grey", help="In black and white.")] = False,
    lang: Lang = None,
) -> None:
    """Print a game's box as a PDF: board, pieces and rules."""
    game = escale.game(name)
    has, wanted = parts_of(game), [part.strip() for part in parts.split(",")]
    if not has:
        raise Misuse("not-printable", game=game.slug)
    if unknown := [part for part in wanted if part not in PARTS]:
        raise Misuse("no-part", part=unknown[0], known=", ".join(has))
    try:
        document = print_box(
            game, speak(lang), paper=paper.value, grey=grey,
            parts=[part for part in has if part in wanted],
        )
    except ModuleNotFoundError as error:
        if error.name != "typst":
            raise
        raise Misuse("no-typst", command=INSTALL) from None
    path = out or Path(f"{game.slug}.pdf")
    path.write_bytes(document)
    typer.echo(str(path))


print_game.__name__ = "print"               # the command; as a function it would hide Python's own
