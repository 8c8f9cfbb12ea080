"""Canyon (1972): long chains, what a way is, sums and counts, how games end, how it looks."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escale
from bench.canyon_1972 import DENSE
from escale.devkit.check import faults_of
from escale.game.scene import Tally
from escale.game.viewer import ALL
from escale.games.canyon_1972 import chains
from escale.games.canyon_1972.chains import MOST_WAYS, STOP, captures
from escale.games.canyon_1972.geometry import by_jump
from escale.kernel import each_bit, perft, playouts
from escale.render.text import board_in_words, text_board
from tests.games.canyon_1972 import test_compare, witness
from tests.games.canyon_1972.slow_ways import Table, left_by, notation, shortest, ways
from tests.games.compare import only_places

GAME = escale.game("canyon-1972")
WIDTHS = ("short", "narrow", "wide-passes")


@st.composite
def strewn(draw: st.DrawFn) -> escale.Position:
    """Pawns dropped on the board, now few, now as many as there are, now on one side of it."""
    seed = draw(st.integers(0, 2**32))
    return test_compare.strewn(GAME, random.Random(seed), {"canyon": draw(st.sampled_from(WIDTHS))})


def state_of(position: escale.Position) -> Any:
    return position.kernel()


def table_of(position: escale.Position) -> Table:
    rules = state_of(position)
    return Table(rules.own, rules.enemy, rules.canyon)


def by_jumps(move: int) -> bool:
    """Neither a step nor a pass."""
    return move > 0 and by_jump(move & 63, move >> 6 & 63)


def chain_moves(table: Table) -> set[tuple[int, int, int]]:
    """All chains by the slow search: where each begins, where it ends, what it leaves."""
    found = {
        (start, end, left) for start in each_bit(table.own) for end, left in shortest(table, start)
    }
    rounds = {left for start, end, left in found if start == end}
    found = {move for move in found if move[0] != move[1]}
    return found | {(0, 0, left) for left in rounds if left != table.enemy}


# ---- generation ----

@pytest.mark.parametrize("text", DENSE)
def test_dense_positions_have_every_chain_once(text: str) -> None:
    position = GAME.position(text)
    table, legal = table_of(position), position.kernel().legal_moves()
    assert len(legal) == len(set(legal)) == DENSE[text]
    found = set()
    for move in filter(by_jumps, legal):
        start, end, left = move & 63, move >> 6 & 63, left_by(table.enemy, move >> 12)
        found.add((0, 0, left) if start == end else (start, end, left))
    assert found == chain_moves(table)


@given(strewn())
@settings(max_examples=150 if escale.COMPILED else 30, deadline=None)
def test_compiled_and_slow_search_agree(position: escale.Position) -> None:
    if position.outcome is not None:
        return
    rules = state_of(position)
    legal = rules.legal_moves()
    assert sum(map(by_jumps, legal)) == len(chain_moves(table_of(position)))
    for move in legal:
        after = rules.copy()
        after.play(move)
        left = rules.enemy.bit_count() - (move >> 12).bit_count()
        assert (after.own.bit_count(), after.enemy.bit_count()) == (left, rules.own.bit_count())


@given(strewn())
@settings(max_examples=60 if escale.COMPILED else 15, deadline=None)
def test_strewn_positions_keep_the_contract(position: escale.Position) -> None:
    assert list(faults_of(position)) == []


def test_the_list_of_moves_is_long_enough_for_every_random_game() -> None:
    for width in WIDTHS:        # `playouts` raises if a move did not fit
        assert playouts(GAME.start(canyon=width).kernel(), 200 if escale.COMPILED else 1).games


def test_a_list_that_is_too_short_says_so() -> None:
    rules = state_of(GAME.start())
    rules.capacity = 23
    with pytest.raises(OverflowError, match="more than 23 moves"):
        rules.legal_moves()


def test_the_start_looks_the_same_to_both_seats() -> None:
    board = GAME.write_board(GAME.start().cells)
    red, yellow = (GAME.position(f"{board} {seat} 0").kernel() for seat in GAME.seat_names)
    depth = 5 if escale.COMPILED else 2
    assert perft(red, depth) == perft(yellow, depth)


# ---- ways ----

def walk(node: escale.Choices, said: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Every sequence of atoms that can be said, with what the move is called."""
    found = [(said, node.move.text)] if node.move else []
    return found + [w for atom, rest in node.next.items() for w in walk(rest, (*said, atom))]


