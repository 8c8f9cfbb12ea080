"""Tables in the terminal: narrow enough for 80 columns, and nothing in them is ever cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from escale.cli.words import facts, wrapped
from escale.game.game import Game


def names_and_figures(title: str, name: str, *figures: str) -> Table:
    r"""A table of named things, each with figures under these heads, which break only at `\n`."""
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False, pad_edge=False,
        collapse_padding=True,
    )
    # A name that is too long goes on in the next line: cut, two of them might look the same.
    table.add_column(name, overflow="fold")
    for head in figures:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def shelf(boxes: Iterable[Game[Any]], lang: str, width: int) -> Iterator[str]:
    """The games, one after another: name, title, facts, and its options.

    Each option is told in its sentences, beside what one writes after `-o` to choose it.
    """
    boxes = list(boxes)
    names = max(len(box.slug) for box in boxes)
    titles = max(len(box.title) for box in boxes)
    for box in boxes:
        yield wrapped(f"{box.slug:{names}}  {box.title:{titles}}  {facts(box, lang)}", width)
        for option in box.options:
            yield wrapped(f"    {box.texts.say(f'option.{option.name}', lang)}", width, 4)
            codes = {value: f"{option.name}={value}" for value in option.values}
            longest = max(map(len, codes.values()))
            for value, code in codes.items():
                told = box.texts.say(f"option.{option.name}.{value}", lang)
                if value == option.default:
                    told = box.texts.say("shelf.default", lang, value=told)
                yield wrapped(f"      {code:{longest}}  {told}", width, longest + 8)
