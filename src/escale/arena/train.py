"""Learning an evaluation: alpha-beta plays against itself, and its weights are fitted to the games.

A plan decides everything. It begins with weights of 0, so that what is in `weights.toml` now does
not matter, or with hints, where a game must be played with some sense to have a winner at all. Each
generation plays with the weights of the one before and learns from its own games alone. Each game
has its own random numbers: how many processes play does not matter either.

What a position teaches is the share of the win that its seat is to expect. It is worked out
backwards from the end of the game: the target of a position is its search's value, mixed with the
target of the next position (`trust` of the latter). Before a random move there is nothing to carry
back, for the search's choice was not played: the value stands alone. This is Watkins's way of
cutting TD(λ) where play explores (C. J. C. H. Watkins, "Learning from delayed rewards", 1989), on
values of searches rather than of single positions. The first generation's searches know nothing:
it learns from results only.

At each position of a game a random move is looked at too: the position after it is valued by a
search of its own (`aside`). Most positions at which a search stops are such ones, which good play
never comes to. Positions at which no search stops teach nothing (`Position.restless`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from escale import kernel
from escale.arena.runners import pool_of
from escale.games import game
from escale.kernel.fit import fit, loss
from escale.kernel.weights import ODDS, Weights, weights_in
from escale.play.errors import BadOption

LEARNT = "# Learnt by: "
"""Begins the line of `weights.toml` that has the command."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what is learnt."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    hints: tuple[tuple[str, str], ...] = ()
    """Weights that the first generation plays with, as names and numbers with commas between."""
    generations: int = 4
    games: int = 1000
    """In each generation."""
    nodes: int = 500
    """That each search may visit."""
    opening: int = 8
    """Games open with up to so many random moves."""
    explore: float = 0.05
    """How often a later move is random."""
    trust: float = 0.9
    """How much of a target comes from the next position."""
    aside: float = 1.0
    """How often a random move is looked at without being played."""
    ridge: float = 4.0
    """How many positions' worth of doubt each weight is met with."""
    seed: int = 1

    @property
    def command(self) -> str:
        """The command that learns the same."""
        options = "".join(f" -o {name}={value}" for name, value in self.options)
        hints = "".join(f" --hint {name}={numbers}" for name, numbers in self.hints)
        return (
            f"escale arena train {self.game}{options}{hints} --generations {self.generations} "
            f"--games {self.games} --nodes {self.nodes} --opening {self.opening} "
            f"--explore {self.explore:g} --trust {self.trust:g} --aside {self.aside:g} "
            f"--ridge {self.ridge:g} --seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions, each as its features in one row, and the share of the win to expect in each."""

    features: array[int]
    targets: array[float]

    def extend(self, other: Lessons) -> None:
        """Add others to these."""
        self.features.extend(other.features)
        self.targets.extend(other.targets)


@dataclass(frozen=True, slots=True)
class Generation:
    """What came of one generation."""

    number: int
    positions: int
    doubt: float
    """The mean cross-entropy of its targets by its own weights; 0.693 for a coin."""
    doubt_before: float
    """The same by the weights that it played with."""
    row: list[int]
    """The weights."""


Job = tuple[Plan, list[int], int, int]
"""A plan, the weights to play with, the generation, the number of a game in it."""
Runner = Callable[[Iterable[Job]], Iterator[Lessons]]
"""Plays games, and gives their lessons in order."""


def weights_of(slug: str) -> Weights:
    """The weights of a game's evaluation; BadOption if it cannot be learnt."""
    box = game(slug)
    weights = weights_in(box.folder)
    if weights is None or box.seats != (2, 2):
        raise BadOption(f"{slug} has no evaluation with weights to learn")
    return weights


def first_row(plan: Plan) -> list[int]:
    """The weights of the first generation: the plan's hints, and else 0."""
    hints, row = dict(plan.hints), []
    for name, size in weights_of(plan.game).sizes.items():
        words = hints.pop(name, "0" + ",0" * (size - 1)).split(",")
        if len(words) != size or not all(re.fullmatch(r"-?\d+", word) for word in words):
            raise BadOption(f"the hint {name} must have {size} whole numbers")
        row += [int(word) for word in words]
    if hints:
        raise BadOption(f"{plan.game} has no weights named {', '.join(hints)}")
    return row


def train(plan: Plan, run: Runner) -> Iterator[Generation]:
    """Learn, one generation after the other; the last one's weights are what was learnt."""
    row = first_row(plan)
    size = len(row)
    for number in range(plan.generations):
        lessons = Lessons(array("h"), array("d"))
        for some in run((plan, row, number, i) for i in range(plan.games)):
            lessons.extend(some)
        before = array("d", [weight / ODDS for weight in row])
        logits = fit(lessons.features, lessons.targets, size, plan.ridge)
        row = [round(ODDS * weight) for weight in logits]
        yield Generation(
            number, len(lessons.targets),
            loss(lessons.features, lessons.targets, array("d", [w / ODDS for w in row])),
            loss(lessons.features, lessons.targets, before), row,
        )


def in_processes(workers: int) -> Runner:
    """A runner with so many processes of this machine."""

    def run(jobs: Iterable[Job]) -> Iterator[Lessons]:
        with pool_of(workers) as pool:
            yield from pool.map(study, jobs, chunksize=8)

    return run


def study(job: Job) -> Lessons:
    """Play a game and say what it teaches."""
    plan, row, generation, number = job
    weights = weights_of(plan.game)
    with weights.using(row):
        valued = [
            (position, target) for position, target in _play(plan, generation, number)
            if not position.restless()
        ]
    lessons = Lessons(array("h"), array("d", [target for _, target in valued]))
    for values in weights.features([position for position, _ in valued]):
        lessons.features.extend(values)
    return lessons


def _play(plan: Plan, generation: int, number: int) -> list[tuple[kernel.Position, float]]:
    """The positions of a game, and the share of the win that its seat is to expect in each."""
    random = kernel.Random((plan.seed * 1_000 + generation) * 1_000_000 + number)
    here = game(plan.game).start_with(dict(plan.options)).kernel()
    opening = random.integer(plan.opening + 1)
    line: list[Turn] = []
    valued: list[tuple[kernel.Position, float]] = []
    while legal := here.legal():
        if here.turn == kernel.CHANCE:
            here.make(kernel.draw_lot(here, random))
            continue
        any_move = legal[random.integer(len(legal))]
        if opening:
            opening -= 1
            here.make(any_move)
            continue
        found = _think(here, plan, random)
        followed = not _happens(plan.explore, random)
        line.append(Turn(here.copy(), found.shares, found.proven, followed))
        if found.proven:
            break                               # what is left would teach how to waste time
        if generation and _happens(plan.aside, random):
            other = here.copy()
            other.make(any_move)
            if other.turn != kernel.CHANCE and other.legal():
                valued.append((other, _think(other, plan, random).shares[other.turn]))
        here.make(found.move if followed else any_move)
    expected = line[-1].shares if line and line[-1].proven else here.shares()[1]
    for turn in reversed(line):
        if turn.proven or (generation and not turn.followed):
            expected = turn.shares
        elif generation:
            expected = [
                plan.trust * later + (1 - plan.trust) * now
                for later, now in zip(expected, turn.shares, strict=True)
            ]
        valued.append((turn.position, expected[turn.position.turn]))
    return valued


class Turn(NamedTuple):
    """A position of a game, and what was thought of it."""

    position: kernel.Position
    shares: list[float]
    proven: bool
    followed: bool
    """Whether the move that the search chose was played."""


def _think(position: kernel.Position, plan: Plan, random: kernel.Random) -> kernel.Thought:
    return kernel.think(position, "alphabeta", nodes=plan.nodes, seed=random.integer(1 << 31))


def _happens(chance: float, random: kernel.Random) -> bool:
    return random.integer(1_000_000) < chance * 1_000_000


def rewritten(text: str, sizes: dict[str, int], row: list[int], command: str) -> str:
    """A file of weights with other numbers, its comments and its layout as they were."""
    numbers = iter(row)
    values = {name: [next(numbers) for _ in range(size)] for name, size in sizes.items()}
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(LEARNT)]
    left: Iterator[int] = iter(())
    for i, line in enumerate(lines):
        code, mark, comment = line.partition("#")
        name, equals, rest = code.rpartition("=")
        if equals:
            left = iter(values[name.strip()])
        lines[i] = name + equals + _renumbered(rest, left) + mark + comment
    heading = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    return "".join([*lines[:heading], LEARNT, command, "\n", *lines[heading:]])


def _renumbered(code: str, numbers: Iterator[int]) -> str:
    """A line with its numbers replaced, one after the other."""
    return re.sub(r"-?\d+", lambda _: str(next(numbers)), code)
