"""`escale study`: puzzles, made and looked at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from escale.arena.runners import done_in_processes, done_on_cluster
from escale.cli.tables import names_and_figures
from escale.cli.words import option_words
from escale.game.errors import BadOption
from escale.game.texts import speak
from escale.game.viewer import ALL
from escale.games import game as game_named
from escale.opponents import LEVELS
from escale.render.text import text_board
from escale.study.mining import Trial, chosen, dig, digs, rate
from escale.study.puzzles import FILE, TRIES, Puzzle, head_of, puzzles_of, write_puzzles
from escale.study.themes import theme_name

CORES = os.cpu_count() or 1

app = typer.Typer(help="Puzzles: mine them from games between levels, and look at them.")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, such as tortuga.")]


@app.command()
def mine(
    game: GameName,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Games to look through.")
    ] = 400,
    count: Annotated[int, typer.Option(min=1, help="Puzzles to keep, at most.")] = 72,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other games.")] = 1,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game."),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Processes to work in.")] = CORES,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="Work on the Dask cluster of this scheduler."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help=f"The file to write; by default the game's own {FILE}.")
    ] = None,
) -> None:
    """Look through games between levels for positions in which one move wins, and prove it.

    The same game, options, number of games, count and seed make the same file, on any machine and
    with any number of processes.
    """
    box = game_named(game)
    options = option_words(option)
    box.choose({**box.quick, **options})
    work = list(digs(game, options, games, seed))
    told = Console(stderr=True)
    if cluster is None:
        looked, tried = done_in_processes(processes, dig), done_in_processes(processes, rate)
    else:
        looked, tried = done_on_cluster(cluster, dig), done_on_cluster(cluster, rate)
    found = list(track(looked(work), "games", total=len(work), console=told))
    kept = [Trial(game, puzzle) for puzzle in chosen(found, count)]
    rated = list(track(tried(kept), "levels", total=len(kept), console=told))
    words = [f"-o {name}={value}" for name, value in sorted(options.items())]
    command = " ".join(
        ["escale study mine", game, f"--games {games} --count {count} --seed {seed}", *words]
    )
    path = to or box.folder / FILE
    write_puzzles(path, {"game": game, "made by": command, "tries": TRIES}, rated)
    seen = sum(len(one.puzzles) for one in found)
    typer.echo(f"{len(rated)} puzzles of {seen} found in {games} games: {path}")


@app.command()
def puzzles(
    game: GameName,
    solution: Annotated[str | None, typer.Argument(metavar="[ID]", help="One to look at.")] = None,
    lang: Annotated[str | None, typer.Option(help="fr or en.")] = None,
) -> None:
    """The puzzles of a game; with an ID, its board, its themes and its solution."""
    box = game_named(game)
    known = puzzles_of(box)
    if solution is None:
        table = names_and_figures(head_of(box).get("made by", game), "puzzle", "moves", *LEVELS)
        for puzzle in known.values():
            found = [f"{times / TRIES:.0%}" for times in puzzle.found]
            table.add_row(puzzle.id, str(puzzle.moves), *found)
        Console().print(table)
        return
    if solution not in known:
        raise BadOption(f"{game} has no puzzle {solution[:40]!r}")
    _show(known[solution], game, speak(lang))


def _show(puzzle: Puzzle, game: str, lang: str) -> None:
    box = game_named(game)
    position = puzzle.start(box)
    typer.echo(position.text)
    typer.echo(text_board(position.scene(ALL)))
    typer.echo(", ".join(theme_name(box, theme, lang) for theme in puzzle.themes))
    typer.echo(" ".join(puzzle.line))
