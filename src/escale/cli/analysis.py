"""`escale analyse`: what the computer thinks of a position."""

from __future__ import annotations

from collections.abc import Iterator

from escale.game.moves import Move
from escale.game.position import Position
from escale.opponents import Thought, method_for, think


def analysis(
    position: Position, *, lines: int, method: str | None, nodes: int | None,
    seconds: float | None, seed: int, lang: str,
) -> Iterator[str]:
    """The best lines, each with what it is worth, and what it took to find them."""
    texts = position.game.texts
    method = method or method_for(position)
    tried: list[Move] = []
    while len(tried) < min(lines, len(position.moves()) or 1):
        thought = think(
            position, method=method, nodes=nodes, seconds=seconds, seed=seed, without=tried
        )
        tried.append(thought.move)
        yield texts.say(
            "analysis.line", lang, number=len(tried), line="  ".join(thought.line),
            value=_value(position, thought, lang), certainty=_certainty(position, thought, lang),
        )
        yield texts.say(
            "analysis.effort", lang, nodes=thought.nodes, depth=thought.depth,
            method=texts.say(f"analysis.{method}", lang),
            seconds=f"{thought.milliseconds / 1000:.2f}",
        )


def _value(position: Position, thought: Thought, lang: str) -> str:
    return ", ".join(
        position.game.texts.say(
            "analysis.share", lang, seat=position.game.seat_name(seat, lang),
            share=f"{100 * share:.0f}" if thought.proven else f"{100 * share:.1f}",
        )
        for seat, share in enumerate(thought.shares)
    )


def _certainty(position: Position, thought: Thought, lang: str) -> str:
    texts = position.game.texts
    if not thought.proven:
        return texts.say("analysis.open", lang)
    return texts.say("analysis.proven", lang, plies=thought.plies_to_end)
