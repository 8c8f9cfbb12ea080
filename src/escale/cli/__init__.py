"""The command line: `escale`."""

from __future__ import annotations

import os
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

import escale
from escale import kernel
from escale.cli import arena, bench, bots, host, study
from escale.cli.analysis import analysis
from escale.cli.lessons import learn as learn_game
from escale.cli.tables import shelf
from escale.cli.terminal import Terminal, pick
from escale.cli.verification import verification
from escale.cli.words import option_words
from escale.devkit.check import check as check_game
from escale.devkit.new_game import Plan, write_game
from escale.game.errors import BadOption, EscaleError
from escale.game.position import Position
from escale.game.texts import speak
from escale.game.viewer import ALL, Seat
from escale.kernel import Limit
from escale.opponents import LEVELS, Way, method_for
from escale.opponents.engine import serve as serve_engine
from escale.render.svg import svg
from escale.render.text import text_board

app = typer.Typer(
    help="A games library that is open day and night.",
    no_args_is_help=False, add_completion=False, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(arena.app, name="arena")
app.add_typer(bench.app, name="bench")
app.add_typer(bots.app, name="bot")
app.add_typer(study.app, name="study")
for command in (host.backup, host.restore, host.tidy, host.health):
    app.command()(command)


class Format(Enum):
    """What `draw` makes."""

    SVG = "svg"
    TEXT = "text"


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, such as tortuga.")]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game."),
]
PositionText = Annotated[
    str | None, typer.Option("--position", "-p", help="Start from this position's text.")
]
Seats = Annotated[int | None, typer.Option(help="How many seats; by default the fewest possible.")]
Seed = Annotated[int | None, typer.Option(help="Draw all chance outcomes from this number.")]
Lang = Annotated[str | None, typer.Option(help="fr or en; by default the environment's language.")]


def _start(
    name: str, words: list[str] | None, position: str | None, seed: int | str | None,
    seats: int | None = None,
) -> Position:
    """The position that the arguments describe."""
    game = escale.game(name)
    options = option_words(words)
    if position is None:
        return game.start_with(options, seats=seats, seed=seed)
    return game.position(position, options=options, seed=seed)


Host = Annotated[
    str,
    typer.Option("--host", help="The address to listen on; with 0.0.0.0, other machines can "
                 "connect."),
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="The port; if it is in use, the next free one.")
]
Browser = Annotated[bool, typer.Option(help="Open the house in a browser.")]
Database = Annotated[
    str | None,
    typer.Option(help="A SQLite file or a postgresql:// address; by default ESCALE_DATABASE, or a "
                 "file in the user's data folder."),
]
Origins = Annotated[
    list[str] | None,
    typer.Option("--origin", help="Another origin of the same house, such as https://club.example, "
                 "by which it is reached: invitations lead there, and under other names than these "
                 "and the machine's own it does not answer."),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option("--trusted-proxy", help="The address or network of a reverse proxy in front of "
                 "the house: what it says of a visitor's address is believed."),
]
AccessLog = Annotated[bool, typer.Option(help="Write a line for every request.")]
Away = Annotated[
    float,
    typer.Option(min=0, help="Seconds after which the computer may play for an absent player."),
]
LogJson = Annotated[bool, typer.Option(help="Write the log as JSON, one object a line.")]
MetricsPort = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="Answer Prometheus on this port; 0 takes a free one. Of "
                 "several processes, each has the next one."),
]
MetricsHost = Annotated[
    str, typer.Option(help="The address on which Prometheus is answered.")
]
Docs = Annotated[
    Path | None,
    typer.Option(exists=True, file_okay=False,
                 help="Serve this folder at /docs: the documentation that `make docs` builds."),
]
ProcessCount = Annotated[
    int,
    typer.Option("--processes", min=1, max=64, help="Processes that serve the house together; "
                 "more than one need PostgreSQL."),
]
EngineWords = Annotated[
    list[str] | None,
    typer.Option("--engine", metavar="NAME=COMMAND", help="Let people play against a program that "
                 "speaks the line protocol, under this name."),
]
EngineFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The same from a TOML file, with games and limits for each: "
                 "see docs/hosting.md."),
]
Limited = Annotated[
    bool, typer.Option(help="Limit the requests of one address; switch off for measurements.")
]


@app.callback(invoke_without_command=True)
def open_house(
    context: typer.Context, address: Host = "127.0.0.1", port: Port = 8000, browser: Browser = True,
    database: Database = None, origin: Origins = None, trusted_proxy: Proxies = None,
    access_log: AccessLog = False, away: Away = 30, limits: Limited = True, lang: Lang = None,
    log_json: LogJson = False, metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = "127.0.0.1", keep_unstarted: host.KeepUnstarted = host.UNSTARTED,
    keep_finished: host.KeepFinished = host.FINISHED, processes: ProcessCount = 1,
    engine: EngineWords = None, engine_file: EngineFile = None,
) -> None:
    """Without a command: serve the house on this machine and open a browser."""
    if context.invoked_subcommand is None:
        serve(
            address, port, browser, database, origin, trusted_proxy, access_log, away, limits,
            lang, log_json, metrics_port, metrics_host, keep_unstarted, keep_finished, processes,
            engine, engine_file,
        )


