"""How fast the rules and the searches are, as ratios within one run.

Machines differ and are busy, so rates alone say little. Everything is measured in turn, round
after round, and what counts are ratios of the same round: of two threads to one, of compiled to
uncompiled, of compiled to plain C. What is compared must also come to the same result.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Barrier
from time import perf_counter
from typing import Any

import escale
from bench.rates import Rates
from bench.yardstick import NoYardstick, Yardstick
from escale import kernel
from escale.game.viewer import viewer_on_turn
from escale.kernel import Limit

#: Does a given amount with a seed; returns how many units that was, and a word for the result.
Run = Callable[[int, int], tuple[int, str]]

UNITS = {"playouts": "plies", "perft": "nodes", "search": "simulations", "alphabeta": "nodes"}
SEARCHES = ("search", "alphabeta")
ROUNDS = 5
SHORT_JOB_SECONDS = 0.002
SEED = 1
ROOT = Path(__file__).parent.parent
STATUS = Path("/proc/self/status")      # where the system tells about memory: Linux


class Disagreement(escale.EscaleError):
    """Two ways of doing the same came to different results."""


# ---- what is measured ----


def runner(what: str, slug: str, begin_at: kernel.State | None = None) -> Run:
    """How the kernel does `what`, from where the game is measured if nothing else is said."""
    start = begin_at or begin(slug)
    evaluation = escale.game(slug).evaluation

    def playouts(games: int, seed: int) -> tuple[int, str]:
        found = kernel.playouts(start, games, seed)
        return found.plies, f"{found.plies} {found.shares} {found.endings}"

    def perft(depth: int, seed: int) -> tuple[int, str]:
        nodes = kernel.perft(start, depth)
        return nodes, str(nodes)

    def search(simulations: int, seed: int) -> tuple[int, str]:
        found = kernel.search(
            start, method_of(slug), Limit(simulations=simulations), evaluation=evaluation, seed=seed
        )
        return simulations, f"{found.move} {found.shares} {found.line} {found.nodes}"

    def alphabeta(nodes: int, seed: int) -> tuple[int, str]:
        found = kernel.search(
            start, "alphabeta", Limit(nodes=nodes), evaluation=evaluation, seed=seed
        )
        return found.nodes, f"{found.move} {found.shares} {found.line} {found.nodes}"

    runs = {"playouts": playouts, "perft": perft, "search": search, "alphabeta": alphabeta}
    return runs[what]


def begin(slug: str) -> kernel.State:
    """The position from which a game is measured."""
    position = escale.game(slug).start(seed=SEED)
    if method_of(slug) == "ismcts":
        # Where there are cards to imagine.
        while position.text_for(viewer_on_turn(position.turn)) == position.text:
            position = position.play(position.moves()[0])
    return position.kernel()


def method_of(slug: str) -> str:
    """The tree search that is measured: over information sets where the game hides something."""
    return "ismcts" if escale.game(slug).search == "ismcts" else "mcts"


@dataclass(frozen=True)
class Pace:
    """One measurement: units a second, how often the job was done, and the result."""

    rate: float
    times: int
    result: str


def timed(run: Run, amount: int, seconds: float) -> Pace:
    """Do a job again and again for about the given time."""
    began, units, times = perf_counter(), 0, 0
    result = ""
    while not times or perf_counter() - began < seconds:
        done, result = run(amount, SEED)
        units, times = units + done, times + 1
    return Pace(units / (perf_counter() - began), times, result)


class Crew:
    """Threads that begin the same job at the same moment, each with a seed of its own."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)
        self._ready = Barrier(threads)

    def rate(self, run: Run, amount: int) -> float:
        """Units a second of all together, from the first to begin to the last to end."""

        def work(number: int) -> tuple[float, int, float]:
            self._ready.wait()
            began = perf_counter()
            units, _ = run(amount, SEED + number)
            return began, units, perf_counter()

        began, units, ended = zip(*self._pool.map(work, range(self._threads)), strict=True)
        return float(sum(units) / (max(ended) - min(began)))


def together(run: Run, amount: int, threads: int, seconds: float) -> tuple[float, float]:
    """The best rates of one thread and of several, in turn, for about the given time.

    The jobs are short: other programs on the machine leave all processors free for a few
    milliseconds now and then, hardly ever for a second.
    """
    one, several = Crew(1), Crew(threads)
    best_one = best_several = 0.0
    until = perf_counter() + seconds
    while not best_several or perf_counter() < until:
        best_one = max(best_one, one.rate(run, amount))
        best_several = max(best_several, several.rate(run, amount))
    return best_one, best_several


def calibrate(what: str, run: Run, seconds: float) -> int:
    """How many games or simulations, or what depth, take at most about the given time."""
    amount, before = 1, 1
    while True:
        began = perf_counter()
        units, _ = run(amount, SEED)
        took = perf_counter() - began
        if what == "perft":
            if units == 0 or took * units / before > seconds or amount == 16:
                return amount
            amount, before = amount + 1, units
        elif took > seconds / 4:
            return max(1, round(amount * seconds / took))
        else:
            amount *= 4


# ---- the uncompiled side, in a process of its own ----


