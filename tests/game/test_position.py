"""Positions are values: texts and notation make the round trip, play is pure, errors are clear."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings

import escale
from escale.devkit.check import faults_of
from tests.strategies import nonsense, positions


@given(positions())
@settings(max_examples=120, deadline=None)
def test_everything_the_contract_promises(position: escale.Position) -> None:
    assert list(faults_of(position)) == []


@given(positions())
@settings(max_examples=120, deadline=None)
def test_text_round_trip(position: escale.Position) -> None:
    again = position.game.position(position.text)
    assert again == position
    assert again.text == position.text
    assert again.cells == position.cells
    assert again.turn == position.turn
    assert again.outcome == position.outcome


@given(positions())
@settings(max_examples=60, deadline=None)
def test_play_changes_nothing_but_makes_a_new_position(position: escale.Position) -> None:
    before = (position.text, position.cells, [move.text for move in position.moves()])
    for move in position.moves():
        after = position.play(move)
        assert after.parent is position
        assert after.last == move
        assert (position.text, position.cells, [m.text for m in position.moves()]) == before


@given(positions())
@settings(max_examples=60, deadline=None)
def test_replaying_the_line_gives_the_same_position(position: escale.Position) -> None:
    line = position.line()
    again = line[0].position if line else position
    for move in line:
        again = again.play(move.text)
    assert again == position
    assert again.kernel().key() == position.kernel().key()


@given(positions())
@settings(max_examples=60, deadline=None)
def test_a_position_alone_knows_what_led_to_it(position: escale.Position) -> None:
    alone = position.alone()
    assert alone._parent is None
    assert alone == position
    assert alone.last == position.last
    assert alone.line() == position.line()
    assert alone.parent == position.parent
    assert alone.parent is alone.parent
    assert alone.chance_count == position.chance_count
    assert pickle.loads(pickle.dumps(alone)).line() == position.line()
    for move in position.moves()[:2]:
        after, other = position.play(move).alone(), alone.play(move).alone()
        assert (after, after.line()) == (other, other.line())
        assert after.alone() is after
        assert alone.line() == position.line()          # what follows changes nothing before it
    before = [move.text for move in position.moves()]
    position.drop_caches()
    assert [move.text for move in position.moves()] == before


@given(positions())
@settings(max_examples=60, deadline=None)
def test_moves_that_were_played_lead_to_the_same_position_again(position: escale.Position) -> None:
    line = position.line()
    start = line[0].position if line else position
    codes = [move.code for move in line]
    again = start.after(codes)
    assert again == position
    assert again.line() == line
    assert again.kernel().key() == position.kernel().key()
    assert [one.text for one in start.along(codes)][-1] == position.text


@given(positions(), nonsense())
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_played_or_refused(position: escale.Position, text: str) -> None:
    try:
        after = position.play(text)
    except escale.IllegalMove as no:
        assert no.refusal.text("fr")
        assert no.refusal.text("en")
        assert no.rule is None or no.rule.startswith(position.game.slug + "#")
        words = position.game.vocabulary(position.options)
        assert set(no.refusal.cells) <= words | set(position.cells)
    else:
        assert after.last in position.moves()


@given(positions(most=0), nonsense())
@settings(max_examples=400, deadline=None)
def test_any_text_sets_up_a_position_or_is_refused(start: escale.Position, text: str) -> None:
    try:
        position = start.game.position(text)
    except (escale.BadPosition, escale.BadOption) as no:
        assert str(no)
    else:
        assert start.game.position(position.text) == position


def test_turn_and_outcome() -> None:
    game = escale.game("tortuga")
    assert game.start().turn == escale.CHANCE
    assert game.start(first="north").turn == 1
    won = game.position("4/5/6/6S/6/5/4 north 12")
    assert won.turn is None
    assert won.moves() == []
    assert won.outcome is not None
    assert won.outcome.winners == (0,)
    assert won.outcome.rule == "tortuga#win"
    assert won.outcome.text("fr") == "Sud a atteint la base adverse et gagne."
    with pytest.raises(escale.IllegalMove, match="over"):
        won.play("d7-d6")


def test_a_seed_draws_the_lots() -> None:
    game = escale.game("tortuga")
    assert {game.start(seed=seed).turn for seed in range(20)} == {0, 1}
    assert game.start(seed=7) == game.start(seed=7)
    drawn = game.start(seed=7)
    assert [move.text for move in drawn.line()] in (["south"], ["north"])


def test_options_are_part_of_a_position() -> None:
    game = escale.game("tortuga")
    plain, strict = game.start(first="south"), game.start(first="south", longest="jumps")
    assert plain.cells == strict.cells
    assert plain != strict
    assert game.position(strict.text).options["longest"] == "jumps"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "BOARD TURN PLIES"),
        ("S2N south 0", "Expected 7 rows"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2M south 0", "Row 7: expected S, N, x"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2NN south 0", "Row 7 has 4 cells"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N west 0", "Whose turn"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south x", "number of plies"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south 0 seen=7", "seen=1, 2 or 3"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south 0 speed=7", "known options: formation"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south 0 seen=2", "Tortuga cannot come again"),
        ("S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south 0 longest=on", "known values: off, jumps, enemies"),
        ("SSSS/SSSSS/SSSSSS/SSS4/6/5/4 south 0", "16 turtles"),
        ("4/5/6/6S/6/5/4 south 0", "it would be North’s turn"),
        ("S3/5/6/7/6/5/4 chance 0", "drawn before the first move only"),
        ("4/5/6/7/6/5/4 south 0 longest=jumps longest=off", "cannot be both"),
    ],
)
def test_impossible_positions_say_why(text: str, says: str) -> None:
    with pytest.raises((escale.BadPosition, escale.BadOption), match=says):
        escale.game("tortuga").position(text)


def test_canoe_refuses_impossible_positions() -> None:
    game = escale.game("canoe")
    with pytest.raises(escale.BadPosition, match="light peg.*13 in the box, not 14"):
        game.position("4/LLLLLLLLLLLLL/L12/13/11/7 light 0")
    with pytest.raises(escale.BadPosition, match="no chance"):
        game.position("4/13/13/13/11/7 chance 0")


def test_unknown_games_and_options_list_the_known_ones() -> None:
    with pytest.raises(escale.UnknownGame, match="known games: .*tortuga.*Did you mean “tortuga”"):
        escale.game("tortugo")
    with pytest.raises(escale.BadOption, match="no option “colour”; known options: form"):
        escale.game("tortuga").start(colour="red")
    with pytest.raises(escale.BadOption, match="this game has none"):
        escale.game("qenj4").start(colour="red")
    with pytest.raises(escale.BadOption, match="is a game for 2 players, not 3"):
        escale.game("canoe").start(seats=3)


def test_seen_occurrences_survive_the_text() -> None:
    position = escale.game("canoe").start().play("e4").play("f4")
    for _ in range(2):
        for move in ("e4-e5", "f4-f5", "e5-e4", "f5-f4"):
            position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.name == "repetition"
    assert position.text.endswith("seen=3")
    assert position.game.position(position.text).outcome == position.outcome
    twice = position.parent
    assert twice is not None
    assert twice.game.position(twice.text).text.endswith("seen=2")


@pytest.mark.parametrize("seen", [2, 3])
def test_what_cannot_come_again_has_not_been_seen_before(seen: int) -> None:
    position = escale.game("qenj2").start(setup="quick", seed=3).play("north")
    with pytest.raises(escale.BadPosition, match="Qenj 2 cannot come again"):
        position.game.position(f"{position.text} seen={seen}")


def test_repetition_goes_on_from_a_text() -> None:
    position = escale.game("canoe").position("4/13/4LD7/13/11/7 light 6 seen=2")
    for move in ("e4-e5", "f4-f5", "e5-e4", "f5-f4"):
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.name == "repetition"


def test_a_text_finds_the_same_move_whether_it_was_met_before_or_not() -> None:
    for game in escale.games():
        position = game.start(seed=3)
        for _ in range(12):
            for move in position.moves()[:40]:
                # Positions that know their choices look there, others among what texts have meant.
                fresh = game.position(position.text) if position.turn is not None else position
                assert fresh.find(move.text).text == move.text
            position.choices()
            some = position.moves()[len(position.moves()) // 2]
            assert position.find(some.text) == some
            position = position.play(some)
            if position.turn in (None, escale.CHANCE):
                break
