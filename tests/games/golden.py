"""Golden playthroughs: random games with fixed seeds, written out so that people can read them.

Whatever changes in the rules, the notation, the boards or the sentences shows as a difference
here. After a change that is meant, write them again and read the difference:

    python -m tests.games.golden
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import escale
from escale.devkit.check import random_match
from escale.devkit.starts import option_sets
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL
from escale.kernel import CHANCE, Random
from escale.match.events import Drawn, Played
from escale.match.match import Match
from escale.render.text import text_board
from tests.games import HERE, OURS, folder_of

#: Every transcript that is kept.
TRANSCRIPTS = sorted(HERE.glob("*/golden/*.jsonl"))

#: Seeds of short games, where most random ones are too long to read; and of one with a swap.
SEEDS = {
    "canoe.swap-on": 25,
    "canyon-1972": 126,
    "canyon-1972.canyon-narrow": 74,
    "canyon-1997": 43,
    "canyon-1997.bids-open": 55,
    "canyon-1997.short-on": 10,
}


def starts() -> dict[str, escale.Position]:
    """Where the games that are written down begin, by the names of their files."""
    found = {}
    for game in OURS:
        for options in _chosen(game):
            start = game.start_with(options, seats=game.seats[0])
            words = start.options.words()
            name = ".".join([game.slug, *(word.replace("=", "-") for word in words)])
            found[name] = start
    return found


def played(name: str, start: escale.Position) -> Match:
    """The match that is written down under a name."""
    return random_match(start, Random(SEEDS.get(name, len(name))))


def path_of(name: str, ending: str) -> Path:
    """A file of the playthrough of this name: `.txt` to read, `.jsonl` to replay."""
    return folder_of(escale.game(name.split(".")[0])) / "golden" / f"{name}{ending}"


def _chosen(game: escale.Game[Any]) -> list[dict[str, str]]:
    """The defaults, and every other value of an option once."""
    default = option_sets(game)[0]
    return [default] + [
        {**default, option.name: value} for option in game.options for value in option.values[1:]
    ]


def playthrough(match: Match) -> str:
    """A match as a text to read."""
    game = match.game
    lines = [f"{game.title} ({game.slug})", f"start: {match.start.text}", ""]
    position = match.start
    for event in match.events:
        if not isinstance(event, Played | Drawn):
            continue
        mover = game.turn_name(event.seat) if isinstance(event, Played) else "chance"
        move = position.find(event.move)
        lines.append(f"{mover}: {move.text}   (one of {len(position.moves())})")
        lines += [f"    {move.narrate(lang, ALL)}" for lang in LANGUAGES]
        plies, position = position.plies, position.play(move)
        # Not after each piece placed before the game begins, nor after each chance outcome.
        dealt = mover == "chance" and position.turn != CHANCE
        tenth = position.plies % 10 == 0 and (position.plies != plies or dealt)
        if position.turn is None or tenth:
            lines += ["", position.text, text_board(position.scene(ALL)), ""]
    assert match.outcome is not None
    lines += [match.outcome.text("fr"), match.outcome.text("en"), str(match.outcome.as_json())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write them all again."""
    for name, start in starts().items():
        match = played(name, start)
        path_of(name, ".txt").write_text(playthrough(match), "utf-8")
        path_of(name, ".jsonl").write_text(match.transcript(ALL), "utf-8")


if __name__ == "__main__":
    main()
