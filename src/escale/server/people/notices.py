"""Notices that a game waits: an outbox in the database, and the sender that empties it.

A row is written in the transaction of the event that makes it a person's turn, for those who want
notices. A little later it is sent: several games at once in one message, and nothing to a person
who looks at the table, has moved, or has given the seat up. It is deleted once it was sent, so that
nothing is lost when the house is killed; each message has an id by which a receiver knows it again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES
from escale.match.events import Began, Drawn, Ended, Event, Played, Resigned, TookBack
from escale.match.match import Match
from escale.match.reading import encode
from escale.server.edge import locale
from escale.server.edge.addresses import network_addresses, web_address
from escale.server.edge.outgoing import check_address, post
from escale.server.edge.problems import Problem
from escale.server.tables.house import House
from escale.server.tables.people import NOTEBOOK
from escale.server.tables.table import Table
from escale.store import StoreError, Token
from escale.store.notebooks import NotebookStore
from escale.store.records import Endpoint, Notebook
from escale.web import counted, words

log = logging.getLogger("escale")

GATHER_MILLISECONDS = 20_000
"""A notice waits this long for others of the same person."""
LOOK_SECONDS = 5.0
"""The time between two looks at the outbox."""
MOST_ENDPOINTS = 3
"""The most endpoints of one notebook."""
MOST_FAILURES = 8
"""An endpoint that fails so often in a row is deleted; so is one that answers that it is gone."""
GONE = (404, 410)
SENT_AT_ONCE = 50
"""The people that are notified at the same time; a receiver may be slow on purpose."""
MOST_TABLES = 10
"""The most games that one message names."""
SENDER = "notices"
"""A name that one of several processes owns, as processes own tables."""
TURNING = (Began, Played, Drawn, TookBack)
"""Events after which it may be another person's turn."""
KINDS = ("ntfy", "hook")


