"""Puzzles to choose from and to solve: their pages, and their requests over HTTP."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from starlette.responses import Response

from escale.game.game import Game
from escale.game.position import Position
from escale.game.texts import LANGUAGES
from escale.game.viewer import SPECTATOR
from escale.games import game, games
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language
from escale.server.edge.security import address
from escale.server.pages import pictures
from escale.server.pages.board_words import board_json, board_words
from escale.server.pages.game_cards import card, puzzle_of_the_day, show_puzzles
from escale.server.pages.games import Slug
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import game_of
from escale.server.study.puzzles import (
    PuzzleHelp,
    PuzzleHint,
    PuzzleHintJob,
    PuzzleJob,
    PuzzleLine,
    PuzzleTry,
    PuzzleTryJob,
    PuzzleVerdict,
)
from escale.server.workers.drawing import draw
from escale.server.workers.pool import WorkerPool
from escale.study.puzzles import MOST_STARS, Puzzle, puzzles_of
from escale.study.themes import theme_name
from escale.web.script_words import script_words

api = ApiRouter()
pages = APIRouter()

PuzzleId = Annotated[str, InPath(max_length=20, description="A puzzle of the game.")]
ATry = Annotated[PuzzleTry, body(PuzzleTry)]
AHelp = Annotated[PuzzleHelp, body(PuzzleHelp)]
REFUSALS = ("unknown-game", "unknown-puzzle", "illegal", "not-now", "too-costly")


@api.post("/games/{slug}/puzzles/{id}/try", tags=["study"],
             openapi_extra=takes(PuzzleTry),
             responses=answers(PuzzleVerdict, *REFUSALS))
async def try_puzzle(
    request: Request, slug: Slug, id: PuzzleId, attempt: ATry, lang: Lang = None
) -> Response:
    """The judgement of the last move of a line in a puzzle, and the reply to it."""
    return await _work_out(request, PuzzleTryJob, slug, id, attempt)


@api.post("/games/{slug}/puzzles/{id}/hint", tags=["study"],
             openapi_extra=takes(PuzzleHelp),
             responses=answers(PuzzleHint, *REFUSALS))
async def ask_puzzle_hint(
    request: Request, slug: Slug, id: PuzzleId, wish: AHelp, lang: Lang = None
) -> Response:
    """The theme of a puzzle with its rule; on the second request the move itself."""
    return await _work_out(request, PuzzleHintJob, slug, id, wish, hint=wish.hint)


async def _work_out(
    request: Request, kind: type[PuzzleJob], slug: str, id: str, question: PuzzleLine, **more: int
) -> Response:
    if id not in puzzles_of(game(slug)):
        raise Problem("unknown-puzzle")
    lang = question.lang if question.lang in LANGUAGES else language(request)
    job = kind(game=slug, puzzle=id, line=question.line, lang=lang, **more)
    workers: WorkerPool = request.app.state.workers
    found = await workers.answer(job, address(request))
    return Response(found.body, found.status, media_type="application/json")


# ---- pages ----


@page(pages, "/puzzles")
async def puzzles_page(context: PageContext) -> Response:
    """All puzzles by game, or those that a search finds."""
    query = context.request.query_params
    asked = {name: query.get(name, "")[:40] for name in ("game", "theme", "moves", "stars")}
    boxes = [box for box in games() if puzzles_of(box)]
    chosen = [box for box in boxes if not asked["game"] or box.slug == asked["game"]]
    one = chosen[0] if len(chosen) == 1 else None
    listed = any(asked.values())
    found = {
        box.slug: [show_puzzles(box, context.lang)[puzzle.id] for puzzle in puzzles_of(box).values()
                   if _matches(puzzle, asked)]
        for box in chosen
    }
    return context.show(
        "puzzles.html", words=script_words(context.lang, "puzzle_list.js"), asked=asked,
        listed=listed,
        boxes=[await draw(card, box, context.lang) for box in boxes],
        found={slug: some for slug, some in found.items() if some},
        counts={box.slug: len(puzzles_of(box)) for box in boxes},
        day=puzzle_of_the_day(context.lang),
        themes=_themes(one, context.lang) if one else [],
        lengths=sorted({puzzle.moves for box in chosen for puzzle in puzzles_of(box).values()}),
        most_stars=MOST_STARS,
    )


def _matches(puzzle: Puzzle, asked: dict[str, str]) -> bool:
    return (
        (not asked["theme"] or asked["theme"] in puzzle.themes)
        and (not asked["moves"] or asked["moves"] == str(puzzle.moves))
        and (not asked["stars"] or asked["stars"] == str(puzzle.stars[1]))
    )


def _themes(game: Game[Any], lang: str) -> list[tuple[str, str, int]]:
    """The themes of a game's puzzles: key, name, and the number of puzzles."""
    counted = Counter(theme for puzzle in puzzles_of(game).values() for theme in puzzle.themes)
    return [(theme, theme_name(game, theme, lang), counted[theme])
            for theme in game.themes if counted[theme]]


@page(pages, "/puzzles/{slug}/{id}")
async def puzzle_page(context: PageContext) -> Response:
    """One puzzle: its board and its task."""
    box = game_of(context)
    known = puzzles_of(box)
    puzzle = known.get(context.request.path_params["id"])
    if puzzle is None:
        return error_page(context.request, 404)
    ids = list(known)
    following = ids[(ids.index(puzzle.id) + 1) % len(ids)]
    start = puzzle.start(box)
    picture = await draw(pictures.puzzle, box, puzzle.id)
    day = puzzle_of_the_day(context.lang)
    return context.show(
        "puzzle.html", box=await draw(card, box, context.lang),
        words=script_words(context.lang, "puzzle.js"),
        puzzle=show_puzzles(box, context.lang)[puzzle.id], position=puzzle.position,
        solution=puzzle.line, most_stars=MOST_STARS,
        day=day[0] if day and (day[1].game, day[1].id) == (box.slug, puzzle.id) else "",
        line=_spelled(box, puzzle, context.lang), following=following,
        others=ids, picture=picture, turned=pictures.is_far(start, start.turn),
        names_edge=_names_edge(start),
        **board_words(box, context.lang), boards=board_json(start),
        in_parts=bool(start.scene(SPECTATOR).panels),
    )


def _names_edge(start: Position) -> bool:
    """Whether the edge of the board must say where the solver sits: no piece is a seat's own."""
    scene = start.scene(SPECTATOR)
    return not scene.panels and all(piece.owner is None for piece in scene.pieces)


def _spelled(game: Game[Any], puzzle: Puzzle, lang: str) -> list[str]:
    """The solution in words."""
    here, labels = puzzle.start(game), []
    for text in puzzle.line:
        move = here.find(text)
        labels.append(move.label(lang))
        here = here.play(move)
    return labels
