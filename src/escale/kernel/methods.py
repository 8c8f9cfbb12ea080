"""One way to request a move, whichever search answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from escale.kernel import alphabeta, ismcts, mcts
from escale.kernel.core import State
from escale.kernel.evaluation import Evaluation
from escale.kernel.limit import Limit
from escale.kernel.result import SearchResult

SEARCHES: dict[str, Callable[..., SearchResult[int]]] = {
    "mcts": mcts.search, "ismcts": ismcts.search, "alphabeta": alphabeta.search,
}
METHODS = tuple(SEARCHES)
SETTINGS = {
    "mcts": ("simulations", "temperature", "plain"),
    "ismcts": ("simulations", "temperature"),
    "alphabeta": ("nodes", "noise", "sure", "slip", "contempt"),
}
"""The settings of each method that are whole numbers; the first is its budget."""


def search(
    root: State,
    method: str,
    limit: Limit,
    *,
    evaluation: Evaluation | None = None,
    seed: int = 0,
    lines: int = 1,
    capacity: int | None = None,
    among: Sequence[int] | None = None,
    **settings: Any,
) -> SearchResult[int]:
    """Search for the best move of the seat to move.

    `mcts` and `ismcts` count simulations, `alphabeta` nodes and plies, all of them time; a proven
    result ends a search at once. The same state, seed and limit give the same result, as long as
    time does not end it. `ismcts` searches all tables that the seat to move cannot distinguish, the
    others only the given one.

    `lines` are found in one search: the best moves, each with its continuation. `capacity` bounds
    memory: nodes of the tree, or entries of the table. `among` are the root's moves to compare, if
    not all of them. `settings` are those of each module's `search`.
    """
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; expected one of {', '.join(METHODS)}")
    unit = SETTINGS[method][0]
    wrong = limit.nodes or limit.depth if unit == "simulations" else limit.simulations
    if wrong is not None:
        raise ValueError(f"{method} counts {unit}")
    if not limit:
        raise ValueError(f"a search needs a number of {unit} or of seconds")
    if lines < 1:
        raise ValueError(f"a search finds at least one line, not {lines}")
    legal = root.legal_moves()
    if not legal:
        raise ValueError("the game is over: there is nothing to search for")
    if root.turn < 0:
        raise ValueError("it is chance's turn: there is nothing to search for")
    choice = None if among is None else [move for move in legal if move in among]
    if choice is not None and not 0 < len(choice) == len(set(among or ())):
        raise ValueError("a search compares legal moves")
    evaluation = Evaluation() if evaluation is None else evaluation
    evaluation.prepare(root)
    return SEARCHES[method](root, limit, evaluation, seed, lines, capacity, choice, **settings)
