"""Alpha-beta: what it finds, what it costs, and what it refuses."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import escale
from bench.canyon_1972 import DENSE
from escale import kernel
from escale.games.canoe.geometry import BITS as HOLES
from escale.games.canoe.rules import CanoeState
from escale.games.canyon_1972.geometry import CANYON
from escale.games.canyon_1972.rules import CanyonState
from escale.games.tortuga.geometry import BITS as CELLS
from escale.games.tortuga.rules import TortugaState
from escale.kernel.weights import ODDS, numbers_of, read_weights, row_of
from tests.kernel import evaluation_of, search, start, starts, uncompiled, walk
from tests.sizes import PATIENCE_SECONDS

STARTS = {name: position for name, position in starts().items() if position.seats == 2}
NODES = 3000 if kernel.COMPILED else 150


def bits(numbers: dict[str, int], names: str) -> int:
    return sum(1 << numbers[name] for name in names.split())


def found(position: kernel.State, **budget: Any) -> kernel.SearchResult[int]:
    return search(position, "alphabeta", **budget)


def sides(position: Any) -> list[int]:
    """The pieces of the seat to move, of the other, and of no seat."""
    return [position.own, position.enemy, getattr(position, "neutral", 0)]


@pytest.mark.parametrize("seed", range(5))
def test_a_turtle_steps_into_the_base(seed: int) -> None:
    # North would do so next.
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    thought = found(position, nodes=400, seed=seed)
    assert thought.move & 63 == CELLS["d6"]
    assert (thought.shares, thought.proven, thought.plies_to_end) == ((1.0, 0.0), True, 1)
    assert thought.line == (thought.move,)


def test_a_race_is_won_by_the_tempo() -> None:
    """The turtles never meet: three steps each, and the seat to move wins."""
    for turn in (0, 1):
        turtles = [bits(CELLS, "b4"), bits(CELLS, "f2")]
        position = TortugaState(turtles[turn], turtles[1 - turn], 0, turn)
        thought = found(position, nodes=50_000)
        assert thought.proven
        assert thought.shares[turn] == 1.0
        assert thought.plies_to_end == len(thought.line) == 5


def test_the_second_canoe_is_finished() -> None:
    position = CanoeState(bits(HOLES, "e4 f4 d5 g5 e1 f1 d2"), bits(HOLES, "a3 a4 a5 m3 m4 m5"), 0)
    thought = found(position, nodes=NODES)
    position.play(thought.move)
    assert position.result() == (0, [1.0, 0.0])
    assert thought.proven


def test_several_lines_come_from_one_search() -> None:
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    count = len(position.legal_moves())
    for method, budget in (("alphabeta", {"nodes": 4000}), ("mcts", {"simulations": 300})):
        best = search(position, method, **budget)
        assert (best.method, len(best.lines)) == (method, 1)
        several = search(position, method, lines=3, **budget)
        assert several.method == method
        assert several.move == best.move
        assert len({line.moves[0] for line in several.lines}) == len(several.lines) == 3
        assert several.shares[0] == 1 > 0.5 > several.lines[1].shares[0]
        assert several.nodes + several.simulations <= 4000
        every = search(position, method, lines=99, **budget)
        assert {line.moves[0] for line in every.lines} == set(position.legal_moves())
        assert len(every.lines) == count
    with pytest.raises(ValueError, match="at least one line, not 0"):
        found(position, nodes=9, lines=0)


@pytest.mark.parametrize("name", STARTS)
def test_lines_are_legal_and_the_best_comes_first(name: str) -> None:
    thought = found(STARTS[name], nodes=NODES, lines=4)
    turn = STARTS[name].turn
    shares = [line.shares[turn] for line in thought.lines]
    assert shares == sorted(shares, reverse=True)
    assert len({line.moves[0] for line in thought.lines}) == len(shares) > 1
    for line in thought.lines:
        position = STARTS[name].copy()
        for move in line.moves:
            assert move in position.legal_moves()
            position.play(move)


def test_what_is_proven_of_each_line_is_true() -> None:
    """A race to the base, each with one turtle: every move is won or lost."""
    claims = 0
    for own, enemy in (("b4", "f2"), ("b4", "f3"), ("c4", "e3"), ("a3", "g2"), ("d4", "f4")):
        position = TortugaState(bits(CELLS, own), bits(CELLS, enemy), 0, 0)
        for line in found(position, nodes=50_000, lines=9).lines:
            if line.proven:
                after = position.copy()
                after.play(line.moves[0])
                assert line.plies_to_end is not None
                bounds = kernel.brute_force(after, line.plies_to_end - 1)
                assert bounds == (line.shares[0], line.shares[0])
                claims += 1
    assert claims >= (10 if kernel.COMPILED else 5)


@pytest.mark.parametrize("name", STARTS)
def test_what_a_thought_says(name: str) -> None:
    thought = found(STARTS[name], nodes=NODES)
    assert thought.nodes <= NODES
    assert thought.depth >= 1
    assert sum(thought.shares) == pytest.approx(1)
    assert thought.line[0] == thought.move
    position = STARTS[name].copy()
    for move in thought.line:
        assert move in position.legal_moves()
        position.play(move)


@pytest.mark.parametrize("name", STARTS)
def test_the_same_budget_and_seed_give_the_same_thought(name: str) -> None:
    assert found(STARTS[name], nodes=NODES, seed=4)[:-1] == found(
        STARTS[name], nodes=NODES, seed=4)[:-1]


def test_the_seed_decides_between_equal_moves() -> None:
    position = CanoeState()
    assert len({found(position, nodes=1, seed=seed).move for seed in range(8)}) > 1


@pytest.mark.parametrize("capacity", [0, 2, 3, 64, 5000])
def test_a_small_table_is_enough(capacity: int) -> None:
    thought = found(start("tortuga"), nodes=NODES, capacity=capacity)
    assert thought.move in start("tortuga").legal_moves()


def test_depth_is_a_limit_too() -> None:
    thought = found(start("tortuga"), depth=2)
    assert thought.depth == 2


def test_a_clock_ends_the_search() -> None:
    thought = found(start("canoe"), seconds=0.05)
    assert thought.milliseconds >= 50
    assert thought.nodes > 0
    assert found(start("canoe"), nodes=50, seconds=60.0).nodes == 50


def test_the_time_that_is_left_is_used_to_prove_what_is_suspected() -> None:
    text = ".r1../y2.../..y3./..r3./..b2./b1.../...b3/.r2../...g2/-/g1y1../...g3 B 1 " \
        "north=A dots=213331424-24"
    thought = found(escale.game("qenj1").position(text).kernel(), seconds=PATIENCE_SECONDS)
    assert thought.proven
    assert thought.shares == (0, 1)
    assert thought.milliseconds < 1000 * PATIENCE_SECONDS


def test_the_root_stays_as_it_is() -> None:
    position = start("canoe")
    before = (position.key(), position.plies, position.legal_moves())
    found(position, nodes=200)
    assert (position.key(), position.plies, position.legal_moves()) == before


def test_too_many_moves_are_not_ignored() -> None:
    for method, budget in (("alphabeta", {"nodes": 100}), ("mcts", {"simulations": 10})):
        position = start("canoe")
        position.capacity = 5
        with pytest.raises(OverflowError, match="more than 5 moves"):
            search(position, method, **budget)


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("tortuga")
    for budget, says in (
        ({}, "a number of nodes or of seconds"),
        ({"nodes": 0}, "at least one node, not 0"),
        ({"simulations": 5}, "alphabeta counts nodes"),
        ({"seconds": 0}, "some time"),
        ({"seconds": float("nan")}, "some time"),
    ):
        with pytest.raises(ValueError, match=says):
            found(position, **budget)
    with pytest.raises(ValueError, match="unknown method 'magic'; expected one of mcts"):
        search(position, "magic", nodes=5)
    with pytest.raises(ValueError, match="mcts counts simulations"):
        search(position, "mcts", nodes=5)
    with pytest.raises(ValueError, match="it is chance's turn"):
        found(escale.game("tortuga").start().kernel(), nodes=5)
    with pytest.raises(ValueError, match="the game is over"):
        found(walk(position, kernel.Random(1), 400)[-1], nodes=5)
    with pytest.raises(ValueError, match="depth must be 0 or more"):
        kernel.brute_force(position, -1)


def test_an_estimate_may_be_certain() -> None:
    script = "import json, tests.kernel.mazes as m; print(json.dumps(m.certain_estimates()))"
    assert uncompiled(script) == [1, 2]


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga")

    def line(seed: int) -> tuple[int, ...]:
        return found(position, nodes=NODES, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(line, range(8))) == [line(seed) for seed in range(8)]


def value(state: kernel.State) -> int:
    return evaluation_of(state).evaluate(state)


def test_an_evaluation_does_not_care_who_sits_where() -> None:
    for seed in range(20):
        for position in walk(start("canoe"), kernel.Random(seed), 40)[:-1]:
            own, enemy, _ = sides(position)
            assert value(position) == value(CanoeState(own, enemy, 1 - position.turn))
        for position in walk(start("tortuga"), kernel.Random(seed), 60)[:-1]:
            own, enemy, neutral = (
                sum(1 << 54 - bit for bit in range(64) if side >> bit & 1)
                for side in sides(position)
            )
            assert value(position) == value(TortugaState(own, enemy, neutral, 1 - position.turn))
        for position in walk(start("canyon-1972"), kernel.Random(seed), 60)[:-1]:
            own, enemy, _ = (
                sum(1 << 63 - bit for bit in range(64) if side >> bit & 1)
                for side in sides(position)
            )
            table: Any = position
            other = CanyonState(
                own, enemy, 1 - table.turn, CANYON["short"], 0, 0, table.quiet, table.passed
            )
            assert value(position) == value(other)


def test_a_search_looks_further_where_a_jump_is_compulsory() -> None:
    evaluation = escale.game("tortuga").evaluation
    free: list[kernel.State] = []
    forced: list[kernel.State] = []
    for seed in range(20):
        for position in walk(start("tortuga"), kernel.Random(seed), 60)[:-1]:
            if len(position.legal_moves()) > 1:
                (forced if evaluation.forced(position) else free).append(position)
    assert len(free) > 50 < len(forced)
    for position in free + forced:
        for move in position.legal_moves():
            after: Any = position.copy()
            after.play(move)
            tipped = sides(position)[1] & ~after.own
            assert evaluation.forced(position) == (tipped != 0)


def test_a_search_follows_captures_to_the_end_of_an_exchange() -> None:
    # Red can capture b1 with a1, but then loses two pawns.
    position: Any = escale.game("canyon-1972").position(
        "R6Y/8/8/8/2Y5/YR6/1R6/RY6 red 20"
    ).kernel()
    evaluation = evaluation_of(position)

    def at_once(move: int) -> int:
        after = position.copy()
        after.play(move)
        return -evaluation.evaluate(after)

    [capture] = evaluation.captures(position)
    assert max(position.legal_moves(), key=at_once) == capture
    for depth in (1, 3):
        assert found(position, depth=depth).move != capture


def test_the_best_captures_come_first_and_they_are_few() -> None:
    for seed in range(20):
        for position in walk(start("canyon-1972"), kernel.Random(seed), 80)[:-1]:
            captures = evaluation_of(position).captures(position)
            legal = position.legal_moves()
            taken = sorted(((move >> 12).bit_count() for move in legal), reverse=True)
            most = [number for number in taken if number][:6]
            assert [(move >> 12).bit_count() for move in captures] == most
            assert set(captures) <= set(legal)
            assert len(set(captures)) == len(captures)


def test_where_tens_of_thousands_of_captures_are_possible() -> None:
    position = escale.game("canyon-1972").position(max(DENSE, key=DENSE.__getitem__)).kernel()
    assert len(evaluation_of(position).captures(position)) == 6
    thought = found(position, nodes=2000)
    assert thought.move in position.legal_moves()
    assert thought.nodes <= 2000


def test_what_is_seen_beyond_the_last_ply_is_not_called_proven() -> None:
    # Whatever Red plays, its only pawn is captured next.
    position = escale.game("canyon-1972").position("8/8/8/8/8/8/2YY4/2RYY3 red 40").kernel()
    thought = found(position, depth=1)
    assert not thought.proven
    assert 0 < thought.shares[0] < 0.01
    thought = found(position, depth=2)
    assert (thought.proven, thought.shares, thought.plies_to_end) == (True, (0.0, 1.0), 2)


def test_games_without_free_captures_have_none_to_follow() -> None:
    for name, position in STARTS.items():
        if not name.startswith("canyon-1972"):
            for state in walk(position, kernel.Random(3), 20)[:-1]:
                assert evaluation_of(state).captures(state) == []


def test_weights_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("turtle = [1, 2]\ntempo = -3\n", "utf-8")
    numbers = read_weights(file)
    assert numbers == {"turtle": [1, 2], "tempo": -3}
    assert read_weights(file, like={"tempo": 5, "turtle": [0, 0]}) == numbers
    for other in ({"turtle": [0, 0]}, {"tempo": 1, "turtle": [0, 0, 0]}):
        with pytest.raises(ValueError, match="weights.toml: expected .*; found turtle"):
            read_weights(file, like=other)
    file.write_text("tempo = 1\n[draws]\ntempo = 2\n", "utf-8")
    assert row_of(read_weights(file)) == [1, 2]
    assert numbers_of([3, 4], read_weights(file)) == {"tempo": 3, "draws": {"tempo": 4}}
    with pytest.raises(ValueError, match="expected tempo; found tempo, draws.tempo"):
        read_weights(file, like={"tempo": 1})
    with pytest.raises(ValueError, match="expected 2 numbers, not 1"):
        numbers_of([3], read_weights(file))
    for text in ("tempo = 0.5\n", "tempo = []\n", 'tempo = "1"\n'):
        file.write_text(text, "utf-8")
        with pytest.raises(ValueError, match="whole numbers"):
            read_weights(file)


@pytest.mark.parametrize("slug", [game.slug for game in escale.games()])
def test_an_evaluation_takes_all_numbers_of_its_file_and_no_others(slug: str) -> None:
    evaluation = escale.game(slug).evaluation
    numbers = evaluation.numbers
    if not kernel.COMPILED or not numbers:
        return
    for name, found in numbers.items():
        wrong = {**numbers, name: found[1:] if isinstance(found, list) else {}}
        with pytest.raises((KeyError, ValueError, IndexError, TypeError)):
            type(evaluation)(wrong)


@pytest.mark.parametrize("slug", ["tortuga", "canoe"])
def test_noise_changes_judgement_but_not_ends(slug: str) -> None:
    position = start(slug)

    def found(noise: int, seed: int) -> kernel.SearchResult[int]:
        return search(position, "alphabeta", nodes=200, noise=noise, seed=seed)

    assert found(500, 1)[:-1] == found(500, 1)[:-1]
    assert len({found(500, seed).move for seed in range(12)}) > 2
    assert len({found(500, seed).shares[0] for seed in range(12)}) > 6


def test_plies_that_are_sure() -> None:
    position = start("tortuga")
    assert search(position, "alphabeta", nodes=1).depth == 0
    for plies in (1, 2):
        thought = search(position, "alphabeta", nodes=1, sure=plies)
        assert thought.depth == plies
        assert search(position, "alphabeta", nodes=10**6, depth=plies)[:2] == thought[:2]
    depths = [
        search(position, "alphabeta", nodes=1, sure=2, slip=30, seed=seed).depth
        for seed in range(200)
    ]
    assert set(depths) == {1, 2}
    assert 35 <= depths.count(1) <= 85


def test_who_has_contempt_for_draws_plays_on() -> None:
    """Unless all else loses; and what is proven stays as it is."""
    turned = 0
    drawn = 0
    for seed in range(2000 if kernel.COMPILED else 300):
        for position in walk(start("qenj1"), kernel.Random(seed), 120)[12:]:
            if position.turn == kernel.CHANCE:
                continue
            ends = {move for move in position.legal_moves() if draws(position, move)}
            if not ends or len(ends) == len(position.legal_moves()):
                continue
            proud = found(position, nodes=400, contempt=7000)
            plain = found(position, nodes=400)
            turned += plain.move in ends and proud.move not in ends
            if proud.proven and plain.proven:
                assert proud.shares == plain.shares
                drawn += plain.shares == (0.5, 0.5)
            elif proud.move in ends:
                others = found(position, nodes=100_000, lines=99).lines
                assert all(
                    line.proven and line.shares[position.turn] == 0
                    for line in others if line.moves[0] not in ends
                )
    assert turned
    assert drawn


@pytest.mark.parametrize(("contempt", "way"), [(0, 0), (20, 0), (500, 1)])
def test_who_has_contempt_for_draws_keeps_away_from_them(contempt: int, way: int) -> None:
    script = f"import json, tests.kernel.mazes as m; print(json.dumps(m.likely_draws({contempt})))"
    share = 1 / (1 + math.exp(-(200, 100)[way] / ODDS))
    likely = 1 / (1 + math.exp(-(250, -2000)[way] / ODDS))
    share -= likely * (0.5 - 1 / (1 + math.exp(contempt / ODDS)))
    for chosen, value in uncompiled(script):
        assert chosen == way
        assert value == pytest.approx(share, abs=0.002)


def draws(position: kernel.State, move: int) -> bool:
    """Whether a move ends the game without a winner."""
    there = position.copy()
    there.play(move)
    return not there.legal_moves() and there.result()[1] == [0.5, 0.5]
