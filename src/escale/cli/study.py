"""`escale study`: puzzles, made and looked at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from escale.arena.runners import done_in_processes, done_on_cluster
from escale.cli.tables import names_and_figures
from escale.cli.words import option_words
from escale.game.errors import BadOption
from escale.game.game import Game
from escale.game.texts import speak
from escale.game.viewer import ALL
from escale.games import game as game_named
from escale.opponents import LEVELS
from escale.render.text import text_board
from escale.study import puzzle_words
from escale.study.mining import LOOK, Trial, chosen, dig, digs, rate
from escale.study.puzzles import FILE, TRIES, Puzzle, head_of, puzzles_of, write_puzzles

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
    look: Annotated[
        int, typer.Option(min=0, help="Nodes of a longer look at positions that are likely won.")
    ] = LOOK,
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

    The same game, options, number of games, count, seed and look make the same file, on any
    machine and with any number of processes.
    """
    box = game_named(game)
    options = option_words(option)
    box.choose({**box.quick, **options})
    work = list(digs(game, options, games, seed, look))
    told = Console(stderr=True)
    if cluster is None:
        looked, tried = done_in_processes(processes, dig), done_in_processes(processes, rate)
    else:
        looked, tried = done_on_cluster(cluster, dig), done_on_cluster(cluster, rate)
    found = list(track(looked(work), "games", total=len(work), console=told))
    kept = [Trial(game, puzzle) for puzzle in chosen(found, count)]
    rated = list(track(tried(kept), "levels", total=len(kept), console=told))
    words = [f"--look {look}"] if look != LOOK else []
    words += [f"-o {name}={value}" for name, value in sorted(options.items())]
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
    puzzle: Annotated[str | None, typer.Argument(metavar="[ID]", help="One to look at.")] = None,
    lang: Annotated[str | None, typer.Option(help="fr or en.")] = None,
) -> None:
    """The puzzles of a game; with an ID, its board, its themes and its solution."""
    box = game_named(game)
    known = puzzles_of(box)
    if puzzle is None:
        table = names_and_figures(head_of(box).get("made by", game), "puzzle", "moves", *LEVELS)
        for one in known.values():
            found = [f"{times / TRIES:.0%}" for times in one.found]
            table.add_row(one.id, str(one.moves), *found)
        Console().print(table)
        return
    if puzzle not in known:
        raise BadOption(f"{game} has no puzzle {puzzle[:40]!r}")
    _show(box, known[puzzle], speak(lang))


def _show(box: Game[Any], puzzle: Puzzle, lang: str) -> None:
    position = puzzle.start(box)
    typer.echo(position.text)
    typer.echo(text_board(position.scene(ALL), lang=lang))
    typer.echo(puzzle_words.goal(box, puzzle, lang))
    typer.echo(puzzle_words.proof(box, puzzle, lang))
    typer.echo(", ".join(puzzle_words.themes(box, puzzle, lang)))
    typer.echo(" ".join(puzzle.line))
