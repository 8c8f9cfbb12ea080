"""Finds puzzles in games between levels: `escale study mine`.

A puzzle asks a seat to win within `n` moves. What is proven of each:

* its first move wins within `n` moves, whatever the other does, and nothing wins sooner; * no other
move wins within `n` moves: every line of as many plies was examined (`kernel.forces`); * if it is
marked `only`, no other move wins at all: after each, the other seat can force a draw or more, which
is proven by alpha-beta, and once more by `kernel.forces`.

The position begins a game of its own: earlier moves do not count, and it has occurred once. If a
game's puzzles are exercises (`Game.exercise`), the same is proven of their task, with everything
open and all other seats together against the solver; every line is examined to its end.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from escale import kernel
from escale.arena.openings import opened
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game as game_named
from escale.kernel import Limit, Random
from escale.opponents import LEVELS, think, way_of
from escale.study.puzzles import LEVEL_TRIES, Proof, Puzzle
from escale.study.solving import achieved, forced, judge
from escale.study.themes import themes_of

PLAYERS = ("matelot", "bosco", "pilote")
"""The levels whose games are searched: strong enough to get somewhere, weak enough to err."""
OPENING_PLIES = 4
"""Random plies that open a game."""
ENDING_PLIES = 24
"""This many last plies of a game are searched."""
LENGTHS = range(3, 11, 2)
"""Plies of a puzzle: two to five moves of the solver."""
WIN_NODES = 20_000
"""Nodes of the search that looks for a win."""
LIKELY_SHARE = 0.9
"""An unproven position is searched longer if the solver expects at least this share."""
LONG_LOOK_NODES = 300_000
"""The default number of nodes of that longer search."""
PROOF_POSITIONS = 2_000_000
"""The most positions to prove one move; a move that takes more makes no puzzle."""
REFUTATION_POSITIONS = 300_000
"""Positions that proving a wrong move's refutation may take."""
REFUTATION_PLIES = 12
"""Plies of the longest refutation."""
EXERCISE_PLIES = 1000
"""A bound above the plies of every exercise: exercises end by themselves."""
EXERCISE_WAYS = 20_000
"""The most ways to play an exercise out, estimated by the numbers of choices."""


@dataclass(frozen=True, slots=True)
class Dig:
    """One game to search, with everything that determines its result."""

    game: str
    options: tuple[tuple[str, str], ...]
    seated: tuple[str, ...]
    """The level on each seat."""
    seed: int
    number: int
    look: int = LONG_LOOK_NODES
    """Nodes of the longer search of positions that are probably won; 0 for none."""

    @property
    def key(self) -> str:
        """The unique name of this game."""
        words = [f"{name}={value}" for name, value in self.options]
        return " ".join(["mine", self.game, *words, f"#{self.seed}.{self.number}", *self.seated])


@dataclass(frozen=True, slots=True)
class Found:
    """The puzzles that one game gave."""

    number: int
    puzzles: tuple[Puzzle, ...]


def digs(
    slug: str, options: dict[str, str], games: int, seed: int, look: int = LONG_LOOK_NODES
) -> Iterator[Dig]:
    """The games to search, with all numbers of seats and all pairs of players in turn."""
    box = game_named(slug)
    chosen = tuple(sorted({**box.quick, **options}.items()))
    fewest, most = box.seats
    tables = [
        tuple(pair[seat % 2] for seat in range(seats))
        for pair in itertools.product(PLAYERS, repeat=2) for seats in range(fewest, most + 1)
    ]
    for number in range(games):
        yield Dig(slug, chosen, tables[number % len(tables)], seed, number, look)


@dataclass(frozen=True, slots=True)
class Trial:
    """A puzzle that every level has to try."""

    game: str
    puzzle: Puzzle

    @property
    def key(self) -> str:
        """The unique name of this puzzle."""
        return f"rate {self.game} {self.puzzle.id}"


def rate(trial: Trial) -> Puzzle:
    """The puzzle with the number of tries in which each level finds its move."""
    position = trial.puzzle.start(game_named(trial.game))
    solution = position.find(trial.puzzle.line[0])
    found = tuple(_finds(position, solution, level) for level in LEVELS)
    return replace(trial.puzzle, found=found)


def dig(work: Dig) -> Found:
    """Play a game, and look for puzzles from its end backwards."""
    game = game_named(work.game)
    found = []
    for position in _played(work, game):
        puzzle = _exercise(position) if game.has_exercises else _win(position, work.look)
        if puzzle is not None:
            origin = f"#{work.number} {'-'.join(work.seated)}, ply {position.plies}"
            found.append(replace(puzzle, origin=origin))
    return Found(work.number, tuple(found))


def _played(work: Dig, game: Game[Any]) -> list[Position]:
    """Positions of a game that are worth searching, the last first, each without its history."""
    secret = f"puzzles {work.seed} {work.number}"
    position = game.start_with(dict(work.options), seats=len(work.seated), seed=secret)
    seed = (work.seed << 32) + work.number
    if game.search == "alphabeta":
        position = opened(position, OPENING_PLIES, Random(seed))
    ways = [way_of(game, level) for level in work.seated]   # budgets, and no limit of time
    played = []
    while position.turn is not None:
        played.append(position)
        found = think(position, ways[position.turn], seed=seed * 1009 + position.plies)
        position = position.play(found.move)
    late = played if game.has_exercises else played[-ENDING_PLIES:]
    return [game.position(position.text) for position in reversed(late)
            if "seen=" not in position.text]


# ---- a win ----


