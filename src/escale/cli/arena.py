"""`escale arena`: matches and leagues between contenders, levels, and evaluations learnt."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from escale.arena import calibration, dataset
from escale.arena import train as training
from escale.arena.calibration import Ladder, Trial
from escale.arena.contenders import EXPECTED, Contender
from escale.arena.pairings import Pairing, Result, forfeits, pairings
from escale.arena.ratings import Score, elo, ratings
from escale.arena.runners import in_processes, on_cluster, resume
from escale.cli.language import Misuse, words
from escale.cli.options import (
    CORES,
    Cluster,
    GameName,
    GameOptions,
    Lang,
    Processes,
    Seats,
    parse_options,
)
from escale.cli.tables import names_and_figures
from escale.game.texts import number, speak
from escale.games import game as game_named
from escale.kernel.weights import numbers_of
from escale.opponents import LEVELS, Way, way_of
from escale.opponents.levels import write_levels

app = typer.Typer(name="arena", help="Compare players; calibrate levels; learn evaluations.")

ContenderName = Annotated[str, typer.Argument(help=f"Contender: {EXPECTED}.")]
GameSlug = Annotated[str, typer.Option("--game", "-g", help="The game.")]
Games = Annotated[int, typer.Option("--games", "-n", min=2, help="Games for each pair.")]
RandomPlies = Annotated[
    int, typer.Option(min=0, help="Random moves that open each game, the same for both sides.")
]
Keep = Annotated[
    Path | None, typer.Option(help="Keep results in this file, and continue from those it has.")
]


def play_pairings(
    wanted: list[Pairing], processes: int, cluster: str | None, keep: Path | None
) -> list[Result]:
    """Play games in processes or on a cluster, with a progress bar on standard error."""
    run = in_processes(processes) if cluster is None else on_cluster(cluster)
    results: Iterable[Result] = resume(keep, wanted, run)
    return list(track(results, "", total=len(wanted), console=Console(stderr=True)))


@app.command()
def match(
    first: ContenderName,
    second: ContenderName,
    game: GameSlug,
    games: Games = 100,
    option: GameOptions = None,
    random_plies: RandomPlies = 4,
    seats: Seats = None,
    processes: Processes = CORES,
    cluster: Cluster = None,
    keep: Keep = None,
    elo0: Annotated[float, typer.Option(help="SPRT: not better than this.")] = 0,
    elo1: Annotated[float, typer.Option(help="SPRT: better by this.")] = 50,
    lang: Lang = None,
) -> None:
    """Let two contenders meet; each opening is played twice, with changed sides."""
    if first == second:
        raise Misuse("same-contender")
    options = check_contenders([first, second], game, option, here=cluster is None)
    wanted = list(pairings(game, options, first, second, games, random_plies, seats))
    results = play_pairings(wanted, processes, cluster, keep)
    score = Score.of(results, first)
    said = speak(lang)
    typer.echo(words().say(
        "arena.sprt", said, score=describe_score(first, second, game, score, said),
        low=f"{elo0:g}", high=f"{elo1:g}",
        verdict=words().say(f"sprt.{score.sprt(elo0, elo1).replace(' ', '-')}", said),
    ))
    print_forfeits(results, said)


def describe_score(first: str, second: str, game: str, score: Score, lang: str) -> str:
    low, high = score.interval
    return words().say(
        "arena.score", lang, first=first, second=second, game=game, games=score.games,
        points=_figure(score.points, lang), elo=f"{elo(score.mean):+.0f}",
        share=number(100 * score.mean, lang, 1), low=number(100 * low, lang, 1),
        high=number(100 * high, lang, 1), least=f"{elo(low):+.0f}", most=f"{elo(high):+.0f}",
    )


def _figure(points: float, lang: str) -> str:
    """Points as the language writes them, with half points where there are any."""
    return number(points, lang, 0 if points == int(points) else 1)


@app.command("games")
def games_as_data(
    first: ContenderName,
    game: GameSlug,
    out: Annotated[
        Path,
        typer.Option(help="Where to write: JSON lines, or Parquet where the extension is parquet."),
    ],
    second: Annotated[
        str | None, typer.Option("--against", help="The opponent; by default, the same contender.")
    ] = None,
    games: Games = 100,
    option: GameOptions = None,
    random_plies: RandomPlies = 4,
    seats: Seats = None,
    processes: Processes = CORES,
    lang: Lang = None,
) -> None:
    """Write games as data to learn from: positions, moves, values, results.

    The same command writes the same file, unless time is a contender's budget.
    """
    options = parse_options(option)
    Contender.parse(first)
    Contender.parse(second or first)
    game_named(game).choose(options)
    wanted = dataset.self_play(game, options, first, second or first, games, random_plies, seats)
    played = dataset.games_of(wanted, processes)
    console = Console(stderr=True)
    rows = dataset.write(out, track(played, "", total=len(wanted), console=console))
    typer.echo(words().say(
        "arena.written", speak(lang), path=out, moves=rows, games=len(wanted)
    ))


@app.command()
def league(
    contenders: Annotated[list[str], typer.Argument(help=f"Contenders: {EXPECTED}.")],
    game: GameSlug,
    games: Games = 40,
    option: GameOptions = None,
    random_plies: RandomPlies = 4,
    seats: Seats = None,
    processes: Processes = CORES,
    cluster: Cluster = None,
    keep: Keep = None,
    neighbours: Annotated[
        bool, typer.Option(help="Let only neighbours in the list meet.")
    ] = False,
    lang: Lang = None,
) -> None:
    """Let several contenders meet, each with every other."""
    options = check_contenders(contenders, game, option, here=cluster is None)
    pairs = list(
        itertools.pairwise(contenders) if neighbours else itertools.combinations(contenders, 2)
    )
    wanted = [
        pairing
        for first, second in pairs
        for pairing in pairings(game, options, first, second, games, random_plies, seats)
    ]
    said = speak(lang)
    heads = [words().say(f"head.{one}", said) for one in ("contender", "games", "score")]
    table = names_and_figures(game, heads[0], "Elo", "±", *heads[1:])
    results = play_pairings(wanted, processes, cluster, keep)
    for rating in ratings(results):
        table.add_row(
            rating.name, f"{rating.elo:+.0f}", f"{rating.interval:.0f}", str(rating.games),
            words().say("percent", said, share=number(100 * rating.score / rating.games, said, 1)),
        )
    Console().print(table)
    for first, second in pairs:
        met = [result for result in results if set(result.seated) == {first, second}]
        typer.echo(describe_score(first, second, game, Score.of(met, first), said))
    print_forfeits(results, said)


def print_forfeits(results: list[Result], lang: str) -> None:
    """Print which contenders forfeited games, how often, and the first reason."""
    for (name, fault), reasons in forfeits(results).items():
        typer.echo(words().say(
            "arena.forfeits", lang, name=name, lost=len(reasons), fault=fault, why=reasons[0],
            games=sum(name in result.seated for result in results),
        ))


@app.command()
def calibrate(
    name: GameName,
    top: Annotated[
        str | None, typer.Option(help="How the strongest level thinks; else as it does now.")
    ] = None,
    games: Games = 60,
    aim: Annotated[float, typer.Option(min=50, max=400, help="Elo between neighbours.")] = 200,
    option: GameOptions = None,
    random_plies: RandomPlies = 4,
    processes: Processes = CORES,
    cluster: Cluster = None,
    keep: Keep = None,
    write: Annotated[bool, typer.Option(help="Write levels.toml beside the game.")] = True,
    lang: Lang = None,
) -> None:
    """Space a game's levels evenly, by matches of each against the one above."""
    game = game_named(name)
    options = parse_options(option)
    game.choose(options)
    strongest = way_of(game, LEVELS[-1]) if top is None else Way.parse(top)
    said = speak(lang)

    def print_trial(trial: Trial) -> None:
        low, high = trial.score.interval
        typer.echo(words().say(
            "arena.trial", said, level=trial.level, way=trial.way.word, games=trial.score.games,
            points=_figure(trial.score.points, said), gap=f"{trial.gap:+.0f}",
            least=f"{elo(low):+.0f}", most=f"{elo(high):+.0f}",
        ))

    ways = calibration.calibrate(
        game.slug, options, Ladder(strongest),
        lambda wanted: play_pairings(wanted, processes, cluster, keep), print_trial,
        games=games, aim=aim, random_plies=random_plies,
    )
    for level, way in ways.items():
        typer.echo(f"{level} = {way.as_toml()}")
    if write:
        chosen = "".join(f" -o {word}" for word in option or [])
        note = (
            "How each level thinks; found by matches, see docs/strength.md:\n"
            f"escale arena calibrate {game.slug} --top {strongest.word} -n {games} --aim {aim:g}"
            f"{chosen} --random-plies {random_plies}"
        )
        write_levels(game.folder / "levels.toml", ways, note)


