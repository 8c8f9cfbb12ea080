"""Errors of the database."""

from __future__ import annotations

from sqlalchemy import exc

from escale.game.errors import EscaleError


class StoreError(EscaleError):
    """The database cannot be opened, or did not keep what it was given.

    Where it failed while committing, it is unknown whether it was kept: load the table again.
    """

    code = "store"


class Conflict(StoreError):
    """Not the next event of its table: another process has written, or something is missing."""

    code = "conflict"


class Damaged(StoreError):
    """A table that cannot be read as it was written."""

    code = "damaged"


class Busy(StoreError):
    """More is waiting to be written than can be promised."""

    code = "busy"


def is_damage(error: exc.DBAPIError) -> bool:
    """Whether what is on the disk cannot be read, now or later."""
    said = str(error.orig)
    return "malformed" in said or "Could not decode" in said