class Notices:
    """The people who want notices, and the outbox."""

    def __init__(
        self, house: House, *, gather: int = GATHER_MILLISECONDS, anywhere: bool = False
    ) -> None:
        """`anywhere` allows addresses of private networks, as the host may decide."""
        self._house = house
        self._store: NotebookStore = house.store.notebooks
        self._gather = gather
        self._anywhere = anywhere
        self._looking = asyncio.Lock()
        self._at_once = asyncio.Semaphore(SENT_AT_ONCE)
        self._being_sent: set[str] = set()
        """The notebooks whose notices are on their way."""
        self._wanted: dict[str, str] = {}
        """Notebooks with endpoints, by the names under which they hold seats."""
        self._endpoints: dict[str, list[Endpoint]] = {}

    async def learn(self) -> None:
        """Read the notebooks that want notices."""
        wanted: dict[str, str] = {}
        endpoints: dict[str, list[Endpoint]] = {}
        for endpoint, holder in await self._store.endpoints():
            wanted[holder] = endpoint.notebook_id
            endpoints.setdefault(endpoint.notebook_id, []).append(endpoint)
        self._wanted, self._endpoints = wanted, endpoints

    def of(self, notebook: Notebook) -> list[Endpoint]:
        """The endpoints of a notebook."""
        return self._endpoints.get(notebook.id, [])

    async def add(self, notebook: Notebook, kind: str, address: str, lang: str) -> None:
        """Add an endpoint, after a first message has reached it; Problem gives the reason."""
        address = check_address(address)
        known = self.of(notebook)
        if kind not in KINDS:
            raise Problem("bad-request", detail=f"kind: expected one of {KINDS}")
        if len(known) >= MOST_ENDPOINTS or any(one.address == address for one in known):
            raise Problem("too-many")
        endpoint = Endpoint(
            secrets.token_urlsafe(9), notebook.id, kind, address, self._house.now()
        )
        try:
            say = words().say
            status = await self._send(
                endpoint, say("notices.hello", lang), say("notices.hello-text", lang), [], "hello"
            )
        except (OSError, TimeoutError):
            status = 0
        if not 200 <= status < 300:
            raise Problem("no-answer")
        await self._store.add_endpoint(endpoint)
        await self.learn()

    async def drop(self, notebook: Notebook, id: str) -> None:
        """Delete an endpoint."""
        await self._store.drop_endpoint(notebook.id, id)
        await self.learn()

    # ---- into the outbox ----

    def wanted(
        self, match: Match, new: Sequence[Event], tokens: Iterable[Token]
    ) -> dict[str, bool]:
        """The notebooks to notify of new events, and those whose notice has become useless."""
        if not self._wanted or not any(
            isinstance(event, (*TURNING, Resigned, Ended)) for event in new
        ):
            return {}
        choosing = set() if match.ended else set(match.choosing)
        notified: dict[str, bool] = {}
        for token in tokens:
            notebook = self._wanted.get(token.sha256)
            if notebook is not None:
                alone = len(token.seats) < match.start.seats    # not all seats are at one screen
                notified[notebook] = alone and bool(choosing & set(token.seats))
        return notified

    # ---- out of the outbox ----

    async def run(self) -> None:
        """Empty the outbox regularly, until cancelled."""
        while True:
            with suppress(StoreError):              # the next look tries again
                await self.learn()
                if self._house.cluster.owns(SENDER):
                    self._house.start(self._send_quietly())
            await asyncio.sleep(LOOK_SECONDS)

    async def _send_quietly(self) -> None:
        with suppress(StoreError):
            await self.send_waiting()

    async def send_waiting(self) -> int:
        """Send the notices that have waited long enough; returns the number of messages.

        People whose notices are on their way already are left out: a slow receiver keeps no other
        person waiting.
        """
        waiting: defaultdict[str, list[tuple[str, str, int]]] = defaultdict(list)
        async with self._looking:
            for one in await self._store.waiting_notices(
                self._house.now() - self._gather, self._being_sent
            ):
                waiting[one[0]].append(one)
            self._being_sent.update(waiting)

        async def send(notebook: str, notices: list[tuple[str, str, int]]) -> int:
            try:
                async with self._at_once:
                    return await self._send_to(notebook, notices)
            finally:
                self._being_sent.discard(notebook)

        return sum(await asyncio.gather(*(send(*one) for one in waiting.items())))

    async def _send_to(self, notebook: str, notices: list[tuple[str, str, int]]) -> int:
        """Send the notices that wait for one person, and delete them."""
        own = await self._store.named(notebook)
        tables = [] if own is None else [
            table for _, id, _ in notices[:MOST_TABLES]
            if (table := await self._due(id, own)) is not None
        ]
        sent = 0
        if own is not None and tables:
            sent = await self._tell(own, tables, max(n for *_, n in notices))
        await self._store.drop_notices(notices)
        return sent

    async def _due(self, id: str, own: Notebook) -> Table | None:
        """The table if it waits for a person who does not look at it."""
        try:
            table = await self._house.table(id)
        except EscaleError:
            return None
        seats = () if table is None else table.held(NOTEBOOK + own.id)
        if table is None or not is_due(table, seats):
            return None
        present = table.presence.seats()
        return None if any(present[seat] for seat in seats) else table

    async def _tell(self, own: Notebook, tables: Sequence[Table], n: int) -> int:
        lang = own.lang if own.lang in LANGUAGES else LANGUAGES[0]
        games = [
            {"game": table.match.game.title, "table": table.id,
             "link": self._base() + locale.address(f"/t/{table.id}", lang)}
            for table in tables
        ]
        title = counted("notices.title", len(games), lang, title=games[0]["game"])
        text = "\n".join(f"{one['game']}: {one['link']}" for one in games)
        name = f"{tables[0].id}-{n}"
        sent = 0
        for endpoint in list(self._endpoints.get(own.id, ())):
            try:
                status = await self._send(endpoint, title, text, games, name)
            except (OSError, TimeoutError, Problem):
                status = 0
            sent += 200 <= status < 300
            await self._note(endpoint, status)
        return sent

    async def _note(self, endpoint: Endpoint, status: int) -> None:
        if 200 <= status < 300:
            if endpoint.failures:
                await self._store.note_failures(endpoint.id, 0)
        elif status in GONE or endpoint.failures + 1 >= MOST_FAILURES:
            log.info("an endpoint of notices does not answer any longer, and is dropped")
            await self._store.drop_endpoint(endpoint.notebook_id, endpoint.id)
            await self.learn()
        else:
            await self._store.note_failures(endpoint.id, endpoint.failures + 1)

    async def _send(
        self, endpoint: Endpoint, title: str, text: str, games: list[dict[str, str]], name: str
    ) -> int:
        """Send a message to an endpoint; the status of the answer."""
        address, message = endpoint.address, {
            "id": name, "title": title, "text": text, "games": games
        }
        if endpoint.kind == "ntfy":                 # published as JSON at the server's root
            parts = urlsplit(address)
            folder, _, topic = parts.path.rstrip("/").rpartition("/")
            address = f"{parts.scheme}://{parts.netloc}{folder}/"
            message = {"topic": topic, "title": title, "message": text}
            if games:
                message["click"] = games[0]["link"]
        return await post(
            address, encode(message), "application/json", anywhere=self._anywhere
        )

    def _base(self) -> str:
        """The origin under which people find the house."""
        settings = self._house.settings
        if settings.origins:
            return settings.origins[0]
        network = network_addresses(settings.host, settings.port, settings.machine)
        return network[0] if network else web_address(settings.host, settings.port).rstrip("/")


def is_due(table: Table, seats: tuple[int, ...]) -> bool:
    """Whether a match waits for one of these seats."""
    match = table.match
    if match.outcome is not None or table.closed:
        return False
    awaited = match.choosing if match.begun else [
        seat for seat in seats if match.players[seat].open and match.players[seat].name
    ]
    return any(seat in seats and match.players[seat].level is None for seat in awaited)
