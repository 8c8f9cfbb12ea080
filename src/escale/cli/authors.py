"""For authors of games: `escale new-game`, `check`, `perft` and `draw`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

import escale
from escale import kernel
from escale.cli.language import Misuse, words
from escale.cli.options import (
    FirstMoves,
    GameName,
    GameOptions,
    Lang,
    Output,
    PositionText,
    Seats,
    Seed,
    set_up_position,
    write_lines,
)
from escale.devkit.check import check as check_game
from escale.devkit.new_game import Plan, write_game
from escale.devkit.witness import POSITIONS, read_witness, witness_faults
from escale.game.texts import speak
from escale.game.viewer import ALL, Seat
from escale.render.svg import svg
from escale.render.text import text_board


class Format(Enum):
    """The formats of `draw`."""

    SVG = "svg"
    TEXT = "text"


def new_game(
    slug: Annotated[str, typer.Argument(help="The game's name in addresses, such as my-game.")],
    square: Annotated[int | None, typer.Option(help="Cells to a side of a square board.")] = None,
    hexagon: Annotated[
        int | None, typer.Option("--hex", help="Cells to a side of a hexagonal board.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where to write it.")] = Path("."),
    lang: Lang = None,
) -> None:
    """Write a package with a new game that plays at once."""
    if square is not None and hexagon is not None:
        raise Misuse("both-boards")
    plan = Plan(slug, "hexagon", hexagon) if hexagon else Plan(slug, "square", square or 8)
    root = write_game(plan, folder)
    typer.echo(words().say("new-game.next", speak(lang), root=root, slug=slug))


def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    random_games: Annotated[int, typer.Option("--games", min=1, help="Random games to play.")] = 50,
    witness: Annotated[
        Path | None,
        typer.Option(help="Compare the rules of one game with those that this file has once more."),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, help="Positions to compare with the witness.")
    ] = POSITIONS,
) -> None:
    """Check that games satisfy the contract."""
    sound = True
    if witness is not None and len(names or ()) != 1:
        raise Misuse("witness-of-one")
    literal = read_witness(witness) if witness is not None else None
    for game in [escale.game(name) for name in names] if names else escale.games():
        report = check_game(game, games=random_games)
        if literal is not None:
            report.append(("witness", [*witness_faults(game, literal, positions=positions)]))
        sound = sound and not any(faults for _, faults in report)
        typer.echo(f"{game.slug}")
        for what, faults in report:
            typer.echo(f"  {'ok  ' if not faults else 'FAIL'} {what}")
            for fault in faults[:10]:
                typer.echo(f"       {fault}")
    if not sound:
        raise typer.Exit(1)


def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=20, help="How many moves deep.")],
    option: GameOptions = None,
    position: PositionText = None,
    seed: Seed = None,
    divide: Annotated[bool, typer.Option(help="Also count for each first move.")] = False,
) -> None:
    """Count the sequences of DEPTH moves."""
    start = set_up_position(name, option, position, seed)
    if divide and depth:
        for move in start.moves():
            typer.echo(f"{move.text} {kernel.perft(start.play(move).kernel(), depth - 1)}")
    typer.echo(kernel.perft(start.kernel(), depth))


def draw(
    name: GameName,
    moves: FirstMoves = None,
    seats: Seats = None,
    seat: Annotated[
        int | None, typer.Option(help="Draw what this seat sees; by default everything.")
    ] = None,
    option: GameOptions = None,
    position: PositionText = None,
    seed: Seed = None,
    form: Annotated[Format, typer.Option("--format", "-f")] = Format.SVG,
    flip: Annotated[bool, typer.Option(help="Draw from the other side of the table.")] = False,
    width: Annotated[int | None, typer.Option(help="Width of the drawing, in pixels.")] = None,
    output: Output = None,
) -> None:
    """Draw a position, as SVG or as text."""
    drawn = set_up_position(name, option, position, seed, seats=seats, moves=moves)
    if seat is not None and not 0 <= seat < drawn.seats:
        raise Misuse("seat", last=drawn.seats - 1)
    scene = drawn.scene(ALL if seat is None else Seat(seat))
    if flip:
        scene = scene.flip()
    drawing = text_board(scene)
    if form is Format.SVG:
        drawing = svg(
            scene, drawn.game.art, width=width, title=drawn.game.title, description=drawing,
            say=lambda one: drawn.game.texts.say(one.key, speak(), **(one.values or {})),
        )
    write_lines(drawing, output)
