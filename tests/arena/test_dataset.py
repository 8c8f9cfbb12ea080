"""Games written as data are read back identically, and say what was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import escale
from escale.arena.dataset import games_of, read, rows_of, self_play, write
from escale.cli import main

CONTENDERS = ("alphabeta:nodes=60", "random")


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("slug", ["tortuga", "canyon-1997"])
def test_what_is_read_is_what_was_written(slug: str, suffix: str, tmp_path: Path) -> None:
    first = "ismcts:simulations=4" if slug == "canyon-1997" else CONTENDERS[0]
    options = {"short": "on"} if slug == "canyon-1997" else {}
    wanted = self_play(slug, options, first, "random", 2, 2)
    games = [rows[:400] for rows in games_of(wanted, 1)]
    file = tmp_path / f"games{suffix}"
    rows = [row for game in games for row in game]
    assert write(file, iter(games)) == len(rows) > 20
    assert read(file) == read(str(file)) == rows
    assert {row.expected is None for row in rows} == {False, True}


def test_rows_tell_a_game_from_its_opening_to_its_end() -> None:
    [pairing] = self_play("canoe", {"swap": "on"}, "random", "random", 1, 4)
    rows = rows_of(pairing)
    position = escale.game("canoe").position(rows[0].position)
    assert position.plies == 4
    for row in rows:
        assert (position.text, position.turn) == (row.position, row.seat)
        assert row.plies_left == len(rows) + 4 - position.plies
        position = position.play(row.move)
    assert {row.contender for row in rows} == {"random"}
    assert sum(rows[0].shares) == 1


def test_nothing_is_played_twice() -> None:
    for second in CONTENDERS:
        wanted = self_play("tortuga", {}, "random", second, 9, 4)
        assert len({pairing.key for pairing in wanted}) == len(wanted) == 9


def test_the_command_writes_the_same_file_with_any_number_of_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for processes, file in enumerate(files, 1):
        with pytest.raises(SystemExit) as done:
            main(["arena", "games", "random", "--game", "qenj4", "-n", "5", "--processes",
                  str(processes), "--out", str(file)])
        assert done.value.code == 0
    assert "; games, 5." in capsys.readouterr().out
    assert files[0].read_text() == files[1].read_text()
    assert json.loads(files[0].read_text().splitlines()[0])["game"] == "qenj4"


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    for content in ('{"key": 1}\n', "no JSON\n", "[]\n"):
        file.write_text(content)
        with pytest.raises(escale.BadTranscript, match="not a file of games"):
            read(file)
