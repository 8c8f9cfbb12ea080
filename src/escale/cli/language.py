"""The command line in the language of its user: its help and its errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer import rich_utils

from escale import __version__
from escale.game.errors import BadOption, BadTranscript, reason
from escale.game.languages import SOURCE
from escale.game.texts import LANGUAGES, Texts, house, speak

UsageError: type[Any] = typer.BadParameter.__mro__[1]
"""The errors that Typer raises for arguments that it cannot read."""
MISUSE = 2
"""The exit code of a command that cannot be carried out as it was given."""


@cache
def words() -> Texts:
    """The sentences of the command line, and after them those of the house."""
    return Texts.read(Path(__file__).with_name("texts.toml"), house())


def about_text(lang: str) -> str:
    """The text of `escale about`: what Escale is, and its thanks."""
    say = house().say
    return words().say(
        "about.text", lang, motto=say("motto", lang), thanks=say("thanks.house", lang),
        version=__version__,
    )


def asked(arguments: Sequence[str]) -> str:
    """The language that arguments ask for, before they are read; else the environment's.

    An unknown language is ignored here, and refused later like any other bad argument.
    """
    given = [one.removeprefix("--lang=") for one in arguments if one.startswith("--lang=")]
    given += [after for one, after in pairwise(arguments) if one == "--lang"]
    if given and re.split(r"[-_.@]", given[-1])[0].lower() not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        message = words().say("error.lang", speak(), got=given[-1][:40], known=known)
        typer.echo(f"escale: {message}", err=True)
        raise SystemExit(MISUSE)
    return speak(given[-1] if given else None)


def language_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with the language before the command, where each command understands it.

    >>> language_first(["draw", "canoe", "--lang", "fr"])
    ['--lang', 'fr', 'draw', 'canoe']
    """
    rest, chosen = list(arguments), []
    for place, one in enumerate(rest):
        if one == "--":
            break
        if one.startswith("--lang=") or (one == "--lang" and place + 1 < len(rest)):
            width = 1 if one.startswith("--lang=") else 2
            chosen = rest[place:place + width]
            del rest[place:place + width]
            break
    return [*chosen, *rest]


class Misuse(BadOption):
    """An error in the arguments, described in the language of the reader."""

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        super().__init__(self.text(SOURCE))

    def text(self, lang: str) -> str:
        """What was expected, in a sentence."""
        values = {
            name: reason(value, lang) if isinstance(value, Exception) else value
            for name, value in self.values.items()
        }
        return words().say(f"error.{self.key}", lang, **values)


class MisreadTranscript(Misuse, BadTranscript):
    """A file that is no transcript, described in the language of the reader."""

    code = BadTranscript.code


def explained(error: Exception, lang: str) -> str:
    """The description of an error, in the language if the error knows it."""
    if isinstance(error, OSError):
        where = error.filename or words().say("error.system", lang)
        return words().say("error.at", lang, where=where, why=reason(error, lang))
    if refusal := getattr(error, "refusal", None):
        attempt = getattr(error, "attempt", "")
        return words().say("error.illegal", lang, attempt=attempt, why=refusal.text(lang))
    return reason(error, lang)


def run(command: Any, arguments: Sequence[str] | None, given: Sequence[str], name: str) -> Any:
    """Run Typer's command in the language that the arguments ask for."""
    lang = asked(given)
    arguments = language_first(given if arguments is None else arguments)
    if lang == SOURCE:
        return command(args=arguments, prog_name=name)
    translate(command, lang)
    try:
        code = command(args=arguments, prog_name=name, standalone_mode=False)
    except UsageError as error:
        misused(error, lang)
    except typer.Abort:
        raise SystemExit(1) from None
    raise SystemExit(code if isinstance(code, int) else 0)


def misused(error: Any, lang: str) -> NoReturn:
    """Print what is wrong with the arguments, and exit."""
    command = error.ctx.command_path if error.ctx else "escale"
    kind, name = type(error).__name__, ""
    if kind == "NoSuchOption":
        key, name = "no-option", error.option_name
    elif getattr(error, "param", None) is not None:
        key = "missing" if kind == "MissingParameter" else "value"
        given = [one for one in error.param.opts if one.startswith("-")]
        name = given[-1] if given else (error.param.name or "").upper()
    else:
        key = "usage"
    typer.echo(f"escale: {words().say(f'error.{key}', lang, name=name, command=command)}", err=True)
    raise SystemExit(MISUSE)


def translate(command: Any, lang: str) -> None:
    """Put the help of a command, and of all its commands, into a language."""
    texts = words()
    known = {
        _bare(texts.sentence(key, SOURCE)): key for key in texts if key.startswith("help.")
    }

    def said(help: str | None) -> str | None:
        key = known.get(_bare(help or ""))
        return texts.say(key, lang) if key else help

    def heading(panel: str) -> str:
        key = f"group.{panel.lower().replace(' ', '-')}"
        return texts.say(key, lang) if key in texts else panel

    def visit(one: Any) -> None:
        one.help, one.short_help = said(one.help), said(getattr(one, "short_help", None))
        panel = getattr(one, "rich_help_panel", None)
        if isinstance(panel, str):
            one.rich_help_panel = heading(panel)
        # Typer creates the help option once, with the names of its first context.
        context = typer.Context(one, help_option_names=["-h", "--help"])
        for parameter in (*one.params, one.get_help_option(context)):
            if parameter is not None and getattr(parameter, "help", None):
                parameter.help = said(parameter.help)
            if isinstance(panel := getattr(parameter, "rich_help_panel", None), str):
                parameter.rich_help_panel = heading(panel)
        usage = one.get_usage
        one.get_usage = lambda ctx: usage(ctx).replace("Usage:", texts.say("panel.usage", lang))
        for inner in getattr(one, "commands", {}).values():
            visit(inner)

    visit(command)
    if hasattr(command, "usage_line"):
        command.usage_line = texts.say("usage", lang)
    for constant, key in (
        ("ARGUMENTS_PANEL_TITLE", "arguments"), ("OPTIONS_PANEL_TITLE", "options"),
        ("COMMANDS_PANEL_TITLE", "commands"), ("DEFAULT_STRING", "default"),
        ("REQUIRED_LONG_STRING", "required"), ("ENVVAR_STRING", "env"),
        ("ERRORS_PANEL_TITLE", "error"),
    ):
        setattr(rich_utils, constant, texts.say(f"panel.{key}", lang))


def _bare(text: str) -> str:
    """A sentence without the signs that sources and catalogues set differently."""
    return re.sub(r"\s+", " ", re.sub("[`'\u2019\"\u201c\u201d]", "", text)).strip()
