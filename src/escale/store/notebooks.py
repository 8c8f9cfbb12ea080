"""Notebooks in the database: which devices open them, what they hold, and how they are erased.

Secrets of devices, codes and links are here as their SHA-256 only.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import structs
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exc,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from escale.game.errors import BadMessage
from escale.match.events import Event, Header, Said, Sat, as_json, read_event, read_header
from escale.match.reading import encode
from escale.store.evenings import erase_holder, move_holder
from escale.store.outbox import replace_player
from escale.store.own_thread import OwnThread
from escale.store.records import Device, HeldTable, Notebook, Wishes
from escale.store.schema import (
    devices,
    endpoints,
    evening_tokens,
    events,
    house,
    notebooks,
    openings,
    outbox,
    quiet,
    reviews,
    seeks,
    tables,
    tokens,
)

MOST_DEVICES = 20
"""The most devices of a notebook; one more signs out the least recently used."""
SEARCHED_TABLES, SEARCHED_EVENTS = 2_000, 100
"""A search for a name looks into the newest tables, and there into the first events."""
ERASED_AT_ONCE, MOVED_AT_ONCE = 300, 50
"""Events, and tables, in one transaction of an erasure or a merge; players write in between."""
PAUSE_SECONDS = 0.005
"""Between two such transactions: SQLite gives waiting writers no turn of their own."""
ERASED = "…"
"""The text that replaces a message whose author has erased their notebook."""


class NotebookStore(OwnThread):
    """The notebooks' own access to the database."""

    async def house_value(self, name: str, draw: Callable[[], str]) -> str:
        """A value of the house, drawn at random if it has none of this name yet."""
        known = select(house.c.value).where(house.c.name == name)

        def find_or_draw(connection: Connection) -> str:
            found = connection.execute(known).scalar()
            if found is not None:
                return str(found)
            try:
                with connection.begin_nested():
                    connection.execute(insert(house).values(name=name, value=draw()))
            except exc.IntegrityError:              # another process was first
                pass
            return str(connection.execute(known).scalar_one())

        return await self.write(find_or_draw)

    async def set_house_value(self, name: str, value: str) -> None:
        """Change a value of the house."""
        change = update(house).where(house.c.name == name).values(value=value)
        await self.write(lambda connection: connection.execute(change))

    # ---- devices ----

    async def create(self, notebook: Notebook, device: Device) -> None:
        """Store a new notebook, which one device opens."""
        def add(connection: Connection) -> None:
            connection.execute(insert(notebooks), [notebook._asdict()])
            connection.execute(insert(devices), [device._asdict()])

        await self.write(add)

    async def opened_by(self, sha256: str) -> tuple[Notebook, Device] | None:
        """The notebook that a device's secret opens, and the device."""
        def find(connection: Connection) -> tuple[Notebook, Device] | None:
            row = connection.execute(select(devices).where(devices.c.sha256 == sha256)).first()
            if row is None:
                return None
            device = Device(**row._asdict())
            found = _notebook(connection, device.notebook_id)
            return None if found is None else (found, device)

        return await self.read(find)

    async def devices(self, notebook: str) -> list[Device]:
        """The devices that open a notebook, those used last first."""
        found = select(devices).where(devices.c.notebook_id == notebook) \
            .order_by(devices.c.seen.desc(), devices.c.sha256)
        return await self.read(
            lambda connection: [Device(**row._asdict()) for row in connection.execute(found)]
        )

    async def note_seen(self, device: Device, now: int) -> None:
        """Note that a device was used."""
        def note(connection: Connection) -> None:
            connection.execute(
                update(devices).where(devices.c.sha256 == device.sha256).values(seen=now)
            )
            connection.execute(
                update(notebooks).where(notebooks.c.id == device.notebook_id).values(seen=now)
            )

        await self.write(note)

    async def sign_out(self, notebook: str, beginning: str) -> list[str]:
        """Sign out the devices of a notebook whose SHA-256 begins so; returns these hashes."""
        def remove(connection: Connection) -> list[str]:
            mine = and_(
                devices.c.notebook_id == notebook,
                devices.c.sha256.startswith(beginning, autoescape=True),
            )
            gone = list(connection.execute(select(devices.c.sha256).where(mine)).scalars())
            connection.execute(delete(devices).where(devices.c.sha256.in_(gone)))
            return gone

        return await self.write(remove)

    # ---- codes and links ----

    async def add_openings(self, notebook: str, sha256: Sequence[str], until: int) -> None:
        """Let a code and a link open a notebook once; earlier ones of it are void."""
        def add(connection: Connection) -> None:
            connection.execute(delete(openings).where(openings.c.notebook_id == notebook))
            connection.execute(insert(openings), [
                {"sha256": each, "notebook_id": notebook, "until": until} for each in sha256
            ])

        await self.write(add)

    async def use_opening(
        self, sha256: str, now: int, device: Callable[[str], Device]
    ) -> Notebook | None:
        """Add the device that has a valid code or link; they are void from then on."""
        def use(connection: Connection) -> Notebook | None:
            connection.execute(delete(openings).where(openings.c.until < now))
            mine = connection.execute(
                select(openings.c.notebook_id).where(openings.c.sha256 == sha256)
            ).scalar()
            if mine is None:
                return None
            used = delete(openings).where(openings.c.sha256 == sha256)
            if connection.execute(used).rowcount != 1:      # another process was first
                return None
            connection.execute(delete(openings).where(openings.c.notebook_id == mine))
            connection.execute(insert(devices), [device(mine)._asdict()])
            old = connection.execute(
                select(devices.c.sha256).where(devices.c.notebook_id == mine)
                .order_by(devices.c.seen.desc()).offset(MOST_DEVICES)
            ).scalars().all()
            connection.execute(delete(devices).where(devices.c.sha256.in_(old)))
            return _notebook(connection, mine)

        return await self.write(use)

    async def has_opening(self, sha256: str, now: int) -> bool:
        """Whether a code or a link is valid."""
        known = select(openings.c.sha256).where(
            openings.c.sha256 == sha256, openings.c.until >= now
        )
        return await self.read(lambda connection: connection.execute(known).first() is not None)

    # ---- what is in it ----

    async def change(self, notebook: str, **values: Any) -> None:
        """Change a notebook's `name`, `lang` or `progress`."""
        change = update(notebooks).where(notebooks.c.id == notebook).values(**values)
        await self.write(lambda connection: connection.execute(change))

    async def wishes(self) -> list[Wishes]:
        """The wishes of the notebooks that have any."""
        kind = notebooks.c
        found = select(kind.id, kind.holder, kind.rated, kind.holiday).where(
            or_(kind.rated, kind.holiday != "{}")
        )
        return await self.read(
            lambda connection: [Wishes(*row) for row in connection.execute(found)]
        )

    async def tables(
        self, holder: str, *, over: bool | None = None, game: str = "", search: str = "",
        skip: int = 0, limit: int = 50,
    ) -> tuple[list[HeldTable], int]:
        """Tables at which a holder has seats, the last used first, and how many there are."""
        last = (
            select(events.c.at).where(events.c.table_id == tables.c.id)
            .order_by(events.c.n.desc()).limit(1).correlate(tables).scalar_subquery()
        )
        changed = func.coalesce(last, tables.c.created)
        newest = (
            select(tables.c.id).join(tokens, tokens.c.table_id == tables.c.id)
            .where(tokens.c.sha256 == holder).order_by(tables.c.created.desc())
            .limit(SEARCHED_TABLES)
        )
        wanted = and_(
            tokens.c.sha256 == holder, true() if over is None else tables.c.over.is_(over),
            tables.c.header.contains(f'"game":{msgspec.json.encode(game).decode()}',
                                     autoescape=True) if game else true(),
            and_(tables.c.id.in_(newest), _names(search)) if search else true(),
        )
        joined = select(tables.c.id, tables.c.over, changed.label("changed")) \
            .join(tokens, tokens.c.table_id == tables.c.id).where(wanted)

        def find(connection: Connection) -> tuple[list[HeldTable], int]:
            total = connection.execute(
                select(func.count()).select_from(tables)
                .join(tokens, tokens.c.table_id == tables.c.id).where(wanted)
            ).scalar_one()
            rows = connection.execute(
                joined.order_by(changed.desc(), tables.c.id).offset(skip).limit(limit)
            )
            return [HeldTable(*row) for row in rows], int(total)

        return await self.read(find)

    async def named(self, id: str) -> Notebook | None:
        """The notebook with this id."""
        return await self.read(lambda connection: _notebook(connection, id))

    # ---- seeking an opponent ----

    async def seek(self, table: str, strength: str) -> None:
        """Note which strength of opponent is sought at a table."""
        row = {"table_id": table, "strength": strength}
        await self.write(lambda connection: connection.execute(insert(seeks), [row]))

    async def sought(self, ids: Sequence[str]) -> dict[str, str]:
        """Which strength is sought at those of these tables that were opened to seek."""
        found = select(seeks.c.table_id, seeks.c.strength).where(seeks.c.table_id.in_(ids))
        return await self.read(
            lambda connection: {row[0]: row[1] for row in connection.execute(found)}
        )

    async def merge(self, one: Notebook, into: Notebook) -> AsyncIterator[str]:
        """Move everything of a notebook into another; yields the tables it held seats at."""
        def move_some(connection: Connection) -> list[str]:
            held = _seats(connection, one.holder, MOVED_AT_ONCE)
            known = _seats(connection, into.holder, among=held)
            connection.execute(delete(tokens).where(
                tokens.c.table_id.in_(held), tokens.c.sha256.in_((one.holder, into.holder))
            ))
            if held:
                connection.execute(insert(tokens), [
                    {"table_id": table, "sha256": into.holder,
                     "seats": encode(sorted({*seats, *known.get(table, ())})).decode()}
                    for table, seats in held.items()
                ])
            return list(held)

        def move_rest(connection: Connection) -> None:
            for kind in (devices, endpoints):
                connection.execute(
                    update(kind).where(kind.c.notebook_id == one.id).values(notebook_id=into.id)
                )
            move_holder(connection, one.holder, into.holder)
            replace_player(connection, one.id, into.id)
            _forget(connection, one.id)

        while moved := await self.write(move_some):
            for table in moved:
                yield table
            await asyncio.sleep(PAUSE_SECONDS)
        await self.write(move_rest)

    async def erase(self, notebook: Notebook, guest: str) -> AsyncIterator[str]:
        """Remove a notebook, and its owner's name and messages; yields the tables concerned.

        The moves stay, so the transcripts stay valid, with `guest` as the name. Other tokens for
        the same seats are removed, too. It is done in parts: if the house is killed meanwhile, the
        notebook is still there, and can be erased again.
        """
        held = await self.read(lambda connection: _seats(connection, notebook.holder))
        for table, seats in held.items():
            names: set[str] = set()
            after: int | None = 0
            while after is not None:
                after = await self.write(
                    partial(_anonymise, table=table, seats=seats, guest=guest, names=names,
                            after=after)
                )
                await asyncio.sleep(PAUSE_SECONDS)
            await self.write(
                partial(_remove_person, table=table, seats=seats, guest=guest, names=names)
            )
            yield table

        def remove_rest(connection: Connection) -> None:
            erase_holder(connection, notebook.holder, guest)
            _forget(connection, notebook.id)

        await self.write(remove_rest)

    async def drop_unused(self, before: int) -> int:
        """Delete the notebooks without a seat that were not opened since; returns how many."""
        def drop(connection: Connection) -> int:
            unused = list(connection.execute(
                select(notebooks.c.id).where(
                    notebooks.c.seen < before,
                    *(
                        ~select(kind.c.sha256).where(kind.c.sha256 == notebooks.c.holder).exists()
                        for kind in (tokens, evening_tokens)
                    ),
                ).limit(100)
            ).scalars())
            for id in unused:
                _forget(connection, id)
            return len(unused)

        return await self.write(drop)


