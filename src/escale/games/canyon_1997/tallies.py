"""What is counted for each seat: its tricks beside its bid, and how far its canoe has to go."""

from __future__ import annotations

from escale.game.scene import Cells, Tally
from escale.games.canyon_1997.cards import SEATS
from escale.games.canyon_1997.river import NAMES, RIVER


def tallies(cells: Cells) -> dict[str, tuple[Tally, ...]]:
    """By seat, as far as a viewer who knows `cells` may know it."""
    at = {
        seat: number for number, cell in enumerate(NAMES)
        for seat in str(cells.get(cell, "")).split()
    }
    return {
        seat: (*_tricks(cells, seat), *_way(cells, seat, at.get(seat)))
        for seat in SEATS if f"{seat} hand" in cells
    }


def _tricks(cells: Cells, seat: str) -> list[Tally]:
    """The bid, once all have shown theirs, and what has come of it."""
    if f"{seat} bid" not in cells:
        return []
    return [Tally("tricks", int(cells[f"{seat} tricks"]), int(cells[f"{seat} bid"]))]


def _way(cells: Cells, seat: str, at: int | None) -> list[Tally]:
    """How far it is to a landing, or with how many points left over it was reached."""
    if f"{seat} left" in cells:
        return [Tally("landed", int(cells[f"{seat} left"]))]
    return [Tally("ashore") if at is None else Tally("distance", RIVER.distance[at])]