@app.command()
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game with weights to learn.")],
    option: GameOptions = None,
    hint: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N,N,…", help="Weights that the first generation plays with."),
    ] = None,
    generations: Annotated[int, typer.Option(min=1, help="How often weights are fitted.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="Games of each generation.")] = 1000,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of each search.")] = 500,
    opening: Annotated[int, typer.Option(min=0, help="Most random moves before a game.")] = 8,
    explore: Annotated[
        float, typer.Option(min=0, max=1, help="How often a later move is random.")
    ] = 0.05,
    trust: Annotated[
        float, typer.Option(min=0, max=1, help="How much results count against searches' values.")
    ] = 0.9,
    aside: Annotated[
        float, typer.Option(min=0, max=1, help="How often a random move is looked at too.")
    ] = 1.0,
    stray: Annotated[
        int, typer.Option(min=0, help="Most random moves in mid-game: it teaches there only.")
    ] = 0,
    ridge: Annotated[float, typer.Option(min=0.001, help="Doubt that holds weights near 0.")] = 4.0,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    processes: Processes = CORES,
    out: Annotated[
        Path | None, typer.Option(help="Write here, not to the weights.toml of the game.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Learn the weights of a game's evaluation from games against itself.

    The same options give the same file, which records them: the present weights and the number of
    processes make no difference.
    """
    plan = training.Plan(
        game=game, options=tuple(sorted(parse_options(option).items())),
        hints=tuple(parse_options(hint).items()), generations=generations, games=games, nodes=nodes,
        opening=opening, explore=explore, trust=trust, aside=aside, stray=stray, ridge=ridge,
        seed=seed,
    )
    like = training.evaluation_of(game).numbers
    game_named(game).choose(dict(plan.options))
    row = training.first_row(plan)
    said = speak(lang)
    for generation in training.train(plan, training.in_processes(processes)):
        row = generation.row
        typer.echo(words().say(
            "arena.generation", said, number=generation.number, positions=generation.positions,
            before=number(generation.doubt_before, said, 4),
            after=number(generation.doubt, said, 4),
        ))
    own = game_named(game).folder / "weights.toml"
    numbers = numbers_of(row, like)
    file = out or own
    file.write_text(training.rewritten(own.read_text("utf-8"), numbers, plan.command), "utf-8")
    typer.echo(words().say("arena.weights", said, path=file))


def check_contenders(
    names: list[str], slug: str, option: list[str] | None, *, here: bool
) -> dict[str, str]:
    """The game's options; BadOption where anything named does not exist.

    Engines are looked for only if they are to run `here`, not on a cluster.
    """
    for name in names:
        contender = Contender.parse(name)
        if contender.program is not None and here:
            contender.program.check()
    if len(set(names)) < max(2, len(names)):
        raise Misuse("contenders")
    options = parse_options(option)
    game_named(slug).choose(options)
    return options
