"""Whole seeded games between levels, as digests of their transcripts: run natively and in Node."""

from __future__ import annotations

import hashlib
import sys

import escale
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL
from escale.kernel import CHANCE
from escale.match.match import Match, Player
from escale.opponents import think

LEVELS = ("mousse", "matelot")


def transcript(slug: str, seed: int) -> str:
    """A whole match between computers."""
    game = escale.game(slug)
    seats = game.seats[0]
    match = Match(
        game.start_with({}, seats=seats), fair_random=FairRandom(f"{seed:032x}"),
        players=[Player("", LEVELS[seat % 2]) for seat in range(seats)],
    )
    while match.outcome is None:
        if match.turn == CHANCE:
            match.draw_chance(at=0)
            continue
        seat = match.choosing[0]
        position = match.position.with_turn(seat)
        found = think(position, match.players[seat].level, seed=seed * 1000 + match.ply)
        match.play(seat, found.lines[0].moves[0], at=0)
    return match.transcript(ALL)


def digests(games: int) -> dict[str, str]:
    """The digest of each of so many games, spread over all boxes."""
    slugs = [game.slug for game in escale.games()]
    return {
        f"{slugs[number % len(slugs)]} {number}":
            hashlib.sha256(transcript(slugs[number % len(slugs)], number).encode()).hexdigest()
        for number in range(games)
    }


if __name__ == "__main__":
    import json

    print(json.dumps(digests(int(sys.argv[1]))))
