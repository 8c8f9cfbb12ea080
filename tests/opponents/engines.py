"""Programs that speak the line protocol well, badly, or not at all; for tests."""

from __future__ import annotations

import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples/engine/random_mover.py"
ESCALE = [sys.executable, "-m", "escale", "engine"]

POLITE = """
import json, sys, time, os
def answers():
    for text in sys.stdin:
        request = json.loads(text)
        yield request
        do = request["do"]
        if do == "quit": say(request, {})
        if do == "quit": break
        if do == "hello": say(request, {"name": "Test", "wants": ["moves", "cells"]})
        if do == "line": globals()["line"] = request; say(request, {})
def say(request, result, id=None):
    print(json.dumps({"id": request["id"] if id is None else id, "result": result}), flush=True)
for request in answers():
    if request["do"] == "think":
        move = line["legal"][0]
"""
"""Answers everything but `think`, which a script of few lines goes on with."""

HOSTILE = {
    "garbage": "print('what a lovely position!', flush=True)",
    "silence": "time.sleep(600)",
    "death": "sys.exit('out of ideas')",
    "memory": "bytearray(4 << 30); say(request, {'move': move})",
    "flood": "while True: sys.stdout.write('again and again\\n')",
    "one-long-line": "while True: sys.stdout.write('x' * 10000)",
    "another-id": "say(request, {'move': move}, id=7_000_000)",
    "illegal": "say(request, {'move': 'a1-h8'})",
    "no-move": "say(request, {'thoughts': 'many'})",
    "bad-score": "say(request, {'move': move, 'score': [7]})",
    "no-object": "print('[1, 2]', flush=True)",
    "deep": "print('[' * 90000, flush=True)",
    "orphan": "os.system('sleep 600 &'); os._exit(3)",
}
"""By name what a program does when it is asked to think; none of it may harm who asks."""

FAULTS = {
    "garbage": "nonsense", "silence": "late", "death": "died", "memory": "died",
    "flood": "nonsense", "one-long-line": "nonsense", "another-id": "nonsense",
    "illegal": "illegal", "no-move": "nonsense", "bad-score": "nonsense",
    "no-object": "nonsense", "deep": "nonsense", "orphan": "died",
}


def script(think: str) -> str:
    """The source of a program that does this when it is asked to think."""
    return POLITE + "".join(f"        {line}\n" for line in think.splitlines())


def written(folder: Path, name: str, think: str) -> list[str]:
    """The command of such a program, kept in a file."""
    file = folder / f"{name}.py"
    file.write_text(script(think), "utf-8")
    return [sys.executable, str(file)]
