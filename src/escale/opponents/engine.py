"""The line protocol: one JSON object a line, for bots, tests, other languages and the house.

A request has an `id` and says in `do` what it wants; the answer has the same `id` and either a
`result` or an `error`. A bad line is answered, never fatal.

`python -m escale.opponents.engine` is a worker of the house: the same engine as `escale engine`, in
a process of low priority, which ends silently when its output is closed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TextIO

from escale import kernel
from escale.game.errors import EscaleError, IllegalMove, NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.viewer import ALL, Seat
from escale.games import game, games
from escale.kernel import Limit, Line, SearchResult
from escale.opponents.background import work_in_background
from escale.opponents.protocol import LINE_BYTES, VERSION
from escale.opponents.thinking import think
from escale.render.text import text_board

PERFT_PLIES = 20
"""The most plies of `perft`."""
LARGEST_BUDGET = 10_000_000
"""The most simulations, nodes or milliseconds of a request."""
SENT_LINES = 100
ENGINE_NICENESS = 10
"""The niceness of a worker of the house."""


class BadRequest(EscaleError):
    """A request with something that the protocol does not know."""

    code = "bad-request"


class Session:
    """One game at a time, changed by requests."""

    def __init__(self) -> None:
        self._line: list[Position] = []
        self._followed: tuple[str, str] | None = None       # the first position of `line`
        self.quitting = False

    def answer(self, line: bytes | str) -> str:
        """The answer to one line."""
        reply: dict[str, Any] = {"id": None}
        try:
            request = _parse(line)
            reply["id"] = _identity(request)
            reply["result"] = self._do(request)
        except IllegalMove as error:
            reply["error"] = _error(error.code, str(error), error.rule)
        except EscaleError as error:
            reply["error"] = _error(error.code, str(error))
        return json.dumps(reply)

    def _do(self, request: dict[str, Any]) -> dict[str, Any]:
        doings: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "hello": self._hello, "games": self._games, "new": self._new,
            "line": self._follow, "show": self._show,
            "moves": self._moves, "successors": self._successors, "play": self._play,
            "undo": self._undo, "perft": self._perft, "think": self._think, "quit": self._quit,
        }
        do = request.get("do")
        if not isinstance(do, str) or do not in doings:
            raise BadRequest(f"expected \"do\": one of {', '.join(doings)}; got {str(do)[:40]!r}")
        return doings[do](request)

    @property
    def _position(self) -> Position:
        if not self._line:
            raise NotNow("there is no game yet: ask for \"new\" first")
        return self._line[-1]

    # ---- the requests ----

    def _hello(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"name": "Escale", "protocol": VERSION, "games": [box.slug for box in games()]}

    def _games(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"games": [
            {
                "slug": box.slug, "title": box.title, "seats": list(box.seats),
                "options": {option.name: list(option.values) for option in box.options},
            }
            for box in games()
        ]}

    def _new(self, request: dict[str, Any]) -> dict[str, Any]:
        box = game(_field(request, "game", str))
        options = _field(request, "options", dict, {})
        if not all(isinstance(value, str) for value in options.values()):
            raise BadRequest("expected \"options\": an object of texts")
        seats = _field(request, "seats", int, None)
        seed = _field(request, "seed", int, 0)
        chance = _field(request, "chance", str, "auto")
        if chance not in ("auto", "manual"):
            raise BadRequest("expected \"chance\": \"auto\" or \"manual\"")
        text = _field(request, "position", str, None)
        fair_random = seed if chance == "auto" else None
        if text is None:
            start = box.start_with(options, seats=seats, seed=fair_random)
        else:
            start = box.position(text, options=options, seed=fair_random)
        self._line, self._followed = [start], None
        return self._show({})

    def _follow(self, request: dict[str, Any]) -> dict[str, Any]:
        slug, start = _field(request, "game", str), _field(request, "position", str)
        moves = _field(request, "moves", list, [])
        if not all(isinstance(text, str) for text in moves):
            raise BadRequest("expected \"moves\": a list of texts")
        before = self._line if self._followed == (slug, start) else [game(slug).position(start)]
        line = before[:1]
        for position, text in zip(before[1:], moves, strict=False):
            if position.last is None or position.last.text != text:
                break
            line.append(position)               # the same object, with its cached moves
        for text in moves[len(line) - 1:]:
            line.append(line[-1].play(text))
        self._line, self._followed = line, (slug, start)
        return {"turn": _turn(line[-1].turn)}

    def _show(self, request: dict[str, Any]) -> dict[str, Any]:
        position = self._position
        seat = _field(request, "seat", int, None)
        if seat is not None and not 0 <= seat < position.seats:
            raise BadRequest(f"expected \"seat\": 0 to {position.seats - 1}")
        view = position.seen_by(ALL if seat is None else Seat(seat))
        return {
            "position": view.text, "turn": _turn(view.turn),
            "outcome": view.outcome.as_json() if view.outcome else None,
            "cells": view.cells, "text": text_board(view.scene),
        }

    def _moves(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"moves": [
            {"text": move.text, "atoms": list(move.atoms)} for move in self._position.moves()
        ]}

    def _successors(self, request: dict[str, Any]) -> dict[str, Any]:
        position = self._position
        after = [(move, position.play(move)) for move in position.moves()]
        return {"successors": [
            {"text": move.text, "turn": _turn(then.turn), "cells": then.cells}
            for move, then in after
        ]}

    def _play(self, request: dict[str, Any]) -> dict[str, Any]:
        self._line.append(self._position.play(_field(request, "move", str)))
        return self._show({})

    def _undo(self, request: dict[str, Any]) -> dict[str, Any]:
        if len(self._line) < 2:
            raise NotNow("there is no move to take back")
        self._line.pop()
        return self._show({})

    def _perft(self, request: dict[str, Any]) -> dict[str, Any]:
        depth = _field(request, "depth", int)
        if not 0 <= depth <= PERFT_PLIES:
            raise BadRequest(f"expected \"depth\": 0 to {PERFT_PLIES}")
        return {"nodes": kernel.perft(self._position.kernel(), depth)}

    def _think(self, request: dict[str, Any]) -> dict[str, Any]:
        level = _field(request, "level", str, None)
        budgets = {
            name: _field(request, name, int, None) for name in ("time_ms", "simulations", "nodes")
        }
        for name, value in budgets.items():
            if value is not None and not 1 <= value <= LARGEST_BUDGET:
                raise BadRequest(f"expected \"{name}\": 1 to {LARGEST_BUDGET}")
        milliseconds, simulations, nodes = budgets.values()
        counted = [simulations, nodes].count(None) < 2
        if (level and counted) or (simulations and nodes) or not (level or milliseconds or counted):
            raise BadRequest(
                'expected "level", "simulations" or "nodes", with or without "time_ms", or '
                '"time_ms" alone'
            )
        lines = _field(request, "lines", int, 1)
        if not 1 <= lines <= SENT_LINES:
            raise BadRequest(f"expected \"lines\": 1 to {SENT_LINES}")
        limit = Limit(
            nodes=nodes, simulations=simulations,
            seconds=None if milliseconds is None else milliseconds / 1000,
        )
        seed = _field(request, "seed", int, 0)
        open_cards = request.get("open", False)
        if not isinstance(open_cards, bool):
            raise BadRequest('expected "open": true or false')
        return as_json(think(
            self._position, level, limit, seed=seed, lines=lines, open_cards=open_cards
        ))

    def _quit(self, request: dict[str, Any]) -> dict[str, Any]:
        self.quitting = True
        return {}


def as_json(found: SearchResult[Move]) -> dict[str, Any]:
    """The result of a search as the protocol writes it."""
    return {
        **_line(found.lines[0]), "method": found.method, "depth": found.depth,
        "nodes": found.simulations or found.nodes, "ms": round(found.milliseconds, 1),
        **({"lines": [_line(line) for line in found.lines]} if len(found.lines) > 1 else {}),
    }


def _line(line: Line[Move]) -> dict[str, Any]:
    return {
        "move": line.moves[0].text, "score": [round(share, 4) for share in line.shares],
        "pv": [move.text for move in line.moves], "proven": line.proven,
        "plies": line.plies_to_end,
    }


def serve(requests: BinaryIO, answers: TextIO) -> None:
    """Answer lines until there are no more, or `quit`."""
    session = Session()
    for line in _lines(requests):
        answers.write(session.answer(line) + "\n")
        answers.flush()
        if session.quitting:
            return


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; a line that is too long is cut just beyond the limit."""
    while line := stream.readline(LINE_BYTES + 1):
        whole = line
        while not line.endswith(b"\n") and (line := stream.readline(LINE_BYTES + 1)):
            pass
        if whole.strip():
            yield whole


