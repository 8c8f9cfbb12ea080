"""The evenings of a house: read from the store when they are wanted, changed one event at a time.

A change is on the disk before anybody hears of it. What follows from it (tables are opened, results
of matches are noted) follows from the log too: if the house is killed in between, it is done when
the evening is read again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256

from msgspec import structs

from escale.game.errors import EscaleError
from escale.games import game as game_named
from escale.match.clock import Pace
from escale.match.match import Match
from escale.match.reading import encode
from escale.server.cluster.news import News
from escale.server.edge.problems import Problem
from escale.server.evening.evening import Evening, Game, agreed
from escale.server.evening.events import (
    BoardChosen,
    Closed,
    Decided,
    Event,
    Extended,
    Joined,
    Paired,
    Pairing,
    Plan,
    Reported,
    SatDown,
    Started,
    Undone,
    as_json,
    checked_event,
    checked_plan,
    read_event,
    read_plan,
)
from escale.server.evening.pairing import empty_seats, next_round, sit
from escale.server.evening.refusals import Refused
from escale.server.people.notebooks import ALPHABET, Notebooks
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint, is_table_name, table_name
from escale.server.tables.orders import AnySeat, BotSeat, ComputerSeat, Order, PersonSeat
from escale.server.tables.phrases import check_name
from escale.server.tables.table import Table
from escale.server.workers.off_loop import long_off_loop, off_loop
from escale.store import Conflict, Damaged, StoreError
from escale.store.evenings import HOST, HOST_LINK
from escale.store.notices import EveningWritten, TableWritten
from escale.store.records import EveningRow, EveningToken, KeptEvening, ListedEvening
from escale.store.retention import DAY_MS

log = logging.getLogger("escale")

CODE_LETTERS = 6
ID_BYTES, SECRET_BYTES = 9, 16
AWAKE_MILLISECONDS = 2 * DAY_MS
"""Evenings with an event since then are followed from the moment at which the house opens."""
MOST_AWAKE = 50
MOST_IN_MEMORY = 100
MOST_RUNNING = 300
"""So many stay in memory if games are being played in them."""
MOST_LISTED = 50
MOST_LINKS = 20
SWEEP_SECONDS = 3600.0
TIDYING = "evenings"
"""A name that one of several processes owns, as processes own tables."""
TRIES = 5
"""How often a change is tried again when another process was faster."""


class EveningLog:
    """An evening in memory, with the holders of what belongs to people."""

    def __init__(self, kept: KeptEvening) -> None:
        self.id = kept.id
        self.code = kept.code
        self.series = kept.series
        self.secret = kept.secret
        self.created = kept.created
        self.lock = asyncio.Lock()
        self.gone = False
        """Whether it was deleted."""
        self.news = asyncio.Event()
        self.read(kept)

    def read(self, kept: KeptEvening) -> None:
        """Take over what is stored."""
        self.tokens = list(kept.tokens)
        self.evening = Evening(
            read_plan(kept.plan), [read_event(event.entry) for event in kept.events]
        )

    def holds(self, holder: str | None, who: int) -> bool:
        """Whether a holder, by its SHA-256, has the host's rights or is a guest."""
        return EveningToken(holder or "", who) in self.tokens

    def guest_of(self, holder: str | None) -> int | None:
        """The number of the guest that a holder is; None if it is none."""
        return next(
            (token.who for token in self.tokens if token.sha256 == holder and token.who > HOST),
            None,
        )

    def holder_of(self, who: int) -> str | None:
        """What a guest, or the host, holds seats under; None without a phone."""
        return next((token.sha256 for token in self.tokens if token.who == who), None)

    def table_of(self, game: Game) -> str:
        """The name of the table at which a game is played; it follows from the log alone."""
        return table_name(self.order_of(game))

    def order_of(self, game: Game) -> str:
        """The id of the order for this table."""
        return f"{self.secret}-{game.n}-{game.table}"

    def ring(self) -> None:
        """Tell those who wait that something has changed."""
        self.news.set()
        self.news = asyncio.Event()


class _Outdated(Exception):
    """The evening has changed since a round was formed."""