class Uncompiled:
    """The same sources run as plain Python; a line of JSON asks for each measurement."""

    def __init__(self, what: str, slug: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from bench.kernel import answer; answer()"],
            cwd=ROOT, env={**os.environ, "ESCALE_PURE": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.amount = int(self._ask(what=what, slug=slug, seconds=seconds)["amount"])

    def _ask(self, **request: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            print(json.dumps(request), file=self._process.stdin, flush=True)
        reply = self._process.stdout.readline()
        if not reply:
            raise escale.EscaleError("the uncompiled process died")
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def measure(self, seconds: float) -> Pace:
        """One round."""
        return Pace(**self._ask(seconds=seconds))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def answer() -> None:
    """The other end of `Uncompiled`."""
    first = json.loads(sys.stdin.readline())
    run = runner(first["what"], first["slug"])
    amount = calibrate(first["what"], run, first["seconds"])
    print(json.dumps({"amount": amount}), flush=True)
    for line in sys.stdin:
        pace = timed(run, amount, json.loads(line)["seconds"])
        print(json.dumps(asdict(pace)), flush=True)


# ---- memory ----


def memory(what: str, slug: str, amount: int) -> int | None:
    """Bytes that a job takes in addition to the program itself, in a process of its own."""
    if not STATUS.exists():
        return None
    script = f"from bench.kernel import weigh; weigh({what!r}, {slug!r}, {amount})"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return int(done.stdout)


def weigh(what: str, slug: str, amount: int) -> None:
    """The other end of `memory`."""
    run = runner(what, slug)
    run(1, SEED)
    before = _most_memory()
    run(amount, SEED)
    print(_most_memory() - before)


def _most_memory() -> int:
    """The most memory that this process has had; `getrusage` would count its parent's too."""
    fields = dict(line.split(":", 1) for line in STATUS.read_text("ascii").splitlines())
    return int(fields["VmHWM"].split()[0]) * 1024


# ---- rounds ----


@dataclass(kw_only=True)
class Figures(Rates):
    """The result of measuring one game."""

    game: str
    what: str
    unit: str
    threads: int
    compiled: bool
    amount: int = 0
    memory: int | None = None
    """Bytes of one search as long as the measurement."""
    notes: list[str] = field(default_factory=list)

    def scaling(self, name: str, to: str) -> float | None:
        """The ratio of the best rates of all rounds."""
        best, other = self.best(name), self.best(to)
        return best / other if best and other else None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            **asdict(self),
            "best": {name: self.best(name) for name in self.rates},
            "threads_to_one": self.scaling("threads", "one of threads"),
            "compiled_to_uncompiled": self.ratio("same as uncompiled", "uncompiled"),
            "compiled_to_c": self.ratio("one", "c"),
            "c_threads_to_one": self.scaling("c threads", "c one of threads"),
        }


def measure(what: str, slug: str, seconds: float, threads: int) -> Figures:
    """Measure one game, everything in turn, `seconds` in all for each."""
    figures = Figures(
        game=slug, what=what, unit=UNITS[what], threads=threads, compiled=kernel.COMPILED
    )
    run = runner(what, slug)
    part = seconds / ROUNDS
    amount = figures.amount = calibrate(what, run, part)
    short = calibrate(what, run, SHORT_JOB_SECONDS)
    with tempfile.TemporaryDirectory() as folder, _uncompiled(figures, part) as uncompiled:
        reference = _reference(figures, begin(slug), Path(folder))
        for _ in range(ROUNDS):
            one = timed(run, amount, part)
            figures.add("one", one.rate)
            if reference:
                c = timed(reference, amount, part)
                agree(slug, "compiled", one.result, "plain C", c.result)
                figures.add("c", c.rate)
            if threads > 1:
                for prefix, way in (("", run), ("c ", reference)):
                    if way:
                        alone, all_rate = together(way, short, threads, part)
                        figures.add(f"{prefix}one of threads", alone)
                        figures.add(f"{prefix}threads", all_rate)
            if uncompiled:
                slow = uncompiled.measure(part)
                fast = timed(run, uncompiled.amount, part / 2)
                agree(slug, "compiled", fast.result, "uncompiled", slow.result)
                figures.add("uncompiled", slow.rate)
                figures.add("same as uncompiled", fast.rate)
    if what in SEARCHES:
        figures.memory = memory(what, slug, max(1, round(seconds * max(figures.rates["one"]))))
    return figures


@contextmanager
def _uncompiled(figures: Figures, seconds: float) -> Iterator[Uncompiled | None]:
    if not figures.compiled:
        figures.notes.append("not compiled: there is nothing to compare uncompiled with")
        yield None
        return
    uncompiled = Uncompiled(figures.what, figures.game, seconds)
    try:
        yield uncompiled
    finally:
        uncompiled.close()


def _reference(figures: Figures, start: kernel.State, folder: Path) -> Run | None:
    try:
        return Yardstick(figures.game, start, folder).find(figures.what)
    except NoYardstick as reason:
        figures.notes.append(str(reason))
        return None


def agree(slug: str, name: str, result: str, other: str, expected: str) -> None:
    """Refuse to compare speeds where results differ."""
    if result != expected:
        raise Disagreement(f"{slug}: {name} came to {result[:300]}, {other} to {expected[:300]}")
