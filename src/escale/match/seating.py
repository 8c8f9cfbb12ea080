"""Who sits where, and what they propose to one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from escale.game.errors import NotNow
from escale.match.events import NAME, text, word


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat: a person, the computer at a level, or nobody yet."""

    name: str = ""
    level: str | None = None
    open: bool = False
    value: str | None = None
    """What this seat's browser mixes into the luck."""

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Player:
        """The player that a header or an event names; NotNow if it names none."""
        level, value = entry.get("level"), entry.get("value")
        if level is not None and not isinstance(level, str):
            raise NotNow("expected a level's name or null")
        if not isinstance(entry.get("open", False), bool):
            raise NotNow("expected open: true or false")
        return cls(
            text(entry, "name", NAME), None if level is None else text(entry, "level", NAME),
            entry.get("open", False), None if value is None else word(value, "value"),
        )

    def as_json(self) -> dict[str, Any]:
        """What `read` reads; an open seat and a value only where there is one."""
        return {
            "name": self.name, "level": self.level,
            **({"open": True} if self.open else {}),
            **({} if self.value is None else {"value": self.value}),
        }


@dataclass(slots=True)
class Offer:
    """Something proposed that waits for the others' answers."""

    seat: int
    what: str
    agreed: set[int] = field(default_factory=set)
