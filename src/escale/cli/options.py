"""Options that several commands share, and how they are read."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

import escale
from escale.cli.language import Misuse
from escale.game.position import Position

Options = TypeVar("Options")
CORES = os.cpu_count() or 1
DATA = "Data"
"""The heading of options about the database."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, such as tortuga.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game."),
]
PositionText = Annotated[
    str | None, typer.Option("--position", "-p", help="Start from this position's text.")
]
FirstMoves = Annotated[list[str] | None, typer.Argument(help="Moves to play first.")]
Seats = Annotated[int | None, typer.Option(help="How many seats; by default the fewest possible.")]
Seed = Annotated[int | None, typer.Option(help="Draw all chance outcomes from this number.")]
Lang = Annotated[
    str | None,
    typer.Option(metavar="fr|en", help="The language; by default the environment's."),
]
Transcript = Annotated[str, typer.Argument(help="A transcript's file; - is standard input.")]
Output = Annotated[
    Path | None, typer.Option(help="Write to this file instead of the terminal.")
]
Database = Annotated[
    str | None,
    typer.Option(metavar="FILE|URL", rich_help_panel=DATA, help="A SQLite file or a postgresql:// "
                 "address; by default ESCALE_DATABASE, or a file in the user's data folder."),
]
KeepUnstarted = Annotated[
    str,
    typer.Option(metavar="TIME", rich_help_panel=DATA, help="How long to keep tables without a "
                 "move: 12h, 30d, 8w or forever."),
]
KeepFinished = Annotated[
    str,
    typer.Option(metavar="TIME", rich_help_panel=DATA, help="How long to keep tables whose match "
                 "is over: 12h, 30d, 8w or forever."),
]
UNSTARTED, FINISHED = "30d", "forever"
"""The default time for which tables are kept."""
Processes = Annotated[int, typer.Option(min=1, help="Processes to work in.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="tcp://HOST:PORT", help="Work on the Dask cluster of this scheduler."),
]


def existing_database(database: str | None, *, key: str = "no-database") -> str | None:
    """The database of a command that creates none; Misuse if it does not exist."""
    from escale.store.database import database_url

    url = database_url(database)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise Misuse(key, place=url.database)
    return database


def take_options(kind: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Make a command of a function that takes its options as one object.

    `kind` is a dataclass: each field is an option, declared as Typer declares parameters.
    """
    hints = get_type_hints(kind, include_extras=True)
    parameters = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default,
                  annotation=hints[field.name])
        for field in fields(kind)                               # type: ignore[arg-type]
    ]

    def decorate(function: Callable[[Options], None]) -> Callable[..., None]:
        @wraps(function)
        def command(**chosen: Any) -> None:
            function(kind(**chosen))

        command.__signature__ = Signature(parameters)           # type: ignore[attr-defined]
        return command

    return decorate


def parse_options(words: list[str] | None) -> dict[str, str]:
    """Options of a game, given as NAME=VALUE."""
    options = {}
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise Misuse("name-value", got=word[:60])
        options[name] = value
    return options


def set_up_position(
    name: str, words: list[str] | None, text: str | None, seed: int | str | None,
    *, seats: int | None = None, moves: list[str] | None = None,
) -> Position:
    """The position that a command's arguments describe, after `moves`."""
    game, options = escale.game(name), parse_options(words)
    if text is None:
        position = game.start_with(options, seats=seats, seed=seed)
    else:
        position = game.position(text, options=options, seed=seed)
    for move in moves or ():
        position = position.play(move)
    return position


def write_lines(text: str, output: Path | None) -> None:
    """Write a text and a newline to a file, or to the terminal."""
    if output is None:
        typer.echo(text)
    else:
        output.write_text(text + "\n", "utf-8")
