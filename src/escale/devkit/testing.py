"""The conformance kit as tests, for a game's own repository:

```python
from escale.devkit.testing import GameTests

class TestBreakthrough(GameTests):
    slug = "breakthrough"
    witness = Path(__file__).with_name("witness.py")
```
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from escale.devkit.check import CHECKS
from escale.devkit.witness import read_witness, witness_faults
from escale.games import game


class GameTests:
    """Every part of `escale check`, one test each."""

    slug: ClassVar[str]
    games: ClassVar[int] = 20
    """Random games to play."""
    seed: ClassVar[int] = 1
    witness: ClassVar[Path | None] = None
    """The rules once more: see `witness.py`."""
    positions: ClassVar[int] = 300
    """Positions to compare with the witness."""

    @pytest.mark.parametrize("name", CHECKS)
    def test_conformance(self, name: str) -> None:
        """The faults that `escale check` finds in this part of the game."""
        assert list(CHECKS[name](game(self.slug), self.games, self.seed)) == []

    def test_the_witness_says_the_same(self) -> None:
        """The same outcomes and the same tables after every move."""
        if self.witness is None:
            pytest.skip("there is no witness")
        literal = read_witness(self.witness)
        told = witness_faults(
            game(self.slug), literal, positions=self.positions, seed=self.seed
        )
        assert list(told) == []