class Evenings:
    """All evenings of a house."""

    def __init__(self, house: House, notebooks: Notebooks) -> None:
        self._house = house
        self._notebooks = notebooks
        self._store = house.store.evenings
        self._logs: OrderedDict[str, EveningLog] = OrderedDict()
        self._reading: dict[str, asyncio.Task[EveningLog | None]] = {}
        self._tables: dict[str, str] = {}
        """The evening of each table at which a game of an evening is being played."""
        house.listen(self._table_changed)
        house.cluster.subscribe(self._hear)

    async def open(self) -> None:
        """Follow the evenings that are going on, so that results are noted at once."""
        since = self._house.now() - AWAKE_MILLISECONDS
        for one in await self._store.open_evenings(since, MOST_AWAKE):
            try:
                await self.of(one.id)
            except EscaleError as error:
                log.error("evening %s cannot be read: %s", one.id, error)

    # ---- reading ----

    async def of(self, id: str) -> EveningLog | None:
        """The evening with this name; None if there is none."""
        if not is_table_name(id):               # they are made alike
            return None
        found = self._logs.get(id)
        if found is not None:
            self._logs.move_to_end(id)
            if self._house.store.shared:
                await self._catch_up(found)
            return None if found.gone else found
        if id not in self._reading:
            self._reading[id] = asyncio.create_task(self._read(id))
        try:
            return await asyncio.shield(self._reading[id])
        finally:
            self._reading.pop(id, None)

    async def _read(self, id: str) -> EveningLog | None:
        kept = await self._store.load(id)
        if kept is None:
            return None
        try:
            found = await off_loop(EveningLog, kept)
        except Exception as error:              # a damaged line may raise any error
            raise Damaged(f"evening {id} is damaged: {error}") from error
        self._logs[id] = found
        self._trim(found)
        self._house.start(self._follow_up(found))
        return found

    def _trim(self, used: EveningLog) -> None:
        """Let evenings leave the memory that were not used for longest, those at rest first."""
        for most, at_rest in ((MOST_IN_MEMORY, True), (MOST_RUNNING, False)):
            for old in list(self._logs.values()):
                if len(self._logs) <= most:
                    break
                if old is used or old.lock.locked() or (at_rest and old.evening.running):
                    continue
                del self._logs[old.id]
                for game in old.evening.running:    # their results are noted when it is read again
                    self._tables.pop(old.table_of(game), None)

    async def _catch_up(self, found: EveningLog) -> None:
        """Read what another process has written."""
        if await self._store.head(found.id) != found.evening.n:
            async with found.lock:
                await self._reload(found)

    async def _reload(self, found: EveningLog) -> None:
        kept = await self._store.load(found.id)
        if kept is None:
            self._forget(found)
            return
        found.read(kept)
        self._register(found)
        found.ring()

    def _forget(self, found: EveningLog) -> None:
        found.gone = True
        self._logs.pop(found.id, None)
        for table in [table for table, evening in self._tables.items() if evening == found.id]:
            del self._tables[table]
        found.ring()

    async def coded(self, code: str) -> EveningLog | None:
        """The evening with a short code, as people type it."""
        plain = "".join(letter for letter in code.upper() if letter.isalnum())
        id = await self._store.coded(plain) if len(plain) == CODE_LETTERS else None
        return None if id is None else await self.of(id)

    async def held(self, holder: str | None) -> list[ListedEvening]:
        """The evenings of a person, as host or as guest."""
        return [] if holder is None else await self._store.held(fingerprint(holder), MOST_LISTED)

    async def season(self, series: str) -> list[EveningLog]:
        """The evenings of a series that can be read, the first one first."""
        found = []
        for one in reversed(await self._store.of_series(series, MOST_LISTED)):
            with suppress(Damaged):
                if (evening := await self.of(one.id)) is not None:
                    found.append(evening)
        return sorted(found, key=lambda each: each.created)

    # ---- waiting ----

    def version(self, found: EveningLog) -> str:
        """Another one whenever the evening, or a board of a running game, is another."""
        tables = [
            self._house.tables.get(found.table_of(game))
            for game in found.evening.running if game.board == "screen"
        ]
        boards = [0 if table is None else len(table.match.events) for table in tables]
        return sha256(encode([found.evening.n, boards])).hexdigest()[:16]

    async def wait(
        self, found: EveningLog, known: str, seconds: float, ended: Callable[[], bool]
    ) -> str:
        """The version, as soon as it differs from the known one, `ended` or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version(found) == known and not found.gone and not ended():
                    await found.news.wait()
        return self.version(found)

    # ---- changing ----

    async def create(
        self, plan: Plan, holder: str, *, series: str = ""
    ) -> EveningLog:
        """A new evening, whose host is the holder."""
        now = self._house.now()
        Evening(checked_plan(plan))
        for _ in range(TRIES):
            id = secrets.token_urlsafe(ID_BYTES)
            kept = KeptEvening(
                id, encode(as_json(plan)).decode(), _code(), series or id,
                secrets.token_hex(SECRET_BYTES), now, now, False,
                (EveningToken(fingerprint(holder), HOST),),
            )
            try:
                await self._store.create(kept)
            except Conflict:                    # another evening has this code
                continue
            found = self._logs[id] = EveningLog(kept)
            self._trim(found)
            return found
        raise Problem("unavailable")

    async def act(
        self, found: EveningLog, events: Callable[[Evening], Sequence[Event]], *,
        id: str | None = None, tokens: Callable[[Evening], Sequence[EveningToken]] | None = None,
    ) -> None:
        """Let events happen that follow from the evening as it is now, all or none.

        With an `id`, the same request is done once. `tokens` are stored with the events.
        """
        for _ in range(TRIES):
            async with found.lock:
                if found.gone:
                    raise Problem("unknown-evening")
                evening, before = found.evening, found.evening.n
                if id is not None and id in evening.done:
                    return
                try:
                    now = self._house.now()
                    held = list(tokens(evening)) if tokens is not None else []
                    for number, event in enumerate(events(evening)):
                        event = structs.replace(event, at=now, id=id if number == 0 else None)
                        evening.happen(checked_event(event))
                    await self._write(found, before, held)
                except Conflict:
                    await self._reload(found)
                    continue
                except BaseException:
                    evening.rewind(before)
                    raise
                found.tokens += held
            found.ring()
            self._house.start(self._follow_up(found))
            return
        raise Problem("unavailable")

    async def _write(self, found: EveningLog, before: int, held: Sequence[EveningToken]) -> None:
        new = found.evening.events[before:]
        if not new and not held:
            return
        closed = None
        if any(isinstance(event, Closed | Undone) for event in new):
            closed = found.evening.closed is not None
        await self._store.append(
            found.id,
            [EveningRow(event.n or 0, event.at, encode(as_json(event)).decode()) for event in new],
            tokens=held, closed=closed,
        )

    async def new_link(self, found: EveningLog) -> str:
        """A secret for a link that makes another device the host's; earlier ones stay valid."""
        if sum(token.who == HOST_LINK for token in found.tokens) >= MOST_LINKS:
            raise Problem("too-many")
        secret = secrets.token_urlsafe(SECRET_BYTES)
        token = EveningToken(fingerprint(secret), HOST_LINK)
        await self.act(found, lambda _: (), tokens=lambda _: (token,))
        return secret

    def is_link(self, found: EveningLog, link: str) -> bool:
        """Whether this is the secret of such a link."""
        return found.holds(fingerprint(link), HOST_LINK)

    async def make_host(self, found: EveningLog, link: str, holder: str) -> None:
        """Give another device the host's rights by the secret of a link."""
        token = EveningToken(fingerprint(holder), HOST)
        if self.is_link(found, link) and token not in found.tokens:
            await self.act(found, lambda _: (), tokens=lambda _: (token,))

    async def join(
        self, found: EveningLog, name: str, holder: str | None = None, *, level: str | None = None,
        bot: bool = False, id: str | None = None,
    ) -> None:
        """A guest comes: a person with a phone or without, a computer or a bot."""
        sha256 = None if holder is None else fingerprint(holder)
        if level is not None:
            for game in found.evening.plan.games:
                self._house.thinkers.check(level, game)
        elif not bot and self._house.settings.phrases_only:
            check_name(name, game_named(found.evening.plan.games[0]))

        def events(evening: Evening) -> Sequence[Event]:
            if found.guest_of(sha256) is not None:
                raise Refused("joined-already")
            if level is None and any(
                guest.name.casefold() == name.casefold() for guest in evening.guests.values()
                if guest.level is None
            ):
                raise Refused("name-taken", name=name)
            who = len(evening.guests) + 1
            return [Joined(who=who, name=name, level=level, bot=bot, phone=sha256 is not None)]

        def tokens(evening: Evening) -> Sequence[EveningToken]:
            return [] if sha256 is None else [EveningToken(sha256, len(evening.guests) + 1)]

        await self.act(found, events, id=id, tokens=tokens)

    async def pair(self, found: EveningLog, id: str | None = None) -> None:
        """Form the next round; computers take empty seats, if the plan wants them."""
        for _ in range(TRIES):
            with suppress(_Outdated):
                return await self._pair(found, id)
        raise Problem("unavailable")

    async def _pair(self, found: EveningLog, id: str | None) -> None:
        """The same once; _Outdated if a guest has come or left meanwhile."""
        await self._fill(found)
        plan, known = found.evening.first_plan, list(found.evening.events)
        # A copy, which nothing changes meanwhile: with very many guests it takes seconds.
        draft = await long_off_loop(lambda: next_round(Evening(plan, known)))

        def events(now: Evening) -> Sequence[Event]:
            if now.events != known:
                raise _Outdated
            return [Paired(
                round=len(now.rounds) + 1, pairings=draft.pairings, byes=draft.byes
            )]

        await self.act(found, events, id=id)

    async def _fill(self, found: EveningLog) -> None:
        level = found.evening.plan.fill
        if level is None:
            return

        def events(evening: Evening) -> Sequence[Event]:
            count = len(evening.guests)
            return [
                Joined(who=count + number, name="", level=level)
                for number in range(1, 1 + empty_seats(evening))
            ]

        if empty_seats(found.evening):
            await self.act(found, events)

    async def begin(self, found: EveningLog, id: str | None = None) -> None:
        """Begin the round that is formed, and open its tables."""
        await self.act(found, lambda evening: [Started(round=len(evening.rounds))], id=id)
        await self._open_tables(found)

    async def sit_down(
        self, found: EveningLog, group: Sequence[int], game: str, board: str, id: str | None = None
    ) -> None:
        """In free play: guests begin a game with each other."""
        def events(evening: Evening) -> Sequence[Event]:
            seats = sit(evening, group)
            pairing = Pairing(
                evening.free_table(), game, seats, "real" if board == "real" else "screen"
            )
            return [SatDown(round=len(evening.rounds) + 1, pairing=pairing)]

        game_named(game)
        await self.act(found, events, id=id)
        await self._open_tables(found)

    async def choose_board(
        self, found: EveningLog, round: int, table: int, board: str, id: str | None = None
    ) -> None:
        """Let a game be played on another kind of board."""
        kind = "real" if board == "real" else "screen"
        await self.act(found, lambda _: [BoardChosen(
            round=round, table=table, board=kind                # type: ignore[arg-type]
        )], id=id)
        await self._open_tables(found)

    async def report(
        self, found: EveningLog, round: int, table: int, by: int, places: list[int],
        id: str | None = None,
    ) -> None:
        """A player says how a game ended; when all agree, that is the result."""
        def events(evening: Evening) -> Sequence[Event]:
            told = Reported(round=round, table=table, by=by, places=places)
            game = evening.find(round, table)
            after = structs_copy(game, {**game.reports, by: places})
            result = agreed(evening, after)
            if result is None:
                return [told]
            return [told, Decided(round=round, table=table, places=result, by="players")]

        await self.act(found, events, id=id)

    async def decide(
        self, found: EveningLog, round: int, table: int, places: list[int], id: str | None = None
    ) -> None:
        """The host enters a result."""
        await self.act(found, lambda _: [
            Decided(round=round, table=table, places=places, by="host")
        ], id=id)

    async def extend(self, found: EveningLog, minutes: int, id: str | None = None) -> None:
        """Give the round more time."""
        await self.act(found, lambda evening: [
            Extended(round=len(evening.rounds) or 1, minutes=minutes)
        ], id=id)

    async def undo(self, found: EveningLog, n: int, id: str | None = None) -> None:
        """Take an event back, the last one that can be."""
        tables = [
            found.table_of(game) for one in found.evening.rounds for game in one.games
            if one.n == n
        ]
        await self.act(found, lambda _: [Undone(of=n)], id=id)
        for table in tables:
            await self._delete_unplayed(table)

    async def _delete_unplayed(self, id: str) -> None:
        with suppress(EscaleError):
            table = await self._house.table(id)
            if table is not None and not table.match.ply:
                await self._house.delete(id)

    async def delete(self, found: EveningLog) -> None:
        """Delete an evening with all its tables, for good."""
        for one in found.evening.rounds:
            for game in one.games:
                await self._house.delete(found.table_of(game))
        async with found.lock:
            await self._store.delete(found.id)
            self._forget(found)
        await self._notebooks.scrub()

    # ---- tables ----

    def _register(self, found: EveningLog) -> None:
        for table in [table for table, evening in self._tables.items() if evening == found.id]:
            del self._tables[table]
        for game in found.evening.running:
            if game.board == "screen":
                self._tables[found.table_of(game)] = found.id

    async def _follow_up(self, found: EveningLog) -> None:
        """Do what follows from the log: open tables that are missing, and note results."""
        self._register(found)
        try:
            await self._open_tables(found)
            for game in list(found.evening.running):
                if game.board == "screen":
                    await self._note_result(found, game)
        except (EscaleError, StoreError) as error:
            log.error("evening %s: %s", found.id, error)

    async def _open_tables(self, found: EveningLog) -> None:
        """Open the tables of all games that are played on a screen and have none yet."""
        self._register(found)
        waiting = [
            game for game in found.evening.running
            if game.board == "screen" and found.table_of(game) not in self._house.tables
        ]
        await asyncio.gather(*(self._open_table(found, game) for game in waiting))

    async def _open_table(self, found: EveningLog, game: Game) -> None:
        name = found.table_of(game)
        if await self._house.table(name) is not None:
            return
        evening, plan = found.evening, found.evening.plan
        guests = [evening.guests[who] for who in game.seats]
        phones = [found.holder_of(guest.who) for guest in guests if guest.person]
        # Guests without a phone play on one of their table, else on the host's device.
        stand_in = next(filter(None, phones), None) or found.holder_of(HOST)
        seats: list[AnySeat] = []
        holders: dict[int, str] = {}
        for seat, guest in enumerate(guests):
            if guest.level is not None:
                seats.append(ComputerSeat(guest.level))
            elif guest.bot:
                seats.append(BotSeat(guest.name))
            else:
                seats.append(PersonSeat(guest.name, later=True))
                holder = found.holder_of(guest.who) or stand_in
                if holder is not None:
                    holders[seat] = holder
        clock = None
        if plan.clock and plan.minutes is not None:
            clock = Pace.live(60 * plan.minutes // len(seats))
        box = game_named(game.game)
        try:
            await self._house.create(Order(
                game=game.game, seats=seats, options=dict(box.choose(box.quick)), clock=clock,
                id=found.order_of(game),
            ), holders=holders)
        except EscaleError as error:
            # Such as a bot that has gone: the host sees a game without a table.
            log.error("evening %s: table %d cannot be opened: %s", found.id, game.table, error)

    def _table_changed(self, table: Table) -> None:
        """Called when a move was made at any table of this process."""
        id = self._tables.get(table.id)
        found = self._logs.get(id) if id is not None else None
        if found is None:
            return
        found.ring()
        if table.match.outcome is not None:
            self._house.start(self._conclude(found, table.id))

    async def _conclude(self, found: EveningLog, table: str) -> None:
        for game in list(found.evening.running):
            if game.board == "screen" and found.table_of(game) == table:
                await self._note_result(found, game)

    async def _note_result(self, found: EveningLog, game: Game) -> None:
        """Note the result of a match that is over."""
        table = await self._house.table(found.table_of(game))
        if table is None or table.match.outcome is None or game.over or game.disputed:
            return
        result = places_of(table.match)
        with suppress(Refused):                 # the host, or another process, was first
            await self.act(found, lambda evening: _by_house(evening, game, result))

    # ---- other processes, and time ----

    def _hear(self, _process: int, news: News) -> None:
        match news:
            case EveningWritten(id) if id in self._logs:
                self._house.start(self._catch_up(self._logs[id]))
            case TableWritten(table) if table in self._tables:
                self._house.start(self._look_at(table))

    async def _look_at(self, id: str) -> None:
        with suppress(EscaleError):
            table = await self._house.table(id)
            if table is not None:
                self._table_changed(table)

    async def watch(self) -> None:
        """Regularly delete evenings that have been kept long enough."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            if self._house.cluster.owns(TIDYING):
                with suppress(StoreError):      # the next time is soon enough
                    await self.delete_expired()

    async def delete_expired(self) -> int:
        """Delete the evenings that the retention settings do not keep; returns how many."""
        keep = self._house.settings.retention
        expired = await self._store.expired(
            self._house.now(), keep.unstarted, keep.finished, MOST_LISTED
        )
        deleted = 0
        for id in expired:
            found = await self.of(id)
            if found is not None and found.evening.rounds and found.evening.closed is None:
                await self.act(found, lambda _: [Closed()])     # its host forgot to
            elif found is not None:
                await self.delete(found)
                deleted += 1
        return deleted


def structs_copy(game: Game, reports: Mapping[int, list[int]]) -> Game:
    """A game with other reports."""
    return Game(
        game.round, game.table, game.game, game.seats, game.board, game.n, dict(reports),
        game.places, game.by, game.disputed,
    )


def _by_house(evening: Evening, game: Game, result: list[int]) -> Sequence[Event]:
    now = evening.find(game.round, game.table)
    if now.n != game.n:                         # the round was formed anew meanwhile
        return []
    return [Decided(round=game.round, table=game.table, places=result, by="house")]


def places_of(match: Match) -> list[int]:
    """The place of each seat in a match that is over: by its share of the win, then by points."""
    outcome = match.outcome
    assert outcome is not None
    scores = outcome.scores or (0,) * len(outcome.shares)
    merits = list(zip(outcome.shares, scores, strict=True))
    if not outcome.winners:
        return [1] * len(merits)
    return [1 + sum(other > own for other in merits) for own in merits]


def _code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))
