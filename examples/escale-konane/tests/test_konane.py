"""Konane: what every game must keep, and its rules by a witness."""

from __future__ import annotations

from pathlib import Path

import escale
from escale.devkit.testing import GameTests
from escale.kernel import perft


class TestConformance(GameTests):
    """Every part of `escale check`, and the literal witness."""

    slug = "konane"
    witness = Path(__file__).with_name("witness.py")


def test_perft() -> None:
    """Four stones to begin with: in the centre with four neighbours each, in a corner with two."""
    start = escale.game("konane").start().kernel()
    assert [perft(start, depth) for depth in (1, 2)] == [4, 12]
