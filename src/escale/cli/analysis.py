"""`escale analyse`: what the computer thinks of a position."""

from __future__ import annotations

from collections.abc import Iterator

from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit, Line
from escale.opponents import Way, think


def analysis(
    position: Position, way: Way, limit: Limit, *, lines: int, seed: int, lang: str
) -> Iterator[str]:
    """The best lines, each with what it is worth, and what it took to find them."""
    texts = position.game.texts
    found = think(position, way, limit, seed=seed, lines=lines)
    for number, line in enumerate(found.lines, 1):
        yield texts.say(
            "analysis.line", lang, number=number,
            line="  ".join(move.label(lang) for move in line.moves),
            value=_value(position, line, lang), certainty=_certainty(position, line, lang),
        )
    yield texts.say(
        "analysis.effort", lang, nodes=found.simulations or found.nodes, depth=found.depth,
        method=texts.say(f"analysis.{found.method}", lang),
        seconds=f"{found.milliseconds / 1000:.2f}",
    )


def _value(position: Position, line: Line[Move], lang: str) -> str:
    return ", ".join(
        position.game.texts.say(
            "analysis.share", lang, seat=position.game.seat_name(seat, lang),
            share=f"{100 * share:.0f}" if line.proven else f"{100 * share:.1f}",
        )
        for seat, share in enumerate(line.shares)
    )


def _certainty(position: Position, line: Line[Move], lang: str) -> str:
    texts = position.game.texts
    if not line.proven:
        return texts.say("analysis.open", lang)
    return texts.say("analysis.proven", lang, plies=line.plies_to_end)
