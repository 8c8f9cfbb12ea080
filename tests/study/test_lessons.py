"""Every lesson is walked through: what is asked can be done, and all else is answered."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import escale
from escale.devkit.lessons import lesson_faults
from escale.game.errors import IllegalMove
from escale.game.game import Game
from escale.game.position import Position
from escale.game.texts import LANGUAGES
from escale.study.lessons import Lesson, Step, lesson, read_lesson

GAMES = escale.games()
EVERY = [
    pytest.param(game, step, id=f"{game.slug}-{step.id}")
    for game in GAMES for step in (lesson(game) or Lesson(game, ())).steps
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_every_game_of_the_shelf_has_a_lesson(game: Game[Any]) -> None:
    taught = lesson(game)
    assert taught is not None
    assert list(lesson_faults(game)) == []
    assert 6 <= len(taught.steps) - len(taught.tasks) <= 10
    assert 2 <= len(taught.tasks) <= 3
    # It builds on the examples, which are figures and tests as well.
    shown = {example.position for example in game.examples}
    assert sum(step.position in shown for step in taught.steps) >= 2
    # Each teaches by something that the rules refuse, and ends with a game that is won.
    assert any(step.refused for step in taught.steps)
    assert any(step.goal and step.goal.win for step in taught.steps)


@pytest.mark.parametrize(("game", "step"), EVERY)
def test_a_step_accepts_what_it_asks_for_and_answers_the_rest(game: Game[Any], step: Step) -> None:
    position = step.reach(game)
    legal = {move.text for move in position.moves()}
    answers = step.answers(game)
    assert answers.keys() <= legal
    assert step.hint(game)
    assert (step.other is not None) == (len(answers) < len(legal))
    assert all(text.strip() for lang in LANGUAGES for text in (step.ask[lang], step.done[lang]))
    if step.refused:
        with pytest.raises(IllegalMove) as no:
            position.play(step.attempt or "")
        assert no.value.refusal.paragraph == step.refused
        assert no.value.refusal.rule == f"{game.slug}#{step.refused}"
    elif step.point:
        assert set(step.point) <= {cell.id for cell in position.game.board.cells}
    else:
        assert answers
    if step.task:                           # a task is not solved by just anything
        assert 0 < len(answers) < len(legal)


def won(position: Position, seat: int) -> bool:
    return position.outcome is not None and position.outcome.winners == (seat,)


def wins_within(position: Position, seat: int, moves: int) -> bool:
    """Whether a seat that is to move wins with its n-th move at the latest, by plain search."""
    for move in position.moves():
        after = position.play(move)
        if won(after, seat):
            return True
        if moves > 1 and after.turn is not None and all(
            wins_within(after.play(reply), seat, moves - 1) for reply in after.moves()
        ):
            return True
    return False


@pytest.mark.parametrize(
    ("game", "step"), [one for one in EVERY if one.values[1].goal and one.values[1].goal.win]  # type: ignore[union-attr]
)
def test_what_shall_win_wins_and_nothing_else_does(game: Game[Any], step: Step) -> None:
    position, answers = step.reach(game), step.answers(game)
    seat = position.turn
    assert seat is not None
    assert step.goal is not None
    for move in position.moves():
        after = position.play(move)
        certain = won(after, seat) or (step.goal.win > 1 and after.turn is not None and all(
            wins_within(after.play(reply), seat, step.goal.win - 1) for reply in after.moves()
        ))
        assert certain == (move.text in answers), move.text
        # The reply that is shown is legal, and every way to go on from it wins.
        if reply := answers.get(move.text):
            then = after.play(reply.move)
            assert reply.then
            assert all(won(then.play(text), seat) for text in reply.then)


@pytest.mark.parametrize(
    ("game", "step"), [one for one in EVERY if one.values[1].goal and one.values[1].goal.safe]  # type: ignore[union-attr]
)
def test_who_is_to_save_themselves_would_lose_otherwise(game: Game[Any], step: Step) -> None:
    position, answers = step.reach(game), step.answers(game)
    for move in position.moves():
        after = position.play(move)
        assert after.turn is not None
        lost = any(won(after.play(reply), after.turn) for reply in after.moves())
        assert lost == (move.text not in answers), move.text


def test_captures_and_shelter_are_goals_too() -> None:
    steps = {step.id: step for step in _taught("canyon-1972").steps}
    game = escale.game("canyon-1972")
    three, shelter = steps["three-at-once"], steps["shelter"]
    pawns = sum(piece == "yellow" for piece in three.reach(game).cells.values())
    for text in three.answers(game):
        after = three.reach(game).play(text)
        assert sum(piece == "yellow" for piece in after.cells.values()) == pawns - 3
    position = shelter.reach(game)
    for move in position.moves():
        after = position.play(move)
        red = sum(piece == "red" for piece in after.cells.values())
        taken = any(
            sum(piece == "red" for piece in after.play(reply).cells.values()) < red
            for reply in after.moves()
        )
        assert taken == (move.text not in shelter.answers(game)), move.text


def test_the_sure_bid_is_sure() -> None:
    """The ten of trumps takes its trick, however the others play, so that the bid is exact."""
    game = escale.game("canyon-1997")
    step = next(step for step in _taught("canyon-1997").steps if step.id == "sure-bid")
    position = step.reach(game).play("bid1")
    for bids in itertools.product(("bid0", "bid1"), repeat=2):
        after = position.play(bids[0]).play(bids[1])
        while True:
            move = after.moves()[0]
            taken = [change.to for change in move.changes if change.kind == "trick-taken"]
            if taken:
                assert taken == ["otter"]
                break
            after = after.play(move)


def test_what_a_step_does_not_say_its_example_does() -> None:
    game = escale.game("tortuga")
    sentences = 'ask = {fr = "Oui ?", en = "Yes?"}\ndone = {fr = "Oui.", en = "Yes."}\n'
    taught = read_lesson(game, f"""
[[task]]
id = "last"
example = "free-choice"
goal = {{ change = "turned", count = 2 }}
rule = "must-jump"
{sentences}
[[step]]
id = "move"
example = "jump-enemy"
rule = "jump"
{sentences}
[[step]]
id = "attempt"
example = "never-back"
{sentences}""")
    move, attempt, task = taught.steps
    assert taught.tasks == (task,)
    assert move.moves == ("c3-e4",)
    assert (attempt.attempt, attempt.refused, attempt.rule) == ("d4-d3", "forward", "forward")
    assert task.moves == ()
    assert list(task.answers(game)) == ["d1-d3-d5"]
    assert move.ask["fr"] == "Oui\u202f?"


def _taught(slug: str) -> Lesson:
    taught = lesson(escale.game(slug))
    assert taught is not None
    return taught
