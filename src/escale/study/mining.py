"""Finds puzzles in games between levels: `escale study mine`.

A puzzle asks a seat to win within `n` moves. What is proven of each:

* its first move wins within `n` moves, whatever the other does, and nothing wins sooner;
* no other move wins within `n` moves: every line of as many plies was examined (`kernel.forces`);
* if it is marked `only`, no other move wins at all: after each, the other seat can force a draw or
  more, which alpha-beta and a proof-number search both prove;
* if it is marked `clear`, no other move wins within one more move of the solver either;
* otherwise the other seat threatens to win at once (theme `threat`), which is why it matters to win
  soonest.

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
from escale.study.facts import winning_move
from escale.study.puzzles import BEGINNERS, LEVEL_TRIES, Proof, Puzzle
from escale.study.solving import achieved, forced, judge
from escale.study.themes import menaced, themes_of

PLAYERS = ("bosco", "pilote", "capitaine")
"""The levels whose games are searched: strong enough to get somewhere, weak enough to err."""
OPENING_PLIES = 4
"""Random plies that open a game."""
ENDING_PLIES = 24
"""This many last plies of a game are searched."""
LENGTHS = range(3, 11, 2)
"""Plies of a puzzle: two to five moves of the solver."""
WIN_NODES = 10_000
"""Nodes of the search that looks for a win."""
RIVAL_SHARE = 0.9
"""Where the second-best move promises more, the best is hardly the only one that wins."""
PROOF_POSITIONS = 2_000_000
"""The most positions to prove one move; a move that takes more makes no puzzle."""
REFUTATION_NODES = 20_000
"""Nodes of the search that proves a wrong move's refutation."""
HARD_REFUTATIONS, HARD_REFUTATION_NODES = 4, 400_000
"""For at most so many wrong moves the search for a refutation is longer."""
CLEAR_PLIES = 2
"""The plies by which all other wins are longer where a puzzle is marked `clear`."""
REFUTATION_MEMORY = 1 << 24
"""Bytes for one of them."""
PUZZLES_PER_GAME = 4
"""A game is given up after so many puzzles; at most one of each proof is kept."""
TRIVIAL_SHARE = 0.9
"""No puzzle is solved by the weakest level in more than this share of its tries."""
MOST_SOONEST = 0.2
"""The largest share of puzzles that are marked `soonest`."""
BEGINNER_PUZZLES = 16
"""Puzzles for beginners that are kept before all others, if there are so many."""
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


def digs(slug: str, options: dict[str, str], games: int, seed: int) -> Iterator[Dig]:
    """The games to search, with all numbers of seats and all pairs of players in turn."""
    box = game_named(slug)
    chosen = tuple(sorted({**box.quick, **options}.items()))
    fewest, most = box.seats
    tables = [
        tuple(pair[seat % 2] for seat in range(seats))
        for pair in itertools.product(PLAYERS, repeat=2) for seats in range(fewest, most + 1)
    ]
    for number in range(games):
        yield Dig(slug, chosen, tables[number % len(tables)], seed, number)


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
    """The puzzle with the tries of each level."""
    return tried(trial.puzzle, trial.puzzle.start(game_named(trial.game)), LEVELS)


def dig(work: Dig) -> Found:
    """Play a game, and look for puzzles from its end backwards, then one move beside it."""
    game = game_named(work.game)
    found: list[Puzzle] = []
    played = _played(work, game)
    for position in itertools.chain(played, _threats(played)):
        puzzle = _exercise(position) if game.has_exercises else _win(position)
        if puzzle is not None:
            origin = f"#{work.number} {'-'.join(work.seated)}, ply {position.plies}"
            found.append(replace(puzzle, origin=origin))
        if len(found) == PUZZLES_PER_GAME or (found and position not in played):
            break
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


