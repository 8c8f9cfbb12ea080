"""The API of notebooks, for the house's own pages. The notebook is the one of the cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi import Path as InPath
from msgspec import Meta, Struct, field
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.match.limits import LanguageWish, NewName, TableName, TokenText
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import language, reply
from escale.server.edge.security import address
from escale.server.pages.page_context import PageContext
from escale.server.people import games
from escale.server.people.notebooks import (
    Lessons,
    Notebooks,
    Opened,
    Progress,
    Puzzles,
    device_label,
    read_progress,
)
from escale.server.tables.house import House
from escale.store.records import Notebook

router = ApiRouter("/notebook")


class NotebookFacts(Struct, frozen=True):
    """The facts that a notebook knows about its owner."""

    name: NewName = ""
    lang: str = ""
    progress: Progress = field(default_factory=Progress)


class NotebookChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts that a device knows; omitted fields do not change."""

    name: NewName | None = None
    lang: LanguageWish | None = None
    puzzles: Puzzles | None = None
    lessons: Lessons = field(default_factory=dict)


class KeptSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Seats at a table for a notebook to hold."""

    table: TableName
    token: TokenText


class Kept(Struct, frozen=True):
    """The seats that the notebook holds at the table now."""

    seats: list[int]


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a game is in its player's list."""

    listed: bool


class MyGames(Struct, frozen=True):
    """Games of a notebook."""

    games: list[games.MyGame]
    waiting: Annotated[int, Meta(description="How many of all games wait for this person.")]


def _notebooks(request: Request) -> Notebooks:
    notebooks: Notebooks = request.app.state.notebooks
    return notebooks


InNotebooks = Annotated[Notebooks, Depends(_notebooks)]


async def _opened(request: Request, notebooks: InNotebooks) -> Opened | None:
    return await notebooks.of(request)


async def _own(request: Request, notebooks: InNotebooks) -> Notebook:
    found = await notebooks.of(request)
    if found is None:
        raise Problem("no-notebook")
    return found[0]


AnyOpened = Annotated[Opened | None, Depends(_opened)]
Own = Annotated[Notebook, Depends(_own)]
AChange = Annotated[NotebookChange, body(NotebookChange)]
ASeat = Annotated[KeptSeat, body(KeptSeat)]
AListing = Annotated[Listing, body(Listing)]


async def ensured(
    request: Request, notebooks: Notebooks, opened: Opened | None
) -> tuple[Notebook, str]:
    """The notebook of a request, made if there is none; and the secret of a new cookie, if any."""
    if opened is not None:
        renewed = request.cookies[notebooks.cookie] if await notebooks.note_use(opened) else ""
        return opened[0], renewed
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.take("table", address(request))
    lang = language(request)
    label = device_label(request.headers.get("user-agent", "")[:400], lang)
    return await notebooks.create(label, lang)


def with_cookie(
    request: Request, notebooks: Notebooks, secret: str, answer: Response
) -> Response:
    """An answer that sets the cookie, if there is a secret to set."""
    if secret:
        notebooks.set_cookie(answer, secret, secure=request.url.scheme == "https")
    return answer


def _facts(notebook: Notebook) -> NotebookFacts:
    return NotebookFacts(notebook.name, notebook.lang, read_progress(notebook))


@router.get("", responses=answers(NotebookFacts), tags=["people"])
async def read_notebook(opened: AnyOpened, lang: Lang = None) -> Response:
    """The facts that your notebook knows about you; empty if you have none."""
    return reply(NotebookFacts() if opened is None else _facts(opened[0]))


@router.post("", openapi_extra=takes(NotebookChange), tags=["people"],
             responses=answers(NotebookFacts, "elsewhere"))
async def change_notebook(
    request: Request, notebooks: InNotebooks, opened: AnyOpened, change: AChange
) -> Response:
    """Add the facts that a device knows; a browser without a notebook gets one."""
    own, secret = await ensured(request, notebooks, opened)
    own = await notebooks.change(
        own, name=change.name, lang=change.lang if change.lang in LANGUAGES else None,
        puzzles=change.puzzles, lessons=change.lessons,
    )
    return with_cookie(request, notebooks, secret, reply(_facts(own)))


@router.post("/seats", openapi_extra=takes(KeptSeat), tags=["people"],
             responses=answers(Kept, "unknown-table", "no-seat", "elsewhere"))
async def keep_seat(
    request: Request, notebooks: InNotebooks, opened: AnyOpened, seat: ASeat
) -> Response:
    """Keep the seats of a token in your notebook; a browser without a notebook gets one."""
    house: House = request.app.state.house
    table = await house.table(seat.table)
    if table is None:
        raise Problem("unknown-table")
    token = await house.holder(request, seat.token)
    if not token or not table.held(token) or house.accounts.known(token) is not None:
        raise Problem("no-seat")
    own, secret = await ensured(request, notebooks, opened)
    seats = await notebooks.keep(own, table, token)
    return with_cookie(request, notebooks, secret, reply(Kept(list(seats))))


@router.get("/games", responses=answers(MyGames), tags=["people"])
async def list_my_games(
    request: Request, opened: AnyOpened, lang: Lang = None,
    limit: Annotated[int, Query(ge=1, le=games.MOST_RUNNING, description="The most of them.")] = 20,
) -> Response:
    """Your games that are not over, those that wait for you first."""
    context = PageContext(request)
    context.lang = language(request)
    found = [] if opened is None else await games.running(context, opened[0])
    return reply(MyGames(found[:limit], sum(one.status == "due" for one in found)))


@router.post("/games/{id}", openapi_extra=takes(Listing), tags=["people"],
             responses=answers(Listing, "no-notebook", "elsewhere"))
async def list_game(
    notebooks: InNotebooks, own: Own, listing: AListing,
    id: Annotated[str, InPath(max_length=64, pattern=r"^[A-Za-z0-9_-]{1,64}$",
                              description="A table's name.")],
) -> Response:
    """Take a game off your list, or put it back; your seat stays yours."""
    await notebooks.list_table(own, id, listing.listed)
    return reply(listing)
