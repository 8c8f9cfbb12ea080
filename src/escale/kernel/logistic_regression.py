# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Logistic regression: the weights of features that best explain the results of games.

Newton's method on the cross-entropy, with a ridge that keeps weights near 0 if little data supports
them. Everything is added up in one fixed order, so that the same data give the same weights.
"""

from __future__ import annotations

from array import array

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log1p, sqrt
else:
    from math import exp, log1p, sqrt

STEPS = 30                                  # of Newton's; a handful is enough
CLOSE = 1e-9                                # a gain, per row, that is not worth another step


def loss(
    features: cython.short[::1], targets: cython.double[::1], weights: cython.double[::1],
) -> float:
    """The mean cross-entropy of `targets`, shares of a win, when these weights predict them."""
    width: cython.Py_ssize_t = len(weights)
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    x: cython.double
    total: cython.double = 0
    for row in range(len(targets)):
        x = 0
        for i in range(width):
            x += weights[i] * features[row * width + i]
        total += (x if x > 0 else 0) - x * targets[row] + log1p(exp(-x if x > 0 else x))
    return total / max(1, len(targets))


def fit(
    features: cython.short[::1], targets: cython.double[::1], width: cython.Py_ssize_t,
    ridge: cython.double,
) -> list:
    """The weights, in logits, of rows of `width` features each.

    `ridge`, more than 0, is the strength of the doubt about each weight, counted in rows.
    """
    i: cython.Py_ssize_t
    step: list
    weights = array("d", bytes(8 * width))
    rows = max(1, len(targets))
    best: cython.double = loss(features, targets, weights)
    for _ in range(STEPS):
        slope = array("d", bytes(8 * width))
        curve = array("d", bytes(8 * width * width))
        slopes(features, targets, weights, slope, curve)
        for i in range(width):
            slope[i] -= ridge * weights[i]
            curve[i * width + i] += ridge
        step = solve(curve, slope, width)
        part: cython.double = 1.0
        while True:                         # Newton's step, or the part of it that helps
            tried = array("d", [weights[i] + part * step[i] for i in range(width)])
            after: cython.double = loss(features, targets, tried)
            after += ridge * sum([w * w for w in tried]) / (2 * rows)
            if after <= best or part < 1e-3:
                break
            part /= 2
        if after > best - CLOSE:
            break
        weights, best = tried, after
    return weights.tolist()


def slopes(
    features: cython.short[::1], targets: cython.double[::1], weights: cython.double[::1],
    slope: cython.double[::1], curve: cython.double[::1],
) -> None:
    """Add up the first and the second derivatives of the likelihood by the weights."""
    width: cython.Py_ssize_t = len(weights)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t
    x: cython.double
    chance: cython.double
    spread: cython.double
    some: cython.Py_ssize_t[::1] = array("q", bytes(8 * width))     # features that are not 0
    for row in range(len(targets)):
        at: cython.Py_ssize_t = row * width
        count = 0
        x = 0
        for i in range(width):
            if features[at + i]:
                some[count] = i
                count += 1
                x += weights[i] * features[at + i]
        chance = 1 / (1 + exp(-x)) if x > 0 else exp(x) / (1 + exp(x))
        spread = chance * (1 - chance)
        for i in range(count):
            slope[some[i]] += (targets[row] - chance) * features[at + some[i]]
            for j in range(i + 1):
                curve[some[i] * width + some[j]] += (
                    spread * features[at + some[i]] * features[at + some[j]]
                )


def solve(curve: cython.double[::1], slope: cython.double[::1], width: cython.Py_ssize_t) -> list:
    """Solve by Cholesky's method; it reads only the lower half of `curve`, a positive matrix."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    total: cython.double
    for i in range(width):
        for j in range(i + 1):
            total = curve[i * width + j]
            for k in range(j):
                total -= curve[i * width + k] * curve[j * width + k]
            curve[i * width + j] = sqrt(total) if i == j else total / curve[j * width + j]
    found: list = [0.0] * width
    for i in range(width):
        total = slope[i]
        for k in range(i):
            total -= curve[i * width + k] * found[k]
        found[i] = total / curve[i * width + i]
    for i in range(width - 1, -1, -1):
        total = found[i]
        for k in range(i + 1, width):
            total -= curve[k * width + i] * found[k]
        found[i] = total / curve[i * width + i]
    return found
