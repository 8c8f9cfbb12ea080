"""Errors of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from escale.game.errors import EscaleError, LocalisedError

if TYPE_CHECKING:
    from sqlalchemy import exc


class StoreError(EscaleError):
    """The database cannot be opened, or a write failed.

    After a failed commit it is unknown whether the data is stored: load the table again.
    """

    code = "store"


class BadDatabase(LocalisedError, StoreError):
    """A database or a backup that cannot be used as it was asked for."""

    section = "database"


class Conflict(StoreError):
    """An event is not the next of its table: another process has written, or one is missing."""

    code = "conflict"


class Damaged(StoreError):
    """A table that cannot be read as it was written."""

    code = "damaged"


class Busy(StoreError):
    """A change was not written: too many wait, or another program has locked the database."""

    code = "busy"


def is_damage(error: exc.DBAPIError) -> bool:
    """Whether the data on the disk is permanently unreadable."""
    said = str(error.orig)
    return "malformed" in said or "Could not decode" in said
