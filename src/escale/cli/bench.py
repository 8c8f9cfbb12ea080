"""`escale bench`: how fast the rules and the search are, as ratios within one run.

Machines differ and are busy, so rates alone say little. Everything is measured in turn, round
after round, and what counts are ratios of the same round: of two threads to one, of compiled to
uncompiled, of compiled to plain C. What is compared must also come to the same result.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from threading import Barrier
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console

import escale
from escale import kernel
from escale.cli import bench_api
from escale.cli.tables import names_and_figures
from escale.cli.yardstick import NoYardstick, Yardstick
from escale.game.viewer import viewer_on_turn
from escale.kernel import Limit

#: Does a given amount with a seed; returns how many units that was, and a word for the result.
Run = Callable[[int, int], tuple[int, str]]

UNITS = {"playouts": "plies", "perft": "nodes", "search": "simulations", "alphabeta": "nodes"}
SEARCHES = ("search", "alphabeta")
ROUNDS = 5
MOMENT = 0.002                          # seconds
SEED = 1
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
            [sys.executable, "-c", "from escale.cli.bench import serve; serve()"],
            env={**os.environ, "ESCALE_PURE": "1"},
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


def serve() -> None:
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
    script = f"from escale.cli.bench import weigh; weigh({what!r}, {slug!r}, {amount})"
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True
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


@dataclass
class Figures:
    """The result of measuring one game; rates of every round, by what was measured."""

    game: str
    what: str
    unit: str
    threads: int
    compiled: bool
    amount: int = 0
    memory: int | None = None
    """Bytes of one search as long as the measurement."""
    rates: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, rate: float) -> None:
        """One round's rate."""
        self.rates.setdefault(name, []).append(rate)

    def best(self, name: str) -> float | None:
        """The greatest rate."""
        return max(self.rates[name]) if name in self.rates else None

    def ratio(self, name: str, to: str) -> float | None:
        """The median of the ratios of the same round."""
        if name not in self.rates or to not in self.rates:
            return None
        return median(a / b for a, b in zip(self.rates[name], self.rates[to], strict=True))

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
    figures = Figures(slug, what, UNITS[what], threads, kernel.COMPILED)
    run = runner(what, slug)
    part = seconds / ROUNDS
    amount = figures.amount = calibrate(what, run, part)
    short = calibrate(what, run, MOMENT)
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


# ---- the command ----

app = typer.Typer(help="Measure speed, as ratios within one run.", no_args_is_help=True)

Games = Annotated[
    list[str] | None, typer.Argument(metavar="[GAME]…", help="Which games; all by default.")
]
Seconds = Annotated[float, typer.Option(min=0.05, help="Time for each measurement.")]
Threads = Annotated[int, typer.Option(min=1, max=256, help="Threads to compare with one.")]
Json = Annotated[Path | None, typer.Option("--json", help="Also write all figures to this file.")]


@app.command()
def playouts(
    games: Games = None, seconds: Seconds = 2.0, threads: Threads = 2, json_file: Json = None
) -> None:
    """Random games: plies a second."""
    report("playouts", games, seconds, threads, json_file)


@app.command()
def perft(
    games: Games = None, seconds: Seconds = 2.0, threads: Threads = 2, json_file: Json = None
) -> None:
    """Sequences of moves counted: nodes a second."""
    report("perft", games, seconds, threads, json_file)


@app.command()
def search(
    games: Games = None, seconds: Seconds = 2.0, threads: Threads = 2, json_file: Json = None
) -> None:
    """Monte-Carlo tree search: simulations a second; alpha-beta: nodes a second; memory."""
    report("search", games, seconds, threads, json_file, also="alphabeta")


@app.command()
def api(
    games: Games = None, seconds: Seconds = 2.0,
    against: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="A checkout of another version, compiled."),
    ] = None,
    json_file: Json = None,
) -> None:
    """Positions driven move by move from Python: plies a second of processor time."""
    slugs = [escale.game(name).slug for name in games or [box.slug for box in escale.games()]]
    console, found = Console(), []
    table = names_and_figures(
        "api: plies a second", "game", "positions", "kernel's\nstates", "with choices\nand texts",
        *(["positions:\nother", "with choices:\nother"] if against else []),
    )
    with bench_api.other_version(against) as other:
        for slug in slugs:
            with console.status(slug):
                figures = bench_api.measure(slug, seconds, other)
            found.append(figures)
            table.add_row(
                slug, *(_rate(figures.best(name)) for name in ("positions", "states", "spelled")),
                *([_times(figures.ratio(name, f"other {name}"), "{:.1f}")
                   for name in ("positions", "spelled")] if against else []),
            )
    console.print(table)
    console.print(
        f"Of {bench_api.ROUNDS} rounds: the best rates, and the median of the ratios. "
        f"Python {platform.python_version()}, {platform.platform()}."
    )
    if json_file is not None:
        json_file.write_text(json.dumps({
            "what": "api", "seconds": seconds, "rounds": bench_api.ROUNDS,
            "platform": platform.platform(), "python": platform.python_version(),
            "games": [figures.as_json() for figures in found],
        }, indent=2) + "\n", "utf-8")


