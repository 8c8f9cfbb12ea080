"""`escale arena`: matches and leagues between contenders."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from escale.arena.contenders import EXPECTED, Contender
from escale.arena.pairings import Pairing, Result, pairings
from escale.arena.ratings import Score, elo, ratings
from escale.arena.runners import in_processes, resume
from escale.cli.words import option_words
from escale.games import game as game_named
from escale.play.errors import BadOption

CORES = os.cpu_count() or 1

app = typer.Typer(help="Let contenders meet in many games, and see who is stronger.")

ContenderName = Annotated[str, typer.Argument(help=f"Contender: {EXPECTED}.")]
GameSlug = Annotated[str, typer.Option("--game", "-g", help="The game.")]
Games = Annotated[int, typer.Option("--games", "-n", min=2, help="Games for each pair.")]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game."),
]
RandomPlies = Annotated[
    int, typer.Option(min=0, help="Random moves that open each game, the same for both sides.")
]
Processes = Annotated[int, typer.Option(min=1, help="Processes to play in.")]
Keep = Annotated[
    Path | None, typer.Option(help="Keep results in this file, and go on from those it has.")
]


def _play(wanted: list[Pairing], processes: int, keep: Path | None) -> list[Result]:
    results: Iterable[Result] = resume(keep, wanted, in_processes(processes))
    return list(track(results, total=len(wanted), console=Console(stderr=True)))


@app.command()
def match(
    first: ContenderName,
    second: ContenderName,
    game: GameSlug,
    games: Games = 100,
    option: OptionWords = None,
    random_plies: RandomPlies = 4,
    processes: Processes = CORES,
    keep: Keep = None,
    elo0: Annotated[float, typer.Option(help="SPRT: not better than this.")] = 0,
    elo1: Annotated[float, typer.Option(help="SPRT: better by this.")] = 50,
) -> None:
    """Two contenders, openings paired, sides changed."""
    if first == second:
        raise BadOption("a contender cannot meet itself")
    options = _checked([first, second], game, option)
    wanted = list(pairings(game, options, first, second, games, random_plies))
    score = Score.of(_play(wanted, processes, keep), first)
    low, high = score.interval
    typer.echo(
        f"{first} against {second} at {game}: {score.points:g} of {score.games} "
        f"= {score.mean:.1%} (95 %: {low:.1%} to {high:.1%}), "
        f"Elo {elo(score.mean):+.0f} ({elo(low):+.0f} to {elo(high):+.0f}), "
        f"SPRT {elo0:g}/{elo1:g}: {score.sprt(elo0, elo1)}"
    )


@app.command()
def league(
    contenders: Annotated[list[str], typer.Argument(help=f"Contenders: {EXPECTED}.")],
    game: GameSlug,
    games: Games = 40,
    option: OptionWords = None,
    random_plies: RandomPlies = 4,
    processes: Processes = CORES,
    keep: Keep = None,
    neighbours: Annotated[
        bool, typer.Option(help="Only neighbours in the list meet, not everybody.")
    ] = False,
) -> None:
    """Several contenders, everybody against everybody."""
    options = _checked(contenders, game, option)
    pairs = itertools.pairwise(contenders) if neighbours else itertools.combinations(contenders, 2)
    wanted = [
        pairing
        for first, second in pairs
        for pairing in pairings(game, options, first, second, games, random_plies)
    ]
    table = Table(title=game)
    for head in ("contender", "Elo", "±", "games", "score"):
        table.add_column(head, justify="left" if head == "contender" else "right")
    for rating in ratings(_play(wanted, processes, keep)):
        table.add_row(
            rating.name, f"{rating.elo:+.0f}", f"{rating.interval:.0f}", str(rating.games),
            f"{rating.score / rating.games:.1%}",
        )
    Console().print(table)


def _checked(names: list[str], slug: str, words: list[str] | None) -> dict[str, str]:
    """The options, when everything named exists."""
    for name in names:
        Contender.parse(name)
    if len(set(names)) < max(2, len(names)):
        raise BadOption("expected at least two different contenders, each once")
    options = option_words(words)
    game_named(slug).choose(options)
    return options
