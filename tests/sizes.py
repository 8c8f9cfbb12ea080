"""How much to try: less where the rules run uncompiled."""

from __future__ import annotations

import escale

#: Positions compared with each literal witness by `make test`, and by `make test-all`. They are the
#: same in every run: many more are for those who change rules.
COMPARED = 8_000 if escale.COMPILED else 300
COMPARED_ALL = 1_000_000 if escale.COMPILED else 10_000

#: Perft is counted as deep as this many nodes.
NODES = 100_000_000 if escale.COMPILED else 9_000
