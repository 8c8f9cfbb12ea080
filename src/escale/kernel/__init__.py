"""What is compiled and knows no game: states, random numbers, perft, playouts, searches.

```python
>>> import escale
>>> from escale.kernel import perft, playouts
>>> start = escale.game("tortuga").start(first="south").kernel()
>>> perft(start, 3)
4478

```
"""

from __future__ import annotations

from escale.kernel import core
from escale.kernel.brute_force import brute_force
from escale.kernel.core import CHANCE, Random, State, draw_chance, each_bit
from escale.kernel.evaluation import Evaluation
from escale.kernel.forcing import forces
from escale.kernel.limit import Limit
from escale.kernel.methods import METHODS, SETTINGS, search
from escale.kernel.perft import perft
from escale.kernel.playout import Playouts, playouts
from escale.kernel.proof_search import Proof, ProofSearch, prove
from escale.kernel.result import Line, SearchResult

#: Whether the kernel runs compiled.
COMPILED = not core.__file__.endswith(".py")

__all__ = [
    "CHANCE",
    "COMPILED",
    "METHODS",
    "SETTINGS",
    "Evaluation",
    "Limit",
    "Line",
    "Playouts",
    "Proof",
    "ProofSearch",
    "Random",
    "SearchResult",
    "State",
    "brute_force",
    "draw_chance",
    "each_bit",
    "forces",
    "perft",
    "playouts",
    "prove",
    "search",
]
