"""Rates of several rounds: what is compared was measured in the same round."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median


@dataclass(kw_only=True)
class Rates:
    """The rates of every round, by what was measured."""

    rates: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, rate: float) -> None:
        self.rates.setdefault(name, []).append(rate)

    def best(self, name: str) -> float | None:
        """The greatest rate: what the machine can do when it is left alone."""
        return max(self.rates[name]) if name in self.rates else None

    def ratio(self, name: str, to: str) -> float | None:
        """The median of the ratios of the same round."""
        if name not in self.rates or to not in self.rates:
            return None
        return median(a / b for a, b in zip(self.rates[name], self.rates[to], strict=True))