def _notebook(connection: Connection, id: str) -> Notebook | None:
    row = connection.execute(select(notebooks).where(notebooks.c.id == id)).first()
    return None if row is None else Notebook(**row._asdict())


def _seats(
    connection: Connection, holder: str, most: int | None = None,
    among: Collection[str] | None = None,
) -> dict[str, list[int]]:
    """The seats of a holder, by table."""
    found = select(tokens.c.table_id, tokens.c.seats).where(
        tokens.c.sha256 == holder, true() if among is None else tokens.c.table_id.in_(among)
    ).order_by(tokens.c.table_id).limit(most)
    return {
        table: msgspec.json.decode(seats, type=list[int])
        for table, seats in connection.execute(found)
    }


def _forget(connection: Connection, id: str) -> None:
    """Delete a notebook with all that belongs to it alone; rated games keep a number for it."""
    mine = select(endpoints.c.id).where(endpoints.c.notebook_id == id)
    connection.execute(delete(outbox).where(outbox.c.endpoint_id.in_(mine)))
    for kind, column in (
        (endpoints, endpoints.c.notebook_id), (quiet, quiet.c.notebook_id),
        (openings, openings.c.notebook_id), (devices, devices.c.notebook_id),
        (notebooks, notebooks.c.id),
    ):
        connection.execute(delete(kind).where(column == id))
    replace_player(connection, id, f"gone-{secrets.token_hex(6)}")


