"""What is known of the request that is being answered, for everything that it calls."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Its id, which log lines, refusals and error pages name; empty in background tasks."""

client_address: ContextVar[str] = ContextVar("client_address", default="")
"""The address that pays for a piece of work; "" is the house itself."""
