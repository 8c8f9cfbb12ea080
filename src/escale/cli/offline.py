"""`escale offline prepare`: the parts with which browsers play without network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from escale.cli.options import Lang
from escale.game.texts import house, speak

app = typer.Typer(name="offline", help="Boxes that are taken along, and played without network.")


@app.callback()
def offline() -> None:
    """Boxes that are taken along, and played without network."""


@app.command()
def prepare(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Where to put the parts; by default where `escale serve` looks."),
    ] = None,
    pyodide: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, metavar="FOLDER",
                     help="The npm package pyodide, unpacked; without it npm gets it."),
    ] = None,
    headers: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, metavar="FOLDER",
                     help="The headers of Python 3.13; by default they are looked for."),
    ] = None,
    compiled: Annotated[
        bool | None,
        typer.Option("--compiled/--pure", help="Insist on compiling the rules, or do without it."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Build the parts with which browsers play without network.

    Compiling takes some minutes, and needs clang and lld (Debian: clang-14, lld-14).
    """
    from escale.devkit.offline import prepare as build
    from escale.server.offline.parts import usual_folder

    lang, folder = speak(lang), folder or usual_folder()
    facts = build(folder, pyodide=pyodide, headers=headers, compiled=compiled,
                  tell=lambda line: typer.echo(line, err=True))
    size = sum(facts["files"].values())
    kind = "compiled" if facts["compiled"] else "pure"
    typer.echo(house().say(f"offline.{kind}", lang, folder=folder, size=f"{size / 1e6:.1f}"))
