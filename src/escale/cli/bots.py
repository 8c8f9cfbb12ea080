"""`escale bot`: accounts for programs that play at the house; for its host."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from escale.cli.host import Database
from escale.game.errors import BadOption

app = typer.Typer(help="Accounts of bots: programs that play at this house.")

Name = Annotated[str, typer.Argument(help="What the bot is called.")]


About = Annotated[
    str, typer.Option(help="What the bot is, in one line; visitors read it.")
]
Games = Annotated[
    str, typer.Option(metavar="GAMES", help="The games that it plays, such as tortuga,canoe; "
                      "without, it may be asked for any.")
]


@app.command()
def create(name: Name, about: About = "", games: Games = "", database: Database = None) -> None:
    """Make an account, and print its token: it is shown this once."""
    from escale.store.bots import create_bot
    from escale.store.database import database_url

    played = [one.strip() for one in games.split(",") if one.strip()]
    typer.echo(create_bot(database_url(database), name, about=about, games=played))


@app.command()
def show(database: Database = None) -> None:
    """List all accounts: the day on which each was made, its games, and what it is."""
    from escale.store.bots import list_bots
    from escale.store.database import database_url

    for bot in list_bots(database_url(database)):
        day = f"{datetime.fromtimestamp(bot.created / 1000, UTC):%Y-%m-%d}"
        typer.echo("  ".join(filter(None, (day, bot.name, ",".join(bot.games), bot.about))))


@app.command()
def remove(name: Name, database: Database = None) -> None:
    """Remove an account: within a second or two its token is nobody's."""
    from escale.store.bots import remove_bot
    from escale.store.database import database_url

    if not remove_bot(database_url(database), name):
        raise BadOption(f"there is no bot called {name[:60]!r}")
