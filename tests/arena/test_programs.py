"""Engines of others in the arena: they play, and whatever they do wrong loses a game."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import escale
from escale.arena import programs
from escale.arena.contenders import Contender
from escale.arena.pairings import FORFEIT, Pairing, forfeits, pairings, play
from escale.arena.programs import Program
from escale.arena.runners import in_processes, read
from escale.cli import main
from escale.kernel import Limit
from tests.opponents.engines import EXAMPLE, FAULTS, HOSTILE, written

MOVER = f"engine:{shlex.join([sys.executable, str(EXAMPLE)])}"


def test_the_words_of_a_program() -> None:
    assert Program.parse("mine --deep 'a b'") == Program(
        ("mine", "--deep", "a b"), Limit(seconds=1.0), 1024
    )
    assert Program.parse("ms=50,memory=64,mine ms=3,x") == Program(
        ("mine", "ms=3,x"), Limit(seconds=0.05), 64
    )
    assert Program.parse("nodes=500,mine").limit == Limit(nodes=500)
    assert Program.parse("nodes=500,ms=20,mine").limit == Limit(nodes=500, seconds=0.02)
    for text in ("", "ms=5,", "ms=0,mine", "memory=0,mine", "mine 'open",
                 "nodes=5,simulations=5,mine"):
        with pytest.raises(escale.BadOption):
            Contender.parse(f"engine:{text}")


def test_an_engine_plays_whole_games_and_each_runner_gives_the_same() -> None:
    wanted = [
        *pairings("canoe", {}, MOVER, "mousse", 2, 4),
        *pairings("canyon-1997", {}, MOVER, "random", 1, 0),
    ]
    here = [play(pairing) for pairing in wanted]
    assert {result.ending for result in here}.isdisjoint([FORFEIT])
    assert {result.failed for result in here} == {None}
    assert here[0].won_by("mousse") + here[1].won_by("mousse") >= 1
    there = {result.key: result for result in in_processes(2)(wanted[:2])}
    assert [there[result.key] for result in here[:2]] == here[:2]


@pytest.mark.parametrize("name", ["silence", "death", "memory", "flood", "illegal"])
def test_a_hostile_engine_loses_with_the_reason_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "GRACE_SECONDS", 0.3 if name == "silence" else 20.0)
    words = shlex.join(written(tmp_path, name, HOSTILE[name]))
    hostile = f"engine:ms={200 if name == 'silence' else 5000},memory=512,{words}"
    result = play(Pairing("canoe", (), ("random", hostile), 1, 0))
    assert (result.shares, result.ending, result.failed) == ((1.0, 0.0), FORFEIT, 1)
    assert result.reason.startswith(f"{FAULTS[name]}: ")
    assert result.plies == 1
    [(who, fault)] = forfeits([result])
    assert (who, fault) == (hostile, FAULTS[name])


def test_among_several_the_others_win_together() -> None:
    dead = "engine:/nowhere/engine"
    result = play(Pairing("canyon-1997", (), ("random", dead, "random"), 1, 0))
    assert result.shares == (0.5, 0.0, 0.5)
    assert "No such file" in result.reason


def test_a_match_reports_what_engines_did_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "results.jsonl"
    quitter = f"engine:{shlex.join(written(tmp_path, 'quitter', HOSTILE['death']))}"
    for command in (["match", MOVER, quitter], ["league", MOVER, quitter, "random"]):
        with pytest.raises(SystemExit) as done:
            main(["arena", *command, "-g", "canoe", "-n", "2", "--processes", "1",
                  "--keep", str(keep)])
        assert done.value.code == 0
        told = " ".join(capsys.readouterr().out.split())
        games = 2 if command[0] == "match" else 4
        assert f"games forfeited (died): {games} of {games}." in told
        assert "ended with 1: out of ideas" in told
    assert sum(result.failed is not None for result in read(keep)) == 4
    with pytest.raises(SystemExit) as refused:
        main(["arena", "match", "engine:/nowhere/engine", "random", "-g", "canoe"])
    assert refused.value.code == 2
    assert "No such file" in capsys.readouterr().err
