"""Two sides of pieces, as Python sees them: `sides.py` is compiled."""

from escale.kernel.core import State

class SidesState(State):
    own: int
    enemy: int
    numbered: bool
    def __init__(self, own: int, enemy: int, turn: int = 0) -> None: ...
