"""Notices that a game waits: an outbox in the database, and the sender that empties it.

A row is written in the transaction of the event that makes it a person's turn, for each endpoint
where they want notices. A little later it is sent: several games at once in one message, and
nothing to a person who looks at the table, has moved, or has given the seat up. It is deleted once
it was sent, so that nothing is lost when the house is killed; each message has a name by which a
receiver knows it again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256

import msgspec

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES
from escale.match.events import Began, Drawn, Ended, Event, Nudged, Played, Resigned, Sat, TookBack
from escale.match.match import Match
from escale.server.edge import locale
from escale.server.edge.addresses import network_addresses, web_address
from escale.server.edge.mail import check_mail_address
from escale.server.edge.outgoing import check_address
from escale.server.edge.problems import Problem
from escale.server.pages import pictures
from escale.server.people import letters, push
from escale.server.people.channels import Channels, arrived
from escale.server.people.letters import Line, Message
from escale.server.tables.house import House
from escale.server.tables.people import NOTEBOOK
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.drawing import draw
from escale.store import OutboxRow, StoreError, Token
from escale.store.notices import NotebookChanged
from escale.store.records import Endpoint, Notebook, Waiting
from escale.store.retention import DAY_MS
from escale.web import counted, words

log = logging.getLogger("escale")

GATHER_MILLISECONDS = 20_000
"""A notice waits this long for others of the same person."""
LOOK_SECONDS = 5.0
"""The time between two looks at the outbox."""
LEARN_SECONDS = 60.0
"""The time between two looks at the wishes, if another process's news of a change was lost."""
LEASE_MILLISECONDS = 120_000
"""If a process dies while it sends a message, the message is sent again after this time."""
MOST_ENDPOINTS = 8
"""The most endpoints of one notebook."""
MOST_FAILURES = 12
"""An endpoint that fails so often in a row is deleted; so is one that answers that it is gone."""
RETRY_MILLISECONDS = 60_000
"""After a failure, doubled with each further one, …"""
MOST_DOUBLINGS = 8
"""… up to four hours: all of them together are more than a day."""
GONE = (404, 410)
SENT_AT_ONCE = 50
"""The endpoints that are sent something at the same time; a receiver may be slow on purpose."""
MOST_TABLES = 10
"""The most games that one message names."""
MOST_QUIET = 200
"""Tables of which one notebook may want no notices."""
CONFIRM_MILLISECONDS = 2 * DAY_MS
"""An address for mail that is not confirmed by then is deleted; it is asked once in this time."""
SENDER = "notices"
"""A name that one of several processes owns, as processes own tables."""
TURNING = (Began, Played, Drawn, TookBack, Resigned, Ended)
"""Events after which it may be another person's turn, or no person's."""

Paint = Callable[[str], Awaitable[bytes]]
"""Makes a PNG of a drawing."""