def _threats(played: list[Position]) -> Iterator[Position]:
    """Positions after other moves than those of a game, by which a seat threatens to win at once.

    The other cannot win at once, and must not wait: there may be one move that wins.
    """
    for position in played:
        if position.game.has_exercises:
            return
        for move in position.moves():
            after = position.play(move)
            if after.turn not in (None, position.turn) and winning_move(after) is None \
                    and menaced(after):
                yield position.game.position(after.text)


# ---- a win ----


def _win(position: Position) -> Puzzle | None:
    """The puzzle in a position for two seats, if there is one."""
    seat, moves = position.turn, position.moves()
    assert seat is not None
    if len(moves) < 2:
        return None
    best, rival, *_ = think(position, limit=Limit(nodes=WIN_NODES), lines=2).lines
    longest = best.plies_to_end
    if not best.proven or best.shares[seat] < 1 or longest is None or longest < LENGTHS[0]:
        return None
    later = rival.plies_to_end if rival.proven and rival.shares[seat] == 1 else None
    if later is not None and later <= longest + CLEAR_PLIES and not menaced(position):
        return None
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
    if len(winners) != 1 or plies not in LENGTHS:
        return None
    others = [after[move] for move in moves if move != winners[0]]
    proof = _proof(position, others, seat, plies, alone=rival.shares[seat] < RIVAL_SHARE)
    return None if proof is None else _puzzle(position, winners[0], plies, proof)


def _proof(
    position: Position, others: list[Position], seat: int, plies: int, *, alone: bool
) -> Proof | None:
    """What is proven of all other moves; None if that makes no puzzle."""
    if alone and _refuted(others, seat):
        return "only"
    if not any(
        forced(other, seat, plies - 1 + CLEAR_PLIES, PROOF_POSITIONS) is not False
        for other in others
    ):
        return "clear"
    return "soonest" if menaced(position) else None


def _refuted(others: list[Position], seat: int) -> bool:
    """Whether a seat cannot win any more in any of these positions: proven twice."""
    hard = []
    for after in others:
        if not _fails(after, seat, REFUTATION_NODES):
            hard.append(after)
        if len(hard) > HARD_REFUTATIONS:
            return False
    return all(_fails(after, seat, HARD_REFUTATION_NODES) for after in hard)


def _fails(after: Position, seat: int, nodes: int) -> bool:
    """Whether two proofs show that a seat cannot win any more."""
    if after.outcome is not None:
        return after.outcome.shares[seat] < 1
    limit = Limit(nodes=nodes)
    seen = think(after, limit=limit)
    if not seen.proven or seen.shares[seat] == 1:
        return False
    return kernel.prove(
        after.kernel(), 1 - seat, limit, least=1e-9, memory=REFUTATION_MEMORY
    ) is not None


# ---- an exercise ----


def _exercise(position: Position) -> Puzzle | None:
    """The puzzle in a position of an exercise, if there is one."""
    seat, moves = position.turn, position.moves()
    assert seat is not None
    if len(moves) < 2 or not _small(position):
        return None
    winners = [move for move in moves if forced(position.play(move), seat, 0)]
    if len(winners) != 1:
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


# ---- the tries of the levels ----


def tried(puzzle: Puzzle, start: Position, levels: Iterable[str]) -> Puzzle:
    """The puzzle with the tries of these levels, by their budgets and without a limit of time."""
    known: dict[tuple[str, ...], Position | bool | None] = {}
    found, slower = [], []
    for level in levels:
        ends = [_try(puzzle, start, level, seed, known) for seed in range(LEVEL_TRIES)]
        found.append(sum(end is True for end in ends))
        slower.append(sum(end is None for end in ends))
    return replace(puzzle, found=tuple(found), slower=tuple(slower))


def _try(
    puzzle: Puzzle, here: Position, level: str, seed: int,
    known: dict[tuple[str, ...], Position | bool | None],
) -> bool | None:
    """Whether a level solves a puzzle; None if it wins for certain, but too late."""
    way = way_of(here.game, level)
    line: tuple[str, ...] = ()
    while True:
        move = think(here, way, seed=seed).move
        line = (*line, move.text)
        if line not in known:
            known[line] = _answered(puzzle, here.play(move))
        end = known[line]
        if not isinstance(end, Position):
            return end
        here = end


