"""Games, for programs and for pages: their facts, the figures of their rules, and their boards."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import Path as InPath
from fastapi import Query, Request
from msgspec import Meta, Struct
from starlette.responses import Response

from escale.game.game import Game
from escale.game.scene import Area, Cell, Kind, Label, Panel
from escale.game.state_of_play import board_part
from escale.games import game, games
from escale.match.limits import MOST_SEATS, NAME_LETTERS
from escale.opponents import LEVELS
from escale.server.edge.openapi import ApiRouter, Lang, answers
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language, reply
from escale.server.pages.examples import ExampleFacts, examples
from escale.server.pages.files import FOR_EVER
from escale.server.tables.house import House
from escale.server.workers.engines import names_at

router = ApiRouter()

Slug = Annotated[str, InPath(max_length=NAME_LETTERS, description="A game's name.")]
NO_OPTIONS = ("seats", "lang")
"""Parameters of a board's address that are no options of the game."""


# ---- messages ----


class OptionFacts(Struct, frozen=True):
    """A choice before the game."""

    name: str
    sentence: str
    default: str
    quick: Annotated[str, Meta(description="What the pages suggest where one clicks to play.")]
    values: Annotated[list[dict[str, str]], Meta(description="Each value with its sentence.")]


class LevelFacts(Struct, frozen=True):
    """A level of the computer, or an engine that the host has named."""

    level: str
    name: str


class GameFacts(Struct, frozen=True):
    """The facts of a game, for choosing and starting it."""

    slug: str
    title: str
    pitch: Annotated[str, Meta(description="What it is about, in one line.")]
    authors: list[str]
    publisher: str
    year: int | None
    minutes: list[int]
    age: int
    seats: Annotated[list[int], Meta(description="Fewest and most.")]
    seat_names: list[str]
    mechanisms: list[str]
    hidden: Annotated[bool, Meta(description="Whether seats have hidden hands.")]
    options: list[OptionFacts]
    levels: list[LevelFacts]


class BoardFacts(Struct, frozen=True):
    """The constant part of a game's scenes: the cells, and the drawings around them."""

    width: float
    height: float
    quarters: int
    places: Annotated[
        dict[str, list[str]], Meta(description="The cells that stand for an atom.")
    ]
    cells: list[Cell]
    areas: list[Area]
    labels: list[Label]
    panels: list[Panel]
    kinds: Annotated[dict[str, Kind], Meta(description="The kinds of pieces, by their names.")]


# ---- facts ----


@cache
def facts(box: Game[Any], lang: str, engines: tuple[str, ...] = ()) -> GameFacts:
    """The facts of a game, for choosing and starting it; `engines` are the host's, by name."""
    say = box.texts.say
    return GameFacts(
        slug=box.slug, title=box.title, pitch=say("pitch", lang),
        authors=list(box.authors), publisher=box.publisher, year=box.year,
        minutes=list(box.minutes), age=box.age, seats=list(box.seats),
        seat_names=[box.seat_name(seat, lang) for seat in range(box.seats[1])],
        mechanisms=[say(f"mechanism.{name}", lang) for name in box.mechanisms],
        hidden=box.hides,
        options=[
            OptionFacts(
                name=option.name, sentence=say(f"option.{option.name}", lang),
                default=option.default, quick=box.quick.get(option.name, option.default),
                values=[
                    {"value": value, "sentence": say(f"option.{option.name}.{value}", lang)}
                    for value in option.values
                ],
            )
            for option in box.options
        ],
        levels=[LevelFacts(level, box.called(level, lang, ("level",))) for level in LEVELS]
        + [LevelFacts(name, name) for name in engines],
    )


# ---- routes ----


@router.get("/games", responses=answers(list[GameFacts]), tags=["games"])
async def list_games(request: Request, lang: Lang = None) -> Response:
    """All games on the shelf."""
    return reply([_facts(request, box) for box in games()])


@router.get("/games/{slug}", responses=answers(GameFacts, "unknown-game"),
            tags=["games"])
async def read_game(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """One game: its facts, options, seats and levels."""
    return reply(_facts(request, game(slug)))


def _facts(request: Request, box: Game[Any]) -> GameFacts:
    house: House = request.app.state.house
    return facts(box, language(request), names_at(box.slug, house.settings.engines))


@router.get("/games/{slug}/examples", tags=["games"],
            responses=answers(list[ExampleFacts], "unknown-game"))
async def list_examples(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """The figures of the rules: positions, each with the move or attempt that it shows."""
    return reply(examples(game(slug), language(request)))


@router.get("/games/{slug}/boards/{fingerprint}", tags=["games"],
            responses=answers(BoardFacts, "unknown-game", "bad-option", "unknown-board"))
async def read_board(
    request: Request, slug: Slug,
    fingerprint: Annotated[
        str, InPath(max_length=NAME_LETTERS, description="As in a table's state.")
    ],
    seats: Annotated[int | None, Query(ge=1, le=MOST_SEATS)] = None,
) -> Response:
    """A board, which never changes; all other parameters are options of the game."""
    box = game(slug)
    options = {
        name: value for name, value in request.query_params.items() if name not in NO_OPTIONS
    }
    part = board_part(box, options, box.seat_count(seats))
    if part.fingerprint != fingerprint:
        raise Problem("unknown-board")
    return Response(part.json, headers={"cache-control": FOR_EVER}, media_type="application/json")
