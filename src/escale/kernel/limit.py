"""The limit of a search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """The budget of a search; the first part that is used up ends it.

    ```python
    >>> from escale.kernel import Limit
    >>> Limit(nodes=5000)
    Limit(nodes=5000, simulations=None, depth=None, seconds=None)

    ```
    """

    nodes: int | None = None
    """Positions that alpha-beta examines."""
    simulations: int | None = None
    """Games that a tree search plays."""
    depth: int | None = None
    """Plies that alpha-beta searches in full."""
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, amount in (("node", self.nodes), ("simulation", self.simulations)):
            if amount is not None and amount < 1:
                raise ValueError(f"a search needs at least one {name}, not {amount}")
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"a search needs at least one ply, not {self.depth}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"a search needs some time, not {self.seconds} seconds")

    def __bool__(self) -> bool:
        """Whether it limits anything."""
        return any(
            amount is not None
            for amount in (self.nodes, self.simulations, self.depth, self.seconds)
        )
