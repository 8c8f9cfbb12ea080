"""The arena plays fair pairs, gives the same results anywhere, and goes on where it stopped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import escale
from escale.arena.contenders import Contender
from escale.arena.openings import after, decided, opened
from escale.arena.pairings import Pairing, Result, pairings, play
from escale.arena.runners import in_processes, read, resume
from escale.arena.train import rewritten
from escale.cli import main
from escale.kernel import Random
from escale.kernel.weights import numbers_of, row_of
from tests.sizes import PATIENCE_SECONDS


def some(games: int = 6) -> list[Pairing]:
    return list(pairings("tortuga", {}, "random", "mcts:simulations=60", games, 4))


def test_each_opening_is_played_from_both_sides() -> None:
    first, second, third, *_ = some()
    assert first.opening == second.opening != third.opening
    assert first.seated == second.seated[::-1]
    assert len({pairing.key for pairing in some()}) == len(some()) == 6


def test_openings_leave_the_game_open() -> None:
    start = escale.game("qenj4").start_with({}, seats=2, seed="opening 3")
    rough = [after(start, 4, Random(n)) for n in range(30)]
    fair = [opened(start, 4, Random(n)) for n in range(30)]
    assert sum(position.turn is None or decided(position) for position in rough) > 5
    assert sum(decided(position) for position in fair) == 0
    assert {position.plies for position in fair} == {4}
    assert len({position.text for position in fair}) > 20


def test_where_all_openings_end_the_game_it_starts_as_always() -> None:
    start = escale.game("qenj4").start_with({}, seats=2, seed="opening 3")
    assert opened(start, 400, Random(1)) == start


def test_a_pairing_has_one_result() -> None:
    for pairing in some(4):
        assert play(pairing) == play(pairing)


def test_processes_give_the_same_results(tmp_path: Path) -> None:
    there = {result.key: result for result in in_processes(2)(some())}
    assert there == {pairing.key: play(pairing) for pairing in some()}


def test_results_are_kept_and_not_played_again(tmp_path: Path) -> None:
    keep = tmp_path / "results.jsonl"
    played: list[str] = []

    def run(wanted: Iterable[Pairing]) -> Iterator[Result]:
        for pairing in wanted:
            played.append(pairing.key)
            yield play(pairing)

    first = list(resume(keep, some(2), run))
    keep.write_text(keep.read_text("utf-8") + '{"key": "cut off', "utf-8")
    every = list(resume(keep, some(4), run))
    assert every[:2] == first
    assert len(every) == len(played) == len(read(keep)) == 4
    assert list(resume(keep, some(4), run)) == every
    keep.write_text("nonsense\n", "utf-8")
    with pytest.raises(escale.BadTranscript, match="line 1"):
        read(keep)


def test_workers_do_not_outlive_a_match_that_is_killed() -> None:
    script = (
        "import time\n"
        "from escale.arena.runners import pool_of\n"
        "if __name__ == '__main__':\n"
        "    with pool_of(2) as pool:\n"
        "        for _ in range(2): pool.submit(print, 'begun', flush=True)\n"
        "        list(pool.map(time.sleep, [600, 600]))\n"
    )
    match = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert match.stdout is not None
    assert match.stdout.readline() == match.stdout.readline() == "begun\n"
    match.kill()
    match.communicate(timeout=PATIENCE_SECONDS)   # ends with the last process that could write


def test_contenders() -> None:
    position = escale.game("tortuga").start(seed=1)
    for name in ("random", "mousse", "mcts:simulations=10", "mcts:ms=5",
                 "alphabeta:nodes=50", "alphabeta:ms=5", "plain:simulations=10"):
        assert Contender.parse(name).choose(position, 3) in position.moves()
    for name in ("chess", "mcts", "mcts:simulations=0", "mcts:years=3", "mcts:ms=-1",
                 "mcts:nodes=5", "alphabeta:simulations=5", "mcts:ms=5,weights=a.toml"):
        with pytest.raises(escale.BadOption, match="no contender|--help"):
            Contender.parse(name)


def test_a_contender_may_evaluate_by_other_numbers(tmp_path: Path) -> None:
    position = escale.game("tortuga").start(seed=1)
    before = position.game.evaluation.numbers
    file = tmp_path / "upside-down.toml"
    text = (position.game.folder / "weights.toml").read_text("utf-8")
    numbers = numbers_of([-number for number in row_of(before)], before)
    file.write_text(rewritten(text, numbers, "no one"), "utf-8")
    other = Contender.parse(f"alphabeta:nodes=300,weights={file}")
    choices = [Contender.parse("alphabeta:nodes=300").choose(position, s).text for s in range(5)]
    assert choices != [other.choose(position, seed).text for seed in range(5)]
    assert position.game.evaluation.numbers is before
    with pytest.raises(escale.BadOption, match="no evaluation with weights"):
        other.choose(escale.game("canyon-1997").start(seed=1), 1)


def test_search_beats_chance() -> None:
    shares = [play(p).shares[p.seated.index("mcts:simulations=60")] for p in some(8)]
    assert sum(shares) >= 7


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep = tmp_path / "results.jsonl"
    with pytest.raises(SystemExit) as done:
        main(["arena", "match", "mousse", "random", "-g", "canoe", "-n", "2", "--keep", str(keep),
              "--processes", "1"])
    assert done.value.code == 0
    assert "mousse against random at canoe" in capsys.readouterr().out
    with pytest.raises(SystemExit) as refused:
        main(["arena", "league", "mousse", "mousse", "-g", "canoe"])
    assert refused.value.code == 2
