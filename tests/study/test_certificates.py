"""Certificates: every puzzle has one, the checker believes it, and believes no other."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import escale
from escale.cli import app
from escale.game.errors import BadCertificate, NotNow
from escale.kernel import Limit
from escale.study import checking
from escale.study.certificates import certify, certify_puzzle
from escale.study.checking import check
from escale.study.puzzles import Puzzle, puzzles_of
from tests.sizes import sized

SLUGS = [game.slug for game in escale.games()]
SAMPLE = sized(50, 50, 5)
CARDS = sized(12, 50, 2)
"""Games with cards have long certificates."""
pytestmark = pytest.mark.skipif(not escale.COMPILED, reason="proofs are long uncompiled")


def verify(game: escale.Game[Any], puzzle: Puzzle) -> None:
    """The certificate of a puzzle proves its solution, in time."""
    text = certify_puzzle(puzzle, puzzle.start(game))
    found = check(text)
    assert (found.position, found.seat) == (puzzle.start(game), puzzle.start(game).turn)
    first = json.loads(text.splitlines()[-1])[0]
    if found.goal == "win":
        assert found.plies <= puzzle.plies
        assert first == puzzle.line[0]


@pytest.mark.parametrize("slug", SLUGS)
def test_puzzles_have_certificates(slug: str) -> None:
    game = escale.game(slug)
    puzzles = sorted(puzzles_of(game).values(), key=lambda one: one.moves)
    for puzzle in puzzles[:SAMPLE if game.seats == (2, 2) else CARDS]:
        verify(game, puzzle)


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
def test_every_puzzle_has_a_certificate(slug: str) -> None:
    game = escale.game(slug)
    for puzzle in puzzles_of(game).values():
        verify(game, puzzle)


def sample(slug: str = "tortuga", plies: int = 5) -> list[Any]:
    """The lines of a certificate."""
    game = escale.game(slug)
    puzzle = next(one for one in puzzles_of(game).values() if one.plies == plies)
    return [*map(json.loads, certify_puzzle(puzzle, puzzle.start(game)).splitlines())]


def written(lines: list[Any]) -> str:
    return "\n".join(map(json.dumps, lines))


def test_every_changed_move_is_noticed() -> None:
    """With another move of the winner in any line, the certificate proves less or nothing."""
    lines = sample()
    check(written(lines))
    changed = 0
    for number, line in enumerate(lines[1:], 1):
        if isinstance(line, list):
            with pytest.raises(BadCertificate, match=f"line {number + 1}"):
                check(written([*lines[:number], ["a1-a1", *line[1:]], *lines[number + 1:]]))
            changed += 1
    assert changed > 2


def test_a_missing_reply_is_noticed() -> None:
    lines = sample()
    for number, line in enumerate(lines[1:], 1):
        if isinstance(line, dict) and "" in line:
            rest = {reply: node for reply, node in line.items() if reply}
            with pytest.raises(BadCertificate, match="nothing follows"):
                check(written([*lines[:number], rest, *lines[number + 1:]]))
            return
    raise AssertionError("no line has a usual reply")


def test_the_loser_has_no_certificate() -> None:
    lines = sample()
    other = "north" if lines[0]["seat"] == "south" else "south"
    with pytest.raises(BadCertificate, match="expected replies of the others"):
        check(written([{**lines[0], "seat": other}, *lines[1:]]))


@pytest.mark.parametrize(("change", "said"), [
    ({"certificate": 2}, "line 1: expected a head"),
    ({"game": "chess"}, "line 1: "),
    ({"position": "nonsense"}, "line 1: "),
    ({"seat": "west"}, "line 1: expected a seat: south, north"),
    ({"goal": "fame"}, "line 1: expected a goal: win, draw"),
    ({"goal": "exercise"}, "line 1: expected a goal: win, draw"),
    ({"goal": ["win"]}, "line 1: expected a goal: win, draw"),
])
def test_a_wrong_head_is_refused(change: dict[str, Any], said: str) -> None:
    head, *lines = sample()
    with pytest.raises(BadCertificate, match=said):
        check(written([{**head, **change}, *lines]))


@pytest.mark.parametrize("line", [
    "", "{", "[" * 100_000, "7", "[]", '["a1-a2", 0, 0]', '["a1-a2", 999]', '["a1-a2", -1]',
    '["a1-a2", "0"]', '["a1-a2", true]', '{"": 1e400}', '{"": 99}', '[["a1"]]', "\ud7ff",
])
def test_nonsense_is_refused_with_its_line(line: str) -> None:
    head = json.dumps(sample()[0])
    with pytest.raises(BadCertificate, match="line 2: expected"):
        check(f"{head}\n{line}\n")
    for empty in ("", head, b"\xff\xfe", b"\x00" * 1000):
        with pytest.raises(BadCertificate):
            check(empty)


def test_the_cost_is_bounded() -> None:
    text = written(sample("canoe", 3))
    with pytest.raises(BadCertificate, match="more than 20 positions"):
        check(text, most=20)
    head = sample()[0]
    long = [head, {}, *({"": number} for number in range(checking.PLIES))]
    with pytest.raises(BadCertificate, match="at most 400 plies"):
        check(written(long))
    with pytest.raises(BadCertificate, match="at most 64 MB"):
        check(" " * (checking.FILE_BYTES + 1))


def test_the_checker_knows_only_the_rules() -> None:
    path = Path(checking.__file__)
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= 200
    imported = {
        node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)
    }
    ours = {name for name in imported if name and name.startswith("escale")}
    assert ours <= {
        "escale.game.errors", "escale.game.game", "escale.game.moves", "escale.game.position",
        "escale.games",
    }


def test_a_draw_can_be_proven() -> None:
    """One ply before the limit of Tortuga nothing is decided: whoever moves does not lose."""
    game = escale.game("tortuga")
    board, turn, _, *rest = game.start(seed=1).text.split()
    position = game.position(" ".join([board, turn, "298", *rest]))
    assert position.turn is not None
    for seat in (0, 1):
        found = check(certify(position, seat, "draw"))
        assert (found.goal, found.plies) == ("draw", 2)
        with pytest.raises(NotNow, match="no proof was found"):
            certify(position, seat, "win")


def test_what_is_hidden_is_not_proven() -> None:
    position = escale.game("canyon-1997").start(seats=3, seed=1)
    assert position.turn is not None
    with pytest.raises(NotNow, match="something is hidden"):
        certify(position, position.turn, "win", limit=Limit(nodes=10))


def test_on_the_command_line(tmp_path: Path) -> None:
    runner, file = CliRunner(), tmp_path / "proof.jsonl"
    game = escale.game("qenj4")
    puzzle = next(iter(puzzles_of(game).values()))
    done = runner.invoke(app, ["study", "prove", "qenj4", puzzle.id, "--out", str(file)])
    assert done.exit_code == 0, done.output
    same = runner.invoke(app, ["study", "prove", "qenj4", puzzle.position])
    assert file.read_text("utf-8") in same.output
    checked = runner.invoke(app, ["study", "verify", str(file)])
    assert checked.exit_code == 0
    assert " wins within " in checked.output
    file.write_text(file.read_text("utf-8").replace("win", "loss"), "utf-8")
    wrong = runner.invoke(app, ["study", "verify", str(file)])
    assert wrong.exit_code != 0
    assert isinstance(wrong.exception, BadCertificate)
