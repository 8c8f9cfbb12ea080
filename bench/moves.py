"""How many moves positions have: the most met in random games, and how many ways of making them.

    python -m bench moves qenj2 100000 setup=quick unstack=free
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

import escale
from escale.cli.options import parse_options
from escale.kernel import CHANCE, Random, draw_chance


def main(
    slug: str,
    wanted: int,
    words: Annotated[list[str] | None, typer.Argument(metavar="[NAME=VALUE]…")] = None,
) -> None:
    options = parse_options(words)
    game, random = escale.game(slug), Random(1)
    start = game.start_with(options).kernel()
    rules = start.copy()
    met = moves_met = most = most_ways = 0
    began = time.perf_counter()
    while met < wanted:
        moves = rules.legal_moves()
        if not moves:
            rules = start.copy()
            continue
        if rules.turn == CHANCE:
            rules.play(draw_chance(rules, random))
            continue
        met += 1
        moves_met += len(moves)
        if len(moves) > most:
            most = len(moves)
            text = game.write(game.cells(rules), rules, game.choose(options))
        if met % 100 == 0:
            most_ways = max(most_ways, len(rules.ways()))
        rules.play(moves[random.below(len(moves))])
    seconds = time.perf_counter() - began
    position = game.position(text)
    began = time.perf_counter()
    position.choices()
    print(f"{slug}: {met} positions in {seconds:.1f} s, {moves_met / met:.1f} moves on average")
    print(f"  most: {most} of at most {start.capacity} (ways, in a hundredth of them: {most_ways})")
    print(f"  its trie takes {1000 * (time.perf_counter() - began):.0f} ms: {text}")
