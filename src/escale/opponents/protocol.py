"""The constants that both sides of the line protocol share; `docs/protocol.md` describes it."""

from __future__ import annotations

VERSION = 1
"""The version of the protocol; additions do not change it."""
LINE_BYTES = 1_000_000
"""The longest line; longer ones are refused unread."""