def _parse(line: bytes | str) -> dict[str, Any]:
    if len(line) > LINE_BYTES:
        raise BadRequest(f"expected a line of at most {LINE_BYTES} bytes")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"expected a JSON object on one line: {error}") from None
    if not isinstance(request, dict):
        raise BadRequest("expected a JSON object, such as {\"id\": 1, \"do\": \"games\"}")
    return request


def _identity(request: dict[str, Any]) -> str | int | None:
    identity = request.get("id")
    if identity is not None and not isinstance(identity, (str, int)):
        raise BadRequest("expected \"id\": a text or a whole number")
    return identity


_REQUIRED = object()


def _field(request: dict[str, Any], name: str, kind: type, default: Any = _REQUIRED) -> Any:
    """A field of a request, of type `kind`; null counts as absent."""
    value = request.get(name)
    if value is None:
        if default is _REQUIRED:
            raise BadRequest(f"expected \"{name}\"")
        return default
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}
        raise BadRequest(f"expected \"{name}\": {words[kind]}; got {str(value)[:40]!r}")
    return value


def _turn(turn: int | None) -> int | str | None:
    return "chance" if turn == kernel.CHANCE else turn


def _error(code: str, message: str, rule: str | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "rule": rule}


def main() -> None:
    """Run as a worker of the house."""
    work_in_background(ENGINE_NICENESS)
    serve(sys.stdin.buffer, sys.stdout)


if __name__ == "__main__":
    main()
