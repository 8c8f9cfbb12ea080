"""Makes certificates: proofs that can be carried away, and checked by `checking.py` alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

from escale.game.errors import NotNow
from escale.game.moves import Move
from escale.game.position import REPETITION, Position
from escale.kernel import Limit, ProofSearch
from escale.study.checking import GOALS, VERSION
from escale.study.puzzles import Puzzle
from escale.study.solving import achieved, forced

NODES = 2_000_000
"""The effort of a search for a proof, unless the caller says otherwise."""
MEMORY = 1 << 26
"""Bytes of its table."""
STRATEGY_NODES = 500_000
"""The largest strategy that is written."""
LOST_NODES = 100_000
"""The effort to find again a move that has given way to another in the table."""


def certify(
    position: Position, seat: int, goal: str = "win", *, limit: Limit | None = None,
    plies: int | None = None, memory: int = MEMORY,
) -> str:
    """A certificate that a seat can be sure of a goal; NotNow if no proof was found.

    `memory` is the size of the search's table in bytes.
    """
    game = position.game
    if position.turn is None:
        raise NotNow("the game is over: there is nothing to prove")
    if goal == "exercise":
        reply = _exercise(position, seat)
    elif game.hides:
        raise NotNow(f"at {game.title} something is hidden: no result is certain")
    else:
        state = position.kernel()
        search = ProofSearch(state, seat, GOALS[goal], memory, plies)
        if search.prove(state, limit or Limit(nodes=NODES)) is None:
            raise NotNow(f"no proof was found in {search.searched} positions")
        lost = Limit(nodes=LOST_NODES)

        def reply(here: Position) -> int | None:
            return search.reply(here.kernel(), lost)
    strategy = _Strategy(position, seat, goal, reply)
    number = strategy.follow(position)
    if number < len(strategy.lines) - 1:        # the last line is the strategy for the position
        strategy.lines.append(strategy.lines[number])
    head = {
        "certificate": VERSION, "game": game.slug, "position": position.text,
        "seat": game.seat_names[seat], "goal": goal,
    }
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (head, *strategy.lines)
    )


def certify_puzzle(puzzle: Puzzle, position: Position) -> str:
    """The certificate that a puzzle's solution reaches its goal in time."""
    assert position.turn is not None
    if position.game.has_exercises:
        return certify(position, position.turn, "exercise")
    return certify(position, position.turn, plies=puzzle.plies)


class _Strategy:
    """The lines of a certificate: what is the same is written once."""

    def __init__(
        self, position: Position, seat: int, goal: str, reply: Callable[[Position], int | None]
    ) -> None:
        self.game, self.seat, self.goal, self.reply = position.game, seat, goal, reply
        self.lines: list[list[str | int] | dict[str, int]] = []
        self.numbers: dict[str, int] = {}
        self.shared = goal == "win" or not self.game.has_ending(REPETITION)
        self.known: dict[str, int] = {}

    def follow(self, here: Position) -> int:
        """The number of the node for a position."""
        name = here.text if self.shared else ""
        if name in self.known:
            return self.known[name]
        number = self.add(self.own(here) if here.turn == self.seat else self.others(here))
        if name:
            self.known[name] = number
        return number

    def own(self, here: Position) -> list[str | int]:
        code = self.reply(here)
        if code is None:
            raise NotNow("a part of the proof was lost: it needs more memory")
        text = Move(here, code).text
        there = here.follow(code)
        return [text] if self.over(there) else [text, self.follow(there)]

    def others(self, here: Position) -> dict[str, int]:
        after = {}
        for move in here.moves():
            there = here.follow(move.code)
            if not self.over(there):
                after[move.text] = self.follow(there)
        if not after:
            return {}
        usual = Counter(after.values()).most_common(1)[0][0]
        return {**{text: one for text, one in after.items() if one != usual}, "": usual}

    def over(self, there: Position) -> bool:
        return achieved(there) is not None if self.goal == "exercise" else there.turn is None

    def add(self, line: list[str | int] | dict[str, int]) -> int:
        """The number of a line, which is written if it is new."""
        written = json.dumps(line, sort_keys=True)
        if written not in self.numbers:
            if len(self.lines) >= STRATEGY_NODES:
                raise NotNow(f"the strategy has more than {STRATEGY_NODES} lines")
            self.numbers[written] = len(self.lines)
            self.lines.append(line)
        return self.numbers[written]


def _exercise(position: Position, seat: int) -> Callable[[Position], int | None]:
    """What a seat plays in an exercise, by looking at everything that can be played."""
    def reply(here: Position) -> int | None:
        moves = (move for move in here.moves() if forced(here.play(move), seat, 0))
        return next((move.code for move in moves), None)
    return reply