@given(strewn())
@settings(max_examples=60 if escale.COMPILED else 15, deadline=None)
def test_stop_is_said_exactly_where_a_chain_could_go_on(position: escale.Position) -> None:
    ways = dict(walk(position.choices()))
    if len(ways) >= MOST_WAYS:
        return
    for atoms in ways:
        for length in range(2, len(atoms)):         # what begins a chain is a move, too
            assert (*atoms[:length], STOP) in ways or atoms[length] == STOP
        if atoms[-1] == STOP:
            assert any(other[: len(atoms) - 1] == atoms[:-1] for other in ways if other != atoms)
    for move in position.moves():
        lengths = [len([a for a in atoms if a != STOP]) for atoms in ways
                   if ways[atoms] == move.text]
        assert len([a for a in move.atoms if a != STOP]) == min(lengths)


def same_ways(position: escale.Position) -> None:
    """Moves are written, and other ways are found, as the slow search has it."""
    rules, table = state_of(position), table_of(position)
    legal = rules.legal_moves()
    found = {pawn: shortest(table, pawn) for pawn in each_bit(table.own)}
    written = [notation(table, found, move) for move in legal]
    assert chains.spelled(*table, legal) == written
    some = slice(None, None, 1 + len(legal) // 200)
    for move, atoms in zip(legal[some], written[some], strict=True):    # one by one, too
        assert [rules.atom(move, i) for i in range(len(atoms) + 1)] == [*atoms, -1]
        assert chains.spelled(*table, [move]) == [atoms]
    codes = {(move & 63, move >> 6 & 63, move >> 12): move for move in legal}
    rounds = {move >> 12: move for move in legal if move & 63 == move >> 6 & 63}
    others = []
    for way in islice(ways(table), MOST_WAYS):
        start, end, captured = way.cells[0], way.cells[-1], captures(table.enemy, way.left)
        move = rounds[captured] if start == end else codes[start, end, captured]
        if notation(table, found, move) != way.atoms(table):
            others.append((way.atoms(table), move))
    assert chains.other_ways(*table, legal) == others


@given(strewn())
@settings(max_examples=150 if escale.COMPILED else 15, deadline=None)
def test_ways_are_those_of_the_slow_search(position: escale.Position) -> None:
    if position.outcome is None:
        same_ways(position)


@pytest.mark.parametrize("text", [text for text in DENSE if DENSE[text] < 20_000])
def test_ways_of_dense_positions_are_those_of_the_slow_search(text: str) -> None:
    same_ways(GAME.position(text))


def test_choices_of_dense_positions_are_bounded() -> None:
    position = GAME.position(next(iter(DENSE)))
    moves = len(position.moves())
    assert moves <= len(walk(position.choices())) <= moves + MOST_WAYS


def test_a_roundabout_way_is_told_its_short_name() -> None:
    position = GAME.position("8/6Y1/8/8/8/1R6/1RR5/RR6 red 20")
    with pytest.raises(escale.IllegalMove, match="the same move as a1-c3-stop"):
        position.play("a1-c1-a1-c3")
    short, long = position.play("a1-c3-stop"), position.play("a1-c1-c3-stop")
    assert short == long


def test_a_round_is_the_same_move_whichever_pawn_runs_it() -> None:
    # a1 and a3 can both capture b2 and come back, over friends, to where they were.
    position = GAME.position("8/8/8/8/7Y/RR6/1YR5/RR6 red 20")
    first, second = (
        next(position.find("-".join(way))
             for way in ((*cells, STOP), cells) if position.choices().after(*way))
        for cells in (("a1", "c3", "c1", "a1"), ("a3", "c1", "c3", "a3"))
    )
    assert first == second
    assert first.atoms[0] == "a1"
    assert [move for move in position.moves() if move.code >> 12 and
            move.code & 63 == move.code >> 6 & 63] == [first]


def test_typed_without_stop_a_chain_is_unfinished() -> None:
    position = GAME.position("7Y/8/8/8/8/8/1R1Y4/R4Y2 red 20")
    assert position.game.split("A1 → C3, STOP") == ("a1", "c3", "stop")
    node = position.choices().after("a1", "c3")
    assert node is not None
    assert set(node.next) == {"e1", STOP}
    told = [(e.kind, e.at) for e in position.find("a1-c3-e1-g1").changes]
    assert told == [("jumped", "a1"), ("jumped", "c3"), ("captured", "d2"),
                    ("jumped", "e1"), ("captured", "f1")]


def test_captures_are_numbered_from_the_lowest_enemy() -> None:
    assert captures(0b1011_0000, 0b0010_0000) == 0b101
    assert captures(0, 0) == 0


@pytest.mark.parametrize(
    ("text", "attempt", "paragraph"),
    [
        ("start", "b3-b5-stop-b7", "chain"),
        ("start", "c3-pass", "no-pass"),
        ("start", "c6-c5", "canyon"),
        ("start", "b2-b2", "step"),
        ("start", "a5-a8", "jump"),
        ("start", "d2-e4", "canyon"),
        ("7Y/8/8/8/8/8/1R1Y4/R4Y2 red 20", "a1-c3-e1-g1-stop", "chain"),
        ("7Y/8/8/8/8/8/1R1Y4/R4Y2 red 20", "a1-c3-a1-c3-stop", "round-trip"),
        ("7Y/8/8/8/8/8/1R1Y4/R4Y2 red 20", "a1-c3-a1", "round-trip"),
    ],
)
def test_refusals_cite(text: str, attempt: str, paragraph: str) -> None:
    position = GAME.start() if text == "start" else GAME.position(text)
    with pytest.raises(escale.IllegalMove) as no:
        position.play(attempt)
    assert no.value.rule == f"canyon-1972#{paragraph}", no.value


# ---- the course of a game ----

@pytest.mark.parametrize("width", WIDTHS)
def test_counts_and_ends_are_the_witness_s_throughout_a_game(width: str) -> None:
    chance = random.Random(width)
    endings = set()
    for number in range(12 if escale.COMPILED else 1):
        # The first games start from the beginning, the others near some end.
        position = GAME.start(canyon=width)
        if number > 3:
            position = test_compare.strewn(GAME, chance, {"canyon": width})
        if position.plies:          # the witness counts from 0
            continue
        turn = position.kernel().turn
        state = witness.begin(only_places(position.cells), turn, canyon=width)
        while True:
            mine = test_compare.state_of(position, state.occurrences[
                witness.position(state.cells, state.turn)])
            assert (mine.cells, mine.turn, mine.plies, mine.passes, mine.best, mine.since) == (
                state.cells, state.turn, state.plies, state.passes, state.best, state.since)
            outcome = position.outcome
            found = outcome and (outcome.shares, outcome.name, outcome.scores)
            assert found == witness.outcome(state)
            again = GAME.position(position.text)
            assert again == position
            assert again.outcome == outcome
            if outcome is not None:
                endings.add(outcome.name)
                break
            position = position.play(chance.choice(position.moves()))
            assert position.last is not None
            state = (witness.after_pass(state) if position.last.text == "pass"
                     else witness.made(state, only_places(position.cells)))
    assert endings


def test_an_end_is_told_with_both_sums() -> None:
    over = GAME.position("6R1/5R2/7R/8/8/2Y5/Y7/Y6R red 90").play("h6-h7").outcome
    assert over is None
    over = GAME.position("6RR/8/7R/8/8/1Y6/Y7/Y1Y5 red 90").play("h6-h7").outcome
    assert over is not None
    assert (over.name, over.rule, over.scores) == ("finished", "canyon-1972#finished", (43, 54))
    assert over.text("fr") == (
        "Les pions d’un joueur ne peuvent plus être mieux placés. Rouge 43, Jaune 54 : Jaune gagne."
    )
    assert over.text("en") == (
        "One player’s pawns cannot be better placed any more. Red 43, Yellow 54: Yellow wins."
    )
    assert over.as_json()["scores"] == [43, 54]
    drawn = GAME.position("6RR/8/7R/8/8/8/7Y/Y1Y4Y red 90").play("h6-h7").outcome
    assert drawn is not None
    assert drawn.text("fr").endswith("Rouge 43, Jaune 43 : partie nulle.")


def test_nobody_has_finished_before_the_first_move() -> None:
    assert GAME.position("7R/8/8/8/8/8/8/4Y3 yellow 0").outcome is None
    assert GAME.position("7R/8/8/8/8/8/8/4Y3 yellow 1").outcome is not None
    assert GAME.position("7R/8/8/8/8/8/8/4Y3 yellow 1 quiet=1 passed=1").outcome is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8/8/8/8/8/8/8/8 red 0", "no pawn on the board"),
        ("8/8/2R5/8/8/8/8/7Y red 0", "No pawn can stand in the canyon: c6"),
        ("8/1R6/8/8/8/8/8/7Y red 0 canyon=narrow", "No pawn can stand in the canyon: b7"),
        ("RRRRRRRR/8/8/8/8/8/8/RRRRRRRR red 0", "red pawn.*15 in the box, not 16"),
        ("R7/8/8/8/8/8/8/7Y chance 0", "no chance"),
        ("R7/8/8/8/8/8/8/7Y red 0 quiet=101", "quiet=0 to 100"),
        ("R7/8/8/8/8/8/8/7Y red 0 quiet=x", "quiet=0 to 100"),
        ("R7/8/8/8/8/8/8/7Y red 0 passed=3", "passed=0 to 2"),
        ("R7/8/8/8/8/8/8/7Y red 0 passed=1", "a pass is no progress"),
        ("R7/8/8/8/8/8/8/7Y red 0 best=9", "best=RED,YELLOW"),
        ("R7/8/8/8/8/8/8/7Y red 0 best=7,8", "not below its sum now"),
        ("R7/8/8/8/8/8/8/7Y red 0 best=16,8", "Red can have had 15 at most"),
        ("RR6/8/8/8/8/8/8/7Y yellow 0 best=29,16", "Yellow can have had 15 at most"),
    ],
)
def test_impossible_positions_say_why(text: str, says: str) -> None:
    with pytest.raises(escale.BadPosition, match=says):
        GAME.position(text)


