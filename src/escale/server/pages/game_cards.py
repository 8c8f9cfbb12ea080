"""Games and puzzles as pages show them: cards of games, a search among them, puzzles in words."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import structs

from escale.game.game import Game
from escale.game.texts import plain
from escale.games import games
from escale.server.pages import pictures
from escale.server.pages.games import GameFacts, facts
from escale.study import puzzle_words
from escale.study.puzzles import of_the_day, puzzles_of

COLOURS = 6
"""The number of colours of game cards in the styles."""


class GameCard(GameFacts, frozen=True, kw_only=True):
    """The facts of a game that its card shows."""

    introduction: str
    cover: pictures.Picture
    colour: int
    """The number of the card's colour."""
    kinds: dict[str, str]
    """Its mechanisms: the name of each, by the word that searches use."""
    search_words: str
    """The text that a search looks through, without capitals and accents."""


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
    """Whether a game matches a search; a number that cannot be read is ignored."""
    fewest, most = card.seats
    return (
        all(word in card.search_words for word in plain(asked["q"]).split())
        and (not asked["players"].isdecimal() or fewest <= int(asked["players"]) <= most)
        and (not asked["minutes"].isdecimal() or card.minutes[1] <= int(asked["minutes"]))
        and (not asked["kind"] or asked["kind"] in card.kinds)
    )


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle as pages show it."""

    id: str
    game: str
    title: str
    number: int
    """Its number among the puzzles of its game."""
    moves: int
    stars: tuple[int, int, int]
    """Its difficulty in stars: at least, most likely, and at most."""
    rating: tuple[int, int]
    """The same as an Elo number, and its error."""
    goal: str
    proof: str
    themes: list[str]


@cache
def show_puzzles(game: Game[Any], lang: str) -> dict[str, ShownPuzzle]:
    """The puzzles of a game by their ids, the easiest first."""
    known = puzzles_of(game)
    return {
        puzzle.id: ShownPuzzle(
            puzzle.id, game.slug, game.title, number, puzzle.moves,
            puzzle.stars, puzzle.rating,
            puzzle_words.goal(game, puzzle, lang), puzzle_words.proof(game, puzzle, lang),
            puzzle_words.themes(game, puzzle, lang),
        )
        for number, puzzle in enumerate(known.values(), 1)
    }


def today() -> datetime.date:
    """The day of the puzzle of the day, the same for all visitors (UTC)."""
    return datetime.datetime.now(datetime.UTC).date()


def puzzle_of_the_day(lang: str) -> tuple[str, ShownPuzzle] | None:
    """This day, and its puzzle; None if the house has no puzzles."""
    day = today()
    found = of_the_day(day)
    return (day.isoformat(), show_puzzles(found[0], lang)[found[1].id]) if found else None
