"""The conformance kit as tests, for a game's own repository:

```python
from escale.devkit.testing import GameTests

class TestBreakthrough(GameTests):
    slug = "breakthrough"
```
"""

from __future__ import annotations

from typing import ClassVar

import pytest

from escale.devkit.check import CHECKS
from escale.games import game


class GameTests:
    """Every part of `escale check`, one test each."""

    slug: ClassVar[str]
    games: ClassVar[int] = 20
    """Random games to play."""
    seed: ClassVar[int] = 1

    @pytest.mark.parametrize("name", CHECKS)
    def test_conformance(self, name: str) -> None:
        """The faults that `escale check` finds in this part of the game."""
        assert list(CHECKS[name](game(self.slug), self.games, self.seed)) == []
