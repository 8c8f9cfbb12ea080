"""Puzzles to choose from, and one to solve."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from escale.game.game import Game
from escale.game.viewer import SPECTATOR
from escale.opponents import LEVELS
from escale.render.svg import definitions
from escale.server.drawing import draw
from escale.server.pages import pictures, table_words
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import captions, game_of, typed_forms
from escale.server.pages.shown_puzzles import having, shown, today
from escale.study.puzzles import Puzzle, puzzles_of
from escale.study.themes import theme_name
from escale.web import words
from escale.web.script_words import script_words

router = APIRouter()

HOME = 5
"""Seats have a side of the board where their pieces begin more than a fifth of it apart."""


@page(router, "/puzzles")
async def puzzles_page(context: PageContext) -> Response:
    """All puzzles by game, or those that one is looking for."""
    query = context.request.query_params
    asked = {name: query.get(name, "")[:40] for name in ("game", "theme", "moves", "level")}
    boxes = having()
    chosen = [box for box in boxes if not asked["game"] or box.slug == asked["game"]]
    one = chosen[0] if len(chosen) == 1 else None
    listed = any(asked.values())
    found = {
        box.slug: [shown(box, context.lang)[puzzle.id] for puzzle in puzzles_of(box).values()
                   if _matches(puzzle, asked)]
        for box in chosen
    }
    return context.show(
        "puzzles.html", words=script_words(context.lang, "puzzle_list.js"), asked=asked,
        listed=listed,
        boxes=[await draw(card, box, context.lang) for box in boxes],
        found={slug: some for slug, some in found.items() if some},
        counts={box.slug: len(puzzles_of(box)) for box in boxes}, day=today(context.lang),
        themes=_themes(one, context.lang) if one else [],
        lengths=sorted({puzzle.moves for box in chosen for puzzle in puzzles_of(box).values()}),
        levels=[(level, context.say("puzzles.level-from", level=name)) for level, name in
                _levels(context.lang) if level != LEVELS[0]],
    )


def _matches(puzzle: Puzzle, asked: dict[str, str]) -> bool:
    return (
        (not asked["theme"] or asked["theme"] in puzzle.themes)
        and (not asked["moves"] or asked["moves"] == str(puzzle.moves))
        and (not asked["level"] or asked["level"] == (puzzle.level or "none"))
    )


def _themes(game: Game[Any], lang: str) -> list[tuple[str, str, int]]:
    """The themes of a game's puzzles: name, what it is called, and how many have it."""
    counted = Counter(theme for puzzle in puzzles_of(game).values() for theme in puzzle.themes)
    return [(theme, theme_name(game, theme, lang), counted[theme])
            for theme in game.themes if counted[theme]]


def _levels(lang: str) -> list[tuple[str, str]]:
    return [(level, words().say(f"level.{level}", lang)) for level in LEVELS]


@page(router, "/puzzles/{slug}/{id}")
async def puzzle_page(context: PageContext) -> Response:
    """One puzzle: its board, and what is asked."""
    box = game_of(context)
    known = puzzles_of(box)
    puzzle = known.get(context.request.path_params["id"])
    if puzzle is None:
        return error_page(context.request, 404)
    ids = list(known)
    following = ids[(ids.index(puzzle.id) + 1) % len(ids)]
    start = puzzle.start(box)
    picture = await draw(pictures.puzzle, box, puzzle.id)
    return context.show(
        "puzzle.html", box=await draw(card, box, context.lang),
        words=script_words(context.lang, "puzzle.js"),
        puzzle=shown(box, context.lang)[puzzle.id], position=puzzle.position,
        line=_spelled(box, puzzle, context.lang), following=following,
        others=ids, picture=picture, turned=_turned(box, start.turn or 0),
        art=Markup(definitions(box.art)), captions=captions(box, context.lang),
        forms=typed_forms(box, context.lang), prompts=table_words.prompts(box, context.lang),
        names=table_words.names(box, context.lang), boards=table_words.boards(start),
        in_parts=bool(start.scene(SPECTATOR).panels),
    )


def _spelled(game: Game[Any], puzzle: Puzzle, lang: str) -> list[str]:
    """The solution as people read it."""
    here, told = puzzle.start(game), []
    for text in puzzle.line:
        move = here.find(text)
        told.append(move.label(lang))
        here = here.play(move)
    return told


@cache
def _turned(game: Game[Any], seat: int) -> bool:
    """Whether the seat's own side of the board is the far one."""
    scene = game.start_with(dict(game.quick), seed=game.slug).scene(SPECTATOR)
    if scene.panels or game.seats != (2, 2):
        return False
    sides = [[piece.y for piece in scene.pieces if piece.owner == owner] for owner in (0, 1)]
    if not all(sides):
        return False
    heights = [sum(side) / len(side) for side in sides]
    return heights[1 - seat] - heights[seat] > scene.height / HOME
