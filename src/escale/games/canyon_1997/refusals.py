"""Why an attempt at Canyon is refused: words for what the generator has judged."""

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


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, of which none is unknown."""

    def no(key: str, paragraph: int, *lit: str, **values: Any) -> Refusal:
        return Refusal(position.game, key, paragraph, lit, values)

    here = position.kernel()
    assert isinstance(here, rules.CanyonState)
    table = here.table()
    legal = [move.text for move in position.moves()]
    what = atoms[0]
    phase = table["phase"]
    if what in legal:
        return None                     # what is wrong comes after it
    if phase == rules.BID:
        if what in BIDS:
            return no("bid-too-high", 9, *legal, atom=what[3:], most=legal[-1][3:])
        return no("bid-first", 8, *legal, next=legal)
    if phase == rules.PLAY:
        if what not in CARDS:
            return no("play-a-card", 10, *legal, next=legal)
        if not table["hand"][position.turn] >> CARDS.index(what) & 1:
            return no("not-in-hand", 10, *legal, atom=what)
        led = SUITS[table["led"]]
        if suit_of(what) != led and suit_of(legal[0]) == led:
            return no(f"follow-{led}", 11, *legal, next=legal)
        return None
    if what not in NUMBERS:
        return no("choose-a-cell", 5 if phase == rules.PLACE else 18, *legal, next=legal)
    cell = NUMBERS[what]
    terrain = RIVER.terrain[cell]
    if phase == rules.PLACE:
        if terrain != START:
            return no("not-a-start", 5, what, cell=what)
        return no("start-taken", 5, what, cell=what) if cell in table["at"] else None
    forbidden = {
        ROCK: ("rock", 16), MOUNTAIN: ("rock", 16), WATERFALL: ("waterfall", 16),
        FOOTBRIDGE: ("footbridge", 27),
    }
    if terrain in forbidden:
        key, paragraph = forbidden[terrain]
        return no(key, paragraph, what, cell=what)
    if cell in table["at"]:
        return no("occupied", 28 if terrain == LANDING else 17, what, cell=what)
    start = table["at"][position.turn]
    best = min(RIVER.distance[NUMBERS[text]] for text in legal)
    if RIVER.distance[cell] >= RIVER.distance[start] or RIVER.distance[cell] > best:
        return no("not-nearest", 18, *legal, cell=what, start=NAMES[start], next=legal)
    return no("too-far", 15, what, cell=what, points=here.points(position.turn))
