"""`escale --help`: all commands by group, on one screen."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

USAGE = "Usage: escale [--version] [COMMAND [--help]]; alone, it opens the house."
GROUP_LETTERS = 10
"""The width of the column with the names of the groups."""


class CommandList(TyperGroup):
    """The group of all commands; its help has one line for each, of at most 80 columns."""

    usage_line = USAGE

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(f"{self.usage_line}\n")
        commands = {name: one for name, one in self.commands.items() if not one.hidden}
        groups = [getattr(command, "rich_help_panel", None) for command in commands.values()]
        last = None
        # Typer puts commands before groups of commands.
        for group, (name, command) in sorted(
            zip(groups, commands.items(), strict=True), key=lambda one: groups.index(one[0])
        ):
            summary = (command.help or "").partition("\n")[0].rstrip(".")
            shown = group if group != last else ""
            formatter.write(f"{shown:{GROUP_LETTERS}}  {name:8}  {summary}\n")
            last = group
