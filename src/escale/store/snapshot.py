"""The whole content of a database at one moment, one table after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Table, exc, inspect, select

from escale.store.archive import People, Record, Row
from escale.store.errors import Damaged, is_damage
from escale.store.evenings import load as load_evening
from escale.store.records import Bot, Device, Endpoint, Notebook, RatedGame
from escale.store.schema import (
    bots,
    devices,
    endpoints,
    evenings,
    events,
    house,
    notebooks,
    quiet,
    rated_games,
    tables,
    tokens,
)


def snapshot(connection: Connection) -> Iterator[Record | Damaged]:
    """All tables of a connection's transaction; for an unreadable table, the reason.

    The database may be of an earlier version: columns that it lacks are not read.
    """
    known = {column["name"] for column in inspect(connection).get_columns("tables")}
    columns = [column for column in tables.c if column.name in known]
    for name in connection.execute(select(tables.c.id).order_by(tables.c.id)).scalars().all():
        try:
            yield _record(connection, columns, name)
        except (msgspec.ValidationError, ValueError) as error:
            yield Damaged(f"table {name} was not kept as it was written: {error}")
        except exc.DBAPIError as error:
            if not is_damage(error):
                raise
            yield Damaged(f"table {name} cannot be read: {error.orig}")


def people(connection: Connection) -> People:
    """The bots and the notebooks, of a database that may be of an earlier version, too."""
    return People(
        [Bot.kept(row) for row in _rows(connection, bots, "name")],
        [Notebook(**row) for row in _rows(connection, notebooks, "id")],
        [Device(**row) for row in _rows(connection, devices, "sha256")],
        {row["name"]: row["value"] for row in _rows(connection, house, "name")},
        [
            found for row in _rows(connection, evenings, "id")
            if (found := load_evening(connection, row["id"])) is not None
        ],
        [Endpoint(**row) for row in _rows(connection, endpoints, "id")],
        [(row["notebook_id"], row["table_id"]) for row in _rows(connection, quiet, "table_id")],
        [RatedGame.kept(row) for row in _rows(connection, rated_games, "table_id")],
    )


def _rows(connection: Connection, kind: Table, order: str) -> list[dict[str, Any]]:
    if not inspect(connection).has_table(kind.name):
        return []
    known = {column["name"] for column in inspect(connection).get_columns(kind.name)}
    columns = [column for column in kind.c if column.name in known]
    return [
        row._asdict() for row in connection.execute(select(*columns).order_by(kind.c[order]))
    ]


def _record(connection: Connection, columns: list[Column[Any]], name: str) -> Record:
    row = connection.execute(select(*columns).where(tables.c.id == name)).one()
    held = connection.execute(
        select(tokens.c.sha256, tokens.c.seats).where(tokens.c.table_id == name)
        .order_by(tokens.c.sha256)
    )
    events_found = connection.execute(
        select(events.c.n, events.c.at, events.c.entry).where(events.c.table_id == name)
        .order_by(events.c.n)
    )
    return msgspec.convert(
        {
            **{str(key): value for key, value in row._mapping.items() if key != "seen"},
            "tokens": [tuple(token) for token in held],
            "events": [Row(*event) for event in events_found],
        },
        Record,
    )
