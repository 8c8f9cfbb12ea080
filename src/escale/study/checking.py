"""Checks a certificate: that a seat has what it claims, whatever all others play.

A certificate is a strategy as a text of JSON lines. The first line is its head:

    {"certificate": 1, "game": "qenj1", "position": "...", "seat": "first", "goal": "win"}

The goal is `win`, `draw` (to lose nothing), or `exercise` (`Game.exercise`). Every further line is
a node, numbered from 0, and refers to earlier ones only; the last is the strategy for the position:

    ["c3-c4", 17]           the seat plays c3-c4, then follows node 17
    ["c3-c4"]               this move reaches the goal
    {"e1-e2": 4, "": 9}     after the reply e1-e2 it follows node 4, after all others node 9
    {}                      every reply ends the game, and reaches the goal

The checker plays every reply that the rules allow, and knows nothing but the rules: no search, no
evaluation, no table of positions. A position that it has checked with the same node is not checked
again where that is sound (see `kernel/proof_search.py`: a win cannot depend on repetitions).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from escale.game.errors import BadCertificate, EscaleError, IllegalMove
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import REPETITION, Position
from escale.games import game as game_named

VERSION = 1
GOALS = {"win": 1.0, "draw": 0.5, "exercise": 1.0}
"""Each goal, and the least share of the win that it asks for at the end of the game."""
FILE_BYTES, NODES = 64 << 20, 1_000_000
"""The largest certificate that is read, and the lines of its strategy."""
POSITIONS = 2_000_000
"""Positions that are checked at most, unless the caller allows more."""
PLIES = 400
"""The longest line of play."""
REMEMBERED_HEIGHT = 3
"""Positions are remembered where the strategy goes on for at least this many plies."""

Node = tuple[str, int | None] | dict[str, int]


class Checked(NamedTuple):
    """What a certificate proves."""

    position: Position
    seat: int
    goal: str
    nodes: int
    """Lines of the strategy."""
    positions: int
    """Positions that were looked at."""
    plies: int
    """Within how many plies the goal is reached."""


def check(text: str | bytes, *, most: int = POSITIONS) -> Checked:
    """What a certificate proves; BadCertificate says what is wrong with it.

    The cost is bounded: by the file's size, and by `most` positions.
    """
    if len(text) > FILE_BYTES:
        raise BadCertificate(f"a certificate has at most {FILE_BYTES >> 20} MB")
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    head, *lines = data.splitlines() or [b""]
    if len(lines) > NODES:
        raise BadCertificate(f"a certificate has at most {NODES} lines")
    game, position, seat, goal = _read_head(_json(head, 1))
    nodes: list[Node] = []
    heights: list[int] = []
    for number, line in enumerate(lines):
        node = _read_node(_json(line, number + 2), number)
        after = [node[1]] if isinstance(node, tuple) else node.values()
        nodes.append(node)
        heights.append(1 + max((heights[one] for one in after if one is not None), default=0))
        if heights[-1] > PLIES:
            raise BadCertificate(f"line {number + 2}: a line of play has at most {PLIES} plies")
    if not nodes:
        raise BadCertificate("there is no strategy: at least one line must follow the first")
    walk = _Walk(game, nodes, heights, seat, goal, most)
    plies = walk.check(position, len(nodes) - 1)
    return Checked(position, seat, goal, len(nodes), walk.positions, plies)


class _Walk:
    """One walk through everything that the others can play."""

    def __init__(
        self, game: Game[Any], nodes: list[Node], heights: list[int], seat: int, goal: str,
        most: int,
    ) -> None:
        self.game, self.nodes, self.heights = game, nodes, heights
        self.seat, self.goal, self.most = seat, goal, most
        self.positions = 0
        self.remembers = goal == "win" or not game.has_ending(REPETITION)
        self.known: dict[tuple[int, str], int] = {}

    def check(self, here: Position, number: int) -> int:
        """Within how many plies the goal is reached from a position on."""
        self.positions += 1
        if self.positions > self.most:
            raise BadCertificate(f"there are more than {self.most} positions to check")
        name = None
        if self.remembers and self.heights[number] >= REMEMBERED_HEIGHT:
            name = (number, here.text)
            if name in self.known:
                return self.known[name]
        node = self.nodes[number]
        own = here.turn == self.seat
        if own != isinstance(node, tuple):
            expected = "a move of the seat" if own else "replies of the others"
            raise self.wrong(here, number, f"expected {expected}")
        if isinstance(node, tuple):
            try:
                move = here.find(node[0])
            except IllegalMove as error:
                raise self.wrong(here, number, f"no legal move: {error}") from None
            plies = self.after(here, move, number, node[1])
        else:
            named = self.named(here, node)
            plies = max(
                self.after(here, move, number, named.get(move.code, node.get("")))
                for move in here.moves()
            )
        if name is not None:
            self.known[name] = plies
        return plies

    def named(self, here: Position, node: dict[str, int]) -> dict[int, int]:
        """The node after each reply that is named and legal."""
        moves = here.moves() if node.keys() - {""} else ()
        return {move.code: node[move.text] for move in moves if move.text in node}

    def after(self, here: Position, move: Move, number: int, following: int | None) -> int:
        """The same after a move."""
        there = here.follow(move.code)
        done = self.reached(here, move.code, there)
        if done is False:
            raise self.wrong(here, number, f"after {move.text} the goal is missed")
        if done:
            return 1
        if following is None:
            raise self.wrong(here, number, f"nothing follows {move.text}")
        return 1 + self.check(there, following)

    def reached(self, here: Position, code: int, there: Position) -> bool | None:
        """Whether a move has reached the goal or missed it; None where the game goes on."""
        if self.goal == "exercise":
            seats = self.game.exercise(here.kernel(), code)
            return None if seats is None else self.seat in seats
        outcome = there.outcome
        return None if outcome is None else outcome.shares[self.seat] >= GOALS[self.goal]

    def wrong(self, here: Position, number: int, what: str) -> BadCertificate:
        return BadCertificate(f"line {number + 2}: {what}, at {here.text}")


def _json(line: bytes, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BadCertificate(f"line {number}: expected JSON") from None


def _read_head(head: Any) -> tuple[Game[Any], Position, int, str]:
    if not isinstance(head, dict) or head.get("certificate") != VERSION:
        raise BadCertificate(f'line 1: expected a head with "certificate": {VERSION}')
    goal = str(head.get("goal"))
    try:
        game = game_named(str(head.get("game")))
        position = game.position(str(head.get("position")))
    except EscaleError as error:
        raise BadCertificate(f"line 1: {error}") from None
    seats = game.seat_names[: position.seats]
    if head.get("seat") not in seats:
        raise BadCertificate(f"line 1: expected a seat: {', '.join(seats)}")
    if goal not in GOALS or (goal == "exercise") != game.has_exercises:
        allowed = [name for name in GOALS if (name == "exercise") == game.has_exercises]
        raise BadCertificate(f"line 1: expected a goal: {', '.join(allowed)}")
    if position.turn is None:
        raise BadCertificate("line 1: the game is over")
    return game, position, seats.index(head["seat"]), goal


def _read_node(found: Any, number: int) -> Node:
    """A node from JSON; it refers to earlier ones only."""
    if isinstance(found, list) and len(found) in (1, 2) and isinstance(found[0], str):
        after = found[1:]
        node: Node = (found[0], after[0] if after else None)
    elif isinstance(found, dict):
        node, after = found, list(found.values())
    else:
        raise BadCertificate(f"line {number + 2}: expected [move], [move, node] or {{reply: node}}")
    for one in after:
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one < number:
            raise BadCertificate(f"line {number + 2}: expected the number of an earlier node")
    return node