@app.command()
def server(
    tables: Annotated[int, typer.Option(min=1, max=20_000, help="Tables at once.")] = 500,
    think: Annotated[float, typer.Option(min=0, help="Seconds between two moves.")] = 1.0,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long to measure.")] = 20.0,
    game: Annotated[str, typer.Option(help="What is played.")] = "canoe",
    scenes: Annotated[
        bool, typer.Option(help="Browsers, which get the board, instead of programs, which do not.")
    ] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes of the house; several need --database.")
    ] = 1,
    database: Annotated[
        str | None,
        typer.Option(help="An empty PostgreSQL database; without it, a new SQLite file."),
    ] = None,
    json_file: Json = None,
) -> None:
    """The house: tables that it holds, and how soon a move is at the other side, kept durably."""
    from escale.cli.load import measure as play  # the house takes a moment to import

    load = play(
        escale.game(game).slug, tables, think, seconds, scenes, database, processes
    )
    cores = "—" if load.cores is None else f"{load.cores:.2f}"
    busy = "—" if load.busy is None else f"{load.busy:.1f}"
    Console().print(
        f"{load.tables} tables of {load.game}, {load.think:g} s between moves, "
        f"{'browsers' if load.scenes else 'programs'}: {load.rate:,.0f} moves a second; "
        f"from send to receipt {load.p50:.2f} ms (median), {load.p99:.1f} ms (99 of 100); "
        f"{load.bytes:,.0f} bytes a move and player; "
        f"the house used {cores} processors in {load.processes} "
        f"{'process' if load.processes == 1 else 'processes'}. Load of the machine: {busy}, "
        f"{os.cpu_count()} processors, Python {platform.python_version()}."
    )
    if json_file is not None:
        json_file.write_text(json.dumps(load.as_json(), indent=2) + "\n", "utf-8")


def report(
    what: str, games: list[str] | None, seconds: float, threads: int, json_file: Path | None,
    also: str | None = None,
) -> None:
    """Measure, show a table, and write the figures down."""
    slugs = [escale.game(name).slug for name in games or [box.slug for box in escale.games()]]
    console = Console()
    found = {
        job: tabulate(console, job, [slug for slug in slugs if can(job, slug)], seconds, threads)
        for job in (what, also) if job
    }
    console.print(
        f"Of {ROUNDS} rounds: the best rates, the ratio of the best of {threads} threads to the "
        f"best of one, and the median of the other ratios. {os.cpu_count()} processors, "
        f"Python {platform.python_version()}, {platform.platform()}."
    )
    for figures in found[what]:
        for note in figures.notes:
            console.print(f"{figures.game}: {note}.")
    if json_file is not None:
        json_file.write_text(json.dumps({
            "what": what, "seconds": seconds, "rounds": ROUNDS, "platform": platform.platform(),
            "python": platform.python_version(), "processors": os.cpu_count(),
            "games": [figures.as_json() for figures in found[what]],
            **({also: [figures.as_json() for figures in found[also]]} if also else {}),
        }, indent=2) + "\n", "utf-8")


def can(what: str, slug: str) -> bool:
    """Whether there is anything to measure: alpha-beta is for two seats."""
    return what != "alphabeta" or escale.game(slug).seats == (2, 2)


def tabulate(
    console: Console, what: str, slugs: list[str], seconds: float, threads: int
) -> list[Figures]:
    """Measure games, and show a table."""
    table = names_and_figures(
        f"{what}: {UNITS[what]} a second", "game", "one core", f"{threads} threads", "ratio",
        "compiled\n: not", "of\nplain C", f"plain C,\n{threads} threads",
        *(["memory"] if what in SEARCHES else []),
    )
    found = []
    for slug in slugs:
        with console.status(slug):
            figures = measure(what, slug, seconds, threads)
        found.append(figures)
        table.add_row(
            slug,
            _rate(figures.best("one")),
            _rate(figures.best("threads")),
            _times(figures.scaling("threads", "one of threads")),
            _times(figures.ratio("same as uncompiled", "uncompiled"), "{:.0f}"),
            _share(figures.ratio("one", "c")),
            _times(figures.scaling("c threads", "c one of threads")),
            *([_bytes(figures.memory)] if what in SEARCHES else []),
        )
    console.print(table)
    if what in SEARCHES:
        console.print(f"Memory: what one search of {seconds:g} s on one core takes.")
    return found


def _rate(rate: float | None) -> str:
    if rate is None:
        return "—"
    return f"{rate / 1e6:.1f} M" if rate >= 1e6 else f"{rate / 1e3:.1f} k"


def _times(ratio: float | None, form: str = "{:.2f}") -> str:
    return "—" if ratio is None else "×" + form.format(ratio)


def _share(ratio: float | None) -> str:
    return "—" if ratio is None else f"{ratio:.0%}"


def _bytes(size: int | None) -> str:
    return "—" if size is None else f"{size / 2**20:.1f} MB"
