"""For hosts: `escale serve`, `backup`, `restore`, `tidy` and `health`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import typer

from escale.cli.language import Misuse
from escale.cli.options import (
    FINISHED,
    UNSTARTED,
    Database,
    KeepFinished,
    KeepUnstarted,
    Lang,
    existing_database,
    take_options,
)
from escale.game.texts import house, speak

if TYPE_CHECKING:
    from escale.server.settings import Settings
    from escale.store.backup import Report
    from escale.store.retention import Retention

PACKAGES = frozenset({
    "alembic", "brotli", "fastapi", "httptools", "jinja2", "markupsafe", "openskill",
    "platformdirs", "resvg_py", "rustworkx", "segno", "sqlalchemy", "starlette", "uvicorn",
    "uvloop", "websockets",
})
"""Modules that only the house imports; the extra `house` of the package installs them."""
DEFAULT_PORT = 8000
HEALTH_SECONDS = 10
"""Seconds within which a house must report its health."""

reach = partial(typer.Option, rich_help_panel="Reaching the house")
players = partial(typer.Option, rich_help_panel="Players")
watch = partial(typer.Option, rich_help_panel="Watching over it")


@dataclass(frozen=True, kw_only=True)
class HouseOptions:
    """The options of `escale serve`; `escale` alone uses their defaults."""

    address: Annotated[
        str,
        reach("--host", metavar="ADDRESS",
              help="Where to listen; with 0.0.0.0, other machines can connect."),
    ] = "127.0.0.1"
    port: Annotated[
        int | None,
        reach(min=0, max=65535, metavar="PORT",
              help="By default 8000 or, if that is in use, the next free one."),
    ] = None
    room: Annotated[
        bool,
        reach(help="Open the house to the devices of this room at once; its page closes it again."),
    ] = False
    browser: Annotated[bool, reach(help="Open the house in a browser.")] = True
    origin: Annotated[
        list[str] | None,
        reach(metavar="URL", help="Another origin of the same house, such as https://club.example: "
              "invitations lead there. The house then answers under no other name than its "
              "origins' and the machine's own."),
    ] = None
    trusted_proxy: Annotated[
        list[str] | None,
        reach(metavar="ADDRESS", help="A reverse proxy in front of the house, or its network: what "
              "it says of a visitor's address is believed."),
    ] = None
    processes: Annotated[
        int,
        reach(min=1, max=64, metavar="N",
              help="Processes that serve the house together; more than one need PostgreSQL."),
    ] = 1
    limits: Annotated[
        bool, reach(help="Limit the requests of one address; switch off for measurements.")
    ] = True
    docs: Annotated[
        Path | None,
        reach(exists=True, file_okay=False, metavar="FOLDER",
              help="Serve this folder at /docs: the documentation that `make docs` builds."),
    ] = None
    embed: Annotated[
        list[str] | None,
        reach(metavar="URL", help="An origin whose pages may show figures, puzzles and tables of "
              "this house in frames, such as https://club.example; any for all."),
    ] = None
    offline: Annotated[
        Path | None,
        reach(exists=True, file_okay=False, metavar="FOLDER",
              help="The parts for playing without network that `escale offline prepare` built; by "
              "default those beside the database of this user."),
    ] = None
    database: Database = None
    keep_unstarted: KeepUnstarted = UNSTARTED
    keep_finished: KeepFinished = FINISHED
    away: Annotated[
        float,
        players(min=0, metavar="SECONDS",
                help="How long until the computer may play for an absent player."),
    ] = 30
    phrases_only: Annotated[
        bool,
        players(help="For children: set phrases instead of free chat, and names from a list."),
    ] = False
    mail_from: Annotated[
        str | None,
        players(metavar="ADDRESS", help="The sender of mail, which goes through the server that "
                "ESCALE_SMTP names, such as smtps://user:password@mail.example.org."),
    ] = None
    notices_anywhere: Annotated[
        bool,
        players(help="Let notices go to addresses of private networks, such as a ntfy at home."),
    ] = False
    engine: Annotated[
        list[str] | None,
        players(metavar="NAME=COMMAND", help="Let people play against a program that speaks the "
                "line protocol, under this name."),
    ] = None
    engine_file: Annotated[
        Path | None,
        players(metavar="FILE", help="The same from a TOML file, with games and limits for each: "
                "see docs/hosting.md."),
    ] = None
    access_log: Annotated[bool, watch(help="Write a line for every request.")] = False
    log_json: Annotated[
        bool, watch(help="Write the log as JSON, one object a line.")
    ] = False
    metrics_port: Annotated[
        int | None,
        watch(min=0, max=65535, metavar="PORT", help="Answer Prometheus on this port, 0 for a free "
              "one. Of several processes, each has the next one."),
    ] = None
    metrics_host: Annotated[
        str, watch(metavar="ADDRESS", help="Where Prometheus is answered.")
    ] = "127.0.0.1"
    lang: Lang = None

    def settings(self) -> Settings:
        """The settings; ESCALE_ADMIN_TOKEN and ESCALE_SMTP come from the environment."""
        from escale.server.edge.limits import Limits
        from escale.server.edge.mail import MailServer
        from escale.server.settings import Settings
        from escale.server.workers.engines import named_engines

        engines = named_engines(self.engine or (), self.engine_file)
        for engine in engines:
            if shutil.which(engine.command[0]) is None:
                raise Misuse("engine-program", name=engine.name, program=engine.command[0])
        return Settings(
            host=self.address, port=DEFAULT_PORT if self.port is None else self.port,
            database=self.database, away=self.away,
            phrases_only=self.phrases_only,
            mail=MailServer.read(smtp, self.mail_from)
            if (smtp := os.environ.get("ESCALE_SMTP")) else None,
            notices_anywhere=self.notices_anywhere,
            retention=parse_retention(self.keep_unstarted, self.keep_finished),
            admin_token=os.environ.get("ESCALE_ADMIN_TOKEN") or None,
            metrics_port=self.metrics_port, metrics_host=self.metrics_host,
            origins=tuple(map(parse_origin, self.origin or ())),
            trusted_proxies=tuple(self.trusted_proxy or ()),
            limits=Limits() if self.limits else Limits.none(), docs=self.docs,
            offline=self.offline,
            embed=tuple("*" if one == "any" else parse_origin(one) for one in self.embed or ()),
            engines=engines,
        )


def open_house(options: HouseOptions) -> None:
    """Serve the house until it is closed."""
    from escale.cli import serving

    serving.serve_house(
        options.settings(), browser=options.browser, access_log=options.access_log,
        log_json=options.log_json, lang=speak(options.lang), processes=options.processes,
        any_port=options.port is None, room=options.room,
    )


@take_options(HouseOptions)
def serve(options: HouseOptions) -> None:
    """Open the house, for one browser or a whole club."""
    open_house(options)


def parse_origin(text: str) -> str:
    """An origin as browsers write it."""
    try:
        parts = urlsplit(text)
        name, port = parts.hostname, parts.port
    except ValueError:
        raise Misuse("origin", got=text[:100]) from None
    if parts.scheme not in ("http", "https") or not name or "@" in parts.netloc \
            or parts.path.strip("/") or parts.query or parts.fragment:
        raise Misuse("origin", got=text[:100])
    usual = port in (None, {"http": 80, "https": 443}[parts.scheme])
    host = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{host}" + ("" if usual else f":{port}")


def parse_retention(unstarted: str, finished: str) -> Retention:
    """The retention settings of the two options."""
    from escale.store.retention import Retention, duration

    return Retention(unstarted=duration(unstarted), finished=duration(finished))


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    database: Database = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file if there is one.")] = False,
    keep: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Write a dated file into this folder, and keep so "
                     "many sound backups there."),
    ] = None,
    verify: Annotated[bool, typer.Option(help="Replay every match of the backup.")] = True,
    lang: Lang = None,
) -> None:
    """Write all tables into a file; the house may stay open.

    Exit code 0: all is right; 1: some tables are damaged, and named; 2: there is no backup.
    """
    from escale.store.backup import back_up, back_up_into
    from escale.store.database import database_url

    url = database_url(database)
    if keep is None:
        report = back_up(url, file, force=force, verify=verify)
    else:
        report = back_up_into(url, file, keep=keep, verify=verify)
    print_report(report, "backup.done" if verify else "backup.unverified", file, speak(lang))


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `escale backup` wrote.")],
    database: Database = None,
    new: Annotated[bool, typer.Option("--new", help="Make the database if there is none.")] = False,
    lang: Lang = None,
) -> None:
    """Write the tables of a backup into an empty database.

    Exit code 0: all are there; 1: some are damaged, and named; 2: nothing was restored.
    """
    from escale.store.backup import restore as restore_backup
    from escale.store.database import database_url

    if not new:
        existing_database(database, key="no-database-yet")
    report = restore_backup(database_url(database), file)
    print_report(report, "backup.restored", file, speak(lang))


def printable(text: str) -> str:
    """A text from a file, without control characters that a terminal would obey."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def print_report(report: Report, key: str, file: Path, lang: str) -> None:
    say, file = house().say, report.path or file

    def count(what: str, number: int) -> str:
        return house().count(f"backup.{what}", lang, number)

    for why in report.damaged.values():
        typer.echo(printable(why), err=True)
    if report.lost:
        lost = count("tables", report.lost)
        typer.echo(say("backup.lost", lang, file=file, tables=lost), err=True)
    elif report.cut_off:
        typer.echo(say("backup.cut-off", lang, file=file), err=True)
    if report.damaged and key == "backup.done":
        key = "backup.partly"                   # not every match could be replayed
    typer.echo(say(
        key, lang, file=file, tables=count("tables", report.tables),
        events=count("events", report.events),
    ))
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
    """Delete tables that have been kept long enough."""
    retention = parse_retention(keep_unstarted, keep_finished)
    deleted = asyncio.run(delete_expired(existing_database(database), retention, dry_run))
    for name in deleted:
        typer.echo(name)
    key = "tidy.would" if dry_run else "tidy.done"
    typer.echo(house().say(key, speak(lang), tables=len(deleted)))


