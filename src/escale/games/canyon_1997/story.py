"""The changes of a move, one by one: the decision, then everything that follows from it.

The compiled rules go on one step at a time, and each step is described by its changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from escale.game.changes import Change
from escale.games.canyon_1997.cards import BIDS, CARDS, SEATS, TRACK
from escale.games.canyon_1997.river import LANDING, NAMES, RIVER, way
from escale.games.canyon_1997.rules import BID, DEAL, DRAW, MOVE, PLACE, PLAY, CanyonState
from escale.games.canyon_1997.table import Table, canoes, cells_of, first, mover, receiver
from escale.kernel import each_bit


def changes(state: CanyonState, move: int) -> Iterator[Change]:
    """The changes of a legal move."""
    state = state.copy()
    before, points = state.table(), _points(state)
    state.begin(move)
    after = state.table()
    yield from _with_cells([_decided(before, move, points)], before, after)
    while True:
        points = _points(state)
        if (why := _earned(after, points)) is not None:
            yield why
        if not state.go_on():
            break
        before, after = after, state.table()
        yield from _with_cells(_followed(before, after, points), before, after)


def _points(state: CanyonState) -> int:
    """The points with which the seat to move paddles; -1 if its canoe drifts."""
    return state.points(state.turn) if state.phase == MOVE else 0


def _earned(table: Table, points: int) -> Change | None:
    """The points that its cards have earned for a seat, when its canoe is the next to move."""
    if table["phase"] != MOVE or table["moved"] == len(table["at"]):
        return None
    mover = table["turn"]
    seat, won = SEATS[mover], table["won"][mover]
    if table["lost"] >> mover & 1:
        return None
    current = RIVER.downstream[table["at"][mover]] >= 0
    if won == table["bid"][mover]:
        kind = "earned-bonus" if current else "earned-exact"
    else:
        kind = "earned-drift" if current else "earned-tricks"
    values = {"tricks": won, "points": points}
    return Change(kind=kind, piece=seat, at=NAMES[table["at"][mover]], values=values)


def _with_cells(changes: list[Change], before: Table, after: Table) -> list[Change]:
    """The changes of a step; the last one carries all cells that the step changed."""
    old, new = cells_of(before), cells_of(after)
    cells = {
        cell: new.get(cell)
        for cell in [*old, *(cell for cell in new if cell not in old)]
        if old.get(cell) != new.get(cell)
    }
    return [*changes[:-1], replace(changes[-1], cells=cells)] if changes else []


def _decided(table: Table, move: int, points: int) -> Change:
    """The change that the move itself makes."""
    phase = table["phase"]
    if phase == DRAW:
        seat = SEATS[next(each_bit(table["drawing"]))]
        return Change(kind="drew", piece=CARDS[move], at=seat, to=f"{seat} card")
    if phase == DEAL:
        to = receiver(table)
        if to == "trump":
            return Change(kind="turned-up", piece=CARDS[move], to="trump")
        return Change(kind="dealt", piece=CARDS[move], to=f"{to} hand")
    seat = SEATS[mover(table, move)]
    if phase == PLACE:
        return Change(kind="launched", piece=seat, to=NAMES[move])
    if phase == BID and table["secret"]:
        return Change(kind="chose", piece=BIDS[move & 0xFF], at=seat, to=f"{seat} chosen")
    if phase == BID:
        return _announced(seat, move)
    if phase == PLAY:
        return Change(kind="played", piece=CARDS[move], at=seat, to=f"{seat} card")
    return _paddled(table, move, points)


def _followed(before: Table, after: Table, points: int) -> list[Change]:
    """The changes that follow without a decision."""
    phase = before["phase"]
    if phase == DRAW:
        if after["dealer"] < 0:
            return [Change(kind="draw-again")]
        return [Change(kind="deals-first", to=SEATS[after["dealer"]])]
    if phase == PLACE:
        launched = [
            Change(kind="launched", piece=SEATS[seat], to=NAMES[after["at"][seat]])
            for seat in _moved(before, after)
        ]
        return launched or [Change(kind="gathered")]
    if phase == BID:
        return _shown(after) if before["secret"] else []
    if phase == PLAY:
        winner = next(s for s, won in enumerate(after["won"]) if won > before["won"][s])
        return [Change(kind="trick-taken", to=SEATS[winner], look=(f"{SEATS[winner]} card",))]
    if after["phase"] == DEAL:
        marker, dealer = str(after["marker"]), SEATS[after["dealer"]]
        if after["laps"]:
            number = str(after["marker"] + len(TRACK) * after["laps"])
            return [Change(kind="next-round-again", piece=number, at=marker, to=dealer)]
        return [Change(kind="next-round", piece=marker, to=dealer)]
    return _canoe(before, after, points)


def _shown(table: Table) -> list[Change]:
    """All bids, one after the other from the first player on."""
    seats = len(table["bid"])
    order = [(first(table) + number) % seats for number in range(seats)]
    return [_announced(SEATS[seat], table["bid"][seat]) for seat in order]


def _announced(seat: str, bid: int) -> Change:
    return Change(kind="announced", piece=BIDS[bid], at=seat, to=f"{seat} bid")


def _canoe(before: Table, after: Table, points: int) -> list[Change]:
    """One canoe's move, with all those that it pushes."""
    mover = before["turn"]
    seat, cell = SEATS[mover], before["at"][mover]
    if before["lost"] >> mover & 1:
        return [Change(kind="missed", piece=seat, at=NAMES[cell])]
    if not _moved(before, after):
        kind = "shut-in" if points > 0 else "stayed"
        return [Change(kind=kind, piece=seat, at=NAMES[cell], look=(NAMES[cell],))]
    if points >= 0:
        return [replace(_paddled(before, after["at"][mover], points), look=(NAMES[cell],))]
    changes: list[Change] = []
    at = list(before["at"])
    row = [mover]
    while RIVER.downstream[at[row[-1]]] in at:
        row.append(at.index(RIVER.downstream[at[row[-1]]]))
    for place in range(len(row) - 1, -1, -1):
        pushed = row[place]
        here, to = at[pushed], after["at"][pushed]
        at[pushed] = to
        fell = to == RIVER.footbridge
        kind = ("pushed-over" if fell else "pushed") if place else "fell" if fell else "drifted"
        now = canoes(at)
        changes.append(Change(
            kind=kind, piece=SEATS[pushed], at=NAMES[here], to=NAMES[to],
            over=SEATS[row[place - 1]] if place else None,
            cells={NAMES[here]: now.get(NAMES[here]), NAMES[to]: now[NAMES[to]]},
            look=() if changes else (NAMES[cell],),
        ))
    return changes


def _paddled(table: Table, to: int, points: int) -> Change:
    """The canoe of the seat to move goes to a cell, with the cells on its way."""
    mover = table["turn"]
    cell = table["at"][mover]
    taken = {at for seat, at in enumerate(table["at"]) if seat != mover}
    return Change(
        kind="landed" if RIVER.terrain[to] == LANDING else "paddled",
        piece=SEATS[mover], at=NAMES[cell], to=NAMES[to],
        way=tuple(NAMES[number] for number in way(RIVER, cell, to, points, taken)),
    )


def _moved(before: Table, after: Table) -> list[int]:
    """The seats whose canoes have moved."""
    return [seat for seat, cell in enumerate(after["at"]) if cell != before["at"][seat]]
