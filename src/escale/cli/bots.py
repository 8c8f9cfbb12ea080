"""`escale bot`: accounts for programs that play at the house."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from escale.cli.language import Misuse
from escale.cli.options import Database, existing_database
from escale.game.texts import date, speak

app = typer.Typer(name="bot", help="Manage accounts of programs that play at the house.")

Lang = Annotated[
    str | None, typer.Option(help="A language such as fr or en; by default the environment's.")
]
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
    """Make an account, and print its token. It is not shown again."""
    from escale.store.bots import create_bot
    from escale.store.database import database_url

    played = [one.strip() for one in games.split(",") if one.strip()]
    url = database_url(existing_database(database))
    typer.echo(create_bot(url, name, about=about, games=played))


@app.command()
def show(database: Database = None, lang: Lang = None) -> None:
    """List all accounts: the day on which each was made, its games, and what it is."""
    from escale.store.bots import list_bots
    from escale.store.database import database_url

    for bot in list_bots(database_url(existing_database(database))):
        day = date(datetime.fromtimestamp(bot.created / 1000, UTC).date(), speak(lang))
        typer.echo("  ".join(filter(None, (day, bot.name, ",".join(bot.games), bot.about))))


@app.command()
def remove(name: Name, database: Database = None) -> None:
    """Remove an account; its token ceases to work within two seconds."""
    from escale.store.bots import remove_bot
    from escale.store.database import database_url

    if not remove_bot(database_url(existing_database(database)), name):
        raise Misuse("no-bot", name=name[:60])
