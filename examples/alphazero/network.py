"""The network: what an observation promises (a value), and which actions look good (a policy).

Two hidden layers with ReLU, then a logit for each action and a value in -1 to 1 for the seat to
move. Gradients are written out; `tests/adapters/test_alphazero.py` compares them with differences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Weights = dict[str, Array]

BETAS = (0.9, 0.999)
"""How long Adam remembers the mean of a gradient, and the mean of its square."""


class Network:
    """A policy and a value for rows of observations."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    @classmethod
    def untrained(cls, inputs: int, actions: int, hidden: int, seed: int) -> Network:
        """A network that has learnt nothing: all actions look alike, all games even."""
        random = np.random.default_rng(seed)
        weights: Weights = {}
        for layer, rows, columns, scale in (
            ("first", inputs, hidden, 2.0), ("second", hidden, hidden, 2.0),
            ("policy", hidden, actions, 0.01), ("value", hidden, 1, 0.01),
        ):
            weights[layer] = random.normal(0, np.sqrt(scale / rows), (rows, columns))
            weights[f"{layer} bias"] = np.zeros(columns)
        return cls({name: array.astype(np.float32) for name, array in weights.items()})

    def __call__(self, observations: Array) -> tuple[Array, Array]:
        """A logit for each action, and the value for the seat to move."""
        logits, values, _ = self._forward(observations)
        return logits, values

    def _forward(self, observations: Array) -> tuple[Array, Array, tuple[Array, Array]]:
        w = self.weights
        first = np.maximum(observations @ w["first"] + w["first bias"], 0)
        second = np.maximum(first @ w["second"] + w["second bias"], 0)
        logits = second @ w["policy"] + w["policy bias"]
        values = np.tanh(second @ w["value"] + w["value bias"])[:, 0]
        return logits, values, (first, second)

    def loss(
        self, observations: Array, masks: Array, policies: Array, results: Array
    ) -> tuple[float, float, Weights]:
        """How far policy (cross-entropy) and value (squared error) are off, and the gradient of
        their sum, on average over the rows."""
        logits, values, (first, second) = self._forward(observations)
        guessed = softmax(np.where(masks, logits, -np.inf))
        policy_loss = -np.sum(policies * np.log(guessed + 1e-12)) / len(results)
        value_loss = np.mean((values - results) ** 2)

        w, rows = self.weights, len(results)
        to_logits = (guessed - policies) / rows
        to_value = (2 * (values - results) * (1 - values**2) / rows)[:, None]
        to_second = (to_logits @ w["policy"].T + to_value @ w["value"].T) * (second > 0)
        to_first = (to_second @ w["second"].T) * (first > 0)
        gradient: Weights = {}
        for layer, seen, error in (
            ("first", observations, to_first), ("second", first, to_second),
            ("policy", second, to_logits), ("value", second, to_value),
        ):
            gradient[layer] = seen.T @ error
            gradient[f"{layer} bias"] = error.sum(axis=0)
        return float(policy_loss), float(value_loss), gradient

    def save(self, path: Path, **about: str) -> None:
        """Write the weights to a file, and words about them."""
        words = {f"about {name}": np.array(word) for name, word in about.items()}
        arrays: dict[str, Any] = {**self.weights, **words}
        with path.open("wb") as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> tuple[Network, dict[str, str]]:
        """Read what `save` wrote."""
        with np.load(path) as file:
            arrays = dict(file)
        about = {
            name.removeprefix("about "): str(arrays.pop(name))
            for name in list(arrays) if name.startswith("about ")
        }
        return cls(arrays), about


class Adam:
    """Moves weights against their gradients, each at its own pace, and pulls them towards 0."""

    def __init__(self, weights: Weights, decay: float) -> None:
        self.weights, self.decay = weights, decay
        self.steps = 0
        self.means = {name: np.zeros_like(array) for name, array in weights.items()}
        self.squares = {name: np.zeros_like(array) for name, array in weights.items()}

    def step(self, gradient: Weights, rate: float) -> None:
        """Learn from one gradient."""
        self.steps += 1
        fast, slow = BETAS
        pace = rate * np.sqrt(1 - slow**self.steps) / (1 - fast**self.steps)
        for name, array in self.weights.items():
            mean, square = self.means[name], self.squares[name]
            mean += (1 - fast) * (gradient[name] - mean)
            square += (1 - slow) * (gradient[name] ** 2 - square)
            array -= (pace * mean / (np.sqrt(square) + 1e-8)).astype(array.dtype)
            array *= 1 - rate * self.decay


def softmax(logits: Array) -> Array:
    """Probabilities from logits, row by row; that of -inf is 0."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Array = powers / powers.sum(axis=1, keepdims=True)
    return probabilities
