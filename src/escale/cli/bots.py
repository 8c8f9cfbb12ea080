"""`escale bot`: accounts for programs that play at the house; for its host."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from escale.cli.host import Database
from escale.game.errors import BadOption

app = typer.Typer(help="Accounts of bots: programs that play at this house.")

Name = Annotated[str, typer.Argument(help="What the bot is called.")]


@app.command()
def create(name: Name, database: Database = None) -> None:
    """Make an account, and print its token: it is shown this once."""
    from escale.store.bots import create_bot
    from escale.store.database import database_url

    typer.echo(create_bot(database_url(database), name))


@app.command()
def show(database: Database = None) -> None:
    """List all accounts, with the day on which each was made."""
    from escale.store.bots import list_bots
    from escale.store.database import database_url

    for bot in list_bots(database_url(database)):
        typer.echo(f"{datetime.fromtimestamp(bot.created / 1000, UTC):%Y-%m-%d}  {bot.name}")


@app.command()
def remove(name: Name, database: Database = None) -> None:
    """Remove an account: within half a minute its token is nobody's."""
    from escale.store.bots import remove_bot
    from escale.store.database import database_url

    if not remove_bot(database_url(database), name):
        raise BadOption(f"there is no bot called {name[:60]!r}")
