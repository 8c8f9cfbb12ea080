"""Accounts of bots, and for each bot one stream with the events of all tables where it has a seat.

A bot's token holds seats like any other token, at as many tables as it likes. A stream follows
these tables as a client would: if several processes share a database, each table catches up with
what other processes write, whichever process the stream is connected to.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from escale.game.errors import BadSetup, EscaleError
from escale.game.position import Position
from escale.match.match import Match
from escale.match.reading import encode
from escale.server.bots.listening import Listening
from escale.server.bots.results import bot_results
from escale.server.cluster.news import BotListens, BotSeated, News, ProcessesChanged, SecondPassed
from escale.server.edge.current import client_address
from escale.server.edge.problems import Problem
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.store import Bot, BotResult, Store, StoreError, Token
from escale.store.bots import is_bots, known_games

READ_SECONDS = 1.0
"""The accounts are read this often, so a revoked token is believed at most that long …"""
FRESH_SECONDS = 2.5
"""… or up to this, while the database is slow; after that a request reads them itself."""
LOOK_SECONDS = 5.0
"""The time between searches for tables whose notice was lost; then a blank line is sent, too."""
STREAMS_PER_BOT = 4
"""The most streams of one bot through one process."""
BACKLOG_BYTES = 4_000_000
"""The most bytes that may wait for a bot that reads slowly."""
TABLES_PER_BOT = 200
"""A bot with seats or challenges at this many tables cannot be challenged …"""
TABLES_PER_ADDRESS = 40
"""… and an address that has challenged it to this many of them must wait until one is over."""
REMEMBERED_ADDRESSES = 5_000
"""The most addresses whose challenges are remembered."""
FOLLOWED_MILLISECONDS = 900_000
"""A match that is over is followed for this long: there may be a rematch."""

Find = Callable[[str], Awaitable[Table | None]]


class Bots:
    """All accounts, and the streams through this process."""

    def __init__(self, house: House, clock: Callable[[], float] = monotonic) -> None:
        """Read the accounts of a house, and connect them to its tables."""
        self._store = house.store
        self._cluster = house.cluster
        self._tables = house.tables
        self._find = house.table
        self._now = house.now
        self._clock = clock
        self._accounts: dict[str, Bot] = {}
        self._read_at = -FRESH_SECONDS
        self._reading = asyncio.Lock()
        self._streams: list[BotStream] = []
        self._challenged: OrderedDict[tuple[str, str], set[str]] = OrderedDict()
        """The tables at which a bot was challenged from an address."""
        self._listening = Listening(self._cluster, clock)
        house.register_accounts(self)
        house.cluster.subscribe(self.hear)

    # ---- who they are ----

    def known(self, token: str | None) -> Bot | None:
        """The bot of a token, if it is known without a query to the database."""
        return self._accounts.get(fingerprint(token)) if token and is_bots(token) else None

    async def of(self, token: str | None) -> Bot | None:
        """The bot of a token, or None if no bot has this token."""
        if not is_bots(token):
            return None
        await self._learn(lambda: self.known(token) is not None)
        return self.known(token)

    async def holder(self, token: str | None) -> str | None:
        """The token if it may hold seats; None if it begins like a bot's but is none."""
        return None if is_bots(token) and await self.of(token) is None else token

    async def named(self, name: str) -> Bot | None:
        """The bot with this name."""
        def found() -> Bot | None:
            return next((bot for bot in self._accounts.values() if bot.name == name), None)

        await self._learn(lambda: found() is not None)
        return found()

    async def all(self) -> list[Bot]:
        """Every account."""
        await self._learn(lambda: True)
        return list(self._accounts.values())

    async def _learn(self, found: Callable[[], bool]) -> None:
        """Read the accounts, unless `found` says that they have the bot and they were read lately.

        Requests that arrive while the accounts are loading wait for the load to finish.
        """
        async with self._reading:
            age = self._clock() - self._read_at
            if age >= FRESH_SECONDS or (age >= READ_SECONDS and not found()):
                await self._look()

    async def _look(self) -> None:
        """Read the accounts; the tokens of removed bots hold no seats from now on."""
        accounts = {bot.sha256: bot for bot in await self._store.bots()}
        gone = self._accounts.keys() - accounts.keys()
        self._accounts, self._read_at = accounts, self._clock()
        for stream in [one for one in self._streams if one.bot.sha256 in gone]:
            self.close(stream)
        if gone:
            for table in list(self._tables.values()):
                table.revoke_tokens(gone)

    async def watch(self) -> None:
        """Read the accounts regularly while there are any, so that a removed one is noticed."""
        while True:
            await asyncio.sleep(READ_SECONDS)
            if self._accounts:
                with suppress(StoreError):          # a request gets the error
                    async with self._reading:
                        await self._look()

    async def describe(self, bot: Bot, about: str, games: Sequence[str]) -> Bot:
        """Store how a bot describes itself; UnknownGame if it names an unknown game."""
        described = bot._replace(about=about, games=known_games(games))
        await self._store.describe_bot(bot.sha256, described.about, described.games)
        async with self._reading:
            await self._look()
        return self._accounts.get(bot.sha256, described)

    async def challenge(self, name: str, game: str) -> Bot:
        """The bot with this name; BadSetup if it cannot be challenged to this game."""
        bot = await self.named(name)
        if bot is None:
            raise BadSetup("bot", name=name)
        if not bot.plays(game):
            raise BadSetup("bot-game", name=name)
        held = await self._store.held_by(bot.sha256)
        own = self._challenged.get((bot.sha256, client_address.get()), set())
        own.intersection_update(held)
        if len(held) >= TABLES_PER_BOT or len(own) >= TABLES_PER_ADDRESS:
            raise Problem("too-many")
        return bot

    def challenged(self, table: str, bots: Iterable[Bot]) -> None:
        """Note at which table bots were challenged, and from which address."""
        for bot in bots:
            key = bot.sha256, client_address.get()
            self._challenged.setdefault(key, set()).add(table)
            self._challenged.move_to_end(key)
            if len(self._challenged) > REMEMBERED_ADDRESSES:
                self._challenged.popitem(last=False)

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        """The results of a finished match for the bots that played in it."""
        return bot_results(match, tokens)

    # ---- which bots listen ----

    def listens(self, bot: Bot) -> bool:
        """Whether a bot has an open stream, and so hears of a challenge at once."""
        return bot.sha256 in self._listening

    async def must_listen(self, name: str) -> None:
        """Raise BadSetup if the bot with this name does not listen."""
        bot = await self.named(name)
        if bot is not None and not self.listens(bot):
            raise BadSetup("bot-away", name=name)

    # ---- other processes ----

    def hear(self, process: int, news: News) -> None:
        """Handle the other processes' news of bots, and tell them which bots listen here."""
        match news:
            case BotSeated(table, sha256):
                self._tell_streams(table, sha256)
            case BotListens(sha256, listens):
                self._listening.set_elsewhere(process, sha256, listens)
            case ProcessesChanged(come=come) if come:
                self._listening.announce()
            case SecondPassed() if news.is_time_to_poll:
                self._listening.announce()

    # ---- seats ----

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        """Tell the streams of tokens, given as SHA-256, that they have seats at a table."""
        for sha256 in tokens:
            if sha256 in self._accounts:
                self._tell_streams(table, sha256)
                self._cluster.announce(BotSeated(table, sha256))

    def _tell_streams(self, table: str, sha256: str) -> None:
        for stream in self._streams:
            if stream.bot.sha256 == sha256:
                stream.look_at(table)

    def open(self, bot: Bot, token: str, lang: str) -> BotStream:
        """Open a stream; Problem if the bot has too many."""
        if sum(stream.bot.sha256 == bot.sha256 for stream in self._streams) >= STREAMS_PER_BOT:
            raise Problem("too-many")
        stream = BotStream(self._store, self._find, self._now, bot, token, lang)
        self._streams.append(stream)
        self._listening.begin(bot.sha256)
        return stream

    def close(self, stream: BotStream) -> None:
        """Remove a stream that has ended."""
        stream.close()
        if stream in self._streams:
            self._streams.remove(stream)
            self._listening.end(stream.bot.sha256)

    def close_all(self) -> None:
        """End all streams, because the house closes."""
        for stream in list(self._streams):
            self.close(stream)


