"""Notices of people in the database: where they want them, what waits, and what ratings count."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update

from escale.store.own_thread import OwnThread
from escale.store.records import Endpoint, RatedGame, Waiting
from escale.store.schema import endpoints, notebooks, outbox, quiet, rated_games

SENT_AT_ONCE = 1_000
"""Notices that one look at the outbox takes."""


class OutboxStore(OwnThread):
    """The notices' own access to the database."""

    # ---- endpoints ----

    async def endpoints(self) -> list[tuple[Endpoint, str, str]]:
        """All endpoints, each with the name under which its notebook holds seats, and its language.
        """
        found = select(endpoints, notebooks.c.holder, notebooks.c.lang).join(
            notebooks, notebooks.c.id == endpoints.c.notebook_id
        ).order_by(endpoints.c.created, endpoints.c.id)
        return await self.read(lambda connection: [
            (Endpoint(*row[:-2]), row[-2], row[-1]) for row in connection.execute(found)
        ])

    async def add(self, endpoint: Endpoint) -> None:
        """Store an endpoint."""
        row = endpoint._asdict()
        await self.write(lambda connection: connection.execute(insert(endpoints), [row]))

    async def change(self, id: str, **values: Any) -> None:
        """Change an endpoint's `failures`, `confirmed`, `pace` or `zone`."""
        change = update(endpoints).where(endpoints.c.id == id).values(**values)
        await self.write(lambda connection: connection.execute(change))

    async def drop(self, id: str) -> None:
        """Delete an endpoint, and the notices that wait for it."""
        def remove(connection: Connection) -> None:
            connection.execute(delete(outbox).where(outbox.c.endpoint_id == id))
            connection.execute(delete(endpoints).where(endpoints.c.id == id))

        await self.write(remove)

    async def drop_unconfirmed(self, before: int) -> None:
        """Delete the addresses that were not confirmed in time."""
        old = delete(endpoints).where(
            endpoints.c.confirmed.is_(False), endpoints.c.created < before
        )
        await self.write(lambda connection: connection.execute(old))

    async def awaits_confirmation(self, address: str) -> bool:
        """Whether an address was asked to confirm, and has not answered."""
        known = select(endpoints.c.id).where(
            endpoints.c.address == address, endpoints.c.confirmed.is_(False)
        )
        return await self.read(lambda connection: connection.execute(known).first() is not None)

    # ---- quiet tables ----

    async def quiet_tables(self) -> list[tuple[str, str]]:
        """All notebooks and tables of which these want no notices."""
        found = select(quiet.c.notebook_id, quiet.c.table_id)
        return await self.read(
            lambda connection: [(row[0], row[1]) for row in connection.execute(found)]
        )

    async def set_quiet(self, notebook: str, table: str, yes: bool) -> None:
        """Set whether a notebook wants no notices of a table."""
        def change(connection: Connection) -> None:
            connection.execute(delete(quiet).where(
                quiet.c.notebook_id == notebook, quiet.c.table_id == table
            ))
            if yes:
                connection.execute(
                    insert(quiet), [{"notebook_id": notebook, "table_id": table}]
                )

        await self.write(change)

    # ---- the outbox ----

    async def waiting(self, now: int, without: Collection[str] = ()) -> list[Waiting]:
        """The notices of each endpoint for which at least one is due, without some endpoints."""
        due = select(outbox.c.endpoint_id).where(
            outbox.c.at <= now, outbox.c.endpoint_id.notin_(list(without))
        ).distinct()
        found = select(outbox).where(outbox.c.endpoint_id.in_(due)) \
            .order_by(outbox.c.at, outbox.c.table_id).limit(SENT_AT_ONCE)
        return await self.read(
            lambda connection: [Waiting(*row) for row in connection.execute(found)]
        )

    async def lease(self, notices: Sequence[Waiting], until: int) -> list[Waiting]:
        """Take notices for sending; those that another process has not taken or replaced.

        If this process dies while it sends, they are sent after `until`.
        """
        change = update(outbox).where(
            outbox.c.endpoint_id == bindparam("to"), outbox.c.table_id == bindparam("of"),
            outbox.c.n == bindparam("number"), outbox.c.at == bindparam("was"),
        ).values(at=until)

        def take(connection: Connection) -> list[Waiting]:
            return [
                one._replace(at=until) for one in notices
                if connection.execute(change, {
                    "to": one.endpoint, "of": one.table, "number": one.n, "was": one.at,
                }).rowcount == 1
            ]

        return await self.write(take) if notices else []

    async def drop_notices(self, notices: Collection[Waiting]) -> None:
        """Delete notices, unless newer ones have replaced them."""
        keys = [(one.endpoint, one.table, one.n) for one in notices]
        gone = delete(outbox).where(
            tuple_(outbox.c.endpoint_id, outbox.c.table_id, outbox.c.n).in_(keys)
        )
        await self.write(lambda connection: connection.execute(gone))

    # ---- ratings ----

    async def rated(self, since: int = -1) -> tuple[list[RatedGame], int]:
        """The rated games that ended after a time, the earliest first, and the number of all."""
        found = select(rated_games).where(rated_games.c.at > since) \
            .order_by(rated_games.c.at, rated_games.c.table_id)
        count = select(func.count()).select_from(rated_games)

        def read(connection: Connection) -> tuple[list[RatedGame], int]:
            games = [
                RatedGame.kept(row._asdict()) for row in connection.execute(found)
            ]
            return games, int(connection.execute(count).scalar_one())

        return await self.read(read)


def replace_player(connection: Connection, one: str, other: str) -> None:
    """Let rated games have another id in place of a notebook's; one cannot play oneself."""
    mine = select(rated_games.c.table_id, rated_games.c.players).where(
        rated_games.c.players.contains(json.dumps(one), autoescape=True)
    )
    for table, players in connection.execute(mine).all():
        changed = [other if player == one else player for player in json.loads(players)]
        here = rated_games.c.table_id == table
        connection.execute(
            update(rated_games).where(here).values(players=json.dumps(changed))
            if len(set(changed)) == len(changed) else delete(rated_games).where(here)
        )
