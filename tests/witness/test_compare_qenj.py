"""The compiled Qenj against its literal witness: the same successors, the same outcomes."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.rules import QenjState
from tests.witness import compare_qenj, qenj
from tests.witness.test_compare import walk

SLUGS = ("qenj1", "qenj2", "qenj3", "qenj4")
CHUNKS = 8

#: Positions compared by `make test`; the witness needs a twentieth of a second for one of Qenj 2.
COMPARED = {"qenj1": 20_000, "qenj2": 1_000, "qenj3": 20_000, "qenj4": 20_000}
COMPARED_ALL = {"qenj1": 1_000_000, "qenj2": 20_000, "qenj3": 1_000_000, "qenj4": 1_000_000}
SLOWER = 50
"""Uncompiled, so many times fewer."""


def compare(slug: str, chunk: int, wanted: int) -> None:
    game = escale.game(slug)
    unstacks = [{"unstack": "bottom"}] * 5 + [{"unstack": "free"}] if slug == "qenj2" else [{}]
    setup = {"setup": "quick"} if slug in ("qenj1", "qenj2") else {}
    chance = random.Random(f"{slug} {chunk}")
    compared = 0
    while compared < wanted // 2:
        met: dict[Any, int] = {}
        for position in walk(game.start_with({**setup, **chance.choice(unstacks)}), chance):
            key = (position.kernel().turn, frozenset(position.cells.items()))
            met[key] = met.get(key, 0) + 1
            compared += compare_qenj.compare(position, met[key])
            if len(position.kernel().legal_moves()) > 5000:
                break                           # free stacks: the witness cannot follow
    while compared < wanted:
        position = compare_qenj.strewn(slug, chance, chance.choice(unstacks))
        compared += compare_qenj.compare(position, 1)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("slug", SLUGS)
def test_as_the_witness_says(slug: str, chunk: int) -> None:
    wanted = COMPARED[slug] if escale.COMPILED else COMPARED[slug] // SLOWER
    compare(slug, chunk, wanted // CHUNKS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS, 6 * CHUNKS))
@pytest.mark.parametrize("slug", SLUGS)
def test_as_the_witness_says_at_length(slug: str, chunk: int) -> None:
    wanted = COMPARED_ALL[slug] if escale.COMPILED else COMPARED_ALL[slug] // SLOWER
    compare(slug, chunk, wanted // (5 * CHUNKS))


CASES = tomllib.loads(Path(__file__).with_name("expected_qenj.toml").read_text("utf-8"))["qenj"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_small_positions_worked_out_by_hand(case: dict[str, Any]) -> None:
    """These tables have fewer pieces than a game has: only the compiled rules take them."""
    game, unstack = qenj.GAMES[case["game"]], case.get("unstack", "bottom")
    found = escale.game(f"qenj{case['game']}")
    box: Box = found.box  # type: ignore[attr-defined]
    words = [0] * box.columns
    for place, piece in case["cells"].items():
        words[LETTERS.index(place[0])] |= box.code(piece) << 5 * (int(place[1:]) - 1)
    if len([word for word in words if word]) < 4:
        pytest.skip("a ring too small to arise in a game")
    turn = 1 if case["side"] == "north" else 0          # B sits North
    rules = QenjState(box.number, words, turn, 4, 0, 1, free=unstack == "free")
    results = qenj.successors(game, case["cells"], case["side"], unstack=unstack)
    tables = set()
    for code in rules.legal_moves():
        if code == 15:
            continue
        after = rules.copy()
        after.play(code)
        tables.add(frozenset(
            (place, piece) for place, piece in found.cells(after).items() if place[1:].isdigit()
        ))
    full = any(qenj.full(game, case["cells"], column) for column in game.columns)
    assert tables == (set() if full else {frozenset(result.cells.items()) for result in results})