class BotStream:
    """The events that are sent over one connection of a bot, line by line."""

    def __init__(
        self, store: Store, find: Find, now: Callable[[], int], bot: Bot, token: str, lang: str
    ) -> None:
        self._store = store
        self._find = find
        self._now = now
        self._token = token
        self._lang = lang
        self.bot = bot
        self._followed: dict[str, Follower] = {}
        self._wanted: dict[str, None] = {}
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._closed = False

    async def lines(self) -> AsyncIterator[bytes]:
        """All lines until the stream is closed; a blank line now and then shows that it lives."""
        yield encode({"type": "hello", "name": self.bot.name}) + b"\n"
        looked = float("-inf")
        while not self._closed:
            if monotonic() - looked >= LOOK_SECONDS:
                await self._look()
                looked = monotonic()
                if not self._lines:
                    yield b"\n"
            await self._follow_wanted()
            while self._lines and not self._closed:
                line = self._lines.popleft()
                self._size -= len(line)
                yield line
            # Not `wait_for`: Python 3.11's forgets a cancellation when news come just then.
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()
            self._news.clear()

    def say(self, line: bytes) -> None:
        """Queue a line; a bot that does not read is disconnected."""
        self._lines.append(line + b"\n")
        self._size += len(line) + 1
        if self._size > BACKLOG_BYTES:
            self.close()
        self._news.set()

    def look_at(self, table: str) -> None:
        """Read a table again: the bot has, or may have, another seat there."""
        self._wanted[table] = None
        self._news.set()

    def close(self) -> None:
        """Stop following tables."""
        self._closed = True
        for follower in list(self._followed.values()):
            self._part(follower)
        self._lines.clear()
        self._news.set()

    # ---- the tables ----

    async def _look(self) -> None:
        """Find tables whose notice was lost, and drop those whose match ended long ago."""
        with suppress(StoreError):
            for table in await self._store.held_by(self.bot.sha256):
                if table not in self._followed:
                    self._wanted[table] = None
        since = self._now() - FOLLOWED_MILLISECONDS
        for follower in list(self._followed.values()):
            match = follower.table.match
            if match.outcome is not None and (
                match.next is not None or follower.table.last_used < since
            ):
                self._part(follower)

    async def _follow_wanted(self) -> None:
        while self._wanted and not self._closed:
            id = next(iter(self._wanted))
            del self._wanted[id]
            with suppress(EscaleError):             # the next search tries again
                await self._follow(id)

    async def _follow(self, id: str) -> None:
        table = await self._find(id)
        if table is None:
            return
        async with table.open():
            seats = table.held(self._token)
            known = self._followed.get(id)
            if not seats or (known is not None and known.sight.seats == seats):
                return
            follower = Follower(self, table, Sight.of(seats, None, self._lang, lean=True))
            await table.views.prepare(follower.sight)
            if self._closed:
                return
            if known is not None:
                self._part(known)
            table.audiences.join(follower)
            self._followed[id] = follower
            follower.introduce()
        table.presence.arrive(seats)

    def _part(self, follower: Follower) -> None:
        if self._followed.pop(follower.table.id, None) is not None:
            follower.table.audiences.drop(follower)
            follower.table.presence.depart(follower.sight.seats)

    def lost(self, follower: Follower) -> None:
        """Read a table again that could not be followed any longer."""
        self._part(follower)
        self.look_at(follower.table.id)


