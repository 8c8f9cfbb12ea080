"""What both sides of the line protocol agree on; `docs/protocol.md` describes it."""

from __future__ import annotations

VERSION = 1
"""Additions do not change it."""
LINE_BYTES = 1_000_000
"""Bytes in a line; what is longer is refused unread."""
