"""Counting sequences of moves, as Python sees it: `perft.py` is compiled."""

from escale.kernel.core import State

def perft(state: State, depth: int) -> int: ...