class Notices:
    """The people who want notices, and the outbox."""

    def __init__(
        self, house: House, *, gather: int = GATHER_MILLISECONDS, paint: Paint | None = None
    ) -> None:
        self._house = house
        self._store = house.store.outbox
        self._gather = gather
        self.paint = paint
        self._looking = asyncio.Lock()
        self._at_once = asyncio.Semaphore(SENT_AT_ONCE)
        self._being_sent: set[str] = set()
        """The endpoints to which something is on its way."""
        self._wanted: dict[str, str] = {}
        """Notebooks with endpoints, by the names under which they hold seats."""
        self._endpoints: dict[str, list[Endpoint]] = {}
        self._langs: dict[str, str] = {}
        """The languages of these notebooks."""
        self._quiet: defaultdict[str, set[str]] = defaultdict(set)
        self._ears: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        """Pages that wait for the next turn of a person, by what that person holds seats under."""
        self._learnt = -LEARN_SECONDS
        self.channels = Channels(house.settings, self.base(), house.now)

    async def open(self) -> None:
        """Read the wishes, and read or draw the house's keys."""
        value = self._house.store.notebooks.house_value
        push_keys = None
        if push.is_possible():
            key = await value(push.KEY, push.draw_key)
            push_keys = key, await value(push.PUBLIC_KEY, lambda: push.public_key(key))
        self.channels.open(await value(letters.KEY, lambda: secrets.token_hex(16)), push_keys)
        await self.learn()

    async def learn(self) -> None:
        """Read the notebooks that want notices."""
        self._learnt = asyncio.get_running_loop().time()
        wanted: dict[str, str] = {}
        langs: dict[str, str] = {}
        endpoints: defaultdict[str, list[Endpoint]] = defaultdict(list)
        for endpoint, holder, lang in await self._store.endpoints():
            wanted[holder] = endpoint.notebook_id
            langs[endpoint.notebook_id] = lang
            endpoints[endpoint.notebook_id].append(endpoint)
        quiet: defaultdict[str, set[str]] = defaultdict(set)
        for notebook, table in await self._store.quiet_tables():
            quiet[notebook].add(table)
        self._wanted, self._endpoints, self._quiet = wanted, endpoints, quiet
        self._langs = langs

    async def _changed(self, notebook: str) -> None:
        await self.learn()
        self._house.cluster.announce(NotebookChanged(notebook))

    def hear_of_change(self) -> None:
        """A notebook has changed: its wishes are read again soon."""
        self._learnt = -LEARN_SECONDS

    # ---- wishes ----

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of endpoints that this house offers."""
        return self.channels.kinds

    @property
    def push_key(self) -> str:
        """The house's public key for push; empty if it does not push."""
        return self.channels.push.public_key if self.channels.push else ""

    def of(self, notebook: Notebook) -> list[Endpoint]:
        """The endpoints of a notebook."""
        return self._endpoints.get(notebook.id, [])

    async def add(
        self, notebook: Notebook, kind: str, address: str, lang: str, *, pace: str = "now",
        zone: str = "", keys: str = "",
    ) -> str:
        """Add an endpoint, once a first message has reached it; Problem gives the reason.

        Mail is sent only after its reader has followed the link in the first one. Of a feed, the
        secret of its address is returned, which is stored nowhere; else an empty text.
        """
        known = self.of(notebook)
        if kind not in self.kinds:
            raise Problem("bad-request", detail=f"kind: expected one of {self.kinds}")
        if pace not in letters.PACES:
            raise Problem("bad-request", detail=f"pace: expected one of {letters.PACES}")
        secret = secrets.token_urlsafe(24) if kind == "feed" else ""
        match kind:
            case "mail":
                address = check_mail_address(address)
            case "feed":
                address = ""
            case _:
                address = check_address(address)
        same = [one for one in known if one.kind == kind and one.address == address]
        if kind == "push" and same:                 # the browser has asked again
            return ""
        if len(known) >= MOST_ENDPOINTS or same:
            raise Problem("too-many")
        endpoint = Endpoint(
            secrets.token_urlsafe(9), notebook.id, kind, address, self._house.now(), keys=keys,
            sha256=sha256(secret.encode()).hexdigest() if secret else None,
            confirmed=kind != "mail", pace=pace if kind == "mail" else "now", zone=zone[:60],
        )
        if kind == "mail":
            await self._ask_to_confirm(endpoint, lang)
        elif kind != "feed":
            say = words().say
            hello = Message("hello", lang, say("notices.hello", lang),
                            text=say("notices.hello-text", lang))
            if not arrived(await self.channels.send(endpoint, hello)):
                raise Problem("no-answer")
        if kind != "mail":
            await self._store.add(endpoint)
        await self._changed(notebook.id)
        return secret

    async def _ask_to_confirm(self, endpoint: Endpoint, lang: str) -> None:
        """Send the only mail that an address gets before its reader has agreed."""
        if await self._store.awaits_confirmation(endpoint.address):
            raise Problem("too-many")
        await self._store.add(endpoint)             # before: it is asked at most once
        link = f"{self.base()}{locale.address('/mail/confirm', lang)}" \
            f"?of={self.channels.token('confirm', endpoint.id)}"
        say = words().say
        asked = Message(
            f"confirm-{endpoint.id}", lang, say("letter.confirm-title", lang),
            text=say("letter.confirm-text", lang, link=link),
        )
        if not arrived(await self.channels.send(endpoint, asked)):
            await self._store.drop(endpoint.id)
            raise Problem("no-answer")

    async def confirm(self, token: str) -> bool:
        """Confirm the address for mail that a link names; whether there is one."""
        return await self._by_token("confirm", token)

    async def stop(self, token: str) -> bool:
        """Delete the address for mail that a link names; whether there was one."""
        return await self._by_token("stop", token)

    async def _by_token(self, purpose: str, token: str) -> bool:
        id = self.channels.read_token(purpose, token)
        found = next((one for one, *_ in await self._store.endpoints() if one.id == id), None)
        if found is None:
            return False
        if purpose == "stop":
            await self._store.drop(found.id)
        else:
            await self._store.change(found.id, confirmed=True)
        await self._changed(found.notebook_id)
        return True

    async def drop(self, notebook: Notebook, id: str) -> None:
        """Delete an endpoint of a notebook."""
        if any(one.id == id for one in self.of(notebook)):
            await self._store.drop(id)
            await self._changed(notebook.id)

    async def drop_unconfirmed(self) -> None:
        """Delete the addresses that were not confirmed in time."""
        await self._store.drop_unconfirmed(self._house.now() - CONFIRM_MILLISECONDS)
        await self.learn()

    def is_quiet(self, notebook: Notebook, table: str) -> bool:
        """Whether a person wants no notices of a table."""
        return table in self._quiet.get(notebook.id, ())

    async def set_quiet(self, notebook: Notebook, table: str, yes: bool) -> None:
        """Set whether a person wants no notices of a table."""
        if yes and len(self._quiet.get(notebook.id, ())) >= MOST_QUIET:
            raise Problem("too-many")
        await self._store.set_quiet(notebook.id, table, yes)
        await self._changed(notebook.id)

    def notebook_of_feed(self, secret: str) -> str | None:
        """The notebook whose feed has this secret in its address."""
        made = sha256(secret.encode()).hexdigest()
        return next((
            one.notebook_id for all_of_one in self._endpoints.values() for one in all_of_one
            if one.sha256 == made
        ), None)

    # ---- into the outbox ----

    def wanted(
        self, table: str, match: Match, new: Sequence[Event], tokens: Iterable[Token]
    ) -> list[OutboxRow]:
        """What new events add to the outbox, and remove from it."""
        rows: list[OutboxRow] = []
        if not (self._wanted or self._ears) or not any(
            isinstance(event, (*TURNING, Nudged)) for event in new
        ):
            return rows
        turned = any(isinstance(event, TURNING) for event in new)
        began = any(isinstance(event, Began) for event in new)
        sat = next((event.seat for event in reversed(new) if isinstance(event, Sat)), None)
        choosing = set() if match.ended else set(match.choosing)
        for token in tokens:
            for ear in self._ears.get(token.sha256, ()):
                ear.set()
            notebook = self._wanted.get(token.sha256)
            if notebook is None or table in self._quiet.get(notebook, ()):
                continue
            alone = len(token.seats) < match.start.seats    # not all seats are at one screen
            if alone and choosing & set(token.seats):
                why = "turn" if turned else "nudge"
            elif alone and began and sat is not None and sat not in token.seats:
                why = "seat"
            elif turned:
                why = ""
            else:
                continue
            rows += [
                OutboxRow(one.id, self._time_of(one, why) if why else None, why)
                for one in self._endpoints[notebook] if one.confirmed and one.kind != "feed"
            ]
        return rows

    def _time_of(self, endpoint: Endpoint, why: str) -> int:
        """When a notice is sent."""
        now = self._house.now()
        if endpoint.pace != "now":
            return letters.next_digest(now, endpoint.pace, endpoint.zone)
        return now if why == "seat" else now + self._gather

    # ---- out of the outbox ----

    async def run(self) -> None:
        """Empty the outbox regularly, until cancelled."""
        while True:
            with suppress(StoreError):              # the next look tries again
                if asyncio.get_running_loop().time() - self._learnt >= LEARN_SECONDS:
                    await self.learn()
                if self._house.cluster.owns(SENDER):
                    await self.send_waiting()
            await asyncio.sleep(LOOK_SECONDS)

    async def send_waiting(self) -> int:
        """Send the notices that have waited long enough; returns the number of messages.

        Endpoints to which something is on its way already are left out: a slow receiver keeps no
        other person waiting.
        """
        waiting: defaultdict[str, list[Waiting]] = defaultdict(list)
        async with self._looking:
            now = self._house.now()
            due = await self._store.waiting(now, self._being_sent)
            for one in await self._store.lease(due, now + LEASE_MILLISECONDS):
                waiting[one.endpoint].append(one)
            self._being_sent.update(waiting)
        known = {one.id: one for of_one in self._endpoints.values() for one in of_one}

        async def send(id: str, notices: list[Waiting]) -> int:
            try:
                if id not in known:
                    await self._store.drop_notices(notices)
                    return 0
                async with self._at_once:
                    return await self._send_to(known[id], notices)
            finally:
                self._being_sent.discard(id)

        return sum(await asyncio.gather(*(send(*one) for one in waiting.items())))

    async def _send_to(self, endpoint: Endpoint, notices: list[Waiting]) -> int:
        """Send the notices that wait for one endpoint; returns the number of messages."""
        told: list[tuple[Waiting, Table]] = []
        for one in notices:
            table = await self._worth_telling(one, endpoint.notebook_id)
            if table is not None:
                told.append((one, table))
        if not told:
            await self._store.drop_notices(notices)
            return 0
        lang = self._langs.get(endpoint.notebook_id, "")
        message = await self._message(
            endpoint, lang if lang in LANGUAGES else LANGUAGES[0], told
        )
        status = await self.channels.send(endpoint, message)
        await self._note(endpoint, status, notices)
        return int(arrived(status))

    async def _worth_telling(self, notice: Waiting, notebook: str) -> Table | None:
        """The table, if there still is something to tell a person who does not look at it."""
        try:
            table = await self._house.table(notice.table)
        except EscaleError:
            return None
        seats = () if table is None else table.held(NOTEBOOK + notebook)
        if table is None or table.match.outcome is not None or not seats:
            return None
        if notice.why != "seat" and not is_due(table, seats):
            return None
        present = table.presence.seats()
        return None if any(present[seat] for seat in seats) else table

    async def _message(
        self, endpoint: Endpoint, lang: str, told: Sequence[tuple[Waiting, Table]]
    ) -> Message:
        lines = [
            await self._line(endpoint, table, one.why, lang) for one, table in told[:MOST_TABLES]
        ]
        title = lines[0].text if len(told) == 1 else counted("notices.title", len(told), lang)
        named = sorted((one.table, one.n) for one, _ in told)
        name = sha256(msgspec.json.encode([endpoint.id, named])).hexdigest()[:32]
        return Message(name, lang, title, lines)

    async def _line(self, endpoint: Endpoint, table: Table, why: str, lang: str) -> Line:
        match, seats = table.match, table.held(NOTEBOOK + endpoint.notebook_id)
        others = [name for seat, name in enumerate(table.views.called(lang)) if seat not in seats]
        text = words().say(
            f"notices.{why}", lang, title=match.game.title, names=", ".join(others)
        )
        link = self.base() + locale.address(f"/t/{table.id}", lang)
        picture = await self._picture(table, seats) if endpoint.kind == "mail" else None
        return Line(table.id, match.game.title, text, link, picture)

    async def _picture(self, table: Table, seats: tuple[int, ...]) -> bytes | None:
        """The board as the holder of these seats may see it."""
        async with table.open():
            position = table.match.position
            viewer = table.views.viewer(Sight.of(seats, None, LANGUAGES[0]))
            n = len(table.match.events)
        if self.paint is None:
            return None
        name = ("letter", table.id, n, str(viewer))
        drawing = await draw.named(name, lambda: pictures.table(position, viewer))
        with suppress(EscaleError):                 # the mail is sent without it
            return await self.paint(drawing.svg)
        return None

    async def _note(self, endpoint: Endpoint, status: int, taken: Sequence[Waiting]) -> None:
        """Delete what was sent; after a failure, try again later or give the endpoint up."""
        failures = endpoint.failures + 1
        if arrived(status):
            await self._store.drop_notices(taken)
            if not endpoint.failures:
                return
            failures = 0
        elif status in GONE or failures >= MOST_FAILURES:
            log.info("an endpoint of notices does not answer any longer, and is dropped")
            await self._store.drop(endpoint.id)
            await self._changed(endpoint.notebook_id)
            return
        else:
            wait = RETRY_MILLISECONDS << min(failures - 1, MOST_DOUBLINGS)
            await self._store.lease(taken, self._house.now() + wait)
        await self._store.change(endpoint.id, failures=failures)
        await self.learn()

    def base(self) -> str:
        """The origin under which people find the house."""
        settings = self._house.settings
        if settings.origins:
            return settings.origins[0]
        network = network_addresses(settings.host, settings.port, settings.machine)
        return network[0] if network else web_address(settings.host, settings.port).rstrip("/")

    # ---- pages that ring ----

    async def wait_for_turn(self, holder: str, seconds: float) -> None:
        """Wait until something changes at a table of a person, or the time is up."""
        ear = asyncio.Event()
        self._ears[holder].add(ear)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await ear.wait()
        finally:
            self._ears[holder].discard(ear)
            if not self._ears[holder]:
                del self._ears[holder]


def is_due(table: Table, seats: tuple[int, ...]) -> bool:
    """Whether a match waits for one of these seats."""
    match = table.match
    if match.outcome is not None or table.closed:
        return False
    awaited = match.choosing if match.begun else [
        seat for seat in seats if match.players[seat].open and match.players[seat].name
    ]
    return any(seat in seats and match.players[seat].level is None for seat in awaited)