@pytest.mark.parametrize(
    ("width", "ends"),
    [("wide-passes", "a6 a7 a8 b8 c8"), ("short", "a6 a7 a8 b6 b8 c7 c8")],
)
def test_the_passes_can_be_held(width: str, ends: str) -> None:
    position = GAME.position(f"8/1R6/8/8/8/8/8/7Y red 0 canyon={width}")
    assert sorted(move.text for move in position.moves()) == [f"b7-{end}" for end in ends.split()]


def test_best_sums_start_again_at_a_capture() -> None:
    # Red has had 40 and Yellow 25, both more than now. After the capture they have 9 and 13.
    position = GAME.position("5Y2/5R2/8/R7/8/8/2R5/7Y yellow 180 best=40,25 quiet=50")
    after = position.play("f8-f6")
    assert after.text == "8/8/5Y2/R7/8/8/2R5/7Y red 181"
    back = after.play("c2-c1")
    assert back.text == "8/8/5Y2/R7/8/8/8/2R4Y yellow 182 best=9,13 quiet=1"
    more = back.play("f6-f5")
    assert more.text == "8/8/8/R4Y2/8/8/8/2R4Y red 183 best=9,14"
    assert more.play("c1-c2").text == "8/8/8/R4Y2/8/8/2R5/7Y yellow 184 quiet=1"
    # The same with Red's capture: 9 and 8 are left of 20 and 29.
    position = GAME.position("8/8/8/R7/8/2Y5/2R5/7Y red 180 best=20,29 quiet=50")
    assert position.play("c2-c4").text == "8/8/8/R7/2R5/8/8/7Y yellow 181"