@app.command()
def serve(
    address: Host = "127.0.0.1", port: Port = 8000, browser: Browser = True,
    database: Database = None, origin: Origins = None, trusted_proxy: Proxies = None,
    access_log: AccessLog = False, away: Away = 30, limits: Limited = True, lang: Lang = None,
    log_json: LogJson = False, metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = "127.0.0.1", keep_unstarted: host.KeepUnstarted = host.UNSTARTED,
    keep_finished: host.KeepFinished = host.FINISHED, processes: ProcessCount = 1,
    engine: EngineWords = None, engine_file: EngineFile = None, docs: Docs = None,
) -> None:
    """Serve the house on this machine and open a browser."""
    from escale.cli.serving import serve_house  # the web takes a moment to import
    from escale.server.engines import named_engines
    from escale.server.settings import Limits, Settings

    settings = Settings(
        host=address, port=port, database=database, away=away,
        retention=host.retention(keep_unstarted, keep_finished),
        admin_token=os.environ.get("ESCALE_ADMIN_TOKEN") or None,
        metrics_port=metrics_port, metrics_host=metrics_host,
        origins=tuple(one.rstrip("/") for one in origin or ()),     # as browsers write them
        trusted_proxies=tuple(trusted_proxy or ()),
        limits=Limits() if limits else Limits.none(), docs=docs,
        engines=named_engines(engine or (), engine_file),
    )
    serve_house(
        settings, browser=browser, access_log=access_log, log_json=log_json, lang=speak(lang),
        processes=processes,
    )


@app.command()
def games(lang: Lang = None) -> None:
    """List the games on the shelf, with their options."""
    for line in shelf(escale.games(), speak(lang), Console().width):
        typer.echo(line)


@app.command()
def play(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game's name; without it, choose from a list."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help=f"Play against the computer: {', '.join(LEVELS)}.")
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat against the computer, counted from 0.")] = 0,
    seats: Seats = None,
    option: OptionWords = None,
    position: PositionText = None,
    seed: Seed = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep the transcript in this file; if it exists, continue it."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Play in the terminal, with other people or against the computer."""
    if name is None:
        pick(speak(lang))
        return
    if against is not None and against not in LEVELS:
        raise BadOption(f"unknown level {against[:40]!r}; known levels: {', '.join(LEVELS)}")
    start = _start(name, option, position, None, seats)
    if not 0 <= seat < start.seats:
        raise BadOption(f"expected a seat from 0 to {start.seats - 1}")
    levels = {other: against for other in range(start.seats) if against and other != seat}
    Terminal.open(start, levels=levels, seed=seed, keep=keep, lang=speak(lang)).run()


@app.command()
def learn(name: GameName, lang: Lang = None) -> None:
    """Learn a game step by step, on a board that answers."""
    learn_game(escale.game(name), lang=speak(lang))


@app.command()
def engine() -> None:
    """Speak the line protocol: one JSON object a line, on standard input and output."""
    serve_engine(sys.stdin.buffer, sys.stdout)


@app.command()
def draw(
    name: GameName,
    moves: Annotated[list[str] | None, typer.Argument(help="Moves to play first.")] = None,
    seats: Seats = None,
    seat: Annotated[
        int | None, typer.Option(help="Draw what this seat sees; by default everything.")
    ] = None,
    option: OptionWords = None,
    position: PositionText = None,
    seed: Seed = None,
    form: Annotated[Format, typer.Option("--format", "-f")] = Format.SVG,
    flip: Annotated[bool, typer.Option(help="Draw from the other side of the table.")] = False,
    width: Annotated[int | None, typer.Option(help="Width of the drawing, in pixels.")] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file instead of the terminal.")
    ] = None,
) -> None:
    """Draw a position, as SVG or as text."""
    table = _start(name, option, position, seed, seats)
    for text in moves or []:
        table = table.play(text)
    if seat is not None and not 0 <= seat < table.seats:
        raise BadOption(f"expected a seat from 0 to {table.seats - 1}")
    scene = table.scene(ALL if seat is None else Seat(seat))
    if flip:
        scene = scene.flip()
    drawing = text_board(scene)
    if form is Format.SVG:
        drawing = svg(
            scene, table.game.art, width=width, title=table.game.title, description=drawing,
            say=lambda one: table.game.texts.say(one.key, speak(), **(one.values or {})),
        )
    if output is None:
        typer.echo(drawing)
    else:
        output.write_text(drawing + "\n", "utf-8")


