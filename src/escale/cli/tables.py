"""Tables in the terminal: narrow enough for 80 columns, and nothing in them is ever cut."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table


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


def shelf() -> Table:
    """A table of games: name, title, facts, options."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(4):
        table.add_column(overflow="fold")
    return table
