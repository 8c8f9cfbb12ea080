"""One way to ask for a move, whichever search answers."""

from __future__ import annotations

from escale.kernel import alphabeta, ismcts, mcts
from escale.kernel.core import State
from escale.kernel.thought import Thought

SEARCHES = {"mcts": mcts.search, "ismcts": ismcts.search, "alphabeta": alphabeta.search}
METHODS = tuple(SEARCHES)
SETTINGS = {
    "mcts": ("simulations", "temperature"),
    "ismcts": ("simulations", "temperature"),
    "alphabeta": ("nodes", "noise", "sure", "slip", "scorn"),
}
"""What each method can be told by a whole number; the first is its budget."""


def think(
    root: State,
    method: str = "mcts",
    *,
    simulations: object = None,
    nodes: object = None,
    seconds: object = None,
    seed: object = 0,
    without: object = (),
    capacity: object = None,
    **more: object,
) -> Thought:
    """Search for the best move of the seat on turn.

    `mcts` and `ismcts` take a number of `simulations`, `alphabeta` a number of `nodes`, all may
    take a number of `seconds`, and what is reached first ends the search; a proven result ends it
    at once. The same position, seed and budget give the same thought, as long as time does not end
    it. `ismcts` thinks about all tables that look alike to the seat on turn, the others about the
    one table that they are given.

    Moves in `without` are left out: for second-best lines. `capacity` bounds memory: nodes of the
    tree, or entries of the table. `more` goes to the search: see each module's `search`.
    """
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; expected one of {', '.join(METHODS)}")
    budget, other, name = simulations, nodes, "simulation"
    if method == "alphabeta":
        budget, other, name = nodes, simulations, "node"
    if other is not None:
        raise ValueError(f"{method} counts {name}s")
    if budget is None and seconds is None:
        raise ValueError(f"think needs a number of {name}s or of seconds")
    if budget is not None and budget < 1:
        raise ValueError(f"think needs at least one {name}, not {budget}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"think needs some time, not {seconds} seconds")
    legal = root.legal()
    if not legal:
        raise ValueError("the game is over: there is nothing to think about")
    if root.turn < 0:
        raise ValueError("a lot is to be drawn: there is nothing to think about")
    if all(move in without for move in legal):
        raise ValueError("no move is left to think about")
    return SEARCHES[method](root, budget, seconds, seed, without, capacity, **more)