def _names(search: str) -> ColumnElement[bool]:
    """A condition for tables where a player's name has this in it."""
    within = dict.fromkeys((search, search.lower(), search.title()))
    return or_(*(
        or_(
            tables.c.header.contains(word, autoescape=True),
            select(events.c.n).where(
                events.c.table_id == tables.c.id, events.c.n <= SEARCHED_EVENTS,
                events.c.entry.like('%"do":"sit"%'),
                events.c.entry.contains(word, autoescape=True),
            ).correlate(tables).exists(),
        )
        for word in within
    ))


# ---- erasing ----


def _anonymise(
    connection: Connection, table: str, seats: Sequence[int], guest: str, names: set[str],
    after: int,
) -> int | None:
    """Take names and messages of some seats out of the next events, and add the names to `names`.

    Returns the number of the last event that was looked at; None after the last one.
    """
    rows = connection.execute(
        select(events.c.n, events.c.entry).where(events.c.table_id == table, events.c.n > after)
        .order_by(events.c.n).limit(ERASED_AT_ONCE)
    ).all()
    changed: list[dict[str, Any]] = []
    for n, entry in rows:
        if '"do":"sit"' not in entry and '"do":"say"' not in entry:
            continue
        try:
            event: Event = read_event(entry)
        except BadMessage:                      # a damaged table: it is not shown
            continue
        if isinstance(event, Sat) and event.seat in seats and not event.bot and event.name:
            names.add(event.name)
            event = structs.replace(event, name=guest)
        elif isinstance(event, Said) and event.seat in seats:
            event = structs.replace(event, text=ERASED)
        else:
            continue
        changed.append({"number": n, "line": _line(event)})
    if changed:
        connection.execute(
            update(events).where(events.c.table_id == table, events.c.n == bindparam("number"))
            .values(entry=bindparam("line")), changed,
        )
    return rows[-1].n if len(rows) == ERASED_AT_ONCE else None


