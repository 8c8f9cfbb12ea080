"""For hosts: `escale backup`, `restore`, `tidy` and `health`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import typer

from escale.game.errors import EscaleError
from escale.game.texts import house, speak

Database = Annotated[
    str | None,
    typer.Option(help="A SQLite file or a postgresql:// address; by default ESCALE_DATABASE, or a "
                 "file in the user's data folder."),
]
KeepUnstarted = Annotated[
    str,
    typer.Option("--keep-unstarted", metavar="TIME", help="How long to keep tables at which nobody "
                 "has made a move: 12h, 30d, 8w or forever."),
]
KeepFinished = Annotated[
    str,
    typer.Option("--keep-finished", metavar="TIME", help="How long to keep tables whose match is "
                 "over: 12h, 30d, 8w or forever."),
]
Lang = Annotated[str | None, typer.Option(help="fr or en; by default the environment's language.")]
UNSTARTED, FINISHED = "30d", "forever"
WAIT = 10
"""Seconds that a house may take to say how it is."""


def retention(unstarted: str, finished: str) -> Any:
    """How long tables are kept, as the two options say."""
    from escale.store.retention import Retention, duration

    return Retention(unstarted=duration(unstarted), finished=duration(finished))


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    database: Database = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file if there is one.")] = False,
    verify: Annotated[bool, typer.Option(help="Replay every match of the backup.")] = True,
    lang: Lang = None,
) -> None:
    """Write all tables into a file, while the house may be open.

    Exit code 0: all is right; 1: some tables are damaged, and named; 2: there is no backup.
    """
    from escale.store.backup import back_up
    from escale.store.database import database_url

    report = back_up(database_url(database), file, force=force, verify=verify)
    _tell(report, "backup.done" if verify else "backup.unverified", file, speak(lang))


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `escale backup` wrote.")],
    database: Database = None, lang: Lang = None,
) -> None:
    """Write the tables of a backup into an empty database, SQLite or PostgreSQL.

    Exit code 0: all are there; 1: some are damaged, and named; 2: nothing was restored.
    """
    from escale.store.backup import restore as restore_from
    from escale.store.database import database_url

    report = restore_from(database_url(database), file)
    _tell(report, "backup.restored", file, speak(lang))


def _tell(report: Any, key: str, file: Path, lang: str) -> None:
    say = house().say
    for why in report.damaged.values():
        typer.echo(why, err=True)
    if report.cut_off:
        typer.echo(say("backup.cut-off", lang, file=file), err=True)
    typer.echo(say(key, lang, file=file, tables=report.tables, events=report.events))
    if not report.sound:
        typer.echo(say("backup.damaged", lang, tables=len(report.damaged)), err=True)
        raise typer.Exit(1)


def tidy(
    database: Database = None, keep_unstarted: KeepUnstarted = UNSTARTED,
    keep_finished: KeepFinished = FINISHED,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say which tables would be deleted, and delete none.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Delete tables that have been kept long enough, and what is left of them in the file."""
    wanted = retention(keep_unstarted, keep_finished)
    deleted = asyncio.run(_tidy(database, wanted, dry_run))
    for name in deleted:
        typer.echo(name)
    key = "tidy.would" if dry_run else "tidy.done"
    typer.echo(house().say(key, speak(lang), tables=len(deleted)))


async def _tidy(database: str | None, wanted: Any, dry_run: bool) -> list[str]:
    import time

    from escale.store import Store
    from escale.store.housekeeping import STEP

    store = Store(database)
    try:
        work, gone = store.housekeeping, []
        after: str | None = ""
        while after is not None:
            now = time.time_ns() // 1_000_000
            expired, after = await work.expired(wanted, now, after)
            for start in range(0, len(expired), STEP):
                some = expired[start: start + STEP]
                gone += some if dry_run else await work.delete_unseen(some, now)
        if not dry_run:
            await work.scrub(most=None)
        return gone
    finally:
        store.close()


def health(
    url: Annotated[
        str, typer.Argument(help="Where the house is.")
    ] = "http://127.0.0.1:8000",
    lang: Lang = None,
) -> None:
    """Ask a house whether people can play there: exit code 0 if they can, 1 if not."""
    request = Request(url.rstrip("/") + "/readyz", headers={"Accept-Language": speak(lang)})
    try:
        with urlopen(request, timeout=WAIT) as answer:
            found = json.load(answer)
    except HTTPError as error:
        try:
            found = json.load(error)
        except ValueError:
            found = {}
    except (URLError, OSError, ValueError) as error:
        raise EscaleError(f"{url} does not answer: {getattr(error, 'reason', error)}") from None
    if not isinstance(found, dict) or "ready" not in found:
        raise EscaleError(f"{url} is no house of Escale")
    if not found["ready"]:
        typer.echo(found.get("message", ""), err=True)
        raise typer.Exit(1)
    typer.echo(house().say("health.ready", speak(lang)))
