"""A house within a browser: `web/static/js/device_worker.js` calls it where no server answers.

Its tables are those of the server (`tables/table.py`): the same events, views, choices and
refusals. Only what surrounds them differs: the browser keeps the events, the levels think in this
very process, and requests come from one page instead of from the network.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Any, cast
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from msgspec import structs

from escale.game.errors import BadSetup, EscaleError
from escale.game.fair_random import FairRandom
from escale.game.state_of_play import board_part
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL
from escale.games import game as game_named
from escale.match.events import (
    Ended,
    Event,
    Hello,
    View,
    as_json,
    read_action,
    read_event,
    read_header,
    read_hello,
    read_message,
    sender_id,
)
from escale.match.match import Match
from escale.match.reading import encode, reader
from escale.server.cluster.port import SingleProcess
from escale.server.edge.problems import Problem, sentences
from escale.server.offline.review_page import review_article
from escale.server.offline.thinking import DeviceThinkers, pace_of
from escale.server.pages import forms
from escale.server.pages.examples import examples
from escale.server.study.analysis import AnalysisJob, AnalysisQuestion, TableStudy
from escale.server.study.hints import HintJob, HintQuestion, JudgedMove, JudgeJob
from escale.server.study.jobs import JOBS
from escale.server.study.positions import (
    ChoicesJob,
    ComposedPosition,
    ComposeJob,
    ExplainJob,
    PositionJob,
    StudyAttempt,
    StudyQuestion,
)
from escale.server.study.puzzles import PuzzleHelp, PuzzleHintJob, PuzzleTry, PuzzleTryJob
from escale.server.study.reviews import ReviewState
from escale.server.tables import messages
from escale.server.tables.accounts import NoAccounts
from escale.server.tables.branches import choice_facts, reason
from escale.server.tables.counts import Counts
from escale.server.tables.names import fingerprint, seat_token, table_name, table_token
from escale.server.tables.orders import ComputerSeat, Order, PersonSeat, Sitting
from escale.server.tables.people import NoPeople
from escale.server.tables.rematch import Rematch
from escale.server.tables.services import Services
from escale.server.tables.setting_up import first_match, first_position, people_of, players_of
from escale.server.tables.state import missed_state, whole_state
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.jobs import Job
from escale.store import Conflict, Kept, NewTable, Token
from escale.study import review as reviewing
from escale.study.judging import DEFAULT, Steps
from escale.study.puzzles import puzzles_of
from escale.study.review_words import write_review

log = logging.getLogger("escale")

HERE = "here-"
"""The prefix of the names of tables that a device keeps."""
GONE = 1012
"""The code of a connection that is closed to be opened again."""
AWAY_SECONDS = 30.0

Keep = Callable[[str], Awaitable[Any]]
"""Keeps a change of a table, as JSON; raises an error if another page has changed it meanwhile."""
Load = Callable[[str], Awaitable[str | None]]
"""The table that is kept under a name, as JSON."""

read_order: Callable[[bytes], Order] = reader(Order)
read_sitting: Callable[[bytes], Sitting] = reader(Sitting)
read_attempt: Callable[[bytes], messages.Attempt] = reader(messages.Attempt)
QUESTIONS: dict[str, tuple[Callable[..., Job], Callable[[bytes], Any]]] = {
    "study": (PositionJob, reader(StudyQuestion)), "explain": (ExplainJob, reader(StudyAttempt)),
    "choices": (ChoicesJob, reader(StudyAttempt)),
    "compose": (ComposeJob, reader(ComposedPosition)),
    "analysis": (AnalysisJob, reader(AnalysisQuestion)),
}
"""The questions about any position, by the ends of their addresses."""
read_hint: Callable[[bytes], HintQuestion] = reader(HintQuestion)
read_judged: Callable[[bytes], JudgedMove] = reader(JudgedMove)
read_try: Callable[[bytes], PuzzleTry] = reader(PuzzleTry)
read_help: Callable[[bytes], PuzzleHelp] = reader(PuzzleHelp)


@dataclass(slots=True)
class Reply:
    """An answer to a request of the page."""

    body: bytes
    status: int = 200
    more: Iterator[Any] | None = None
    """Further values, each a line of its own; found one after another while they are wanted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the page."""

    path: tuple[str, ...]
    """The parts of the address behind `/api`."""
    query: dict[str, list[str]]
    body: bytes = b""
    token: str | None = None
    lang: str = LANGUAGES[0]

    def number(self, name: str) -> int | None:
        """A whole number of the query, if it is there."""
        found = self.query.get(name, [""])[0]
        return int(found) if found.isdecimal() and len(found) < 9 else None


class DeviceStore:
    """The part of a store that tables use; the browser keeps the data."""

    shared = False

    def __init__(self, keep: Keep, load: Load, now: Callable[[], int]) -> None:
        self._keep = keep
        self._load = load
        self._now = now
        self._tokens: dict[str, list[Token]] = {}

    async def create(self, table: NewTable, events: Sequence[Event]) -> None:
        """Keep a new table; Conflict if there is one of this name."""
        self._tokens[table.id] = [Token(sha256, tuple(seats)) for sha256, seats in table.tokens]
        await self._write(table.id, 0, [as_json(table.header), *map(as_json, events)], {
            "game": table.header.game, "secret": table.secret, "over": False,
        })

    async def append(
        self, table: str, new: Sequence[Event], *, tokens: Sequence[Token] = (),
        dropped: Sequence[Token] = (), due: int | EllipsisType | None = ...,
        next_secret: str | None = None, **others: object,
    ) -> None:
        """Keep events that happened; Conflict if they are not the next ones."""
        held = self._tokens[table]
        self._tokens[table] = [one for one in [*held, *tokens] if one not in dropped]
        since = new[0].n or 0 if new else 0
        facts: dict[str, Any] = {}
        if any(isinstance(event, Ended) for event in new):
            facts = {"over": True, "next_secret": next_secret}
        await self._write(table, since, [as_json(event) for event in new], facts)

    async def _write(
        self, table: str, since: int, lines: list[dict[str, Any]], facts: dict[str, Any]
    ) -> None:
        change = {
            "table": table, "since": since, "lines": [_line(line) for line in lines],
            "tokens": self._tokens[table], "changed": self._now(), **facts,
        }
        try:
            await self._keep(json.dumps(change))
        except Exception as error:              # whatever the browser's own database says
            raise Conflict(f"table {table} was not kept: {error}") from None

    async def load(self, id: str) -> Kept | None:
        """The table that was kept under a name."""
        found = await self._load(id)
        if found is None:
            return None
        kept = json.loads(found)
        self._tokens[id] = [Token(sha256, tuple(seats)) for sha256, seats in kept["tokens"]]
        header, *events = kept["lines"]
        return Kept(
            id, read_header(header), kept["secret"], False, kept["changed"],
            tuple(self._tokens[id]), [read_event(line) for line in events], None,
            kept.get("next_secret"),
        )


def _line(line: dict[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False)


class HereRematch(Rematch):
    """The table after one of this device, which the device keeps, too."""

    @property
    def name(self) -> str:
        """The name of the next table."""
        return HERE + super().name


@dataclass(slots=True)
class Making:
    """A review that is being made, or was."""

    steps: Steps[Any, Any]
    done: int = 0
    total: int = 0
    found: Any = None
    task: asyncio.Task[None] | None = field(default=None)


class Device:
    """The tables of one device, and everything that may be asked about them and about games."""

    def __init__(
        self, keep: Keep, load: Load, now: Callable[[], int] = lambda: int(1000 * time.time())
    ) -> None:
        self.now = now
        self.thinkers = DeviceThinkers()
        self._store = DeviceStore(keep, load, now)
        self._tables: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._reviews: dict[str, Making] = {}
        accounts, people = NoAccounts(), NoPeople()
        self._services = Services(
            store=cast(Any, self._store), cluster=SingleProcess(),
            thinkers=cast(Any, self.thinkers), counts=Counts(), now=now, away=AWAY_SECONDS,
            phrases_only=False, accounts=lambda: accounts, people=lambda: people,
            closed_since=lambda at: 0,
            start=self._start, find_table=self.table, set_up_table=self._set_up,
            forget_table=self._forget, note_use=lambda table: None, note_change=lambda table: None,
        )

    # ---- tables ----

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("something failed in the background", exc_info=error)

    async def table(self, id: str) -> Table | None:
        """The table with this name, from memory or as the browser has kept it."""
        if id in self._tables:
            return self._tables[id]
        kept = await self._store.load(id)
        if id in self._tables or kept is None:
            return self._tables.get(id)
        match = Match.resume([kept.header], FairRandom(kept.secret or ""))
        match.follow(kept.events)
        table = Table(
            self._services, id, match, public=False, tokens=kept.tokens,
            rematch=HereRematch(id, match, kept.next_secret), due=None,
        )
        self._tables[id] = table
        await table.wake()
        return table

    async def _set_up(
        self, id: str, match: Match, *, public: bool, tokens: Sequence[Token],
        charged_address: str = "",
    ) -> Table:
        assert match.fair_random is not None
        await self._store.create(
            NewTable(id, match.header, match.fair_random.secret, tokens=tokens), match.events
        )
        table = Table(
            self._services, id, match, public=False, tokens=tokens, rematch=HereRematch(id, match),
            due=None,
        )
        self._tables[id] = table
        await table.wake()
        return table

    def _forget(self, table: Table) -> None:
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
        table.close()

    async def create(self, order: Order) -> messages.Opened:
        """Set up a table for people at this screen, and computers."""
        if any(not isinstance(seat, PersonSeat | ComputerSeat) for seat in order.seats):
            raise Problem("not-now", detail="expected people at this screen, or computers")
        people = people_of(order)
        if not people:
            raise BadSetup("no-person")
        match = first_match(
            order, first_position(order), players_of(order, self.thinkers.check), phrases=False
        )
        token = table_token(order.id)
        table = await self._set_up(
            HERE + table_name(order.id), match, public=False,
            tokens=[Token(fingerprint(token), tuple(people))],
        )
        return messages.Opened(table.id, token, people)

    # ---- requests ----

    async def request(
        self, method: str, address: str, body: bytes = b"", token: str | None = None,
        lang: str = "",
    ) -> Reply:
        """The answer to a request, as the house would give it."""
        parts = urlsplit(address)
        query = parse_qs(parts.query)
        wanted = query.get("lang", [lang])[0]
        wanted = wanted if wanted in LANGUAGES else LANGUAGES[0]
        path = tuple(unquote(part) for part in parts.path.strip("/").split("/"))
        asked = Asked(path[1:] if path[0] == "api" else path, query, body, token, wanted)
        try:
            return await self._answer(method, asked)
        except EscaleError as error:
            return self._refused(Problem.of(error), asked.lang)

    def _refused(self, problem: Problem, lang: str, **more: Any) -> Reply:
        return Reply(encode({**problem.as_json(lang), **more}), problem.status)

    async def _answer(self, method: str, asked: Asked) -> Reply:
        match method, asked.path:
            case "POST", ("tables",) if not asked.body.startswith(b"{"):
                return Reply(encode(await self.create(_form_order(asked))))
            case "POST", ("tables",):
                return Reply(encode(await self.create(read_order(asked.body))), 201)
            case _, ("tables", id, *rest):
                table = await self.table(id)
                if table is None:
                    raise Problem("unknown-table")
                return await self._at_table(method, table, tuple(rest), asked)
            case "GET", ("games", slug, "boards", fingerprint):
                return _board(slug, fingerprint, asked)
            case "GET", ("games", slug, "examples"):
                return Reply(encode(examples(game_named(slug), asked.lang)))
            case "GET", ("games", slug, "pace", level):
                return Reply(encode(pace_of(game_named(slug).slug, level)))
            case "POST", ("games", slug, what) if what in QUESTIONS:
                kind, read = QUESTIONS[what]
                job = kind(game=game_named(slug).slug, question=read(asked.body), lang=asked.lang)
                return _worked_out(job)
            case "POST", ("games", slug, "puzzles", id, "try" | "hint" as what):
                return _puzzle(slug, id, what, asked)
            case _:
                raise Problem("unknown-page")

    async def _at_table(
        self, method: str, table: Table, rest: tuple[str, ...], asked: Asked
    ) -> Reply:
        match method, rest:
            case "POST", ("events",):
                return await self._act(table, asked)
            case "POST", ("seats", seat) if seat.isdecimal():
                sitting = read_sitting(asked.body)
                token = seat_token(sitting.id, table.id, int(seat))
                await table.sit(int(seat), sitting, token)
                return Reply(encode(messages.Seated(token)))
            case "GET", ("review",):
                return Reply(encode(await self._review(table, asked.lang)))
            case "GET", ("review", "page"):
                found = (await self._review(table, asked.lang)).review
                if found is None:
                    raise Problem("not-now", detail="expected a review that is made")
                page = review_article(found, table.match.game, table.id, asked.lang)
                return Reply(encode({"html": page}))
            case "POST", ("review",):
                return Reply(encode(await self._review(table, asked.lang, begin=True)), 202)
        async with table.open():
            return await self._look(method, table, rest, asked)

    async def _look(
        self, method: str, table: Table, rest: tuple[str, ...], asked: Asked
    ) -> Reply:
        sight = Sight.of(table.held(asked.token), asked.number("as"), asked.lang)
        match method, rest:
            case "GET", ():
                await table.views.prepare(sight)
                return Reply(encode(whole_state(table, sight)))
            case "GET", ("events",):
                await table.views.prepare(sight)
                return Reply(encode(missed_state(table, sight, asked.number("since") or 0)))
            case "GET", ("choices",):
                _must_choose(table, sight)
                after = tuple(asked.query.get("after", ()))
                return Reply(encode(choice_facts(table.views.asked(sight), after, sight.lang)))
            case "POST", ("explain",):
                attempt = read_attempt(asked.body)
                return _explain(table, Sight.of(sight.seats, attempt.as_, sight.lang), attempt)
            case "GET", ("log",):
                return Reply(encode({"log": table.views.page(sight, asked.number("before"))}))
            case "GET", ("plies", ply) if ply.isdecimal() and int(ply) <= table.match.ply:
                return Reply(encode(table.views.ply(int(ply), sight)))
            case "GET", ("text",):
                text = table.views.text(sight, asked.number("ply"))
                return Reply(encode(messages.BoardText(len(table.match.events), text)))
            case "GET", ("transcript",):
                return Reply(table.views.transcript(sight).encode())
            case "GET", ("study",):
                return Reply(encode(_study(table, sight)))
            case "POST", ("hint",):
                return _advice(table, sight, HintJob, read_hint(asked.body).as_)
            case "POST", ("judge",):
                judged = read_judged(asked.body)
                return _advice(table, sight, JudgeJob, judged.as_, move=judged.move)
            case _:
                raise Problem("unknown-page")

    async def _act(self, table: Table, asked: Asked) -> Reply:
        seats = table.held(asked.token)
        try:
            return Reply(encode(messages.Done(await table.do(read_action(asked.body), seats))))
        except Problem as problem:
            if problem.code != "stale":
                raise
            async with table.open():
                sight = Sight.of(seats, None, asked.lang)
                await table.views.prepare(sight)
                return self._refused(problem, asked.lang, state=whole_state(table, sight))

    # ---- reviews ----

    async def _review(self, table: Table, lang: str, *, begin: bool = False) -> ReviewState:
        """The review of a finished match, or its progress; it is made between other requests."""
        match = table.match
        if match.outcome is None:
            raise Problem("still-played")
        making = self._reviews.get(table.id)
        if making is None and begin:
            lines = match.transcript(ALL)
            making = Making(Steps(reviewing.review(Match.replay(lines), DEFAULT)))
            self._reviews[table.id] = making
            self._start(self._make(making))
        if making is None:
            return ReviewState("none", 0, 0, None, None)
        if making.found is None:
            return ReviewState("making", making.done, making.total, None, None)
        written = write_review(making.found, match, lang)
        return ReviewState("made", making.total, making.total, None, written)

    async def _make(self, making: Making) -> None:
        for progress in making.steps:
            making.done, making.total = progress.done, progress.total
            await asyncio.sleep(0)
        making.found = making.steps.result

    # ---- live connections ----

    async def follow(
        self, address: str, hello: str, send: Callable[[str], object],
        close: Callable[[int], object],
    ) -> Follower | None:
        """Follow a table, as over a WebSocket; `hello` is the first message."""
        lang = LANGUAGES[0]
        try:
            greeting: Hello = read_hello(hello)
            lang = greeting.lang if greeting.lang in LANGUAGES else lang
            table = await self.table(unquote(urlsplit(address).path.split("/")[3]))
            if table is None:
                raise Problem("unknown-table")
            seats = table.held(greeting.token)
            follower = Follower(table, Sight.of(seats, greeting.as_, lang), send, close)
            async with table.open():
                follower.greet(greeting)
        except EscaleError as error:
            send(encode({
                "type": "refused", "id": None, **Problem.of(error).as_json(lang)
            }).decode())
            close(GONE)
            return None
        table.presence.arrive(seats)
        return follower


class Follower:
    """One page that follows a table and plays at it."""

    def __init__(
        self, table: Table, sight: Sight, send: Callable[[str], object],
        close: Callable[[int], object],
    ) -> None:
        self.table = table
        self.sight = sight
        self._send = send
        self._close = close

    def greet(self, hello: Hello) -> None:
        """Send the events that the page does not have yet, and all later ones."""
        table, since = self.table, hello.since
        known = since is not None and 0 <= since <= len(table.match.events)
        if since is not None and known and hello.as_ in (None, self.sight.seat):
            self.hear(encode(missed_state(table, self.sight, since)))
        else:
            self.hear(encode(whole_state(table, self.sight)))
        table.audiences.join(self)

    def hear(self, message: bytes) -> None:
        """Send a message to the page."""
        self._send(message.decode())

    def leave(self) -> None:
        """Close the connection; the page opens another."""
        self._close(GONE)

    def end(self) -> None:
        """The page has closed the connection."""
        self.table.audiences.drop(self)
        self.table.presence.depart(self.sight.seats)

    async def obey(self, text: str) -> None:
        """Carry out a message of the page, or send the reason why it is refused."""
        table = self.table
        try:
            action = read_message(text)
            if isinstance(action, View):
                async with table.open():
                    table.audiences.drop(self)
                    self.sight = Sight.of(self.sight.seats, action.as_, self.sight.lang)
                    table.audiences.join(self)
                    await table.views.prepare(self.sight)
                    self.hear(encode(whole_state(table, self.sight)))
                return
            number = await table.do(action, self.sight.seats)
            self.hear(encode(messages.Acknowledged(action.id, number)))
        except EscaleError as error:
            await self._refuse(sender_id(text), Problem.of(error))

    async def _refuse(self, identity: str | None, problem: Problem) -> None:
        answer = {"type": "refused", "id": identity, **problem.as_json(self.sight.lang)}
        if problem.code == "stale" and not self.table.gone:
            async with self.table.open():
                await self.table.views.prepare(self.sight)
                answer["state"] = whole_state(self.table, self.sight)
        self.hear(encode(answer))


# ---- answers ----


def _form_order(asked: Asked) -> Order:
    """The order that the form on the page of a game makes."""
    fields = dict(parse_qsl(asked.body.decode("utf-8", "replace")))
    lang = fields.get("lang", asked.lang)
    box = game_named(fields.get("game", ""))
    order = forms.order(box, fields, lang, sentences().say("seat.guest", lang))
    return structs.replace(order, id=secrets.token_urlsafe(24))


def _must_choose(table: Table, sight: Sight) -> None:
    if not table.views.chooses(sight):
        raise Problem("not-your-turn")


def _explain(table: Table, sight: Sight, attempt: messages.Attempt) -> Reply:
    _must_choose(table, sight)
    position = table.views.asked(sight)
    node = position.choices().after(*attempt.atoms)
    if node is not None and node.move is not None:
        return Reply(encode(messages.Reason(legal=True, text="", rule=None, cells=[])))
    return Reply(encode(reason(position, attempt.atoms, sight.lang)))


def _study(table: Table, sight: Sight) -> TableStudy:
    match = table.match
    if match.outcome is None and match.game.hides:
        raise Problem("still-hidden")
    line = [move.text for move in match.position.line()]
    return TableStudy(match.game.slug, match.start.text, line, match.game.hides)


def _advice(table: Table, sight: Sight, kind: type[Job], seat: int, **more: str) -> Reply:
    sight = Sight.of(sight.seats, seat, sight.lang)
    _must_choose(table, sight)
    match = table.match
    job = kind(**cast(Any, {
        "game": match.game.slug, "start": match.header.start, "moves": tuple(match.line()),
        "turn": table.views.asked(sight).turn, "lang": sight.lang, **more,
    }))
    return _worked_out(job)


def _worked_out(job: Job) -> Reply:
    work = cast(Callable[[Job], object], JOBS[cast(Any, type(job))])
    found = work(job)
    if not isinstance(found, Iterator):
        return Reply(encode(found))
    return Reply(encode(next(found)), more=found)


def _puzzle(slug: str, id: str, what: str, asked: Asked) -> Reply:
    if id not in puzzles_of(game_named(slug)):
        raise Problem("unknown-puzzle")
    if what == "try":
        line = read_try(asked.body).line
        return _worked_out(PuzzleTryJob(game=slug, puzzle=id, line=line, lang=asked.lang))
    wish = read_help(asked.body)
    return _worked_out(PuzzleHintJob(
        game=slug, puzzle=id, line=wish.line, hint=wish.hint, lang=asked.lang
    ))


def _board(slug: str, fingerprint: str, asked: Asked) -> Reply:
    box = game_named(slug)
    options = {name: values[0] for name, values in asked.query.items()
               if name not in ("seats", "lang")}
    part = board_part(box, options, box.seat_count(asked.number("seats")))
    if part.fingerprint != fingerprint:
        raise Problem("unknown-board")
    return Reply(part.json)


class Port:
    """The functions that the worker of a browser calls: texts in and out, numbered by the page."""

    def __init__(
        self, keep: Keep, load: Load, answer: Callable[[int, int, str], object],
        line: Callable[[int, str | None], object], hear: Callable[[int, str], object],
        closed: Callable[[int, int], object],
    ) -> None:
        """`answer` gives the whole answer to a request, `line` one value of several, or None at
        the end; `hear` and `closed` are for live connections.
        """
        self._device = Device(keep, load)
        self._answer = answer
        self._line = line
        self._hear = hear
        self._closed = closed
        self._wanted: set[int] = set()
        """Requests whose further values are still wanted."""
        self._followers: dict[int, Follower] = {}

    async def request(
        self, number: int, method: str, address: str, body: str, token: str, lang: str
    ) -> None:
        """Answer a request."""
        try:
            reply = await self._device.request(
                method, address, body.encode(), token or None, lang
            )
        except Exception:
            log.exception("%s %s failed", method, address)
            problem = Problem("broken")
            reply = Reply(encode(problem.as_json(lang or LANGUAGES[0])), problem.status)
        if reply.more is None:
            self._answer(number, reply.status, reply.body.decode())
            return
        self._wanted.add(number)
        self._line(number, reply.body.decode())
        await asyncio.sleep(0)                  # what the page sends meanwhile comes first
        for value in reply.more:
            if number not in self._wanted:
                return
            self._line(number, encode(value).decode())
            await asyncio.sleep(0)
        self._line(number, None)

    def cancel(self, number: int) -> None:
        """Further values of a request are not wanted any more."""
        self._wanted.discard(number)

    async def send(self, number: int, address: str, text: str) -> None:
        """A message over a live connection; the first one says hello."""
        follower = self._followers.get(number)
        if follower is not None:
            await follower.obey(text)
            return
        follower = await self._device.follow(
            address, text, lambda message: self._hear(number, message),
            lambda code: self._closed(number, code),
        )
        if follower is not None:
            self._followers[number] = follower

    def end(self, number: int) -> None:
        """The page has closed a live connection."""
        if (follower := self._followers.pop(number, None)) is not None:
            follower.end()
