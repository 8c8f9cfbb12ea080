"""A table as the documentation describes it, one thing after another: what histories are held to.

It shares nothing with the ledger but the rules of the games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import escale


class Wrong(AssertionError):
    """Something in a history that cannot have happened."""


@dataclass
class Model:
    """A table for two without a clock."""

    start: escale.Position
    names: list[str | None]
    """None where a seat is open."""
    begun: bool = False
    line: list[escale.Position] = field(default_factory=list)
    over: str | None = None
    told: bool = False
    offer: tuple[int, str] | None = None
    agreed: bool = False
    next: str | None = None
    mattered: int = 0
    """The last event after which an older move is stale."""
    n: int = 0

    @property
    def position(self) -> escale.Position:
        return self.line[-1] if self.line else self.start

    @property
    def turn(self) -> int | None:
        return self.position.turn if self.begun and self.over is None else None

    def copy(self) -> Model:
        return Model(
            self.start, list(self.names), self.begun, list(self.line), self.over, self.told,
            self.offer, self.agreed, self.next, self.mattered, self.n,
        )

    # ---- what happens ----

    def apply(self, event: dict[str, Any]) -> None:
        """Let an event happen, or say that it cannot have."""
        self.n += 1
        if event["n"] != self.n:
            raise Wrong(f"expected event {self.n}: {event}")
        ends = self.over is not None and not self.told
        if ends != (event["do"] == "end"):
            raise Wrong(f"the end is not where the match ends: {event}")
        getattr(self, f"_{event['do']}")(event)

    def _must(self, condition: bool, event: dict[str, Any]) -> None:
        if not condition:
            raise Wrong(f"{event} on {self}")

    def _sit(self, event: dict[str, Any]) -> None:
        self._must(self.names[event["seat"]] is None, event)
        self.names[event["seat"]] = event["name"]

    def _begin(self, event: dict[str, Any]) -> None:
        self._must(not self.begun and None not in self.names, event)
        self.begun, self.mattered = True, self.n

    def _play(self, event: dict[str, Any]) -> None:
        self._must(self.turn == event["seat"], event)
        self.line.append(self.position.play(event["move"]))
        self.offer, self.mattered = None, self.n
        outcome = self.position.outcome
        self.over = outcome.name if outcome else None

    def _offer(self, event: dict[str, Any]) -> None:
        self._must(self.refusal({**event, "do": "offer"}) is None, event)
        self.offer = event["seat"], event["what"]

    def _answer(self, event: dict[str, Any]) -> None:
        self._must(self.refusal({**event, "do": "answer"}) is None, event)
        assert self.offer is not None
        seat, what = self.offer
        self.offer = None
        if not event["yes"]:
            return
        if what == "takeback":
            del self.line[self._last_of(seat):]
            self.mattered = self.n
        elif what == "draw":
            self.over = "agreement"
        else:
            self.agreed = True

    def _resign(self, event: dict[str, Any]) -> None:
        self._must(self.begun and self.over is None, event)
        self.over, self.offer = "resignation", None

    def _end(self, event: dict[str, Any]) -> None:
        self._must(not self.told and event["outcome"]["ending"] == self.over, event)
        self.told, self.offer, self.mattered = True, None, self.n

    def _rematch(self, event: dict[str, Any]) -> None:
        self._must(self.agreed and self.next is None, event)
        self.next = event["table"]

    def _last_of(self, seat: int) -> int:
        """Where in the line a seat moved last; -1 if it has not."""
        before = [self.start, *self.line]
        return max((ply for ply in range(len(self.line)) if before[ply].turn == seat), default=-1)

    # ---- what is refused ----

    def refusal(self, action: dict[str, Any]) -> str | None:
        """With which code something is refused now; None if it is done."""
        seat, do = action["seat"], action["do"]
        if do == "sit":
            return None if self.names[seat] is None else "seat-taken"
        if do == "play":
            if action["n"] < self.mattered:
                return "stale"
            if self.over is not None:
                return "over"
            return None if self.turn == seat else "not-your-turn" if self.begun else "not-begun"
        if self.over is not None and do == "resign":
            return "over"
        if not self.begun:
            return "not-begun"
        if do == "offer":
            possible = ("rematch",) if self.over else ("draw", "takeback")
            refused = (
                action["what"] not in possible or self.offer is not None or self.agreed
                or (action["what"] == "takeback" and self._last_of(seat) < 0)
            )
            return "not-now" if refused else None
        if do == "answer":
            mine = self.offer is not None and (self.offer[0] != seat or not action["yes"])
            return None if mine else "not-now"
        return None

    def shows(self, state: dict[str, Any]) -> None:
        """Whether the state that a client got is this table."""
        said = (
            state["ply"], state["turn"], state["begun"], state["next"],
            state["outcome"] and state["outcome"]["ending"],
            state["offer"] and (state["offer"]["seat"], state["offer"]["what"]),
            [None if seat["status"] == "open" else seat["name"] for seat in state["seats"]],
        )
        known = (
            len(self.line), self.turn, self.begun, self.next, self.over, self.offer, self.names,
        )
        if said != known:
            raise Wrong(f"event {self.n}: shown {said}, but it is {known}")