@app.command()
def analyse(
    name: GameName,
    moves: Annotated[list[str] | None, typer.Argument(help="Moves to play first.")] = None,
    seats: Seats = None,
    option: OptionWords = None,
    position: PositionText = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, max=10**15, help="Positions, or simulated games, to look at."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Time; 1 second by default.")
    ] = None,
    lines: Annotated[int, typer.Option(min=1, max=1000, help="How many moves to compare.")] = 1,
    method: Annotated[
        str | None, typer.Option(help=f"{' or '.join(kernel.METHODS)}; by default the game's own.")
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Decides chance outcomes, and between equal moves.")
    ] = 0,
    lang: Lang = None,
) -> None:
    """Analyse a position: the best lines, their values, and whether they are proven."""
    table = _start(name, option, position, seed, seats)
    for text in moves or []:
        table = table.play(text)
    chosen = method or method_for(table)
    unit = kernel.SETTINGS.get(chosen, ("nodes",))[0]
    way = Way.of(chosen, {unit: nodes} if nodes else {})
    limit = Limit(seconds=1.0 if nodes is None and seconds is None else seconds)
    for line in analysis(table, way, limit, lines=lines, seed=seed, lang=speak(lang)):
        typer.echo(line)


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=20, help="How many moves deep.")],
    option: OptionWords = None,
    position: PositionText = None,
    seed: Seed = None,
    divide: Annotated[bool, typer.Option(help="Also count for each first move.")] = False,
) -> None:
    """Count the sequences of DEPTH moves."""
    start = _start(name, option, position, seed)
    if divide and depth:
        for move in start.moves():
            typer.echo(f"{move.text} {kernel.perft(start.play(move).kernel(), depth - 1)}")
    typer.echo(kernel.perft(start.kernel(), depth))


@app.command()
def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    random_games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 50,
) -> None:
    """Check that games satisfy the contract, for authors of games."""
    sound = True
    for box in [escale.game(name) for name in names] if names else escale.games():
        report = check_game(box, games=random_games)
        sound = sound and not any(faults for _, faults in report)
        typer.echo(f"{box.slug}")
        for what, faults in report:
            typer.echo(f"  {'ok  ' if not faults else 'FAIL'} {what}")
            for fault in faults[:10]:
                typer.echo(f"       {fault}")
    if not sound:
        raise typer.Exit(1)


@app.command("new-game")
def new_game(
    slug: Annotated[str, typer.Argument(help="The game's name in addresses, such as my-game.")],
    square: Annotated[int | None, typer.Option(help="Cells to a side of a square board.")] = None,
    hexagon: Annotated[
        int | None, typer.Option("--hex", help="Cells to a side of a hexagonal board.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where to write it.")] = Path("."),
) -> None:
    """Write a new game that plays at once, as a package of its own, to be made one's own."""
    if square is not None and hexagon is not None:
        raise BadOption("expected --square or --hex, not both")
    plan = Plan(slug, "hexagon", hexagon) if hexagon else Plan(slug, "square", square or 8)
    root = write_game(plan, folder)
    typer.echo(f"{root}: a complete small game. What you change is marked EDIT.")
    typer.echo(f"Next:\n  pip install --editable {root}")
    typer.echo(f"  escale check {slug}\n  escale play {slug} --against mousse")


@app.command()
def verify(
    transcript: Annotated[str, typer.Argument(help="A transcript's file; - is standard input.")],
    lang: Lang = None,
) -> None:
    """Check a transcript: legal moves, chance outcomes that follow from the secret, the right end.

    Exit code 0: all is right; 1: something is wrong; 2: it cannot be read; 3: it does not contain
    enough to check everything.
    """
    lines, code = verification(transcript, speak(lang))
    for line in lines:
        typer.echo(line)
    if code:
        raise typer.Exit(code)


@app.command()
def review(
    transcript: Annotated[str, typer.Argument(help="A transcript's file; - is standard input.")],
    form: Annotated[
        Literal["text", "json", "html"], typer.Option("--format", help="What to write.")
    ] = "text",
    budget: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, help="Positions, or simulated games, that one search may "
                     "look at; a move takes two to four searches."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides between equal moves.")] = 0,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file instead of the terminal.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Review a finished game: every move judged, what each seat could expect, turning points."""
    from escale.cli.review import review_file
    from escale.study.judging import DEFAULT, Budget

    effort = DEFAULT if budget is None else Budget(budget, budget)
    lines = review_file(transcript, form, effort, seed, speak(lang))
    if output is None:
        for line in lines:
            typer.echo(line)
    else:
        output.write_text("\n".join(lines) + "\n", "utf-8")


@app.command()
def score(
    transcript: Annotated[Path, typer.Argument(help="A transcript's file.")],
    output: Annotated[
        Path | None, typer.Option(help="Write to this file instead of the terminal.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Make a score sheet of a transcript: a page with moves and diagrams, to read and to print."""
    from escale.cli.scores import score_file  # the web takes a moment to import

    page = score_file(transcript.read_text("utf-8"), speak(lang))
    if output is None:
        typer.echo(page)
    else:
        output.write_text(page, "utf-8")


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; what cannot be is said in one line, with exit code 2."""
    try:
        return app(args=arguments)
    except EscaleError as error:
        typer.echo(f"escale: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        typer.echo(f"escale: {error.filename or 'the system'}: {error.strerror or error}", err=True)
        sys.exit(2)
