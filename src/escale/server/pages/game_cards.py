"""The card of a game, as shelves and pages show it, and looking for a game by it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import structs

from escale.game.game import Game
from escale.game.texts import plain
from escale.games import games
from escale.server.pages import pictures
from escale.server.pages.games import GameFacts, facts

COLOURS = 6
"""How many colours of cardboard are in the styles."""


class GameCard(GameFacts, frozen=True, kw_only=True):
    """The facts of a game, and what else a card shows."""

    introduction: str
    cover: pictures.Picture
    colour: int
    """Which of the colours of cardboard."""
    kinds: dict[str, str]
    """Its mechanisms: what each is called, by the word that searches use."""
    search_words: str
    """Everything that a search may find it by, without capitals and accents."""


@cache
def card(game: Game[Any], lang: str) -> GameCard:
    """The card of a game; its cover takes long to draw the first time."""
    known = facts(game, lang)
    introduction = game.rules[lang].introduction
    spoken = (game.title, *game.authors, game.publisher, game.year or "", introduction,
              *known.mechanisms)
    return GameCard(
        **structs.asdict(known), introduction=introduction, cover=pictures.cover(game),
        colour=[one.slug for one in games()].index(game.slug) % COLOURS,
        kinds=dict(zip(game.mechanisms, known.mechanisms, strict=True)),
        search_words=plain(" ".join(map(str, spoken))),
    )


def matches(card: GameCard, asked: Mapping[str, str]) -> bool:
    """Whether a game matches a search; what should be a number and is not is ignored."""
    fewest, most = card.seats
    return (
        all(word in card.search_words for word in plain(asked["q"]).split())
        and (not asked["players"].isdecimal() or fewest <= int(asked["players"]) <= most)
        and (not asked["minutes"].isdecimal() or card.minutes[1] <= int(asked["minutes"]))
        and (not asked["kind"] or asked["kind"] in card.kinds)
    )