def _win(position: Position, look: int) -> Puzzle | None:
    """The puzzle in a position for two seats, if there is one."""
    seat, moves = position.turn, position.moves()
    assert seat is not None
    if len(moves) < 2:
        return None
    seen = think(position, limit=Limit(nodes=WIN_NODES))
    if look and not seen.proven and seen.shares[seat] > LIKELY_SHARE:
        seen = think(position, limit=Limit(nodes=look))
    if not seen.proven or seen.shares[seat] < 1 or not _missed(position, seen.move):
        return None
    longest = seen.plies_to_end
    assert longest is not None
    after = {move: position.play(move) for move in moves}
    for plies in range(1, min(longest, LENGTHS[-1]) + 1, 2):
        winners = []
        for move in moves:
            wins = forced(after[move], seat, plies - 1, PROOF_POSITIONS)
            if wins is None:
                return None
            if wins:
                winners.append(move)
        if winners:
            break
    if len(winners) != 1 or plies not in LENGTHS or not _missed(position, winners[0]):
        return None
    others = [after[move] for move in moves if move != winners[0]]
    only = all(_fails(other, seat) for other in others)
    return _puzzle(position, winners[0], plies, "only" if only else "soonest")


def _fails(after: Position, seat: int) -> bool:
    """Whether two proofs show that a seat cannot win any more."""
    other = 1 - seat
    if after.outcome is not None:
        return after.outcome.shares[seat] < 1
    seen = think(after, limit=Limit(nodes=WIN_NODES))
    if not seen.proven or seen.shares[seat] == 1:
        return False
    return refuted_within(after, other, seen.plies_to_end or 0) is not None


def refuted_within(after: Position, other: int, most: int = REFUTATION_PLIES) -> int | None:
    """The number of plies within which the other seat can force a share; None if none is found."""
    least = 1e-9
    for plies in range(min(most, REFUTATION_PLIES) + 1):
        if kernel.forces(after.kernel(), other, plies, least=least, nodes=REFUTATION_POSITIONS):
            return plies
    return None


# ---- an exercise ----


def _exercise(position: Position) -> Puzzle | None:
    """The puzzle in a position of an exercise, if there is one."""
    seat, moves = position.turn, position.moves()
    assert seat is not None
    if len(moves) < 2 or not _small(position):
        return None
    winners = [move for move in moves if forced(position.play(move), seat, 0)]
    if len(winners) != 1 or not _missed(position, winners[0]):
        return None
    return _puzzle(position, winners[0], EXERCISE_PLIES, "only")


def _small(position: Position) -> bool:
    """Whether an exercise that goes on can be examined to its end."""
    ways, here, plies = 1, position, 0
    while achieved(here) is None:
        moves = here.moves()
        ways *= len(moves)
        if ways > EXERCISE_WAYS:
            return False
        here = here.play(moves[0])
        plies += 1
    return plies > position.seats


# ---- the data of a puzzle ----


def _missed(position: Position, solution: Move) -> bool:
    """Whether the weakest level misses the move in most tries."""
    return 2 * _finds(position, solution, LEVELS[0]) < LEVEL_TRIES


def _finds(position: Position, solution: Move, level: str) -> int:
    """The number of tries in which a level finds the move, without a limit of time."""
    way = way_of(position.game, level)
    return sum(think(position, way, seed=seed).move == solution for seed in range(LEVEL_TRIES))


def _puzzle(position: Position, solution: Move, plies: int, proof: Proof) -> Puzzle:
    seat = position.turn
    assert seat is not None
    bare = Puzzle("", position.text, 0, ("",) * plies, proof, (), (), "")
    line = [solution.text]
    here = position.play(solution)
    positions = [position, here]
    moves = 1
    while achieved(here) is None:
        for reply in judge(bare, here).replies:
            line.append(reply.text)
            here = here.play(reply)
            positions.append(here)
        if achieved(here) is None:
            left = plies - len(line)
            following = next(move for move in here.moves()
                             if forced(here.play(move), seat, left - 1))
            line.append(following.text)
            here = here.play(following)
            positions.append(here)
            moves += 1
    themes = themes_of(position.game, positions, seat)
    return Puzzle(name_of(position), position.text, moves, tuple(line), proof, themes, (), "")


def name_of(position: Position) -> str:
    """A key that positions share exactly if the rules do not distinguish them."""
    assert position.turn is not None
    tables = [(position.cells, position.turn)]
    tables += position.game.mirrors(position.cells, position.turn)
    gist = min(repr((sorted(cells.items(), key=repr), turn)) for cells, turn in tables)
    return hashlib.sha256(gist.encode()).hexdigest()[:6]


# ---- selection ----


def chosen(found: Iterable[Found], count: int) -> list[Puzzle]:
    """At most `count` puzzles, one of each game, all different: of all lengths and themes in turn.

    Puzzles whose win is proven to be the only one come before those where it is only the soonest.
    """
    known: set[str] = set()
    shelves: dict[tuple[str, int], dict[str, list[Puzzle]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(found, key=lambda found: found.number):
        fresh = [puzzle for puzzle in one.puzzles if puzzle.id not in known]
        if fresh:
            best = max(fresh, key=lambda puzzle: (puzzle.proof == "only", puzzle.moves))
            known.add(best.id)
            theme = best.themes[0] if best.themes else ""
            shelves[best.proof, best.moves][theme].append(best)
    kept: list[Puzzle] = []
    for proof in ("only", "soonest"):
        lengths = [
            _in_turn(list(themes.values()))
            for (kind, _), themes in sorted(shelves.items()) if kind == proof
        ]
        kept += _in_turn(lengths)
    return kept[:count]


def _in_turn(lists: list[list[Puzzle]]) -> list[Puzzle]:
    """The first of each list, then the second of each, and so on."""
    rounds = itertools.zip_longest(*lists)
    return [puzzle for some in rounds for puzzle in some if puzzle is not None]