class Follower:
    """Follows one table for a bot."""

    def __init__(self, stream: BotStream, table: Table, sight: Sight) -> None:
        self._stream = stream
        self.table = table
        self.sight = sight
        self._asked: dict[int, Position] = {}
        """The positions in which the bot has been asked for a move, by its seats."""

    def introduce(self) -> None:
        """Send the bot's seats at this table, and what it is asked for."""
        match = self.table.match
        about = {
            "table": self.table.id, "game": match.game.slug, "n": len(match.events),
            "seats": list(self.sight.seats),
        }
        awaited = [seat for seat in self.sight.seats if match.players[seat].open]
        if awaited:
            self._say("challenge", {
                **about, "seats": awaited, "options": dict(match.start.options),
                "clock": match.header.clock, "names": [player.name for player in match.players],
            })
        else:
            self._say("table", {**about, "begun": match.begun})
            self._ask()

    def hear(self, message: bytes) -> None:
        """Send an event of the table."""
        self._stream.say(b'{"table":' + encode(self.table.id) + b"," + message[1:])
        self._ask()

    def leave(self) -> None:
        """Have the table read again."""
        self._stream.lost(self)

    def _ask(self) -> None:
        """Ask for a move of each of the bot's seats that is to move and was not asked yet."""
        match = self.table.match
        due = {
            seat for seat in match.choosing
            if seat in self.sight.seats and match.players[seat].level is None
        }
        self._asked = {seat: asked for seat, asked in self._asked.items() if seat in due}
        if not due or self.table.closed:
            return
        known = match.position.shown
        for seat in sorted(due):
            if self._asked.get(seat) != known:
                self._asked[seat] = known
                self._say("turn", {
                    "table": self.table.id, "game": match.game.slug, "seat": seat,
                    "n": len(match.events),
                })

    def _say(self, kind: str, fields: dict[str, Any]) -> None:
        self._stream.say(encode({"type": kind, **fields}))
