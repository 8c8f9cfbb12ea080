"""`escale play` and `escale games`: the shelf, and a match in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import escale
from escale.cli.language import Misuse, about_text
from escale.cli.options import GameOptions, Lang, PositionText, Seats, Seed, set_up_position
from escale.cli.tables import list_games
from escale.cli.terminal import Terminal, choose_game
from escale.cli.words import wrap_text
from escale.game.texts import speak
from escale.opponents import LEVELS


def games(lang: Lang = None) -> None:
    """List the games and their options."""
    for line in list_games(escale.games(), speak(lang), Console().width):
        typer.echo(line)


def about(lang: Lang = None) -> None:
    """Say what Escale is, and where its rules come from."""
    for line in about_text(speak(lang)).split("\n"):
        typer.echo(wrap_text(line, Console().width))


def play(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's name; without it, choose from a list."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help=f"Play against the computer: {', '.join(LEVELS)}.")
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat against the computer, counted from 0.")] = 0,
    seats: Seats = None,
    option: GameOptions = None,
    position: PositionText = None,
    seed: Seed = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep the transcript in this file; if it exists, continue it."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Play in the terminal, with people or against the computer."""
    if name is None:
        choose_game(speak(lang))
        return
    if against is not None and against not in LEVELS:
        raise Misuse("level", level=against[:40], known=", ".join(LEVELS))
    start = set_up_position(name, option, position, None, seats=seats)
    if not 0 <= seat < start.seats:
        raise Misuse("seat", last=start.seats - 1)
    levels = {other: against for other in range(start.seats) if against and other != seat}
    Terminal.open(start, levels=levels, seed=seed, keep=keep, lang=speak(lang)).run()
