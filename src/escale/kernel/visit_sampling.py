"""Chooses at random among moves that a tree search has visited, by their numbers of visits."""

from __future__ import annotations

from escale.kernel.core import Random


def sample_visits(visits: list[int], temperature: int, seed: int) -> int:
    """The index of one of `visits`, drawn with the probability of its share to the power of 100 /
    temperature.

    At 100 moves are chosen as often as they were visited; well below, nearly always the most
    visited one; above, more and more evenly.
    """
    most = max(visits)
    weights = [(count / most) ** (100 / temperature) for count in visits]
    left = sum(weights) * Random(seed).below(1 << 31) / (1 << 31)
    for place, weight in enumerate(weights):
        if left < weight:
            return place
        left -= weight
    return visits.index(most)
