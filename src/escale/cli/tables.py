"""Tables in the terminal: at most 80 columns wide, without cutting any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from escale.cli.words import facts_of, wrap_text
from escale.game.game import Game


def names_and_figures(title: str, name: str, *figures: str) -> Table:
    r"""An empty table with a column of names and one of figures under each head.

    Heads break only at `\n`.
    """
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False, pad_edge=False,
        collapse_padding=True,
    )
    # A long name continues on the next line: two names that were cut could look the same.
    table.add_column(name, overflow="fold")
    for head in figures:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def list_games(games: Iterable[Game[Any]], lang: str, width: int) -> Iterator[str]:
    """The lines that list games: name, title, facts, and what to write after `-o` for options."""
    games = list(games)
    names = max(len(game.slug) for game in games)
    titles = max(len(game.title) for game in games)
    for game in games:
        facts = facts_of(game, lang)
        yield wrap_text(f"{game.slug:{names}}  {game.title:{titles}}  {facts}", width)
        for option in game.options:
            yield wrap_text(f"    {game.texts.say(f'option.{option.name}', lang)}", width, 4)
            codes = {value: f"{option.name}={value}" for value in option.values}
            longest = max(map(len, codes.values()))
            for value, code in codes.items():
                sentence = game.texts.say(f"option.{option.name}.{value}", lang)
                if value == option.default:
                    sentence = game.texts.say("shelf.default", lang, value=sentence)
                yield wrap_text(f"      {code:{longest}}  {sentence}", width, longest + 8)
