"""Notices over HTTP: what a browser asks for, pages that ring, and the links in mail."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Literal
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from msgspec import Meta, Struct
from starlette.responses import Response

from escale.match.reading import encode
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.outgoing import ADDRESS_LETTERS
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import language, reply
from escale.server.edge.security import address
from escale.server.pages.page_context import PageContext, page
from escale.server.people import games
from escale.server.people.notebooks import Notebooks
from escale.server.people.push import Keys
from escale.server.people.routes import (
    AnyOpened,
    InNotebooks,
    Own,
    ensured,
    with_cookie,
)
from escale.store.records import Notebook
from escale.web import counted

api = ApiRouter("/notebook")
router = APIRouter()

LONGEST_WAIT_SECONDS = 25
TABLE = Annotated[str, InPath(max_length=64, pattern=r"^[A-Za-z0-9_-]{1,64}$",
                              description="A table's name.")]


class EndpointFacts(Struct, frozen=True):
    """Where a person wants notices."""

    id: str
    kind: Literal["push", "mail", "feed", "ntfy", "hook"]
    address: str
    confirmed: Annotated[
        bool, Meta(description="Whether the link in the first mail was followed.")
    ]


class NoticeFacts(Struct, frozen=True):
    """What your notebook wants to be told, and how this house can tell it."""

    kinds: Annotated[list[str], Meta(description="The kinds of endpoints of this house.")]
    push_key: Annotated[
        str, Meta(description="The house's key for `PushManager.subscribe`; empty without push.")
    ]
    endpoints: list[EndpointFacts]
    quiet: Annotated[bool, Meta(description="Whether you want no notices of the table asked for.")]


class PushWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser's `PushSubscription` says of itself."""

    endpoint: Annotated[str, Meta(min_length=10, max_length=ADDRESS_LETTERS)]
    keys: Keys


class QuietWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a table is quiet: no notices of it."""

    quiet: bool


class Turns(Struct, frozen=True):
    """How many games wait for you."""

    version: Annotated[str, Meta(description="Another one whenever other games wait.")]
    waiting: int
    title: Annotated[str, Meta(description="The same in a sentence; empty for none.")]
    table: Annotated[str, Meta(description="One that waits; empty for none.")]


async def take_endpoint(
    request: Request, notebooks: Notebooks, own: Notebook, kind: str, where: str, lang: str, *,
    pace: str = "now", zone: str = "", keys: str = "",
) -> str:
    """Add an endpoint within the limits of the address; returns the secret of a feed's address."""
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.take("code", address(request))
    if kind == "mail":
        limiter.take("mail", address(request))
        limiter.take("all-mails", "house")
    return await notebooks.notice_service.add(
        own, kind, where, lang, pace=pace, zone=zone, keys=keys
    )


def _facts(notebooks: Notebooks, own: Notebook | None, table: str = "") -> NoticeFacts:
    service = notebooks.notice_service
    return NoticeFacts(
        list(service.kinds), service.push_key,
        [] if own is None else [
            EndpointFacts(one.id, one.kind, one.address, one.confirmed)  # type: ignore[arg-type]
            for one in service.of(own)
        ],
        own is not None and service.is_quiet(own, table),
    )


@api.get("/notices", responses=answers(NoticeFacts), tags=["people"])
async def read_notices(
    notebooks: InNotebooks, opened: AnyOpened,
    table: Annotated[str, Query(max_length=64, description="A table's name.")] = "",
) -> Response:
    """What your notebook wants to be told, and how."""
    return reply(_facts(notebooks, None if opened is None else opened[0], table))


@api.post("/notices/push", openapi_extra=takes(PushWish), tags=["people"],
          responses=answers(NoticeFacts, "bad-address", "no-answer", "too-many", "elsewhere"))
async def want_push(
    request: Request, notebooks: InNotebooks, opened: AnyOpened,
    wish: Annotated[PushWish, body(PushWish)], lang: Lang = None,
) -> Response:
    """Have notices pushed to this browser; a first message is pushed at once."""
    own, secret = await ensured(request, notebooks, opened)
    await take_endpoint(
        request, notebooks, own, "push", wish.endpoint, language(request),
        keys=msgspec.json.encode(wish.keys).decode(),
    )
    return with_cookie(request, notebooks, secret, reply(_facts(notebooks, own)))


@api.post("/notices/{id}/quiet", openapi_extra=takes(QuietWish), tags=["people"],
          responses=answers(QuietWish, "no-notebook", "too-many", "elsewhere"))
async def set_quiet(
    notebooks: InNotebooks, own: Own, id: TABLE,
    wish: Annotated[QuietWish, body(QuietWish)],
) -> Response:
    """Have no notices of one table, or have them again."""
    await notebooks.notice_service.set_quiet(own, id, wish.quiet)
    return reply(wish)


@api.get("/turns", responses=answers(Turns), tags=["people"])
async def read_turns(
    request: Request, notebooks: InNotebooks, opened: AnyOpened, lang: Lang = None,
    since: Annotated[str, Query(max_length=16, description="The version that you know.")] = "",
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds to wait for another.")
    ] = 0,
) -> Response:
    """How many games wait for you; can wait until that changes."""
    if opened is None:
        return reply(Turns("", 0, "", ""))
    tongue = language(request)
    known = await _turns(request, notebooks, opened[0], tongue)
    if known.version == since and wait:
        await notebooks.notice_service.wait_for_turn(opened[0].holder, wait)
        known = await _turns(request, notebooks, opened[0], tongue)
    return reply(known)


async def _turns(
    request: Request, notebooks: Notebooks, own: Notebook, lang: str
) -> Turns:
    due = await games.due_tables(request.app.state.house, notebooks, own)
    told = [(table.id, len(table.match.events)) for table in due]
    version = sha256(encode(told)).hexdigest()[:16]
    if not due:
        return Turns(version, 0, "", "")
    title = counted("notices.title", len(due), lang, title=due[0].match.game.title)
    return Turns(version, len(due), title, due[0].id)


# ---- links in mail ----


@page(router, "/mail/confirm")
async def confirm_page(context: PageContext) -> Response:
    """The page of the link in the first mail: a program that only opens links confirms nothing."""
    return _mail_page(context, "confirm")


@page(router, "/mail/stop")
async def stop_page(context: PageContext) -> Response:
    """The page of the link that ends mail."""
    return _mail_page(context, "stop")


def _mail_page(context: PageContext, do: str, done: bool | None = None) -> Response:
    token = context.request.query_params.get("of", "")[:100]
    answer = context.show(
        "mail.html", 404 if done is False else 200, do=do, done=done, token=token
    )
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/mail/{do}", include_in_schema=False)
async def follow_link(request: Request, do: Literal["confirm", "stop"]) -> Response:
    """Confirm an address, or end its mail: by the page's button, or by a mail program's one click.
    """
    context = PageContext(request)
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.take("code", address(request))
    fields = parse_qs((await request.body()).decode("utf-8", "replace"))
    context.lang = language(request)
    context.here = f"/mail/{do}"
    token = (fields.get("of") or [request.query_params.get("of", "")])[0][:100]
    service = request.app.state.notebooks.notice_service
    done = await (service.confirm(token) if do == "confirm" else service.stop(token))
    return _mail_page(context, do, done)
