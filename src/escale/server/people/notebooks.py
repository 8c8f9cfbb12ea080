"""Notebooks: one for each person, which holds their seats, and the secrets that open it.

A browser has the secret of a *device* in a cookie that scripts cannot read. A code of six letters,
or a link, makes one more device, once. The house asks no questions and needs no confirmation: the
first seat that a person takes makes their notebook.
"""

from __future__ import annotations

import asyncio
import secrets
import zipfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import IO, Annotated, Any, cast

import msgspec
from msgspec import Meta, Struct, field, structs
from starlette.requests import HTTPConnection
from starlette.responses import Response

from escale.game.errors import EscaleError
from escale.match.events import Began, Event
from escale.match.limits import NewName, TableName
from escale.match.match import Match
from escale.server.cluster.news import News
from escale.server.edge.current import client_address
from escale.server.edge.problems import Problem
from escale.server.people.notices import Notices
from escale.server.people.ratings import Rating, Ratings, rated_game
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.people import NOTEBOOK
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.fair_queue import FairQueue
from escale.server.workers.off_loop import off_loop
from escale.store import Damaged, OutboxRow, RatedGame, StoreError, Token
from escale.store.notices import NotebookChanged, TokensChanged
from escale.store.records import Device, HeldTable, Notebook, Wishes
from escale.store.retention import DAY_MS
from escale.web import words

COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie; it is renewed while the notebook is used."""
SEEN_MILLISECONDS = DAY_MS // 2
"""A device that is used is noted, and its cookie renewed, at most this often."""
UNUSED_MILLISECONDS = 400 * DAY_MS
"""A notebook without a seat that was not opened for this long is deleted."""
UNUSED_SECONDS = 6 * 3600
"""The time between two searches for these."""
UNUSED = "notebooks"
"""A name that one of several processes owns, as processes own tables."""
SECRET_BYTES, ID_BYTES = 24, 12
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The letters of a code: none that sound or look like another digit or letter of it."""
CODE_LETTERS = 6
OPENING_SECONDS = 600
"""A code and a link are valid this long."""
REMEMBERED_SECONDS = 5.0
"""If several processes share a database, a device is trusted this long without a query."""
REMEMBERED_BYTES = 8_000_000
"""The estimated bytes of all devices that are remembered, with their notebooks …"""
DEVICE_BYTES = 1_000
"""… each of which takes this many, and its progress."""
PROGRESS_BYTES = 60_000
"""The progress of one notebook, in JSON; all puzzles and lessons take half of it."""
SCRUB_SECONDS = 60.0
"""The database file is rewritten after erasures at most this often: players wait for it."""
MOST_WAITING = 30
"""Lists of games that one address may wait for."""
MOST_UNLISTED = 500
MOST_HOLIDAY_DAYS, MOST_HOLIDAY_DAYS_A_YEAR = 30, 60
"""The longest holiday, and all of them in a year."""
MOST_PAUSED = 500
"""Games whose clock a holiday stops."""
MOST_EXPORTED = 5_000
"""Tables in one file of transcripts."""


