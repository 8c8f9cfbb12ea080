"""Mining is reproducible, and what is the same to the rules is one puzzle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import escale
from escale.arena.runners import done_in_processes
from escale.cli import app
from escale.devkit.starts import option_sets
from escale.game.position import Position
from escale.kernel import Random, perft
from escale.opponents import LEVELS
from escale.study.mining import Found, chosen, dig, digs, name_of, tried
from escale.study.puzzles import LEVEL_TRIES, Puzzle, puzzles_of
from tests.sizes import sized

TWO = [game.slug for game in escale.games() if game.seats == (2, 2)]
GAMES = sized(3, 6, 1)


def played(slug: str, number: int) -> Position:
    """A position somewhere in a random game."""
    game = escale.game(slug)
    options = option_sets(game)[number % len(option_sets(game))]
    position = game.start_with(options, seed=number)
    random = Random(number)
    for _ in range(60 + number):
        if not position.moves():
            break
        before, position = position, position.play(
            position.moves()[random.below(len(position.moves()))]
        )
    return position if position.moves() else before


def set_up(position: Position, cells: dict[str, str | int], turn: int) -> Position:
    """The mirrored table, with the counts that go with it."""
    game = position.game
    words = [game.write_board(cells), game.seat_names[turn], str(position.plies)]
    if "north" in cells and "north" in game.counters:
        words.append(f"north={cells['north']}")
    if "A out" in cells:
        words.append(f"out={cells['A out']}-{cells['B out']}")
    return game.position(" ".join([*words, *position.options.words()]))


@pytest.mark.parametrize("slug", TWO)
def test_mirrored_tables_are_the_same_to_the_rules(slug: str) -> None:
    """As many lines of play, and one name; checked on positions of random games."""
    for number in range(GAMES):
        position = played(slug, number)
        assert position.turn is not None
        position = set_up(position, position.cells, position.turn)     # without counts of its own
        assert position.turn is not None
        expected = perft(position.kernel(), 2)
        mirrors = list(position.game.mirrors(position.cells, position.turn))
        assert len(mirrors) >= 3
        for cells, turn in mirrors[:: max(1, len(mirrors) // 12)]:
            mirrored = set_up(position, cells, turn)
            assert perft(mirrored.kernel(), 2) == expected, (position.text, mirrored.text)
            assert name_of(mirrored) == name_of(position)
        other = played(slug, number + 100)
        assert other.text == position.text or name_of(other) != name_of(position)


def test_symmetries_compose() -> None:
    game = escale.game("tortuga")
    position = played("tortuga", 3)
    assert position.turn is not None
    aside, across, both = game.symmetries
    once = aside.of(position.cells, position.turn)
    assert across.of(*once) == both.of(position.cells, position.turn)
    assert aside.of(*once) == (position.cells, position.turn)
    assert both.of(*both.of(position.cells, position.turn)) == (position.cells, position.turn)


def test_as_many_processes_as_one_likes() -> None:
    """The same games are found in, and the same puzzles, wherever the work is done."""
    work = list(digs("tortuga", {}, 6, seed=5))
    here = {found.number: found for found in map(dig, work)}
    there = {found.number: found for found in done_in_processes(2, dig)(work)}
    assert here == there
    assert any(found.puzzles for found in here.values())
    assert len({one.key for one in work}) == len(work)


def test_the_command_writes_the_same_file_twice(tmp_path: Path) -> None:
    words = ["study", "mine", "qenj1", "-n", "10", "--count", "3", "--seed", "7"]
    for name, processes in (("one", "1"), ("two", "2")):
        ran = CliRunner().invoke(
            app, [*words, "--processes", processes, "--to", str(tmp_path / name)],
            catch_exceptions=False,
        )
        assert ran.exit_code == 0, ran.output
    text = (tmp_path / "one").read_text()
    assert text == (tmp_path / "two").read_text()
    head, *lines = map(json.loads, text.splitlines())
    assert head["made by"] == "escale study mine qenj1 --games 10 --count 3 --seed 7"
    assert 1 <= len(lines) <= 3


def test_puzzles_are_listed_and_shown() -> None:
    runner = CliRunner()
    listed = runner.invoke(app, ["study", "puzzles", "tortuga"], catch_exceptions=False).output
    puzzle = next(iter(puzzles_of(escale.game("tortuga")).values()))
    assert puzzle.id in listed
    shown = runner.invoke(
        app, ["study", "puzzles", "tortuga", puzzle.id, "--lang", "en"], catch_exceptions=False
    ).output
    assert puzzle.position in shown
    assert puzzle.line[0] in shown


def puzzle(
    name: str, moves: int, proof: str = "only", theme: str = "chain", found: int = 0
) -> Puzzle:
    return Puzzle.from_json({
        "id": name, "position": "", "moves": moves, "line": "a b c", "proof": proof,
        "themes": theme, "found": [0, found], "from": "",
    })


def test_those_kept_differ() -> None:
    """None twice, lengths and themes in turn, whole proofs first, few that are only soonest."""
    found = [
        Found(3, (puzzle("d", 2, "clear"),)),
        Found(0, (puzzle("a", 2), puzzle("b", 3))),
        Found(1, (puzzle("b", 3), puzzle("c", 3))),
        Found(2, (puzzle("e", 2, theme="quiet"), puzzle("g", 2, found=10))),
        Found(4, (puzzle("s", 2, "soonest"), puzzle("t", 2, "soonest"))),
        Found(5, (puzzle("u", 3, "soonest"),)),
    ]
    assert [one.id for one in chosen(found, 9)] == ["g", "a", "b", "e", "d", "s"]
    assert [one.id for one in chosen(found, 2)] == ["g", "a"]


@pytest.mark.parametrize("slug", ["tortuga", "qenj3"])
def test_a_try_is_a_whole_solution(slug: str) -> None:
    """A level that finds every move solves it; a move that wins later does not count."""
    game = escale.game(slug)
    for one in list(puzzles_of(game).values())[::15]:
        again = tried(one, one.start(game), LEVELS[:1])
        assert (again.found, again.slower) == (one.found[:1], one.slower[:1])
        assert again.found[0] + again.slower[0] <= LEVEL_TRIES
