"""The state of a table as plain data: all of it, or what a client has missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from escale.server.tables.views import Sight

if TYPE_CHECKING:
    from escale.server.tables.table import Table

State = dict[str, Any]


def common_state(table: Table, sight: Sight) -> State:
    """The part of the state that is the same for a viewer and a language."""
    state = table.views.common(
        sight, table=table.id, public=table.public, present=table.presence.seats(),
        now=table.now(), away=table.away,
    )
    state["phrases"], state["closed"] = table.phrases, table.closed
    state["nudge"] = [
        seat for seat in range(table.match.start.seats)
        if not table.closed and table.match.may_nudge(seat, table.now())
    ]
    if table.closed:
        state["thinking"] = False
    return state


def _own_state(table: Table, sight: Sight) -> State:
    """The part of the state that depends on the seats one holds."""
    return {
        "you": {"seats": list(sight.seats), "as": sight.seat}, **table.views.choices(sight),
    }


def whole_state(table: Table, sight: Sight) -> State:
    """The whole state, for a client that has none yet."""
    return {
        "type": "state", **common_state(table, sight), **_own_state(table, sight),
        "log": table.views.page(sight),
    }


def missed_state(table: Table, sight: Sight, since: int) -> State:
    """The changes for a client since event `since`; the whole state if there are many."""
    if not table.views.on_page(since):
        return whole_state(table, sight)
    return {
        "type": "events", "n": len(table.match.events), "events": table.views.news(sight, since),
        "state": {**common_state(table, sight), **_own_state(table, sight)},
    }
