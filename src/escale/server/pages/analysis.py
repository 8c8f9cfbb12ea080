"""The page of the analysis board, and what it must know of a game."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from escale.game import editing
from escale.game.game import Game
from escale.games import game as game_named
from escale.render.svg import definitions
from escale.server.drawing import draw
from escale.server.pages import shared_pictures as share
from escale.server.pages import table_words
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, page
from escale.server.pages.routes import captions, typed_forms
from escale.web.script_words import script_words

router = APIRouter()


@page(router, "/g/{slug}/analyse")
async def analysis_page(context: PageContext) -> Response:
    """Any position of a game, to be tried out; its script does the rest."""
    box, lang = game_named(context.request.path_params["slug"]), context.lang
    shown = await draw(card, box, lang)
    return context.show(
        "analyse.html", box=shown, options=shown.options, facts=facts(box, lang),
        levels=[(one.level, one.name) for one in shown.levels],
        art=Markup(definitions(box.art)), words=script_words(lang, "analysis.js"),
        captions=captions(box, lang), forms=typed_forms(box, lang),
        prompts=table_words.prompts(box, lang), names=table_words.names(box, lang),
        boards=table_words.boards(box.start()), models=models(box, lang),
        writing=[box.texts.say(key, lang) for key in box.texts if key.startswith("writing.")],
        card=share.game_card(box, lang),
    )


@cache
def models(box: Game[Any], lang: str) -> list[tuple[str, str]]:
    """Positions to begin from where none is set up by hand: a caption and a text each."""
    examples = {example.id: example for example in box.examples}
    return [(examples[id].caption[lang], examples[id].reach(box).text) for id in box.models]


@cache
def facts(box: Game[Any], lang: str) -> dict[str, Any]:
    """What the script must know: the seats, and what a position is set up with by hand."""
    kinds = box.board.kinds
    return {
        "slug": box.slug, "hides": box.hides, "fewest": box.seats[0],
        "seats": [box.seat_name(seat, lang) for seat in range(box.seats[1])],
        "supplies": box.supplies and [
            {
                "piece": supply.piece, "most": supply.most, "symbol": kinds[supply.piece].symbol,
                "name": box.called(supply.piece, lang, ("piece",)),
            }
            for supply in box.supplies
        ],
        "fields": [
            {
                "name": field.name, "values": list(field.values),
                "label": box.texts.say(f"field.{field.name}", lang),
            }
            for field in box.fields
        ],
        "turns": [
            {"value": turn, "label": box.called(turn, lang, ("seat", "turn"))}
            for turn in editing.turns(box)
        ],
        "options": [option.name for option in box.options],
    }
