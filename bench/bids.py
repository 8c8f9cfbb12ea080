"""How well bids are made at Canyon (1997): how often they are met, and what comes of them.

    python -m bench bids 20 ismcts:simulations=500 mcts:simulations=500 random

plays so many games at a table with these contenders, who change seats after each game.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

import escale
from escale.arena.contenders import Contender
from escale.games.canyon_1997 import rules


@dataclass
class Record:
    """What came of one contender's bids."""

    rounds: int = 0
    met: int = 0
    off: int = 0
    bid: int = 0
    points: int = 0
    wins: float = 0.0
    sizes: dict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def add(self, size: int, bid: int, won: int) -> None:
        """One more round."""
        self.rounds += 1
        self.met += bid == won
        self.off += abs(bid - won)
        self.bid += bid
        self.points += won + (min(bid + 1, 3) if bid == won else 0)
        self.sizes[size].append(bid == won)


def tricks_after(position: escale.Position, move: escale.Move) -> dict[str, Any] | None:
    """The table just after the last trick of a round, if `move` is the last card of it."""
    table: Any = position.kernel()
    if table.table()["phase"] != rules.PLAY:
        return None
    table.begin(move.code)
    while table.table()["phase"] == rules.PLAY and table.go_on():
        pass
    found: dict[str, Any] = table.table()
    return found if found["phase"] != rules.PLAY else None


def main(
    games: Annotated[int, typer.Argument()],
    names: Annotated[list[str], typer.Argument(metavar="CONTENDER…")],
) -> None:
    records = {name: Record() for name in names}
    for number in range(games):
        turned = number % len(names)
        seated = names[turned:] + names[:turned]
        contenders = [Contender.parse(name) for name in seated]
        position = escale.game("canyon-1997").start(seats=len(names), seed=f"bids {number}")
        while position.turn is not None:
            seed = number * 1_000_003 + position.plies
            move = contenders[position.turn].choose(position, seed)
            if (table := tricks_after(position, move)) is not None:
                for seat, name in enumerate(seated):
                    records[name].add(sum(table["won"]), table["bid"][seat], table["won"][seat])
            position = position.play(move)
        assert position.outcome is not None
        for name, share in zip(seated, position.outcome.shares, strict=True):
            records[name].wins += share
    print("contender | games won | rounds | met | off by | bid | points || met with 1 … 8 cards")
    for name, record in records.items():
        sizes = (record.sizes[size] for size in range(1, 9))
        print(
            f"{name} | {record.wins / games / names.count(name):.0%} | {record.rounds} | "
            f"{record.met / record.rounds:.1%} | {record.off / record.rounds:.2f} | "
            f"{record.bid / record.rounds:.2f} | {record.points / record.rounds:.2f} || "
            + " ".join(f"{sum(met) / len(met):.0%}" if met else "—" for met in sizes)
        )