def _answered(puzzle: Puzzle, here: Position) -> Position | bool | None:
    """The position after the others' replies to a right move; else how the try has ended."""
    verdict = judge(puzzle, here)
    if verdict.kind != "right":
        return {"solved": True, "slower": None, "wrong": False}[verdict.kind]
    for reply in verdict.replies:
        here = here.play(reply)
    return here


# ---- the data of a puzzle ----


def _puzzle(position: Position, solution: Move, plies: int, proof: Proof) -> Puzzle | None:
    seat = position.turn
    assert seat is not None
    bare = Puzzle("", position.text, 0, ("",) * plies, proof, (), (), (), "")
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
    game = position.game
    themes = themes_of(game, positions, seat)
    if game.puzzle_contact and not game.puzzle_contact & set(themes):
        return None
    puzzle = Puzzle(name_of(position), position.text, moves, tuple(line), proof, themes, (), (), "")
    puzzle = tried(puzzle, position, BEGINNERS)
    return None if puzzle.found[0] > TRIVIAL_SHARE * LEVEL_TRIES else puzzle


def name_of(position: Position) -> str:
    """A key that positions share exactly if the rules do not distinguish them."""
    assert position.turn is not None
    tables = [(position.cells, position.turn)]
    tables += position.game.mirrors(position.cells, position.turn)
    gist = min(repr((sorted(cells.items(), key=repr), turn)) for cells, turn in tables)
    return hashlib.sha256(gist.encode()).hexdigest()[:6]


# ---- selection ----


def chosen(found: Iterable[Found], count: int) -> list[Puzzle]:
    """At most `count` puzzles, all different, of all lengths and themes in turn.

    First those for beginners, then those that the weak levels solve least often. Puzzles in which
    no other move wins come before the `clear` ones; of the others there are no more than
    `MOST_SOONEST`. Of one game of the arena one puzzle of each of these kinds is kept at most.
    """
    known: set[str] = set()
    kinds: dict[str, list[Puzzle]] = {"easy": [], "only": [], "clear": [], "soonest": []}
    for one in sorted(found, key=lambda found: found.number):
        taken: set[str] = set()
        for puzzle in sorted(one.puzzles, key=_strangeness):
            kind = "easy" if puzzle.for_beginners and puzzle.proof != "soonest" else puzzle.proof
            if kind not in taken and puzzle.id not in known:
                taken.add(kind)
                known.add(puzzle.id)
                kinds[kind].append(puzzle)
    easy, only, clear, soonest = map(_varied, kinds.values())
    first = [*easy[:BEGINNER_PUZZLES], *only, *clear, *easy[BEGINNER_PUZZLES:]]
    few = int(MOST_SOONEST * min(count, len(first) / (1 - MOST_SOONEST)))
    soonest = soonest[:few]
    return [*first[: count - len(soonest)], *soonest]


def _strangeness(puzzle: Puzzle) -> tuple[int, str]:
    """The tries in which beginners solve a puzzle: few for one that is hard to see."""
    return sum(puzzle.found), puzzle.id


def _varied(puzzles: list[Puzzle]) -> list[Puzzle]:
    """All lengths and themes in turn, of each the hardest first."""
    shelves: dict[int, dict[str, list[Puzzle]]] = defaultdict(lambda: defaultdict(list))
    for puzzle in sorted(puzzles, key=_strangeness):
        shelves[puzzle.moves][puzzle.themes[0] if puzzle.themes else ""].append(puzzle)
    return _in_turn([_in_turn(list(themes.values())) for _, themes in sorted(shelves.items())])


def _in_turn(lists: list[list[Puzzle]]) -> list[Puzzle]:
    """The first of each list, then the second of each, and so on."""
    rounds = itertools.zip_longest(*lists)
    return [puzzle for some in rounds for puzzle in some if puzzle is not None]
