"""`python -m bench`: all benchmarks, and comparisons of engines and searches.

Run it in a checkout, in an environment that has the package and its server. Each script beside
this file is a command, too; `python -m bench NAME --help` says what it takes.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import escale
from bench import api, kernel, server
from escale.cli.tables import names_and_figures

SCRIPTS = (
    "adapters", "bids", "canyon_1972", "canyon_1997", "coach", "compare", "endings", "evening",
    "first_visit",
    "hints", "idle_tables", "moves", "notices", "planted", "proofs", "reviews",
    "vector_threads",
)
"""Modules with a function `main` that Typer can call; imported only when they are run, since some
need packages that others do not."""

app = typer.Typer(
    help="Measure speed, as ratios within one run.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False,
)

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


@app.command("api")
def measure_api(
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
    with api.versions(against) as compared:
        for slug in slugs:
            with console.status(slug):
                figures = api.measure(slug, seconds, compared)
            found.append(figures)
            table.add_row(
                slug, *(_rate(figures.best(name)) for name in ("positions", "states", "spelled")),
                *([_times(figures.ratio(name, f"other {name}"), "{:.1f}")
                   for name in ("positions", "spelled")] if against else []),
            )
    console.print(table)
    console.print(
        f"Of {api.ROUNDS} rounds: the best rates, and the median of the ratios. "
        f"Python {platform.python_version()}, {platform.platform()}."
    )
    if json_file is not None:
        json_file.write_text(json.dumps({
            "what": "api", "seconds": seconds, "rounds": api.ROUNDS,
            "platform": platform.platform(), "python": platform.python_version(),
            "games": [figures.as_json() for figures in found],
        }, indent=2) + "\n", "utf-8")


@app.command("server")
def measure_server(
    tables: Annotated[int, typer.Option(min=1, max=20_000, help="Tables at once.")] = 500,
    think: Annotated[float, typer.Option(min=0, help="Seconds between two moves.")] = 1.0,
    seconds: Annotated[
        float, typer.Option(min=0.5, help="How long to measure; a game that ends stops it.")
    ] = 20.0,
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
    load = server.measure(
        escale.game(game).slug, tables, think, seconds, scenes, database, processes
    )
    cores = "—" if load.cores is None else f"{load.cores:.2f}"
    busy = "—" if load.busy is None else f"{load.busy:.1f}"
    Console().print(
        f"{load.tables} tables of {load.game}, {load.think:g} s between moves, "
        f"{'browsers' if load.scenes else 'programs'}: {load.rate:,.0f} moves a second "
        f"for {load.seconds:.1f} s; "
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
        f"Of {kernel.ROUNDS} rounds: the best rates, the ratio of the best of {threads} threads to "
        f"the best of one, and the median of the other ratios. {os.cpu_count()} processors, "
        f"Python {platform.python_version()}, {platform.platform()}."
    )
    for figures in found[what]:
        for note in figures.notes:
            console.print(f"{figures.game}: {note}.")
    if json_file is not None:
        json_file.write_text(json.dumps({
            "what": what, "seconds": seconds, "rounds": kernel.ROUNDS,
            "platform": platform.platform(), "python": platform.python_version(),
            "processors": os.cpu_count(),
            "games": [figures.as_json() for figures in found[what]],
            **({also: [figures.as_json() for figures in found[also]]} if also else {}),
        }, indent=2) + "\n", "utf-8")


def can(what: str, slug: str) -> bool:
    """Whether there is anything to measure: alpha-beta is for two seats."""
    return what != "alphabeta" or escale.game(slug).seats == (2, 2)


def tabulate(
    console: Console, what: str, slugs: list[str], seconds: float, threads: int
) -> list[kernel.Figures]:
    """Measure games, and show a table."""
    table = names_and_figures(
        f"{what}: {kernel.UNITS[what]} a second", "game", "one core", f"{threads} threads", "ratio",
        "compiled\n: not", "of\nplain C", f"plain C,\n{threads} threads",
        *(["memory"] if what in kernel.SEARCHES else []),
    )
    found = []
    for slug in slugs:
        with console.status(slug):
            figures = kernel.measure(what, slug, seconds, threads)
        found.append(figures)
        table.add_row(
            slug,
            _rate(figures.best("one")),
            _rate(figures.best("threads")),
            _times(figures.scaling("threads", "one of threads")),
            _times(figures.ratio("same as uncompiled", "uncompiled"), "{:.0f}"),
            _share(figures.ratio("one", "c")),
            _times(figures.scaling("c threads", "c one of threads")),
            *([_bytes(figures.memory)] if what in kernel.SEARCHES else []),
        )
    console.print(table)
    if what in kernel.SEARCHES:
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


def script_command(name: str) -> Callable[[typer.Context], None]:
    """A command that hands its arguments to a script."""
    def run_script(context: typer.Context) -> None:
        script = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        script.command()(import_module(f"bench.{name}").main)
        script(args=context.args, prog_name=context.command_path)

    return run_script


def summary(name: str) -> str:
    """The first line of a script's docstring, read without importing it."""
    source = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


for script in SCRIPTS:
    app.command(
        script.replace("_", "-"), help=summary(script), add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )(script_command(script))


if __name__ == "__main__":
    try:
        app(prog_name="python -m bench")
    except escale.EscaleError as error:
        sys.exit(f"bench: {error}")
