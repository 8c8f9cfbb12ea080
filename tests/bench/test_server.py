"""The players of `python -m bench server`: they answer pings, and notice a lost connection."""

from __future__ import annotations

import asyncio
from typing import Any

from bench.server import Player, Playing


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.sent.append(b"closed")


def test_pings_are_answered_and_lost_connections_noticed() -> None:
    async def run() -> None:
        over = asyncio.Event()
        table = Playing([], 0, [], over)
        player, transport = Player(0, table, "/live", b"hello"), Transport()
        player.connection_made(transport)
        player.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        player.data_received(b"\x81\x02{}")
        assert await player.ready is None
        player.data_received(b"\x89\x04ping")
        assert transport.sent[-1] == b"\x8a\x84\0\0\0\0ping"
        player.data_received(b"\x8a\x00")                   # an unsolicited pong
        assert table.failed is None
        player.connection_lost(None)
        assert table.failed == b"the house closed a connection"
        table.failed = None
        player.close()
        player.connection_lost(None)
        assert table.failed is None
        assert not over.is_set()
        table.move()                                        # the game has no move
        assert over.is_set()

    asyncio.run(run())
