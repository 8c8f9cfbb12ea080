"""The golden playthroughs come out as they are written; old transcripts replay for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from escale.game.viewer import ALL
from escale.match.match import Match
from tests.games import HERE
from tests.games.golden import TRANSCRIPTS, path_of, played, playthrough, starts

STARTS = starts()


@pytest.mark.parametrize("name", STARTS)
def test_playthrough(name: str) -> None:
    match = played(name, STARTS[name])
    assert playthrough(match) == path_of(name, ".txt").read_text("utf-8")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_replays(path: Path) -> None:
    transcript = path.read_text("utf-8")
    match = Match.replay(transcript)
    assert match.transcript(ALL) == transcript
    assert match.outcome is not None


def test_every_game_has_one() -> None:
    assert {path_of(name, ".txt") for name in STARTS} == set(HERE.glob("*/golden/*.txt"))
