"""Bot accounts: who they are, and one stream for each that tells of all tables where it sits.

A bot's token holds seats like any other, at as many tables as it likes. A stream follows all of
these tables as any client would: where several processes share a database, each
table catches up with what others write, whichever process the stream is connected to.
"""

from __future__ import annotations

import asyncio
from collections import deque
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
from escale.server.edge.problems import Problem
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.store import Bot, BotResult, Store, StoreError, Token
from escale.store.bots import is_bots, known_games

READ_SECONDS = 1.0
"""Between two looks at the accounts: so long is a token believed that was revoked …"""
FRESH_SECONDS = 2.5
"""… and a little longer, where the look itself has to wait: then the next question looks."""
LOOK_SECONDS = 5.0
"""Between two looks for tables that no notice has told of; a blank line is sent, too."""
STREAMS = 4
"""Streams of one bot through one process."""
BACKLOG_BYTES = 4_000_000
"""What may wait for a bot that reads slowly."""
MOST_TABLES = 200
"""At which one bot may sit, or be asked to, at once; then it cannot be challenged."""
FOLLOWED_MILLISECONDS = 900_000
"""For which a match that is over is followed: there may be a rematch."""

Find = Callable[[str], Awaitable[Table | None]]


class Bots:
    """All accounts, and the streams through this process."""

    def __init__(self, house: House, clock: Callable[[], float] = monotonic) -> None:
        """The accounts of a house, which asks them at its tables from now on."""
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
        self._listening = Listening(self._cluster, clock)
        house.register_accounts(self)
        house.cluster.subscribe(self.hear)

    # ---- who they are ----

    def known(self, token: str | None) -> Bot | None:
        """The bot of a token, if that is known without asking the database."""
        return self._accounts.get(fingerprint(token)) if token and is_bots(token) else None

    async def of(self, token: str | None) -> Bot | None:
        """The bot of a token, if it is one's."""
        if not is_bots(token):
            return None
        await self._learn(lambda: self.known(token) is not None)
        return self.known(token)

    async def holder(self, token: str | None) -> str | None:
        """A token that may hold seats: what says that it is a bot's, and is not, holds nothing."""
        return None if is_bots(token) and await self.of(token) is None else token

    async def named(self, name: str) -> Bot | None:
        """The bot of a name."""
        def found() -> Bot | None:
            return next((bot for bot in self._accounts.values() if bot.name == name), None)

        await self._learn(lambda: found() is not None)
        return found()

    async def all(self) -> list[Bot]:
        """Every account."""
        await self._learn(lambda: True)
        return list(self._accounts.values())

    async def _learn(self, found: Callable[[], bool]) -> None:
        """Read the accounts, unless what is looked for is there and was read lately.

        Requests that arrive while the accounts are loading wait for the load to finish.
        """
        async with self._reading:
            age = self._clock() - self._read_at
            if age >= FRESH_SECONDS or (age >= READ_SECONDS and not found()):
                await self._look()

    async def _look(self) -> None:
        """Read the accounts; those that the host has removed hold nothing from now on."""
        accounts = {bot.sha256: bot for bot in await self._store.bots()}
        gone = self._accounts.keys() - accounts.keys()
        self._accounts, self._read_at = accounts, self._clock()
        for stream in [one for one in self._streams if one.bot.sha256 in gone]:
            self.close(stream)
        if gone:
            for table in list(self._tables.values()):
                table.revoke_tokens(gone)

    async def watch(self) -> None:
        """While there are accounts, notice that one is removed, without a request for it."""
        while True:
            await asyncio.sleep(READ_SECONDS)
            if self._accounts:
                with suppress(StoreError):          # who asks is told so
                    async with self._reading:
                        await self._look()

    async def describe(self, bot: Bot, about: str, games: Sequence[str]) -> Bot:
        """A bot says what it is; UnknownGame if it names one that there is not."""
        described = bot._replace(about=about, games=known_games(games))
        await self._store.describe_bot(bot.sha256, described.about, described.games)
        async with self._reading:
            await self._look()
        return self._accounts.get(bot.sha256, described)

    async def challenge(self, name: str, game: str) -> Bot:
        """The bot of a name, which is asked to play a game; `BadSetup` if it cannot be."""
        bot = await self.named(name)
        if bot is None:
            raise BadSetup("bot", name=name)
        if not bot.plays(game):
            raise BadSetup("bot-game", name=name)
        if await self._store.count_held_by(bot.sha256) >= MOST_TABLES:
            raise Problem("too-many")
        return bot

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        """What the end of a match counts for the bots that played in it."""
        return bot_results(match, tokens)

    # ---- which of them listen ----

    def listens(self, bot: Bot) -> bool:
        """Whether a stream of it is open: then it hears of a challenge at once."""
        return bot.sha256 in self._listening

    async def must_listen(self, name: str) -> None:
        """BadSetup if a bot would not hear of a challenge."""
        bot = await self.named(name)
        if bot is not None and not self.listens(bot):
            raise BadSetup("bot-away", name=name)

    # ---- other processes ----

    def hear(self, process: int, news: News) -> None:
        """Heed what other processes tell of bots, and tell them which listen through this one."""
        match news:
            case BotSeated(table, sha256):
                self._tell_streams(table, sha256)
            case BotListens(sha256, listens):
                self._listening.set_elsewhere(process, sha256, listens)
            case ProcessesChanged(come=come) if come:
                self._listening.announce()
            case SecondPassed() if news.is_time_to_poll:
                self._listening.announce()

    # ---- where they sit ----

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        """Tokens, by their SHA-256, hold seats at a table from now on: tell their streams."""
        for sha256 in tokens:
            if sha256 in self._accounts:
                self._tell_streams(table, sha256)
                self._cluster.announce(BotSeated(table, sha256))

    def _tell_streams(self, table: str, sha256: str) -> None:
        for stream in self._streams:
            if stream.bot.sha256 == sha256:
                stream.look_at(table)

    def open(self, bot: Bot, token: str, lang: str) -> BotStream:
        """A new stream; Problem if there are too many."""
        if sum(stream.bot.sha256 == bot.sha256 for stream in self._streams) >= STREAMS:
            raise Problem("too-many")
        stream = BotStream(self._store, self._find, self._now, bot, token, lang)
        self._streams.append(stream)
        self._listening.begin(bot.sha256)
        return stream

    def close(self, stream: BotStream) -> None:
        """It is over."""
        stream.close()
        if stream in self._streams:
            self._streams.remove(stream)
            self._listening.end(stream.bot.sha256)

    def close_all(self) -> None:
        """The house closes."""
        for stream in list(self._streams):
            self.close(stream)