# ---- how it looks ----

def test_values_and_sums_turn_with_the_board() -> None:
    scene = GAME.position("8/4R3/8/8/8/2Y5/8/7Y red 10").scene(ALL)
    assert scene.tallies == {
        "red": (Tally("points", 11, 15), Tally("captured", 13)),
        "yellow": (Tally("points", 19, 29), Tally("captured", 14)),
    }
    for seen in (scene, scene.flip()):
        left = sorted(
            (label for label in seen.labels if label.style == "value" and label.x < seen.width / 2),
            key=lambda label: -label.y,
        )
        assert [label.text for label in left] == [str(value) for value in range(1, 16)]
        near, _ = sorted(
            (label for label in seen.labels if label.style == "tally"), key=lambda label: -label.y
        )
        assert near.text == ("19/29" if seen.quarters else "11/15")
    words = "red: points 11/15, captured 13\nyellow: points 19/29, captured 14"
    assert text_board(scene).endswith(words)
    told = board_in_words(GAME, scene, "fr")
    assert "Rouge\xa0: 11 points sur 15 possibles, 13 pions pris" in told


def test_the_canyon_is_shown_where_it_is() -> None:
    for width, number in zip(WIDTHS, (10, 16, 14), strict=True):
        scene = GAME.start(canyon=width).scene(ALL)
        canyon = {cell.id for cell in scene.cells if cell.symbol}
        assert canyon == witness.CANYONS[width]
        assert text_board(scene).count("#") == len(canyon) == number
        assert not canyon & {label.text for label in scene.labels}
        assert len(scene.pieces) == 30


def test_the_best_sum_possible_heeds_the_enemy() -> None:
    for width, best in zip(WIDTHS, (135, 126, 130), strict=True):
        for points, captured in GAME.start(canyon=width).scene(ALL).tallies.values():
            assert (points, captured) == (Tally("points", 55, best), Tally("captured", 0))
    for number, best in enumerate(
        (15, 29, 43, 56, 69, 82, 94, 106, 118, 130, 141, 152, 163, 174, 185), 1
    ):
        camp = dict.fromkeys(witness.camp(0)[:number], "red")
        text = GAME.write_board({**camp, "a8": "yellow"})
        points, _ = GAME.position(f"{text} red 0").scene(ALL).tallies["red"]
        assert points.of == best
