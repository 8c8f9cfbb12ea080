"""`escale texts`: other languages, for translators."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from escale.devkit.translating import export, import_files, language_of, status
from escale.game.languages import AUTHORED, PACKAGE, SOURCE, VARIABLE, languages
from escale.game.texts import house, speak

app = typer.Typer(name="texts", help="Translate Escale: docs/translating.md says how.")

Code = Annotated[str, typer.Argument(metavar="LANGUAGE", help="A language's code, such as de.")]
Lang = Annotated[str | None, typer.Option(help="The language of the answer, such as fr or en.")]


@app.command("export")
def export_language(
    code: Code,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write the PO files.")],
    name: Annotated[str | None, typer.Option(help="What its speakers call the language.")] = None,
    plurals: Annotated[
        str | None, typer.Option(help="Its plural forms, as gettext writes them in Plural-Forms.")
    ] = None,
    fallback: Annotated[
        str, typer.Option(help="The language that stands in where a sentence is missing.")
    ] = SOURCE,
    lang: Lang = None,
) -> None:
    """Write every sentence to PO files, with the translations that exist."""
    files = export(language_of(code, name, plurals, fallback), folder)
    typer.echo(house().say("texts.exported", speak(lang), files=len(files), folder=folder))


@app.command("import")
def import_language(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the PO files are.")],
    into: Annotated[
        Path | None, typer.Option(help=f"The folder of languages; by default {VARIABLE}, or the "
                                  "one in the program itself.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Read translated PO files into the catalogues of their language."""
    home = into or Path(os.environ.get(VARIABLE) or PACKAGE / "languages")
    found, said = import_files(folder, home), speak(lang)
    typer.echo(house().say(
        "texts.imported", said, count=found.taken, language=found.language.name,
        folder=found.language.folder,
    ))
    if found.refused:
        typer.echo(house().say("texts.refused", said, keys="\n  ".join(found.refused)), err=True)
        raise typer.Exit(1)


@app.command("status")
def show_status(
    code: Annotated[
        str | None, typer.Argument(metavar="[LANGUAGE]", help="By default, every language.")
    ] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="List the sentences that are missing.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Print how much of each language is missing."""
    said = speak(lang)
    chosen = [language_of(code, None, None, SOURCE)] if code else [
        one for one in languages().values() if one.code not in AUTHORED
    ]
    if not chosen:
        typer.echo(house().say("texts.none", said))
    for language in chosen:
        parts = status(language)
        whole = sum(part.whole for part in parts)
        missing = sum(len(part.missing) for part in parts)
        outdated = sum(len(part.outdated) for part in parts)
        typer.echo(house().say(
            "texts.status", said, language=language.name, done=whole - missing - outdated,
            whole=whole, percent=100 * (whole - missing - outdated) // whole,
            missing=missing, outdated=outdated,
        ))
        for part in parts if keys else ():
            for key in (*part.missing, *part.outdated):
                typer.echo(f"  {part.catalogue}: {key}")
