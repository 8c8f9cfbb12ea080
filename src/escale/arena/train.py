"""Learning an evaluation: alpha-beta plays against itself, and its weights are fitted to the games.

A plan determines the result. Learning begins with weights of 0, so that the present `weights.toml`
does not matter, or with hints, if random play of a game would have no winner. Each generation plays
with the weights of the one before and learns from its own games alone. Each game has its own random
numbers: the number of processes does not matter either.

The target of a position is the share of the win that its seat can expect. It is worked out
backwards from the end of the game: the target of a position is its search's value, mixed with the
target of the next position (`trust` of the latter). Before a random move nothing is carried back,
since the search's choice was not played: the target is the search's value alone. This is Watkins's
way of cutting TD(λ) when play explores (C. J. C. H. Watkins, "Learning from delayed rewards",
1989), on values of searches rather than of single positions. The searches of the first generation
have no knowledge: it learns from results only.

At each position of a game a random move is looked at too: the position after it is valued by a
search of its own (`aside`). Most positions at which a search stops are of this kind, which good
play never reaches. Positions at which no search stops teach nothing (one move only, `forced`, or
with `captures` to follow first).

If drawn games are long and won games are soon proven, most positions of whole games are lost draws.
Then use `stray`: each game begins with good moves, goes on with a few random ones, and is played to
its end, but only the first two positions after the random moves teach.

If a game has weights for draws, these are fitted to whether games were drawn. A position teaches
that if the game went on from it, to its end or to a proven result, as the searches chose.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from escale import kernel
from escale.arena.runners import pool_of
from escale.game.errors import BadOption
from escale.games import game
from escale.kernel import Evaluation, Limit, SearchResult
from escale.kernel.logistic_regression import fit, loss
from escale.kernel.weights import (
    DRAWS,
    ODDS,
    features,
    flat,
    numbers_of,
    part_of,
    sizes,
)

LEARNT = "# Learnt by: "
"""The beginning of the line in `weights.toml` that records the command."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All options that determine what is learnt."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    hints: tuple[tuple[str, str], ...] = ()
    """Weights that the first generation plays with, as names and numbers with commas between.

    A weight about which the positions of a generation say nothing stays as hinted.
    """
    generations: int = 4
    games: int = 1000
    """Games in each generation."""
    nodes: int = 500
    """Nodes of each search."""
    opening: int = 8
    """Games open with up to this many random moves."""
    explore: float = 0.05
    """The probability that a later move is random."""
    trust: float = 0.9
    """The part of a target that comes from the next position."""
    aside: float = 1.0
    """The probability that a random move is examined without being played."""
    stray: int = 0
    """The most random moves after which a straying game teaches; 0 for whole games."""
    ridge: float = 4.0
    """The strength of the prior for each weight, as a number of positions."""
    seed: int = 1

    @property
    def command(self) -> str:
        """The command that learns the same weights."""
        options = "".join(f" -o {name}={value}" for name, value in self.options)
        hints = "".join(f" --hint {name}={numbers}" for name, numbers in self.hints)
        stray = f"--stray {self.stray} " if self.stray else ""
        return (
            f"escale arena train {self.game}{options}{hints} --generations {self.generations} "
            f"--games {self.games} --nodes {self.nodes} --opening {self.opening} "
            f"--explore {self.explore:g} --trust {self.trust:g} --aside {self.aside:g} "
            f"{stray}--ridge {self.ridge:g} --seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions, each with its features in one row and its target.

    The target is the share of the win, or the probability of a draw.
    """

    features: array[int]
    targets: array[float]

    def extend(self, other: Lessons) -> None:
        """Add others to these."""
        self.features.extend(other.features)
        self.targets.extend(other.targets)

    def fitted(self, size: int, ridge: float) -> list[int]:
        """The `size` weights that fit them best."""
        return [round(ODDS * logit) for logit in fit(self.features, self.targets, size, ridge)]

    def doubt(self, row: list[int]) -> float:
        """Their mean cross-entropy with these weights."""
        return loss(self.features, self.targets, array("d", [weight / ODDS for weight in row]))


@dataclass(frozen=True, slots=True)
class Generation:
    """The result of one generation."""

    number: int
    positions: int
    doubt: float
    """The mean cross-entropy of its targets with its own weights; 0.693 for weights of 0."""
    doubt_before: float
    """The same with the weights with which it played."""
    row: list[int]
    """The weights."""


Job = tuple[Plan, list[int], int, int]
"""A plan, the weights to play with, the number of the generation, the number of the game."""
Taught = tuple[Lessons, Lessons]
"""The samples of some games: about winning, and about draws."""
Runner = Callable[[Iterable[Job]], Iterator[Taught]]
"""Plays games, and gives their samples in order."""


def evaluation_of(slug: str) -> Evaluation:
    """A game's evaluation; BadOption if it cannot be learnt."""
    box = game(slug)
    if not box.evaluation.numbers or box.seats != (2, 2):
        raise BadOption(f"{slug} has no evaluation with weights to learn")
    return box.evaluation


def first_row(plan: Plan) -> list[int]:
    """The weights of the first generation: the plan's hints, and else 0."""
    hints, row = dict(plan.hints), []
    for name, size in sizes(evaluation_of(plan.game).numbers).items():
        words = hints.pop(name, "0" + ",0" * (size - 1)).split(",")
        if len(words) != size or not all(re.fullmatch(r"-?\d+", word) for word in words):
            raise BadOption(f"the hint {name} must have {size} whole numbers")
        row += [int(word) for word in words]
    if hints:
        raise BadOption(f"{plan.game} has no weights named {', '.join(hints)}")
    return row


def train(plan: Plan, run: Runner) -> Iterator[Generation]:
    """Learn generation after generation; the result is the last one's weights."""
    hinted = row = first_row(plan)
    like = evaluation_of(plan.game).numbers
    share_size, draw_size = len(part_of(like)), len(part_of(like, draws=True))
    for number in range(plan.generations):
        shares, draws = Lessons(array("h"), array("d")), Lessons(array("h"), array("d"))
        for some_shares, some_draws in run((plan, row, number, i) for i in range(plan.games)):
            shares.extend(some_shares)
            draws.extend(some_draws)
        before, new = row[:share_size], shares.fitted(share_size, plan.ridge)
        for i in range(share_size):
            if hinted[i] and not any(shares.features[i::share_size]):
                new[i] = hinted[i]
        row = new + draws.fitted(draw_size, plan.ridge)
        yield Generation(
            number, len(shares.targets), shares.doubt(new), shares.doubt(before), row
        )


def in_processes(workers: int) -> Runner:
    """A runner with `workers` processes of this machine."""

    def run(jobs: Iterable[Job]) -> Iterator[Taught]:
        with pool_of(workers) as pool:
            yield from pool.map(study, jobs, chunksize=8)

    return run


def study(job: Job) -> Taught:
    """Play a game and return its samples."""
    plan, row, generation, number = job
    like = evaluation_of(plan.game).numbers
    evaluation = type(evaluation_of(plan.game))(numbers_of(row, like))
    play = _stray if plan.stray else _play
    valued = [
        value for value in play(plan, evaluation, generation, number)
        if len(value.position.legal_moves()) > 1 and not evaluation.forced(value.position)
        and not evaluation.captures(value.position)
    ]
    shares = Lessons(array("h"), array("d", [value.share for value in valued]))
    for found in features(evaluation, [value.position for value in valued]):
        shares.features.extend(found)
    ended = [value for value in valued if value.drawn is not None and DRAWS in like]
    draws = Lessons(array("h"), array("d", [float(value.drawn or 0) for value in ended]))
    for found in features(evaluation, [value.position for value in ended], draws=True):
        draws.features.extend(found)
    return shares, draws


def _play(plan: Plan, evaluation: Evaluation, generation: int, number: int) -> list[Valued]:
    """The positions of a game, and the targets of their seats."""
    random = kernel.Random((plan.seed * 1_000 + generation) * 1_000_000 + number)
    here = game(plan.game).start_with(dict(plan.options)).kernel()
    opening = random.below(plan.opening + 1)
    line: list[Turn] = []
    valued: list[Valued] = []
    while legal := here.legal_moves():
        if here.turn == kernel.CHANCE:
            here.play(kernel.draw_chance(here, random))
            continue
        any_move = legal[random.below(len(legal))]
        if opening:
            opening -= 1
            here.play(any_move)
            continue
        found = _search(here, evaluation, plan, random)
        followed = not _happens(plan.explore, random)
        line.append(Turn(here.copy(), found.shares, found.proven, followed))
        if found.proven:
            break                               # the rest would only teach to waste time
        if generation and _happens(plan.aside, random):
            other = here.copy()
            other.play(any_move)
            if other.turn != kernel.CHANCE and other.legal_moves():
                shares = _search(other, evaluation, plan, random).shares
                valued.append(Valued(other, shares[other.turn], None))
        here.play(found.move if followed else any_move)
    expected = line[-1].shares if line and line[-1].proven else here.result()[1]
    drawn: bool | None = expected[0] == expected[1]
    for turn in reversed(line):
        if generation and not (turn.proven or turn.followed):
            drawn = None
        if turn.proven or (generation and not turn.followed):
            expected = turn.shares
        elif generation:
            expected = [
                plan.trust * later + (1 - plan.trust) * now
                for later, now in zip(expected, turn.shares, strict=True)
            ]
        valued.append(Valued(turn.position, expected[turn.position.turn], drawn))
    return valued


def _stray(plan: Plan, evaluation: Evaluation, generation: int, number: int) -> list[Valued]:
    """The first two positions after random moves, with the result of the game."""
    random = kernel.Random((plan.seed * 1_000 + generation) * 1_000_000 + number)
    here = game(plan.game).start_with(dict(plan.options)).kernel()
    well = random.below(plan.opening + 1)
    anyhow = well + random.below(plan.stray + 1)
    line: list[kernel.State] = []
    while legal := here.legal_moves():
        if here.turn == kernel.CHANCE:
            here.play(kernel.draw_chance(here, random))
        elif well <= here.plies < anyhow:
            here.play(legal[random.below(len(legal))])
        else:
            found = _search(here, evaluation, plan, random)
            if here.plies >= anyhow:
                line.append(here.copy())
                if found.proven:
                    break
            here.play(found.move)
    if not line:
        return []
    shares = found.shares if found.proven else here.result()[1]
    return [
        Valued(position, shares[position.turn], shares[0] == shares[1]) for position in line[:2]
    ]


class Valued(NamedTuple):
    """A position, and the target of its seat."""

    position: kernel.State
    share: float
    drawn: bool | None
    """Whether the game was drawn, if it went on as the searches chose."""


class Turn(NamedTuple):
    """A position of a game, with the search's result."""

    position: kernel.State
    shares: Sequence[float]
    proven: bool
    followed: bool
    """Whether the move that the search chose was played."""


def _search(
    state: kernel.State, evaluation: Evaluation, plan: Plan, random: kernel.Random
) -> SearchResult[int]:
    return kernel.search(
        state, "alphabeta", Limit(nodes=plan.nodes), evaluation=evaluation,
        seed=random.below(1 << 31),
    )


def _happens(chance: float, random: kernel.Random) -> bool:
    return random.below(1_000_000) < chance * 1_000_000


def rewritten(text: str, numbers: Mapping[str, Any], command: str) -> str:
    """A file of weights with other numbers; comments and layout stay the same."""
    values = flat(numbers)
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(LEARNT)]
    left: Iterator[int] = iter(())
    table = ""
    for i, line in enumerate(lines):
        code, mark, comment = line.partition("#")
        name, equals, rest = code.rpartition("=")
        if equals:
            left = iter(values[table + name.strip()])
        elif code.strip() == f"[{DRAWS}]":
            table = f"{DRAWS}."
        lines[i] = name + equals + _renumbered(rest, left) + mark + comment
    heading = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    return "".join([*lines[:heading], LEARNT, command, "\n", *lines[heading:]])


def _renumbered(code: str, numbers: Iterator[int]) -> str:
    """A line with its numbers replaced, one after the other."""
    return re.sub(r"-?\d+", lambda _: str(next(numbers)), code)
