"""The conformance kit finds what a lesson has got wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import escale
from escale.devkit import lessons
from escale.devkit.check import check
from escale.devkit.lessons import lesson_faults
from escale.study.lessons import read_lesson

TORTUGA = escale.game("tortuga")
FILE = (TORTUGA.folder / "lessons.toml").read_text("utf-8")


@pytest.mark.parametrize(("found", "instead", "fault"), [
    ('id = "never-back"', 'id = "forward"', "two steps are called forward"),
    ('rule = "forward"\n', 'rule = "backward"\n', "forward: no paragraph backward"),
    ('done.en = "Two enemies', 'done.fy = "Two enemies',
     "two-on-their-backs: done is a sentence"),
    ("Entrez-y !", "Entrez-y", "base: ask is a sentence"),
    ("Eh non :", "Eh non " + "vraiment " * 12 + ":", "never-back: done has "),
    ("Une tortue de plus", "L'une de plus", "neutral: done has a straight apostrophe"),
    ("goal = { win = 2 }", "goal = { win = 1 }", "win-in-two: no legal move does what is asked"),
    ('attempt = "a1"', 'attempt = "a1-a2"', "must-jump: players cannot point at a1-a2"),
    ('attempt = "a1"', 'attempt = "c3-e4"', "must-jump: c3-e4 is not refused"),
    ('refused = "must-jump"', 'refused = "step"',
     "must-jump: a1 is refused by must-jump, not step"),
    ('example = "win-by-step"', 'example = "over"', "base: no seat is to move"),
    ('example = "three-ways"\nany = true', 'example = "three-ways"\nmoves = ["d4-d5"]',
     "forward: nothing is said of other legal moves"),
    ('example = "jump-friend"', 'example = "jump-enemy"',
     "jump-friend: every legal move is right: other is never said"),
    ('example = "three-ways"\nany = true', 'example = "three-ways"\npoint = ["d9"]',
     "forward: d9 is no cell"),
    ("goal = { win = 2 }", 'goal = { win = 2 }\nmoves = ["e5-e6"]',
     "win-in-two: asks for more than one thing"),
    ("[[task]]", "[[left-out]]", "expected 1 to 3 tasks, not 0"),
])
def test_what_is_wrong_with_a_lesson_is_found(
    found: str, instead: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found in FILE
    taught = read_lesson(TORTUGA, FILE.replace(found, instead))
    monkeypatch.setattr(lessons, "lesson", lambda game: taught)
    faults = list(lesson_faults(TORTUGA))
    assert any(one.startswith(fault) for one in faults), faults


def test_a_piece_that_begins_another_move_is_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    qenj2 = escale.game("qenj2")
    text = (qenj2.folder / "lessons.toml").read_text("utf-8").replace('"a6-c7"', '"a6-c5"')
    taught = read_lesson(qenj2, text)
    monkeypatch.setattr(lessons, "lesson", lambda game: taught)
    assert "distance: who points at c5 begins another move" in list(lesson_faults(qenj2))


def test_a_game_without_a_lesson_is_told_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lessons, "lesson", lambda game: None)
    assert list(lesson_faults(TORTUGA)) == ["there is no lessons.toml"]
    monkeypatch.setattr("escale.devkit.check.CHECKS", {"lessons": lambda g, n, s: lesson_faults(g)})
    assert check(TORTUGA) == [("lessons", ["there is no lessons.toml"])]
