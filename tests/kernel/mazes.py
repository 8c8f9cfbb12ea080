"""Small games made to mislead, by results that depend on the way or by estimates that seem certain.

A maze is a graph: at each place one of the seats chooses where to go, and not always in turn. Some
places end the game. A place met for the third time ends it too, and so does the last ply. The games
are plain Python, so that only an uncompiled kernel can search them.
"""

from __future__ import annotations

import importlib
import random
from typing import Any

from escale.kernel import CHANCE

core: Any = importlib.import_module("escale.kernel.core")
kernel: Any = importlib.import_module("escale.kernel")

SHARES = (0.0, 0.0, 0.5, 0.75, 1.0, 1.0)


def maze(seed: int, *, lots: bool = False) -> Any:
    """A maze to stand in, drawn at random; the same seed, the same maze."""
    chance = random.Random(seed)
    places = chance.randrange(4, 8)
    seats = [0, 1, CHANCE] if lots else [0, 1]
    turns = [0] + [chance.choice(seats) for _ in range(places - 1)]
    ends = {place: chance.choice(SHARES) for place in range(places - 1, places)}
    ways = [chance.sample(range(places), chance.choice([1, 2, 2, 2])) for _ in range(places)]
    last = chance.randrange(6, 13)
    thirds = chance.choice(SHARES)

    class Maze(core.State):  # type: ignore[misc]
        def __init__(self) -> None:
            core.State.__init__(self)
            self.cycle = 1
            self.place = 0
            self.turn = turns[0]
            self.resume(0, 1)

        def _legal_moves(self, out: Any) -> None:
            if self.place not in ends and self.occurrences < 3 and self.plies < last:
                for way in ways[self.place]:
                    core.add(out, way)

        def _play(self, move: int) -> None:
            self.place = move
            self.turn = turns[move]
            self.plies += 1
            self.record(self._key(), self.recorded)

        def _result(self, shares: list[float]) -> int:
            end = ends.get(self.place)
            if end is None:
                end = thirds if self.occurrences >= 3 else 0.5
            shares[0], shares[1] = end, 1 - end
            return 0

        def _key(self) -> int:
            return int(core.mix(1, self.place))

        def _chance_weight(self, move: int) -> int:
            return 1 + move % 3

    return Maze()


def faults(mazes: int) -> list[str]:
    """What the searches claim wrongly, or alpha-beta fails to prove, in so many mazes."""
    assert not kernel.COMPILED
    found = []
    for seed in range(mazes):
        start = maze(seed)
        wander = random.Random(seed)
        for _ in range(wander.randrange(4)):
            moves = start.legal_moves()
            if moves:
                start.play(wander.choice(moves))
        if not start.legal_moves():
            continue
        low, high = kernel.brute_force(start, 13)
        assert low == high
        for method, budget, enough in (("mcts", "simulations", 3000), ("alphabeta", "nodes", 9000)):
            for amount in (15, enough):
                limit = kernel.Limit(**{budget: amount})
                thought = kernel.search(start, method, limit, seed=seed)
                name = f"maze {seed} {method} {amount}"
                if not thought.proven:
                    if method == "alphabeta" and amount == enough:
                        found.append(f"{name}: not proven, but {low}")
                    continue
                bounds = kernel.brute_force(start, thought.plies_to_end)
                if not thought.shares[0] == bounds[0] == bounds[1]:
                    found.append(f"{name}: {thought}, but {bounds}")
    return found


def faults_with_lots(mazes: int) -> list[str]:
    """The same for claims only, where chance has its turns."""
    found = []
    for seed in range(mazes):
        start = maze(seed, lots=True)
        for method, budget in (("mcts", "simulations"), ("alphabeta", "nodes")):
            thought = kernel.search(start, method, kernel.Limit(**{budget: 800}), seed=seed)
            if thought.proven:
                bounds = kernel.brute_force(start, thought.plies_to_end)
                if not thought.shares[0] == bounds[0] == bounds[1]:
                    found.append(f"maze {seed} {method}: {thought}, but {bounds}")
    return found


