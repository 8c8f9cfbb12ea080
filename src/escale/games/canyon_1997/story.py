"""What happens during a move, change by change: the decision, then all that follows from it.

The compiled rules go on one step at a time, and each step is described by what it has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from escale.game.changes import Change
from escale.games.canyon_1997.cards import BIDS, CARDS, SEATS
from escale.games.canyon_1997.river import LANDING, NAMES, RIVER, way
from escale.games.canyon_1997.rules import BID, DEAL, DRAW, MOVE, PLACE, PLAY, CanyonState
from escale.games.canyon_1997.table import Table, canoes, cells_of, first, receiver
from escale.kernel import each_bit


def changes(state: CanyonState, move: int) -> Iterator[Change]:
    """The changes of a legal move."""
    state = state.copy()
    before, points = state.table(), _points(state)
    state.begin(move)
    after = state.table()
    yield from _with_cells([_decided(before, move, points)], before, after)
    points = _points(state)
    while state.go_on():
        before, after = after, state.table()
        yield from _with_cells(_followed(before, after, points), before, after)
        points = _points(state)


def _points(state: CanyonState) -> int:
    """With how many points the seat to move paddles, if it does."""
    return state.points(state.turn) if state.phase == MOVE else 0


def _with_cells(told: list[Change], before: Table, after: Table) -> list[Change]:
    """The changes of a step; the last one carries all cells that the step changed."""
    old, new = cells_of(before), cells_of(after)
    cells = {
        cell: new.get(cell)
        for cell in [*old, *(cell for cell in new if cell not in old)]
        if old.get(cell) != new.get(cell)
    }
    return [*told[:-1], replace(told[-1], cells=cells)] if told else []


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
    seat = SEATS[table["turn"]]
    if phase == PLACE:
        return Change(kind="launched", piece=seat, to=NAMES[move])
    if phase == BID and table["secret"]:
        return Change(kind="chose", piece=BIDS[move], at=seat, to=f"{seat} chosen")
    if phase == BID:
        return _announced(seat, move)
    if phase == PLAY:
        return Change(kind="played", piece=CARDS[move], at=seat, to=f"{seat} card")
    return _paddled(table, move, points)


def _followed(before: Table, after: Table, points: int) -> list[Change]:
    """What has happened without a decision."""
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
        return [Change(kind="next-round", piece=str(after["marker"]), to=SEATS[after["dealer"]])]
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
        return [Change(kind="stayed", piece=seat, at=NAMES[cell])]
    if RIVER.downstream[cell] < 0 or before["won"][mover] == before["bid"][mover]:
        return [_paddled(before, after["at"][mover], points)]
    told = []
    at = list(before["at"])
    row = [mover]
    while RIVER.downstream[at[row[-1]]] in at:
        row.append(at.index(RIVER.downstream[at[row[-1]]]))
    for pushed in reversed(row):
        here, to = at[pushed], after["at"][pushed]
        at[pushed] = to
        kind = "pushed" if pushed != mover else "drifted"
        now = canoes(at)
        told.append(Change(
            kind="fell" if to == RIVER.footbridge else kind,
            piece=SEATS[pushed], at=NAMES[here], to=NAMES[to],
            cells={NAMES[here]: now.get(NAMES[here]), NAMES[to]: now[NAMES[to]]},
        ))
    return told


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
