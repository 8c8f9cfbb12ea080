"""Every Python that tests start begins with this: nothing gives way to others.

What thinks and draws for a house lets everything else on the machine go first. Beside other work it
would have no time at all, and tests that wait for it would fail.

With ESCALE_TEST_CHANCE every table of a house has the same chance outcomes, and its computers
choose alike: what a browser test sees then depends on what it does, and on nothing else.

The shelf has the games of this package only.
"""

import os
import random
import secrets
import sys

from own_shelf import own_games_only  # type: ignore[import-not-found]

own_games_only()
if hasattr(os, "nice"):
    os.nice = lambda increment: 0

if chance := os.environ.get("ESCALE_TEST_CHANCE"):
    token_hex = secrets.token_hex

    def asked_by_table() -> bool:
        """Whether the caller's caller is a module of the tables."""
        return str(sys._getframe(2).f_globals.get("__name__")).startswith("escale.server.tables.")

    def token(size: int | None = None) -> str:
        return f"{chance:0<32}" if asked_by_table() else token_hex(size)

    class FixedRandom(random.Random):
        def __init__(self, seed: int | str | None = None) -> None:
            super().__init__(chance if seed is None and asked_by_table() else seed)

    vars(secrets).update(token_hex=token)
    vars(random).update(Random=FixedRandom)
