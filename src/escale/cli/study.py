"""`escale study`: find puzzles, rate them and show them; prove results, and check proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from escale.arena.runners import done_in_processes, done_on_cluster
from escale.cli.language import Misuse, words
from escale.cli.options import (
    CORES,
    Cluster,
    FirstMoves,
    GameName,
    GameOptions,
    Lang,
    Processes,
    parse_options,
    set_up_position,
)
from escale.cli.tables import names_and_figures
from escale.game.errors import BadCertificate, NotNow
from escale.game.game import Game
from escale.game.texts import speak
from escale.game.viewer import ALL
from escale.games import game as game_named
from escale.kernel import Limit
from escale.opponents import LEVELS
from escale.render.text import text_board
from escale.study import puzzle_words
from escale.study.certificates import NODES, certify
from escale.study.checking import FILE_BYTES, GOALS, POSITIONS, Checked, check
from escale.study.mining import Trial, chosen, dig, digs, rate
from escale.study.puzzles import FILE, LEVEL_TRIES, Puzzle, head_of, puzzles_of, write_puzzles

app = typer.Typer(name="study", help="Find puzzles in games between levels; prove results.")


@app.command()
def mine(
    name: GameName,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Games to look through.")
    ] = 400,
    count: Annotated[int, typer.Option(min=1, help="Puzzles to keep, at most.")] = 72,
    seed: Annotated[int, typer.Option(min=0, help="Decides which games are played.")] = 1,
    option: GameOptions = None,
    processes: Processes = CORES,
    cluster: Cluster = None,
    to: Annotated[
        Path | None, typer.Option(help=f"The file to write; by default the game's own {FILE}.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Find positions in which one move is proven to win, in games between levels.

    The same game, options, number of games, count and seed make the same file, on any machine and
    with any number of processes.
    """
    game = game_named(name)
    options = parse_options(option)
    game.choose({**game.quick, **options})
    work = list(digs(game.slug, options, games, seed))
    console = Console(stderr=True)
    if cluster is None:
        looked, tried = done_in_processes(processes, dig), done_in_processes(processes, rate)
    else:
        looked, tried = done_on_cluster(cluster, dig), done_on_cluster(cluster, rate)
    found = list(track(looked(work), "", total=len(work), console=console))
    kept = [Trial(game.slug, puzzle) for puzzle in chosen(found, count)]
    rated = list(track(tried(kept), "", total=len(kept), console=console))
    more = [f"-o {option_name}={value}" for option_name, value in sorted(options.items())]
    command = " ".join(
        ["escale study mine", game.slug, f"--games {games} --count {count} --seed {seed}", *more]
    )
    path = to or game.folder / FILE
    write_puzzles(path, {"game": game.slug, "made by": command, "tries": LEVEL_TRIES}, rated)
    seen = sum(len(one.puzzles) for one in found)
    typer.echo(words().say(
        "study.mined", speak(lang), kept=len(rated), found=seen, games=games, path=path
    ))


@app.command()
def puzzles(
    name: GameName,
    puzzle: Annotated[str | None, typer.Argument(metavar="[ID]", help="One to look at.")] = None,
    lang: Lang = None,
) -> None:
    """List the puzzles of a game; with an ID, show its board, themes and solution."""
    game = game_named(name)
    known = puzzles_of(game)
    if puzzle is None:
        title = head_of(game).get("made by", game.slug)
        heads = (words().say(f"head.{one}", speak(lang)) for one in ("puzzle", "moves"))
        table = names_and_figures(title, *heads, *LEVELS)
        for one in known.values():
            found = [f"{times / LEVEL_TRIES:.0%}" for times in one.found]
            table.add_row(one.id, str(one.moves), *found)
        Console().print(table)
        return
    if puzzle not in known:
        raise Misuse("no-puzzle", puzzle=puzzle[:40], game=game.title)
    print_puzzle(game, known[puzzle], speak(lang))


def print_puzzle(game: Game[Any], puzzle: Puzzle, lang: str) -> None:
    position = puzzle.start(game)
    typer.echo(position.text)
    typer.echo(text_board(position.scene(ALL), lang=lang))
    typer.echo(puzzle_words.goal(game, puzzle, lang))
    typer.echo(puzzle_words.proof(game, puzzle, lang))
    typer.echo(", ".join(puzzle_words.themes(game, puzzle, lang)))
    typer.echo(" ".join(puzzle.line))


@app.command()
def prove(
    name: GameName,
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="The position's text; of a puzzle, its ID.")
    ],
    moves: FirstMoves = None,
    out: Annotated[Path | None, typer.Option(help="Write the certificate to this file.")] = None,
    goal: Annotated[
        str | None, typer.Option(help=f"What to prove: {', '.join(GOALS)}; by default a win.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(help="For which seat; by default the one to move.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, max=10**12, help="Positions to look at, at most.")
    ] = NODES,
    seconds: Annotated[float | None, typer.Option(min=0.001, help="Time, at most.")] = None,
    lang: Lang = None,
) -> None:
    """Prove that a seat wins, or does not lose: a file that `escale study verify` can check.

    The file has a strategy: for the seat one move, for all others every reply.
    """
    game = game_named(name)
    puzzle = puzzles_of(game).get(position)
    text = puzzle.position if puzzle else position
    here = set_up_position(name, None, text, None, moves=moves)
    names = game.seat_names[: here.seats]
    if seat is not None and seat not in names:
        raise Misuse("no-seat", seat=seat[:40], seats=", ".join(names))
    goal = goal or ("exercise" if game.has_exercises else "win")
    if goal not in GOALS or (goal == "exercise") != game.has_exercises:
        raise Misuse("no-goal", goal=goal[:40], game=game.title)
    turn = here.turn
    if turn is None:
        raise NotNow("the game is over: there is nothing to prove")
    whose = turn if seat is None else names.index(seat)
    found = certify(here, whose, goal, limit=Limit(nodes=nodes, seconds=seconds))
    proven = check(found)
    if out is None:
        typer.echo(found, nl=False)
    else:
        out.write_text(found, "utf-8")
    typer.echo(describe_proof(proven, speak(lang)), err=True)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A certificate.")],
    positions: Annotated[
        int, typer.Option(min=1, max=10**12, help="Positions to look at, at most.")
    ] = POSITIONS,
    lang: Lang = None,
) -> None:
    """Check a certificate against the rules, and say what it proves."""
    if file.stat().st_size > FILE_BYTES:
        raise BadCertificate(f"a certificate has at most {FILE_BYTES >> 20} MB")
    found = check(file.read_bytes(), most=positions)
    typer.echo(f"{found.position.game.slug} {found.position.text}")
    typer.echo(describe_proof(found, speak(lang)))


def describe_proof(proven: Checked, lang: str) -> str:
    """What a certificate proves, in a sentence, and how large it is."""
    return words().count(
        f"study.proven.{proven.goal}", lang, proven.plies, lines=proven.nodes,
        positions=proven.positions, seat=proven.position.game.seat_name(proven.seat, lang),
    )
