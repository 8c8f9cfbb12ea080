"""The line protocol: one JSON object a line, for bots, tests and other languages.

A request has an `id` and says in `do` what it wants; the answer has the same `id` and either a
`result` or an `error`. A bad line is answered, never fatal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TextIO

from escale import kernel
from escale.game.errors import EscaleError, IllegalMove, NotNow
from escale.game.position import Position
from escale.game.viewer import ALL, Seat
from escale.games import game, games
from escale.opponents import think
from escale.render.text import text_board

LONGEST = 1_000_000
"""Bytes in a line; what is longer is refused unread."""
DEEPEST = 20
"""Plies of perft."""
MOST_THOUGHT = 10_000_000
"""Simulations, nodes or milliseconds."""


class BadRequest(EscaleError):
    """A request that says something the protocol does not know."""

    code = "bad-request"


class Engine:
    """One game at a time, changed by requests."""

    def __init__(self) -> None:
        self._line: list[Position] = []
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
            "games": self._games, "new": self._new, "show": self._show, "moves": self._moves,
            "successors": self._successors, "play": self._play, "undo": self._undo,
            "perft": self._perft, "think": self._think, "quit": self._quit,
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
        self._line = [start]
        return self._show({})

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
        if not 0 <= depth <= DEEPEST:
            raise BadRequest(f"expected \"depth\": 0 to {DEEPEST}")
        return {"nodes": kernel.perft(self._position.kernel(), depth)}

    def _think(self, request: dict[str, Any]) -> dict[str, Any]:
        level = _field(request, "level", str, None)
        milliseconds = _field(request, "time_ms", int, None)
        simulations = _field(request, "simulations", int, None)
        nodes = _field(request, "nodes", int, None)
        seed = _field(request, "seed", int, 0)
        budgets = {"time_ms": milliseconds, "simulations": simulations, "nodes": nodes}
        if [level, *budgets.values()].count(None) != len(budgets):
            wanted = ", ".join(f'"{name}"' for name in ("level", *budgets))
            raise BadRequest(f"expected one of {wanted}")
        for name, value in budgets.items():
            if value is not None and not 1 <= value <= MOST_THOUGHT:
                raise BadRequest(f"expected \"{name}\": 1 to {MOST_THOUGHT}")
        seconds = None if milliseconds is None else milliseconds / 1000
        return think(
            self._position, level=level, simulations=simulations, nodes=nodes, seconds=seconds,
            seed=seed,
        ).as_json()

    def _quit(self, request: dict[str, Any]) -> dict[str, Any]:
        self.quitting = True
        return {}


def serve(requests: BinaryIO, answers: TextIO) -> None:
    """Answer lines until there are no more, or `quit`."""
    engine = Engine()
    for line in _lines(requests):
        answers.write(engine.answer(line) + "\n")
        answers.flush()
        if engine.quitting:
            return


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, each cut just beyond what is allowed."""
    while line := stream.readline(LONGEST + 1):
        whole = line
        while not line.endswith(b"\n") and (line := stream.readline(LONGEST + 1)):
            pass
        if whole.strip():
            yield whole


def _parse(line: bytes | str) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise BadRequest(f"expected a line of at most {LONGEST} bytes")
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
    """A field of a request, of that kind; null is as good as absent."""
    value = request.get(name)
    if value is None:
        if default is _REQUIRED:
            raise BadRequest(f"expected \"{name}\"")
        return default
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {str: "a text", int: "a whole number", dict: "an object"}
        raise BadRequest(f"expected \"{name}\": {words[kind]}; got {str(value)[:40]!r}")
    return value


def _turn(turn: int | None) -> int | str | None:
    return "chance" if turn == kernel.CHANCE else turn


def _error(code: str, message: str, rule: str | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "rule": rule}