async def delete_expired(database: str | None, retention: Retention, dry_run: bool) -> list[str]:
    """The names of the tables that were deleted, or in a dry run would be."""
    import time

    from escale.store import Store
    from escale.store.housekeeping import DELETED_TABLES

    store = Store(database)
    try:
        work, gone = store.housekeeping, []
        after: str | None = ""
        while after is not None:
            now = time.time_ns() // 1_000_000
            expired, after = await work.expired(retention, now, after)
            for start in range(0, len(expired), DELETED_TABLES):
                some = expired[start: start + DELETED_TABLES]
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
    """Ask a house whether people can play there.

    Exit code 0: they can; 1: they cannot; 2: it does not answer.
    """
    try:
        request = Request(url.rstrip("/") + "/readyz", headers={"Accept-Language": speak(lang)})
        with urlopen(request, timeout=HEALTH_SECONDS) as answer:
            found = json.load(answer)
    except HTTPError as error:
        try:
            found = json.load(error)
        except ValueError:
            found = {}
    except (URLError, OSError, ValueError) as error:
        raise Misuse("no-answer", url=url, why=getattr(error, "reason", error)) from None
    if not isinstance(found, dict) or "ready" not in found:
        raise Misuse("no-house", url=url)
    if not found["ready"]:
        typer.echo(found.get("message", ""), err=True)
        raise typer.Exit(1)
    typer.echo(house().say("health.ready", speak(lang)))
