"""What a browser keeps, for tests: its database as a dictionary."""

from __future__ import annotations

import json
from typing import Any

from escale.server.offline.device import Device


class Browser:
    """The tables that a browser keeps, as `device_store.js` keeps them."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, Any]] = {}

    async def keep(self, change: str) -> None:
        facts = json.loads(change)
        name, since, lines = facts.pop("table"), facts.pop("since"), facts.pop("lines")
        before = self.tables.get(name, {"lines": []})
        if lines and since != len(before["lines"]):
            raise RuntimeError("the table has changed meanwhile")
        self.tables[name] = {**before, **facts, "lines": [*before["lines"], *lines]}

    async def load(self, table: str) -> str | None:
        found = self.tables.get(table)
        return None if found is None else json.dumps(found)

    def device(self) -> Device:
        """A device with these tables, just started."""
        return Device(self.keep, self.load)


class Page:
    """A page that follows a table of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.heard: list[dict[str, Any]] = []
        self.closed: list[int] = []

    async def open(self, table: str, token: str | None, lang: str = "en") -> None:
        """Say hello; the first message is the state, or a refusal."""
        hello = json.dumps({"do": "hello", "token": token, "lang": lang})
        found = await self.device.follow(
            f"/api/tables/{table}/live", hello,
            lambda text: self.heard.append(json.loads(text)), self.closed.append,
        )
        if found is not None:
            self.follower = found

    async def act(self, do: str, **more: Any) -> None:
        """Do something at the table."""
        name = f"action-{len(self.heard):06}"
        await self.follower.obey(json.dumps({"do": do, "id": name, **more}))
