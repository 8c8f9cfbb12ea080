"""The golden playthroughs come out as they are written; old transcripts replay for ever."""

from __future__ import annotations

import pytest

from escale.game.viewer import ALL
from escale.match.match import Match
from tests.golden import HERE, matches, playthrough

MATCHES = matches()


@pytest.mark.parametrize("name", MATCHES)
def test_playthrough(name: str) -> None:
    assert playthrough(MATCHES[name]) == (HERE / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_transcript_replays(path) -> None:  # type: ignore[no-untyped-def]
    transcript = path.read_text("utf-8")
    match = Match.replay(transcript)
    assert match.transcript(ALL) == transcript
    assert match.outcome is not None


def test_every_game_has_one() -> None:
    assert {f"{name}.txt" for name in MATCHES} == {path.name for path in HERE.glob("*.txt")}
