"""`escale offline prepare`: the parts with which browsers play without network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

import escale
from escale.cli.language import Misuse, words
from escale.cli.options import Lang
from escale.game.texts import speak

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
    typer.echo(words().say(f"offline.{kind}", lang, folder=folder, size=f"{size / 1e6:.1f}"))


def static(
    folder: Annotated[Path, typer.Argument(help="Where to write the files.")],
    base: Annotated[
        str, typer.Option(metavar="/PATH", help="The path under which they will be served.")
    ] = "",
    parts: Annotated[
        Path | None,
        typer.Option("--offline", exists=True, file_okay=False, metavar="FOLDER",
                     help="The parts for playing without network that `escale offline prepare` "
                     "built; by default those beside the database of this user."),
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="Only this game; may be repeated.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Write the house as files for any web space: boxes are played there without a server.

    Serve the folder with any file server; over HTTPS everything is kept after the first visit.
    """
    from escale.server.app import create_app
    from escale.server.offline.static_site import export

    if base and not re.fullmatch(r"(/[\w.~-]+)+/?", base):
        raise Misuse("static-base", got=base[:60])
    slugs = tuple(escale.game(name).slug for name in game or ())
    site = export(folder, create_app, base=base, parts_folder=parts, slugs=slugs)
    kind = "playable" if site.playable else "readable"
    typer.echo(words().say(
        f"static.{kind}", speak(lang), folder=folder, files=site.files,
        size=f"{site.bytes / 1e6:.1f}",
    ))
