"""How much to try: less where the rules run uncompiled, more in `make test-all`."""

from __future__ import annotations

import os

import escale

THOROUGH = bool(os.environ.get("ESCALE_TEST_THOROUGHLY"))
"""Whether there is time: `make test-all` says so."""


PATIENCE_SECONDS = 60
"""How long anything is waited for before a test says that it did not happen: no test has a limit
of its own, and none says how soon something must happen on the machine that it runs on."""


def sized(usual: int, thorough: int, uncompiled: int) -> int:
    """How often to try something in `make test`, in `make test-all`, and with plain Python."""
    return uncompiled if not escale.COMPILED else thorough if THOROUGH else usual


#: Positions compared with each literal witness by `make test`, and by `make test-all`. They are the
#: same in every run: many more are for those who change rules.
COMPARED = 2_000 if escale.COMPILED else 300
COMPARED_ALL = 1_000_000 if escale.COMPILED else 10_000

#: Perft is counted as deep as this many nodes.
NODES = 100_000_000 if escale.COMPILED else 9_000
