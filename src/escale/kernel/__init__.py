"""What is compiled and knows no game: positions, random numbers, perft, playouts, search.

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
from escale.kernel.bits import each_bit
from escale.kernel.core import CHANCE, Random, State, draw_chance
from escale.kernel.exhaust import exhaust
from escale.kernel.perft import perft
from escale.kernel.playout import Playouts, playouts
from escale.kernel.thinking import METHODS, SETTINGS, think
from escale.kernel.thought import Thought

#: Whether the kernel runs compiled.
COMPILED = not core.__file__.endswith(".py")

__all__ = [
    "CHANCE",
    "COMPILED",
    "METHODS",
    "SETTINGS",
    "Playouts",
    "Random",
    "State",
    "Thought",
    "draw_chance",
    "each_bit",
    "exhaust",
    "perft",
    "playouts",
    "think",
]
