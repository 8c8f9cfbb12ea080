"""The port through which tables know the notebooks of people.

`server/people/` has the notebooks, and registers itself with `House.register_people`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

NOTEBOOK = "notebook:"
"""How the names begin under which notebooks hold seats. No client's token may begin so."""


class People(Protocol):
    """The notebooks of a house."""

    async def holder(self, cookies: Mapping[str, str]) -> str | None:
        """The name under which the notebook of these cookies holds seats, if there is one."""


class NoPeople:
    """A house without notebooks."""

    async def holder(self, cookies: Mapping[str, str]) -> str | None:
        return None