def certain_estimates() -> list[int]:
    """The choices of alpha-beta, either seat first, before a chance outcome that is foreseen."""

    class Bet(core.State):  # type: ignore[misc]
        def __init__(self, first: int = 0) -> None:
            core.State.__init__(self)
            self.turn = first
            self.bet = -1
            self.resume(0, 1)

        def _legal_moves(self, out: Any) -> None:
            for number in range(3):
                core.add(out, number)

        def _play(self, move: int) -> None:
            self.bet = move
            self.turn = CHANCE

    class Certain(kernel.Evaluation):  # type: ignore[misc]
        def _estimate(self, state: Bet, shares: list[float]) -> bool:
            shares[0], shares[1] = ((0.5, 0.5), (1.0, 0.0), (0.0, 1.0))[state.bet]
            return True

    limit = kernel.Limit(nodes=50)
    return [
        int(kernel.search(Bet(first), "alphabeta", limit, evaluation=Certain()).move)
        for first in (0, 1)
    ]


def likely_draws(contempt: int) -> list[list[float]]:
    """What alpha-beta thinks of two ways, either seat first, whoever is on turn after them.

    By evaluation the first is better, but likely to be drawn; the second is not.
    """

    class Fork(core.State):  # type: ignore[misc]
        def __init__(self, first: int = 0, then: int = 0) -> None:
            core.State.__init__(self)
            self.turn = self.first = first
            self.then = then
            self.way = -1
            self.resume(0, 1)

        def _legal_moves(self, out: Any) -> None:
            for number in range(2):
                core.add(out, number)

        def _play(self, move: int) -> None:
            self.plies += 1
            self.way = move
            self.turn = self.then

        def _key(self) -> int:
            return int(core.mix(self.turn + 1, self.way + 1))

    class Torn(kernel.Evaluation):  # type: ignore[misc]
        def _evaluate(self, state: Fork) -> int:
            value = (200, 100)[state.way]
            return value if state.turn == state.first else -value

        def _draw_odds(self, state: Fork) -> int:
            return (250, -2000)[state.way]

    limit = kernel.Limit(depth=1, nodes=50)
    thoughts = [
        kernel.search(
            Fork(first, then), "alphabeta", limit, evaluation=Torn(), contempt=contempt
        )
        for first in (0, 1) for then in (0, 1)
    ]
    return [[thought.move, max(thought.shares)] for thought in thoughts]


def false_proofs(mazes: int) -> list[str]:
    """What a search for proofs claims wrongly in so many mazes, half of them with chance.

    It must find what is there to be found, unless a third occurrence brings it or chance does.
    """
    found = []
    for seed in range(mazes):
        start = maze(seed, lots=seed % 2 == 1)
        worst = worst_shares(start, 13)
        for seat in (0, 1):
            for least in (0.5, 0.75, 1.0):
                search = kernel.ProofSearch(start, seat, least)
                proof = search.prove(start, kernel.Limit(nodes=20_000))
                name = f"maze {seed}, seat {seat}, {least}: {proof}, but {worst[seat]}"
                if proof is not None and worst[seat] < least:
                    found.append(name)
                if proof is None and worst[seat] >= least and least < 1:
                    found.append(f"{name}: not found")
    return found


def worst_shares(state: Any, plies: int) -> tuple[float, float]:
    """What each seat gets for certain if chance is against it."""
    moves = state.legal_moves()
    if not moves:
        shares = state.result()[1]
        return shares[0], shares[1]
    assert plies
    after = [worst_shares(state.child(move), plies - 1) for move in moves]
    return (
        (max if state.turn == 0 else min)(one for one, _ in after),
        (max if state.turn == 1 else min)(one for _, one in after),
    )