class BotStream:
    """What one connection of a bot is told, line by line."""

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
        """All lines, until the stream is closed; a blank one now and then says that it lives."""
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
        """Send a line, as soon as possible; who does not read is sent away."""
        self._lines.append(line + b"\n")
        self._size += len(line) + 1
        if self._size > BACKLOG_BYTES:
            self.close()
        self._news.set()

    def look_at(self, table: str) -> None:
        """The bot has, or may have, another seat there."""
        self._wanted[table] = None
        self._news.set()

    def close(self) -> None:
        """Follow nothing any more."""
        self._closed = True
        for follower in list(self._followed.values()):
            self._part(follower)
        self._lines.clear()
        self._news.set()

    # ---- the tables ----

    async def _look(self) -> None:
        """Look for tables that no notice has told of, and let go of those that are long over."""
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
            with suppress(EscaleError):             # the next look tries again
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
        """A table cannot be followed any longer: it is read again."""
        self._part(follower)
        self.look_at(follower.table.id)


class Follower:
    """A bot at one of its tables."""

    def __init__(self, stream: BotStream, table: Table, sight: Sight) -> None:
        self._stream = stream
        self.table = table
        self.sight = sight
        self._asked: dict[int, Position] = {}
        """For each of its seats to move that the bot has been told of, where it is to move."""

    def introduce(self) -> None:
        """Tell where the bot sits, and what it is asked."""
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
        """Something has happened."""
        self._stream.say(b'{"table":' + encode(self.table.id) + b"," + message[1:])
        self._ask()

    def leave(self) -> None:
        """The table is read again."""
        self._stream.lost(self)

    def _ask(self) -> None:
        """If the bot is to move, and has not been told so, tell it; each of its seats in turn."""
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
