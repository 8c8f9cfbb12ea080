"""How often the coach warns wrongly, and how often it misses a blunder.

    python -m bench coach --decisions 130

Random play and three levels take turns within a game, so that positions are good, bad and odd.
Some of the moves are judged twice: by the coach, in its short time, and with much more effort and
another seed; what is proven on the way is exact.

A warning is *wrong* when the move loses less than a mistake does, and *hard* when it is a
mistake but no blunder. A blunder is *missed* when the coach lets it pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.games import game, games
from escale.kernel import CHANCE, Random
from escale.opponents import think
from escale.study.coach import remark
from escale.study.judging import LOSSES, Budget, judge

LONG = Budget(nodes=600_000, simulations=30_000)
"""Of each search of the long judgement: six and twelve times the coach's."""
SEED = 1001
"""Of the long judgement; the coach has another."""
RANDOM = "random"
PLAYERS = (RANDOM, "mousse", "matelot", "pilote")
ONE_IN = 4
"""Of so many decisions of a game one is judged: neighbours are much alike."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A move as the coach and the long judgement see it."""

    player: str
    """Who chose it."""
    warned: bool
    loss: float
    """What it costs by the long judgement, as a share of the win."""
    lost_anyway: bool
    """By that nothing could be lost any more."""
    proven: bool
    """That is certain."""

    @property
    def blunder(self) -> bool:
        """Whether the long judgement calls it one."""
        return not self.lost_anyway and self.loss >= LOSSES["blunder"]

    @property
    def wrong(self) -> bool:
        """Whether the coach warned of a move that is not even a mistake."""
        return self.warned and (self.lost_anyway or self.loss < LOSSES["mistake"])

    @property
    def hard(self) -> bool:
        """Whether the coach warned of a mistake as if it were a blunder."""
        return self.warned and not self.wrong and not self.blunder

    @property
    def missed(self) -> bool:
        """Whether the coach said nothing before a blunder."""
        return self.blunder and not self.warned


def chosen(position: Position, player: str, random: Random) -> Move:
    """What a player does."""
    if player == RANDOM:
        moves = position.moves()
        return moves[random.below(len(moves))]
    return think(position, player, seed=random.below(1 << 30)).move


def decisions(box: Game[Any], seed: int) -> Iterator[tuple[Position, Move, str]]:
    """Some decisions of one game after another, and what was chosen by whom."""
    random = Random(seed)
    while True:
        position = box.start_with(box.quick, seed=random.below(1 << 30))
        while position.turn is not None:
            assert position.turn != CHANCE
            player = PLAYERS[random.below(len(PLAYERS))]
            move = chosen(position, player, random)
            if len(position.moves()) > 1 and not random.below(ONE_IN):
                yield position, move, player
            position = position.play(move)


def compared(position: Position, move: Move, player: str, long: Budget = LONG) -> Sample:
    """The coach's word on a move beside that of a long judgement."""
    found = judge(position, move, long, SEED)
    return Sample(
        player, remark(position, move).warns, found.loss, found.mark is None, found.proven
    )


def measure(box: Game[Any], count: int, seed: int = 1, long: Budget = LONG) -> list[Sample]:
    """A number of decisions of a game, compared."""
    some = decisions(box, seed)
    return [compared(*next(some), long) for _ in range(count)]


def row(name: str, samples: Iterable[Sample]) -> str:
    """A line of the table: counts, and rates of what the long judgement does not confirm."""
    found = list(samples)
    warned = [one for one in found if one.warned]
    blunders = [one for one in found if one.blunder]
    wrong, hard = _rate(one.wrong for one in warned), _rate(one.hard for one in warned)
    proven, missed = _rate(one.proven for one in blunders), _rate(one.missed for one in blunders)
    return (
        f"| {name} | {len(found)} | {len(warned)} | {wrong} | {hard}"
        f" | {len(blunders)} | {proven} | {missed} |"
    )


def _rate(true: Iterable[bool]) -> str:
    of = list(true)
    return f"{100 * sum(of) / len(of):.0f} %" if of else "–"


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    decisions: Annotated[int, typer.Option(help="Of each game.")] = 130,
    seed: int = 1,
) -> None:
    """A line for each game, then for each kind of player, and for all."""
    boxes = [game(name) for name in names or ()] or list(games())
    print("| | moves | warned | wrong | hard | blunders | proven | missed |")
    print("|---|---|---|---|---|---|---|---|")
    everything: list[Sample] = []
    for box in boxes:
        samples = measure(box, decisions, seed)
        everything += samples
        print(row(box.title, samples), flush=True)
    for player in PLAYERS:
        print(row(player, (one for one in everything if one.player == player)), flush=True)
    print(row("all", everything))
