"""The HTTP API of tables, for browsers and bots."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import Depends, Query, Request
from fastapi import Path as InPath
from msgspec import structs
from starlette.responses import Response

from escale.kernel import CHANCE
from escale.match.events import Action, AnyAction, AnyEvent, Header, Hello, View
from escale.match.limits import MOST_SEATS
from escale.server.edge.openapi import (
    ApiRouter,
    Lang,
    answers,
    body,
    declare,
    reads_token,
    refusals,
    takes,
)
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import language, refuse, reply
from escale.server.edge.security import address, bearer, limited
from escale.server.tables import messages
from escale.server.tables.branches import choice_facts, reason
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint, seat_token
from escale.server.tables.orders import Order, Sitting
from escale.server.tables.state import missed_state, whole_state
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.off_loop import off_loop

LONGEST_WAIT_SECONDS = 25
"""A request for events may wait this long for the next event."""
LAST_PLY = 100_000
SENT_MOVES = 1000
"""At most this many legal moves are sent at once."""

router = ApiRouter()
declare(Header, Hello, View, *get_args(AnyEvent))


TableId = Annotated[str, InPath(max_length=64, description="A table's name.")]
As = Annotated[
    int | None,
    Query(alias="as", ge=0, le=MOST_SEATS - 1,
          description="Through which of your seats' eyes to look."),
]


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


@reads_token("seatToken", "botToken", optional=True)
async def _holder(request: Request) -> str | None:
    """What a request holds seats by: its token, else the notebook of its cookie."""
    return await _house(request).holder(request, bearer(request))


async def _table(request: Request, id: TableId) -> Table:
    table = await _house(request).table(id)
    if table is None:
        raise Problem("unknown-table")
    return table


InHouse = Annotated[House, Depends(_house)]
AtTable = Annotated[Table, Depends(_table)]
Bearer = Annotated[str | None, Depends(_holder)]
AnOrder = Annotated[Order, body(Order)]
ASitting = Annotated[Sitting, body(Sitting)]
AnAction = Annotated[Action, body(AnyAction)]
AnAttempt = Annotated[messages.Attempt, body(messages.Attempt)]


def _sight(table: Table, token: str | None, wish: int | None, request: Request) -> Sight:
    """The sight of a request; its seats count as present."""
    seats = table.held(token)
    table.presence.note_request(seats)
    return Sight.of(seats, wish, language(request))


@router.post("/tables", status_code=201, tags=["tables"], openapi_extra=takes(Order),
             responses=answers(messages.Opened, "unknown-game", "bad-option", "bad-position",
                               "elsewhere", "not-now", status=201))
async def create_table(
    request: Request, house: InHouse, token: Bearer, order: AnOrder
) -> Response:
    """Set up a table. All seats of kind `person` are held by the token in the answer.

    A second request with the same `id` gets the same table and token. A bot's own token holds the
    seats of its tables.
    """
    bot = house.accounts.known(token)
    own = None if bot is None or token is None else (bot, token)
    created = await house.create(order, address(request), own)
    return reply(messages.Opened(created.table, created.token, list(created.seats)), 201)


@router.get("/tables", responses=answers(list[messages.ListedTable]), tags=["tables"])
async def list_tables(request: Request, house: InHouse, lang: Lang = None) -> Response:
    """Public tables with a running match or an open seat."""
    return reply(await house.public_tables(language(request)))


@router.get("/tables/{id}", responses=answers(messages.TableState, "unknown-table"),
            tags=["tables"])
async def read_table(
    request: Request, table: AtTable, token: Bearer, wish: As = None, lang: Lang = None
) -> Response:
    """The state of a table, as the bearer may see it."""
    async with table.open():
        sight = _sight(table, token, wish, request)
        await table.views.prepare(sight)
        return reply(whole_state(table, sight))


@router.post("/tables/{id}/seats/{seat}", tags=["tables"], openapi_extra=takes(Sitting),
             responses=answers(messages.Seated, "unknown-table", "seat-taken", "elsewhere",
                               "not-your-seat", "not-now"))
async def take_seat(
    house: InHouse, table: AtTable, token: Bearer,
    seat: Annotated[int, InPath(ge=0, le=MOST_SEATS - 1)], sitting: ASitting,
) -> Response:
    """Sit down on an open seat. A second request with the same `id` gets the same token.

    A bot sits down with its own token, also where it was challenged.
    """
    bot = house.accounts.known(token)
    if bot is None or token is None:
        token = seat_token(sitting.id, table.id, seat)
    else:
        sitting = structs.replace(sitting, name=bot.name)
    await table.sit(seat, sitting, token, bot=bot is not None)
    return reply(messages.Seated(token))


@router.get("/tables/{id}/moves", tags=["playing"],
            responses=answers(messages.LegalMoves, "unknown-table"))
async def list_moves(
    request: Request, table: AtTable, token: Bearer, wish: As = None,
    skip: Annotated[int, Query(ge=0, le=LAST_PLY, description="How many you know.")] = 0,
) -> Response:
    """The legal moves, if it is your turn; very many are sent in parts."""
    async with table.open():
        sight = _sight(table, token, wish, request)
        match = table.match
        moves = table.views.asked(sight).moves() if table.views.chooses(sight) else []
        return reply(messages.LegalMoves(
            n=len(match.events), turn="chance" if match.turn == CHANCE else match.turn,
            over=match.outcome is not None,
            moves=[
                messages.MoveFacts(move.text, list(move.atoms))
                for move in moves[skip: skip + SENT_MOVES]
            ],
            total=len(moves),
        ))


@router.get("/tables/{id}/choices", tags=["playing"],
            responses=answers(messages.ChoiceFacts, "unknown-table", "not-your-turn", "illegal"))
async def list_choices(
    request: Request, table: AtTable, token: Bearer, wish: As = None, lang: Lang = None,
    after: Annotated[
        list[Annotated[str, Query(max_length=60)]] | None,
        Query(max_length=60, description="The atoms so far."),
    ] = None,
) -> Response:
    """The atoms that may follow some atoms, where the state had no room for them."""
    async with table.open():
        sight = _sight(table, token, wish, request)
        if not table.views.chooses(sight):
            raise Problem("not-your-turn")
        await table.views.prepare_choices()
        return reply(choice_facts(table.views.asked(sight), tuple(after or ()), sight.lang))


@router.post("/tables/{id}/explain", tags=["playing"], openapi_extra=takes(messages.Attempt),
             responses=answers(messages.Reason, "unknown-table", "not-your-turn", "elsewhere"))
async def explain_attempt(
    request: Request, table: AtTable, token: Bearer, attempt: AnAttempt, lang: Lang = None
) -> Response:
    """The rule that forbids an attempt, for the seat to move."""
    async with table.open():
        sight = _sight(table, token, attempt.as_, request)
        if not table.views.chooses(sight):
            raise Problem("not-your-turn")
        await table.views.prepare_choices()
        position = table.views.asked(sight)
        node = position.choices().after(*attempt.atoms)
        if node is not None and node.move is not None:
            return reply(messages.Reason(legal=True, text="", rule=None, cells=[]))
        return reply(reason(position, attempt.atoms, sight.lang))


@router.post("/tables/{id}/events", tags=["playing"], openapi_extra=takes(AnyAction),
             responses=answers(
                 messages.Done, "unknown-table", "no-seat", "not-your-seat", "elsewhere", "stale",
                 "not-now", "not-your-turn", "not-begun", "over", "illegal", "bad-option",
                 stale=messages.StaleRefusal,
             ))
async def act(
    request: Request, table: AtTable, token: Bearer, action: AnAction,
    lang: Lang = None,
) -> Response:
    """Do something at the table. The answer is sent when the event is durably stored."""
    limiter: RateLimiter = request.app.state.rate_limiter
    seats = table.held(token)
    # A token without seats does not count: a client can make up any number of them.
    limiter.take(*limited(request, "action", fingerprint(token) if token and seats else None))
    table.presence.note_request(seats)
    if seats:
        table.charged_address = address(request)
    try:
        return reply(messages.Done(await table.do(action, seats)))
    except Problem as problem:
        if problem.code != "stale":
            raise
        async with table.open():
            sight = _sight(table, token, None, request)
            await table.views.prepare(sight)
            return refuse(request, problem, state=whole_state(table, sight))


@router.post("/tables/{id}/report", status_code=202, tags=["tables"],
             responses=answers(messages.Reported, "unknown-table", "no-seat", status=202))
async def report_table(
    request: Request, house: InHouse, table: AtTable, token: Bearer
) -> Response:
    """Report a table to the host, who finds it on the admin page; a second report adds nothing."""
    seats = table.held(token)
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.take(*limited(request, "action", fingerprint(token) if token and seats else None))
    if not seats:
        raise Problem("no-seat")
    await house.store.housekeeping.report(table.id, house.now())
    return reply(messages.Reported(table.id), 202)


@router.get("/tables/{id}/events", tags=["playing"],
            responses=answers(messages.Events | messages.TableState, "unknown-table"))
async def read_events(
    request: Request, table: AtTable, token: Bearer, wish: As = None, lang: Lang = None,
    since: Annotated[int, Query(ge=0, le=LAST_PLY, description="The last event you know.")] = 0,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds to wait for more.")
    ] = 0,
) -> Response:
    """The events since one that you know, or the state if they are many; can wait for the next."""
    await table.wait_for_event(since, wait)
    if table.gone:
        raise Problem("unavailable")
    token = await _holder(request)              # it may have been revoked meanwhile
    async with table.open():
        sight = _sight(table, token, wish, request)
        await table.views.prepare(sight)
        return reply(missed_state(table, sight, since))


@router.get("/tables/{id}/log", tags=["tables"],
            responses=answers(messages.LogPage, "unknown-table"))
async def read_log(
    request: Request, table: AtTable, token: Bearer,
    before: Annotated[int, Query(ge=1, le=LAST_PLY, description="The first event you know.")],
    wish: As = None, lang: Lang = None,
) -> Response:
    """The events before one that you know, a page of them."""
    async with table.open():
        sight = _sight(table, token, wish, request)
        await table.views.prepare(sight)
        return reply({"log": table.views.page(sight, before)})


@router.get("/tables/{id}/plies/{ply}", tags=["tables"],
            responses=answers(messages.Ply, "unknown-table", "unknown-ply"))
async def read_ply(
    request: Request, table: AtTable, token: Bearer,
    ply: Annotated[int, InPath(ge=0, le=LAST_PLY)], wish: As = None, lang: Lang = None,
) -> Response:
    """The table as it was after a number of moves."""
    async with table.open():
        if ply > table.match.ply:
            raise Problem("unknown-ply")
        sight = _sight(table, token, wish, request)
        return reply(await off_loop(table.views.ply, ply, sight))


@router.get("/tables/{id}/text", tags=["tables"],
            responses=answers(messages.BoardText, "unknown-table", "unknown-ply"))
async def read_board_text(
    request: Request, table: AtTable, token: Bearer, wish: As = None, lang: Lang = None,
    ply: Annotated[
        int | None,
        Query(ge=0, le=LAST_PLY, description="After how many moves; as it is now without."),
    ] = None,
) -> Response:
    """The board in characters and words, for people who cannot see it."""
    async with table.open():
        if ply is not None and ply > table.match.ply:
            raise Problem("unknown-ply")
        sight = _sight(table, token, wish, request)
        text = await off_loop(table.views.text, sight, ply)
        return reply(messages.BoardText(len(table.match.events), text))


@router.get("/tables/{id}/transcript", responses={
    200: {"content": {"application/jsonl": {"schema": {"type": "string"}}},
          "description": "One JSON object a line: the header, then the events."},
    **refusals("unknown-table"),
}, response_class=Response, tags=["tables"])
async def read_transcript(
    request: Request, table: AtTable, token: Bearer, wish: As = None
) -> Response:
    """The whole match as the bearer may read it, for `escale verify` and for replays."""
    async with table.open():
        sight = _sight(table, token, wish, request)
        text = await off_loop(table.views.transcript, sight)
    name = f"{table.match.game.slug}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="application/jsonl")
