"""`escale analyse` and `escale engine`: the computer's analysis of a position."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from escale import kernel
from escale.cli.options import (
    FirstMoves,
    GameName,
    GameOptions,
    Lang,
    PositionText,
    Seats,
    set_up_position,
)
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.texts import number, speak
from escale.kernel import Limit, Line
from escale.opponents import Way, method_for, think
from escale.opponents.engine import serve as serve_engine


def analyse(
    name: GameName,
    moves: FirstMoves = None,
    seats: Seats = None,
    option: GameOptions = None,
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
    """Show the best lines of a position and their values."""
    analysed = set_up_position(name, option, position, seed, seats=seats, moves=moves)
    chosen = method or method_for(analysed)
    unit = kernel.SETTINGS.get(chosen, ("nodes",))[0]
    way = Way.of(chosen, {unit: nodes} if nodes else {})
    limit = Limit(seconds=1.0 if nodes is None and seconds is None else seconds)
    for line in describe_lines(analysed, way, limit, lines=lines, seed=seed, lang=speak(lang)):
        typer.echo(line)


def engine() -> None:
    """Speak the line protocol on standard input and output."""
    serve_engine(sys.stdin.buffer, sys.stdout)


def describe_lines(
    position: Position, way: Way, limit: Limit, *, lines: int, seed: int, lang: str
) -> Iterator[str]:
    """The best lines with their values, then the effort of the search."""
    texts = position.game.texts
    found = think(position, way, limit, seed=seed, lines=lines)
    for place, line in enumerate(found.lines, 1):
        yield texts.say(
            "analysis.line", lang, number=place,
            line="  ".join(move.label(lang) for move in line.moves),
            value=_value(position, line, lang), certainty=_certainty(position, line, lang),
        )
    yield texts.say(
        "analysis.effort", lang, depth=found.depth,
        nodes=number(found.simulations or found.nodes, lang),
        method=texts.say(f"analysis.{found.method}", lang),
        seconds=number(found.milliseconds / 1000, lang, 2),
    )


def _value(position: Position, line: Line[Move], lang: str) -> str:
    return ", ".join(
        position.game.texts.say(
            "analysis.share", lang, seat=position.game.seat_name(seat, lang),
            share=number(100 * share, lang, 0 if line.proven else 1),
        )
        for seat, share in enumerate(line.shares)
    )


def _certainty(position: Position, line: Line[Move], lang: str) -> str:
    texts = position.game.texts
    if not line.proven:
        return texts.say("analysis.open", lang)
    return texts.say("analysis.proven", lang, plies=line.plies_to_end)
