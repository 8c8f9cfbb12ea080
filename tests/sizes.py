"""How much to try: less where the rules run uncompiled."""

from __future__ import annotations

import escale

#: Positions compared with each literal witness by `make test`, and by `make test-all`.
COMPARED = 20_000 if escale.COMPILED else 300
COMPARED_ALL = 1_000_000 if escale.COMPILED else 10_000

#: Perft is counted as deep as this many nodes.
NODES = 100_000_000 if escale.COMPILED else 9_000
