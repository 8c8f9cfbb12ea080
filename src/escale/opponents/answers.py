"""Reads the answers of engines with care: a line may have any content."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from escale.game.errors import IllegalMove
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Line, SearchResult
from escale.opponents.line_process import EngineIllegalMove, EngineNonsense, EngineRefused

MOVE_LETTERS = 1_000
"""The most letters of a text in an answer."""


@dataclass(frozen=True, slots=True)
class About:
    """A program's description of itself, which it sends when it is opened."""

    name: str = ""
    author: str = ""
    games: tuple[str, ...] | None = None
    """The games that it plays; None if it does not say."""
    wants: frozenset[str] = frozenset()
    """The data that it wants with every position: `moves`, `cells`."""


def read_result(line: bytes, identity: int) -> dict[str, Any]:
    """The result in a line that answers the request with this id."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineNonsense(f"expected a JSON object, not {cut(line)}") from None
    if not isinstance(answer, dict) or ("result" in answer) == ("error" in answer):
        raise EngineNonsense(f"expected a result or an error, not {cut(line)}")
    if answer.get("id") != identity or isinstance(answer.get("id"), bool):
        raise EngineNonsense(f"expected the answer to {identity}, not {cut(line)}")
    if "error" in answer:
        error = answer["error"]
        message = error.get("message", error.get("code")) if isinstance(error, dict) else error
        raise EngineRefused(f"the engine refused: {str(message)[:300]}")
    if not isinstance(answer["result"], dict):
        raise EngineNonsense(f"expected a result that is an object, not {cut(line)}")
    return answer["result"]


def read_about(hello: dict[str, Any]) -> About:
    """A program's description of itself; unknown parts are left out."""
    games, wants = hello.get("games"), hello.get("wants")
    return About(
        str(hello.get("name") or "")[:100], str(hello.get("author") or "")[:100],
        tuple(map(str, games)) if isinstance(games, list) else None,
        frozenset(map(str, wants)) if isinstance(wants, list) else frozenset(),
    )


def read_move(position: Position, found: Any) -> Move:
    """The move in an answer to `think`, if the line of moves after it is not needed."""
    move = _move(position, found)
    _shares(position, found.get("score"))
    return move


def read_thought(position: Position, found: dict[str, Any]) -> SearchResult[Move]:
    """The result of `think`; only `move` is required."""
    first = _line(position, found)
    others = found.get("lines")
    lines = tuple(_line(position, line) for line in others) if isinstance(others, list) else ()
    nodes = _number(found, "nodes")
    method = str(found.get("method") or "")[:40]
    tree = method.endswith("mcts")
    return SearchResult(
        method, lines or (first,), int(nodes) if tree else 0, int(nodes),
        int(_number(found, "depth")), _number(found, "ms"),
    )


def _move(position: Position, found: Any) -> Move:
    move = found.get("move") if isinstance(found, dict) else None
    if not isinstance(move, str) or len(move) > MOVE_LETTERS:
        raise EngineNonsense(f'expected "move": a text; not {cut(found)}')
    try:
        return position.find(move)
    except IllegalMove as error:
        raise EngineIllegalMove(str(error)) from None


def _line(position: Position, found: Any) -> Line[Move]:
    chosen = _move(position, found)
    plies = found.get("plies")
    return Line(
        (chosen, *_further(position.play(chosen), found.get("pv"))),
        _shares(position, found.get("score")), found.get("proven") is True,
        plies if isinstance(plies, int) else None,
    )


def _further(position: Position, texts: Any) -> list[Move]:
    """The expected continuation, as far as it is legal."""
    found: list[Move] = []
    for text in texts[1:] if isinstance(texts, list) else ():
        try:
            found.append(position.find(str(text)[:MOVE_LETTERS]))
            position = position.play(found[-1])
        except IllegalMove:
            break                           # chance, or cards that the program has only imagined
    return found


def _shares(position: Position, score: Any) -> tuple[float, ...]:
    if score is None:
        return ()
    if isinstance(score, list) and len(score) == position.seats and all(
        isinstance(share, (int, float)) and 0 <= share <= 1 for share in score
    ):
        return tuple(float(share) for share in score)
    raise EngineNonsense(
        f'expected "score": {position.seats} shares from 0 to 1; not {cut(score)}'
    )


def _number(found: dict[str, Any], name: str) -> float:
    value = found.get(name)
    return value if isinstance(value, (int, float)) and abs(value) < 1e15 else 0


def cut(said: object) -> str:
    """The beginning of an answer, for an error message."""
    return repr(said[:60] if isinstance(said, bytes) else str(said)[:100])