class Puzzles(Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzles that were solved, and the number in a row without a mistake."""

    solved: Annotated[
        dict[Annotated[str, Meta(max_length=60)], Annotated[int, Meta(ge=0, lt=1 << 53)]],
        Meta(max_length=2000, description="By puzzle, when: in Unix milliseconds."),
    ] = field(default_factory=dict)
    run: Annotated[int, Meta(ge=0, le=100_000)] = 0
    best: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """The progress of a person in a lesson."""

    at: Annotated[str, Meta(max_length=60, description="The step that comes next.")] = ""
    done: Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=100)] = \
        field(default_factory=list)
    of: Annotated[int, Meta(ge=0, le=100, description="How many steps there are.")] = 0


Lessons = Annotated[
    dict[Annotated[str, Meta(max_length=40)], Lesson], Meta(max_length=40, description="By game.")
]


class Progress(Struct, frozen=True, forbid_unknown_fields=True):
    """The things a person has done away from the tables, and the games they took off their list."""

    puzzles: Puzzles = field(default_factory=Puzzles)
    lessons: Lessons = field(default_factory=dict)
    unlisted: list[TableName] = field(default_factory=list)

    def joined(self, puzzles: Puzzles | None, lessons: Mapping[str, Lesson]) -> Progress:
        """This progress joined with another device's: neither loses anything."""
        known = self.puzzles
        if puzzles is not None:
            solved = {**puzzles.solved, **known.solved}
            newer = max(puzzles.solved.values(), default=0) >= \
                max(known.solved.values(), default=0)
            run = puzzles.run if newer else known.run
            known = Puzzles(
                dict(list(solved.items())[-2000:]), run, max(puzzles.best, known.best, run)
            )
        both = dict(self.lessons)
        for game, lesson in lessons.items():
            before = both.get(game, Lesson())
            done = list(dict.fromkeys([*before.done, *lesson.done]))[:100]
            both[game] = Lesson(lesson.at or before.at, done, lesson.of or before.of)
        return structs.replace(self, puzzles=known, lessons=dict(list(both.items())[-40:]))


@dataclass(frozen=True, slots=True)
class Opening:
    """The code and link that open a notebook on one more device, once; they are stored nowhere."""

    code: str
    link: str
    """The secret part of the link."""

    @property
    def spoken(self) -> str:
        """The code in two halves, to be read aloud."""
        half = CODE_LETTERS // 2
        return f"{self.code[:half]} {self.code[half:]}"


Opened = tuple[Notebook, Device]


class Notebooks:
    """All notebooks of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._store = house.store.notebooks
        self._devices: OrderedDict[str, tuple[Opened, float]] = OrderedDict()
        self._bytes = 0
        self._turns = FairQueue([0])
        """Lists of games are read one at a time."""
        self._unscrubbed: int | None = None
        """Erasures since the file was scrubbed; None if that was long ago."""
        self.cookie = ""
        """The name of the cookie: two houses at one address do not overwrite each other's."""
        self.notice_service = Notices(house)
        self.ratings = Ratings(house.store.outbox)
        self._rated: dict[str, str] = {}
        """Notebooks that want a rating, by the names under which they hold seats."""
        self._away: dict[str, int] = {}
        """Until when people are on holiday, by the same names."""
        house.register_people(self)
        house.cluster.subscribe(self.hear)

    def notices(
        self, table: str, match: Match, new: Sequence[Event], tokens: Iterable[Token]
    ) -> Sequence[OutboxRow]:
        """What new events of a table add to the outbox of notices, and remove from it."""
        tokens = tuple(tokens)
        if self._away and any(isinstance(event, Began) for event in new):
            for token in tokens:
                if (until := self._away.get(token.sha256, 0)) > self._house.now():
                    self._house.start(self._pause(table, token.sha256, until))
        return self.notice_service.wanted(table, match, new, tokens)

    def rated(self, table: str, match: Match, tokens: Iterable[Token]) -> RatedGame | None:
        """A game that has just ended, if it counts for ratings."""
        return rated_game(table, match, tokens, self._rated) if self._rated else None

    async def open(self) -> None:
        """Read, or draw, the name of the cookie; read what people wish."""
        await self.notice_service.open()
        await self._learn()
        name = await self._store.house_value("id", lambda: secrets.token_hex(4))
        self.cookie = f"carnet_{name}"

    async def _learn(self) -> None:
        """Read who wants a rating, and who is on holiday."""
        wishes = await self._store.wishes()
        self._rated = {one.holder: one.id for one in wishes if one.rated}
        self._away = {one.holder: read_holiday(one).until for one in wishes}

    # ---- the notebook of a request ----

    async def of(self, connection: HTTPConnection) -> Opened | None:
        """The notebook that a request's cookie opens, and the device."""
        return await self._opened(connection.cookies)

    async def holder(self, cookies: Mapping[str, str]) -> str | None:
        """The name under which the notebook of these cookies holds seats."""
        found = await self._opened(cookies)
        return None if found is None else NOTEBOOK + found[0].id

    async def _opened(self, cookies: Mapping[str, str]) -> Opened | None:
        secret = cookies.get(self.cookie, "")
        if not secret or len(secret) > 100:
            return None
        sha256 = fingerprint(secret)
        known = self._devices.get(sha256)
        if known is not None and (
            not self._house.store.shared or monotonic() - known[1] < REMEMBERED_SECONDS
        ):
            return known[0]
        found = await self._store.opened_by(sha256)
        self._forget_device(sha256)
        if found is not None:
            self._devices[sha256] = found, monotonic()
            self._bytes += _bytes_of(found)
            while self._bytes > REMEMBERED_BYTES:
                self._forget_device(next(iter(self._devices)))
        return found

    def _forget_device(self, sha256: str) -> None:
        known = self._devices.pop(sha256, None)
        if known is not None:
            self._bytes -= _bytes_of(known[0])

    def hear(self, process: int, news: News) -> None:
        """Forget the facts that another process has changed."""
        if isinstance(news, NotebookChanged):
            self._forget(news.notebook)
            self.notice_service.hear_of_change()
            self.ratings.forget()
            self._house.start(self._learn())

    def _forget(self, notebook: str) -> None:
        for sha256, ((known, _), _) in list(self._devices.items()):
            if known.id == notebook:
                self._forget_device(sha256)

    def _changed(self, notebook: str) -> None:
        self._forget(notebook)
        self.notice_service.hear_of_change()
        self._house.cluster.announce(NotebookChanged(notebook))

    def now(self) -> int:
        """The time in Unix milliseconds."""
        return self._house.now()

    async def by_id(self, id: str) -> Notebook | None:
        """The notebook with this id."""
        return await self._store.named(id)

    async def opened_by(self, secret: str) -> Opened | None:
        """The notebook that the secret of a device opens."""
        return await self._opened({self.cookie: secret})

    async def create(self, label: str, lang: str) -> tuple[Notebook, str]:
        """A new notebook, and the secret of its first device."""
        now, id = self._house.now(), secrets.token_urlsafe(ID_BYTES)
        notebook = Notebook(id, fingerprint(NOTEBOOK + id), now, now, lang=lang)
        secret, device = self._device(label)
        await self._store.create(notebook, device(id))
        return notebook, secret

    def _device(self, label: str) -> tuple[str, Any]:
        """The secret of a new device, and a function that makes its row for a notebook."""
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._house.now()
        return secret, lambda id: Device(fingerprint(secret), id, label[:80], now, now)

    async def note_use(self, opened: Opened) -> bool:
        """Note that a device is used; whether its cookie should be renewed."""
        _, device = opened
        now = self._house.now()
        if now - device.seen < SEEN_MILLISECONDS:
            return False
        await self._store.note_seen(device, now)
        self._changed(device.notebook_id)
        return True

    def set_cookie(self, answer: Response, secret: str, *, secure: bool) -> None:
        """Set the cookie of a device."""
        answer.set_cookie(
            self.cookie, secret, max_age=COOKIE_SECONDS, httponly=True, samesite="lax",
            secure=secure, path="/",
        )

    def delete_cookie(self, answer: Response) -> None:
        """Delete the cookie."""
        answer.delete_cookie(self.cookie, path="/", httponly=True, samesite="lax")

    # ---- devices ----

    async def devices(self, notebook: Notebook) -> list[Device]:
        """The devices that open a notebook."""
        return await self._store.devices(notebook.id)

    async def sign_out(self, notebook: Notebook, device: str) -> None:
        """Sign out a device, by the beginning of its SHA-256; its open pages become spectators."""
        if await self._store.sign_out(notebook.id, device):
            self._changed(notebook.id)
            await self._read_again(notebook)

    async def _read_again(self, notebook: Notebook) -> None:
        """Close the connections to the tables of a notebook: clients come back with new rights."""
        holder = NOTEBOOK + notebook.id
        for table in list(self._house.tables.values()):
            if table.held(holder):
                await self._house.read_again(table)
        if self._house.store.shared:
            held, _ = await self._store.tables(notebook.holder, over=False, limit=MOST_EXPORTED)
            for one in held:
                self._house.cluster.announce(TokensChanged(one.id))

    async def opening(self, notebook: Notebook) -> Opening:
        """A code and a link for one more device; earlier ones are void."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))
        made = Opening(code, secrets.token_urlsafe(SECRET_BYTES))
        until = self._house.now() + 1000 * OPENING_SECONDS
        await self._store.add_openings(
            notebook.id, [fingerprint(made.code), fingerprint(made.link)], until
        )
        return made

    async def open_with_key(
        self, key: str, label: str, own: Opened | None
    ) -> tuple[Notebook, str]:
        """Open a notebook by a code or a link; returns the secret of the new device.

        The content of the device's `own` notebook goes into the one that is opened.
        """
        secret, device = self._device(label)
        found = await self._store.use_opening(
            fingerprint(read_key(key)), self._house.now(), device
        )
        if found is None:
            raise Problem("wrong-code")
        if own is not None and own[0].id != found.id:
            await self._merge(own[0], found)
        elif own is not None:
            await self._store.sign_out(found.id, own[1].sha256)
        self._changed(found.id)
        return found, secret

    async def _merge(self, one: Notebook, into: Notebook) -> None:
        progress = read_progress(into)
        more = read_progress(one)
        progress = progress.joined(more.puzzles, more.lessons)
        with suppress(Problem):                 # too much together: the one that is opened stays
            await self._store.change(into.id, progress=_encoded(progress))
        await self._store.change(into.id, name=into.name or one.name)
        async for table in self._store.merge(one, into):
            await self._table_changed(table)
        self._changed(one.id)
        self.ratings.forget()
        await self.notice_service.learn()
        await self._learn()

    async def _table_changed(self, id: str) -> None:
        """Have a table read from the store again, here and by other processes."""
        if (table := self._house.tables.get(id)) is not None:
            await self._house.read_again(table)
        self._house.cluster.announce(TokensChanged(id))

    # ---- its content ----

    async def tables(
        self, notebook: Notebook, *, over: bool | None = None, game: str = "", search: str = "",
        skip: int = 0, limit: int = 50,
    ) -> tuple[list[HeldTable], int]:
        """Tables at which a notebook holds seats, the last used first, and their number.

        Addresses take turns: a long list, or a search, takes some tenths of a second. Problem
        `too-many` if too many lists of one address wait.
        """
        address = client_address.get()
        if self._turns.waiting(address) >= MOST_WAITING:
            raise Problem("too-many")
        turn = await self._turns.take(address)
        try:
            return await self._store.tables(
                notebook.holder, over=over, game=game, search=search, skip=skip, limit=limit
            )
        finally:
            self._turns.give_back(turn)

    async def keep(self, notebook: Notebook, table: Table, token: str) -> tuple[int, ...]:
        """Keep the seats that a token holds at a table in a notebook, too."""
        return await table.share_seats(token, NOTEBOOK + notebook.id)

    async def change(
        self, notebook: Notebook, *, name: NewName | None, lang: str | None,
        puzzles: Puzzles | None, lessons: Mapping[str, Lesson],
    ) -> Notebook:
        """Store the facts that a device knows; returns the new notebook."""
        values: dict[str, Any] = {}
        if name is not None and name.strip():
            values["name"] = name.strip()
        if lang is not None:
            values["lang"] = lang
        if puzzles is not None or lessons:
            values["progress"] = _encoded(read_progress(notebook).joined(puzzles, lessons))
        values = {key: value for key, value in values.items() if getattr(notebook, key) != value}
        if values:
            await self._store.change(notebook.id, **values)
            self._changed(notebook.id)
        return notebook._replace(**values)

    # ---- ratings and holidays ----

    async def rate(self, notebook: Notebook, yes: bool) -> None:
        """Note whether a person wants a rating; games that have counted stay."""
        await self._store.change(notebook.id, rated=yes)
        self._changed(notebook.id)
        await self._learn()

    async def ratings_at(self, table: Table) -> dict[int, Rating]:
        """The ratings of those at a table who want one, by seat."""
        found: dict[int, Rating] = {}
        if any(token.sha256 in self._rated for token in table.holders):
            ratings = await self.ratings.all()
            slug = table.match.game.slug
            for token in table.holders:
                if (notebook := self._rated.get(token.sha256)) is not None:
                    rating = ratings.get((notebook, slug), Rating(slug))
                    found |= dict.fromkeys(token.seats, rating)
        return found

    async def go_on_holiday(self, notebook: Notebook, days: int) -> None:
        """Let the clocks of days of a person stand still; with 0 days the holiday ends.

        Problem if the days of this year do not suffice. In a game of which a seat was on holiday
        for long enough already, its clock goes on.
        """
        now = self._house.now()
        year = str(datetime.fromtimestamp(now / 1000, UTC).year)
        before = read_holiday(notebook)
        left = max(0, -(-(before.until - now) // DAY_MS))
        used = before.used.get(year, 0) - left + days
        if not 0 <= days <= MOST_HOLIDAY_DAYS or (days and used > MOST_HOLIDAY_DAYS_A_YEAR):
            raise Problem("holiday", most=MOST_HOLIDAY_DAYS, year=MOST_HOLIDAY_DAYS_A_YEAR)
        until = now + days * DAY_MS
        holiday = Holiday(until, {year: max(0, used)})
        await self._store.change(notebook.id, holiday=msgspec.json.encode(holiday).decode())
        self._changed(notebook.id)
        await self._learn()
        held, _ = await self._store.tables(notebook.holder, over=False, limit=MOST_PAUSED)
        for one in held:
            await self._pause(one.id, notebook.holder, until)

    async def _pause(self, id: str, holder: str, until: int) -> None:
        with suppress(EscaleError):                 # the clock of this game goes on
            table = await self._house.table(id)
            if table is not None:
                await table.pause(holder, until)

    # ---- the lobby ----

    async def seek(self, table: str, strength: str) -> None:
        """Note the strength of opponent that is sought at a table."""
        await self._store.seek(table, strength)

    async def sought(self, tables: Sequence[str]) -> dict[str, str]:
        """The strength that is sought at each of these tables that was opened to seek."""
        return await self._store.sought(tables)

    async def list_table(self, notebook: Notebook, table: str, listed: bool) -> None:
        """Take a game off the list, or put it back; its seats stay."""
        progress = read_progress(notebook)
        unlisted = [one for one in progress.unlisted if one != table]
        if not listed:
            unlisted = [*unlisted, table][-MOST_UNLISTED:]
        progress = structs.replace(progress, unlisted=unlisted)
        await self._store.change(notebook.id, progress=_encoded(progress))
        self._changed(notebook.id)

    async def export(self, notebook: Notebook, lang: str) -> AsyncIterator[bytes]:
        """All transcripts as this person may read them, in one zip file, table by table."""
        held, _ = await self._store.tables(notebook.holder, limit=MOST_EXPORTED)
        file = Piecewise()
        with zipfile.ZipFile(cast(IO[bytes], file), "w", zipfile.ZIP_DEFLATED) as packed:
            for one in held:
                try:
                    table = await self._house.table(one.id)
                except Damaged:
                    continue
                if table is None:
                    continue
                async with table.open():
                    sight = Sight.of(table.held(NOTEBOOK + notebook.id), None, lang)
                    text = await off_loop(table.views.transcript, sight)
                await off_loop(packed.writestr, f"{table.match.game.slug}-{one.id}.jsonl", text)
                yield file.take()
        yield file.take()

    async def erase(self, notebook: Notebook, lang: str) -> None:
        """Erase a notebook: name, messages and progress are gone from the database file."""
        guest = words().say("seat.guest", lang)
        async for table in self._store.erase(notebook, guest):
            await self._table_changed(table)
        self._changed(notebook.id)
        self.ratings.forget()
        await self.notice_service.learn()
        await self._learn()
        await self.scrub()

    async def scrub(self) -> None:
        """Remove what was erased from the database file; at most once a minute, then for all."""
        if self._unscrubbed is not None:            # it was scrubbed a moment ago, and will be
            self._unscrubbed += 1
            return
        self._unscrubbed = 0
        self._house.start(self._scrub_later())
        await self._scrub()

    async def _scrub(self) -> None:
        with suppress(StoreError):                  # the next deletion scrubs this one, too
            await self._house.store.housekeeping.scrub()

    async def _scrub_later(self) -> None:
        """Scrub once for all erasures since the last time."""
        await asyncio.sleep(SCRUB_SECONDS)
        erased, self._unscrubbed = self._unscrubbed, None
        if erased:
            await self._scrub()

    async def watch(self) -> None:
        """Regularly delete the notebooks that hold nothing and were not opened for a long time."""
        while True:
            await asyncio.sleep(UNUSED_SECONDS)
            if self._house.cluster.owns(UNUSED):
                with suppress(StoreError):          # the next time is soon enough
                    await self.notice_service.drop_unconfirmed()
                    await self._store.drop_unused(self._house.now() - UNUSED_MILLISECONDS)


class Piecewise:
    """A file that can only be written, and whose content is taken away piece by piece."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        """Append bytes."""
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def take(self) -> bytes:
        """What was written since the last call."""
        written = bytes(self._written)
        self._written.clear()
        return written


def _encoded(progress: Progress) -> str:
    """A notebook's progress as it is stored; Problem if it is too much."""
    text = msgspec.json.encode(progress).decode()
    if len(text) > PROGRESS_BYTES:
        raise Problem("too-large", most=PROGRESS_BYTES)
    return text


def _bytes_of(opened: Opened) -> int:
    return DEVICE_BYTES + len(opened[0].progress)


class Holiday(Struct, frozen=True):
    """Until when a person's clocks of days stand still, and the days of holiday in each year."""

    until: int = 0
    used: dict[str, int] = field(default_factory=dict)


def read_holiday(notebook: Notebook | Wishes) -> Holiday:
    """The holiday of a notebook."""
    return msgspec.json.decode(notebook.holiday, type=Holiday)


def read_progress(notebook: Notebook) -> Progress:
    """The facts of a notebook about puzzles, lessons and its list."""
    try:
        return msgspec.json.decode(notebook.progress, type=Progress)
    except msgspec.DecodeError:                 # damaged: it can be learnt again
        return Progress()


def read_key(text: str) -> str:
    """The stored form of a code that a person typed; the secret of a link does not change.

    >>> read_key(" k7p-2qx "), len(read_key("x" * 32))
    ('K7P2QX', 32)
    """
    plain = "".join(letter for letter in text.upper() if letter.isalnum())
    return plain if len(plain) == CODE_LETTERS else text.strip()


def device_label(agent: str, lang: str) -> str:
    """The name of a device, by the header that its browser sends.

    >>> device_label("Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36", "en")
    'Chrome, Android'
    """
    say = words().say
    browser = next(
        (name for mark, name in (
            ("Firefox", "Firefox"), ("Edg", "Edge"), ("OPR", "Opera"),
            ("SamsungBrowser", "Samsung"), ("Chrome", "Chrome"), ("Safari", "Safari"),
        ) if mark in agent), say("device.browser", lang),
    )
    system = next(
        (name for mark, name in (
            ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
            ("Mac OS", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
        ) if mark in agent), "",
    )
    return ", ".join(filter(None, (browser, system)))


