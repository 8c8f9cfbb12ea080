"""The tallies of each seat: its tricks beside its bid, and the distance of its canoe."""

from __future__ import annotations

from escale.game.scene import Cells, Tally
from escale.games.canyon_1997.cards import SEATS
from escale.games.canyon_1997.river import NAMES, RIVER


def tallies(cells: Cells) -> dict[str, tuple[Tally, ...]]:
    """The tallies by seat, as far as a viewer who knows `cells` may know them."""
    at = {
        seat: number for number, cell in enumerate(NAMES)
        for seat in str(cells.get(cell, "")).split()
    }
    return {
        seat: (*_tricks(cells, seat), *_way(cells, seat, at.get(seat)))
        for seat in SEATS if f"{seat} hand" in cells
    }


def _tricks(cells: Cells, seat: str) -> list[Tally]:
    """The bid, when all bids are shown, and its result."""
    if f"{seat} bid" not in cells:
        return []
    return [Tally("tricks", int(cells[f"{seat} tricks"]), int(cells[f"{seat} bid"]))]


def _way(cells: Cells, seat: str, at: int | None) -> list[Tally]:
    """The distance to a landing, or the points left over on reaching it."""
    if f"{seat} left" in cells:
        return [Tally("landed", int(cells[f"{seat} left"]))]
    return [Tally("ashore") if at is None else Tally("distance", RIVER.distance[at])]
