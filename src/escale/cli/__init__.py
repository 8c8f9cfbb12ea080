"""The command line: `escale`.

A command stands in the module of its name, or of its group. None of these modules imports the
server or the store before a command needs them: they are an extra of the package, and slow to load.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.main import get_command

import escale
from escale.cli import (
    analyse,
    arena,
    authors,
    bots,
    host,
    learn,
    offline,
    play,
    printing,
    review,
    score,
    study,
    translations,
    verify,
)
from escale.cli.help import CommandList
from escale.cli.language import MISUSE, asked, explained, run
from escale.cli.options import Lang
from escale.game.errors import EscaleError
from escale.game.texts import house

GROUPS: dict[str, tuple[Any, ...]] = {
    "Play": (play.play, printing.print_game, play.games, play.about),
    "Learn": (learn.learn, analyse.analyse, review.review, score.score, verify.verify),
    "Host": (host.serve, host.backup, host.restore, host.tidy, host.health, bots.app,
             offline.app, offline.static),
    "Authors": (authors.new_game, authors.check, authors.draw, authors.perft, translations.app),
    "Research": (arena.app, study.app, analyse.engine),
}
"""Commands, and Typer's groups of commands, in the order in which `escale --help` lists them."""

UNLISTED = frozenset({"offline", "perft", "static"})
"""Commands that `escale --help` leaves out: its list has to fit on a screen."""

INSTALL = "pip install 'escale-games[house]'"
"""The command that installs the house, if only the games are installed."""

app = typer.Typer(
    cls=CommandList, add_completion=False, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group, commands in GROUPS.items():
    for command in commands:
        if isinstance(command, typer.Typer):
            hidden = command.info.name in UNLISTED
            app.add_typer(command, rich_help_panel=group, hidden=hidden)
        else:
            name = command.__name__.replace("_", "-")
            app.command(name, rich_help_panel=group, hidden=name in UNLISTED)(command)


def print_version(wanted: bool) -> None:
    if wanted:
        compiled = "" if escale.COMPILED else " (not compiled)"
        typer.echo(f"escale {escale.__version__}{compiled}")
        raise typer.Exit


def language_everywhere(command: Any, lang: str) -> dict[str, Any]:
    """Typer's defaults for a command and all its commands, if `--lang` comes before them."""
    return {"lang": lang} | {
        name: language_everywhere(inner, lang)
        for name, inner in getattr(command, "commands", {}).items()
    }


@app.callback(invoke_without_command=True)
def open_house(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True,
                           help="Print the version.")
    ] = False,
    room: Annotated[
        bool, typer.Option("--room", help="Open the house to the devices of this room.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Open the house if no command is given."""
    if context.invoked_subcommand is None:
        host.open_house(host.HouseOptions(lang=lang, room=room))
    elif lang is not None:
        context.default_map = language_everywhere(context.command, lang)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; an error that the user can mend is one line, with exit code 2."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        return run(get_command(app), arguments, given, "escale")
    except (EscaleError, OSError) as error:
        why = explained(error, asked(given))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in host.PACKAGES:
            raise
        why = house().say("serve.not-installed", asked(given), command=INSTALL)
    typer.echo(f"escale: {why}", err=True)
    sys.exit(MISUSE)
