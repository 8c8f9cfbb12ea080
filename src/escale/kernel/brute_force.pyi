"""A search too simple to be wrong, as Python sees it: `brute_force.py` is compiled."""

from escale.kernel.core import State

def brute_force(state: State, depth: int, nodes: int = ...) -> tuple[float, float] | None: ...
