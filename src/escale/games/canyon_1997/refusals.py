"""Refusals at Canyon (1997): sentences for what the move generator has decided."""

from __future__ import annotations

from typing import Any

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.canyon_1997 import rules
from escale.games.canyon_1997.cards import BIDS, CARDS, SUITS, suit_of
from escale.games.canyon_1997.river import (
    FOOTBRIDGE,
    LANDING,
    MOUNTAIN,
    NAMES,
    NUMBERS,
    RIVER,
    ROCK,
    START,
    WATERFALL,
)

#: The paragraphs that a refusal may cite.
CITES = frozenset({
    "start", "bid", "bid-range", "lead", "follow", "moving", "all-points", "obstacles", "one-canoe",
    "nearest", "banks", "footbridge", "landings",
})


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, all of which are known."""

    def no(key: str, paragraph: str, *lit: str, **values: Any) -> Refusal:
        return Refusal(position.game, key, paragraph, lit, values)

    here = position.kernel()
    assert isinstance(here, rules.CanyonState)
    table = here.table()
    legal = [move.text for move in position.moves()]
    what = atoms[0]
    phase = table["phase"]
    if what in legal:
        return None                     # the fault comes after it
    if phase == rules.BID:
        if what in BIDS:
            return no("bid-too-high", "bid-range", *legal, atom=what[3:], most=legal[-1][3:])
        return no("bid-first", "bid", *legal, next=legal)
    if phase == rules.PLAY:
        if what not in CARDS:
            return no("play-a-card", "lead", *legal, next=legal)
        if not table["hand"][position.turn] >> CARDS.index(what) & 1:
            return no("not-in-hand", "lead", *legal, atom=what)
        led = SUITS[table["led"]]
        if suit_of(what) != led and suit_of(legal[0]) == led:
            return no(f"follow-{led}", "follow", *legal, next=legal)
        return None
    if what not in NUMBERS:
        paragraph = "start" if phase == rules.PLACE else "nearest"
        return no("choose-a-cell", paragraph, *legal, next=legal)
    cell = NUMBERS[what]
    terrain = RIVER.terrain[cell]
    if phase == rules.PLACE:
        if terrain != START:
            return no("not-a-start", "start", what, cell=what)
        return no("start-taken", "start", what, cell=what) if cell in table["at"] else None
    forbidden = {
        ROCK: ("rock", "obstacles"),
        MOUNTAIN: ("rock", "obstacles"),
        WATERFALL: ("waterfall", "banks"),
        FOOTBRIDGE: ("footbridge", "footbridge"),
    }
    if terrain in forbidden:
        key, paragraph = forbidden[terrain]
        return no(key, paragraph, what, cell=what)
    seat = position.turn
    assert seat is not None
    start, points = table["at"][seat], here.points(seat)
    if cell in table["at"] and cell != start:
        return no("occupied", "landings" if terrain == LANDING else "one-canoe", what, cell=what)
    best = min(RIVER.distance[NUMBERS[text]] for text in legal)
    if cell == start and RIVER.distance[cell] <= best:
        return no("cannot-stay", "all-points", *legal, cell=what, points=points, next=legal)
    if RIVER.distance[cell] > best:
        return no("not-nearest", "nearest", *legal, cell=what, start=NAMES[start], next=legal)
    if cell in here.reach(seat, points):
        return no("not-exactly", "all-points", *legal, cell=what, points=points, next=legal)
    return no("too-far", "moving", what, cell=what, points=points)