def _remove_person(
    connection: Connection, table: str, seats: Sequence[int], guest: str, names: Collection[str],
) -> None:
    """Take the names of some seats, and all tokens for these, out of a table."""
    kept = connection.execute(select(tables.c.header).where(tables.c.id == table)).scalar()
    if kept is None:                            # deleted meanwhile
        return
    header = read_header(kept)
    known = {*names, *(player.name for seat, player in enumerate(header.seats) if seat in seats)}
    erased = structs.replace(
        header,
        seats=[
            structs.replace(player, name=guest)
            if seat in seats and player.name and not player.bot else player
            for seat, player in enumerate(header.seats)
        ],
        set_up_by=guest if header.set_up_by in known else header.set_up_by,
    )
    connection.execute(update(tables).where(tables.c.id == table).values(header=_line(erased)))
    connection.execute(delete(reviews).where(reviews.c.table_id == table))
    others = connection.execute(
        select(tokens.c.sha256, tokens.c.seats).where(tokens.c.table_id == table)
    ).all()
    gone = [sha256 for sha256, also in others if set(msgspec.json.decode(also)) <= set(seats)]
    connection.execute(delete(tokens).where(
        tokens.c.table_id == table, tokens.c.sha256.in_(gone)
    ))


def _line(line: Header | Event) -> str:
    return encode(as_json(line)).decode()
