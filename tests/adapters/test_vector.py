"""Many games at once are the same games as one at a time."""

from __future__ import annotations

import hashlib
from array import array
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Event
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import escale
from escale.adapters.actions import Decision
from escale.adapters.observations import Layout
from escale.adapters.vector import VectorEnvironment
from escale.devkit.starts import option_sets
from escale.game.position import Position
from escale.kernel import Random, State
from escale.kernel.batch import rewards
from escale.kernel.core import NO_MORE
from tests.games import OURS
from tests.kernel import uncompiled

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))


def position_of(env: VectorEnvironment, state: State) -> Position:
    return Position(env.start.game, env.start.options, state)


def compare(env: VectorEnvironment, decisions: list[Decision]) -> None:
    """Each row says what one game at a time says."""
    for i, decision in enumerate(decisions):
        assert np.flatnonzero(env.masks[i]).tolist() == decision.legal
        assert env.turns[i] == decision.turn
        vector = env.layout.vector(decision, escale.Seat(int(env.turns[i])))
        assert env.observations[i].tobytes() == vector.tobytes()


def follow(
    env: VectorEnvironment, decisions: list[Decision], rows: list[int], actions: list[int]
) -> None:
    """The same steps one game at a time; rewards are compared here."""
    states = env.states()
    for i, action in zip(rows, actions, strict=True):
        after = decisions[i].step(action)
        outcome = after.position.outcome
        assert env.terminated[i] == (outcome is not None)
        if outcome is not None:
            assert env.rewards[i].tolist() == pytest.approx(rewards(outcome.shares))
        elif not after.chosen:
            assert after.turn == escale.CHANCE or after.position == position_of(env, states[i])
        if not after.chosen:        # chance has decided, or another game has begun
            after = Decision(position_of(env, states[i]))
        decisions[i] = after


def begun(env: VectorEnvironment) -> list[Decision]:
    return [Decision(position_of(env, state)) for state in env.states()]


@EVERY_GAME
def test_arrays_say_what_decisions_say(game: escale.Game[Any]) -> None:
    """Masks, observations, turns, rewards: each as one game at a time has them."""
    ended = 0
    least, most = game.seats
    sets: list[dict[str, Any]] = [*option_sets(game)]
    sets += [{"seats": seats} for seats in range(least + 1, most + 1)]
    for options in sets:
        env = VectorEnvironment(game.slug, 6, seed=2, **options)
        decisions = begun(env)
        steps = 600 if options is sets[0] else 300 // len(sets)
        while steps > 0 or not ended:
            steps -= 1
            compare(env, decisions)
            actions = env.sample().copy()
            env.step(actions)
            follow(env, decisions, list(range(6)), actions.tolist())
            ended += int(env.terminated.sum())
            assert not env.rewards[~env.terminated].any()


@EVERY_GAME
def test_copies_and_steps_of_some_rows_say_what_decisions_say(game: escale.Game[Any]) -> None:
    """Games copied from row to row, also half-way through a move, then some of them stepped."""
    random = np.random.default_rng(3)
    env = VectorEnvironment(game.slug, 6, seed=3)
    other = VectorEnvironment(game.slug, 4, seed=4)
    decisions, others = begun(env), begun(other)
    for _ in range(200):
        written, read = np.split(random.permutation(6), [3])
        read = random.choice(read, 3)                       # one may be copied twice
        env.assign(written, env, read)
        for to, of in zip(written, read, strict=True):
            decisions[to] = decisions[of]
        other.assign([2, 0], env, written[:2])
        others[2], others[0] = (decisions[i] for i in written[:2])
        compare(env, decisions)
        for table, followed in ((env, decisions), (other, others)):
            arrays: list[NDArray[Any]] = [
                table.observations, table.masks, table.rewards, table.terminated, table.turns,
            ]
            rows = random.permutation(table.count)[: table.count // 2]
            rest = np.setdiff1d(np.arange(table.count), rows)
            before = [now[rest] for now in arrays]
            actions = table.sample()[rows]
            actions.flags.writeable = rows.flags.writeable = False      # as JAX hands them out
            table.step(actions, rows)
            for now, kept in zip(arrays, before, strict=True):
                assert np.array_equal(now[rest], kept)
            follow(table, followed, rows.tolist(), actions.tolist())
            compare(table, followed)


@EVERY_GAME
def test_positions_are_placed_in_rows(game: escale.Game[Any]) -> None:
    env = VectorEnvironment(game.slug, 3, seed=1)
    played = VectorEnvironment(game.slug, 2, seed=9)
    for _ in range(20):
        played.step(played.sample())
    positions = [position_of(played, state) for state in played.states()]
    untouched = env.observations[1].copy()
    env.place([2, 0], positions)
    assert np.array_equal(env.observations[1], untouched)
    decisions = begun(env)
    assert [decisions[2].position, decisions[0].position] == positions
    compare(env, decisions)
    for _ in range(20):
        actions = env.sample().copy()
        env.step(actions)
        follow(env, decisions, [0, 1, 2], actions.tolist())
        compare(env, decisions)


def test_the_compiled_rules_number_atoms_as_everybody_does() -> None:
    compiled = [game.slug for game in OURS if VectorEnvironment(game.slug, 1).compiled]
    assert compiled == [game.slug for game in OURS]


@EVERY_GAME
def test_hooks_say_what_words_say(game: escale.Game[Any]) -> None:
    """Every atom of a move, and all that each seat sees: by the rules, and by what is declared."""
    random = Random(3)
    least, most = game.seats
    sets: list[dict[str, Any]] = [*option_sets(game)]
    every = [*product(sets, range(least, most + 1))]
    long = 0
    for options, seats in every:
        env = VectorEnvironment(game.slug, 40, seats=seats, seed=3, **options)
        numbers = env.actions.numbers
        for _ in range(max(40 // len(every), 6)):
            for _ in range(7):
                env.step(env.sample())
            for state in env.states():
                codes = state.legal_moves()
                if len(codes) > 60:         # some of very many
                    codes = [codes[random.below(len(codes))] for _ in range(60)]
                for code, atoms in zip(codes, game.spelled(state, codes), strict=True):
                    said = [state.atom(code, index) for index in range(len(atoms) + 1)]
                    assert said == [*(numbers[atom] for atom in atoms), NO_MORE]
                    long += len(atoms) > 3
                for seat in range(seats):
                    vector = np.zeros(env.layout.own, np.float32)
                    env.layout.write_own(vector, state, escale.Seat(seat))
                    assert state.observe(seat) == vector.tolist()
    assert long > 100 or game.slug in ("canoe", "canyon-1997", "qenj1")


@pytest.mark.parametrize("options", option_sets(escale.game("canyon-1997")), ids=str)
def test_rows_tell_all_that_a_seat_may_know_and_nothing_hidden(options: dict[str, Any]) -> None:
    views: dict[bytes, str] = {}
    for seats in range(3, 7):
        env = VectorEnvironment("canyon-1997", 8, seats=seats, seed=seats, **options)
        for step in range(150):
            env.step(env.sample())
            for i, state in enumerate(env.states()):
                seat, row = int(env.turns[i]), env.observations[i].tobytes()
                text = f"{seats} {position_of(env, state).text_for(escale.Seat(seat))}"
                assert views.setdefault(row, text) == text
                state.redeal(seat, Random(step))
                assert array("f", state.observe(seat)).tobytes() == row[
                    : 4 * env.layout.own
                ]
    assert len(views) > 4000


@pytest.mark.parametrize("slug", ["tortuga", "qenj3", "canyon-1997"])
def test_without_hooks_it_is_the_same(slug: str) -> None:
    """As it is for games of other packages, whose rules have none."""
    fast, slow = (VectorEnvironment(slug, 5, seed=6, hooks=hooks) for hooks in (True, False))
    assert not slow.compiled
    for number in range(200):
        for env in (fast, slow):
            env.step(env.sample())
            env.assign([number % 5], env, [(number + 2) % 5])
        for name in ("observations", "masks", "rewards", "terminated", "turns"):
            assert np.array_equal(getattr(fast, name), getattr(slow, name)), name


@pytest.mark.parametrize("hooks", [True, False])
def test_games_go_on_in_an_environment_with_or_without_hooks(hooks: bool) -> None:
    source = VectorEnvironment("tortuga", 4, seed=1, hooks=not hooks)
    env = VectorEnvironment("tortuga", 4, seed=2, hooks=hooks)
    decisions = begun(source)
    for _ in range(7):
        actions = source.sample().copy()
        source.step(actions)
        follow(source, decisions, [0, 1, 2, 3], actions.tolist())
    env.assign([0, 1, 2, 3], source, [0, 1, 2, 3])
    for _ in range(50):
        compare(env, decisions)
        actions = env.sample().copy()
        env.step(actions)
        follow(env, decisions, [0, 1, 2, 3], actions.tolist())


def test_rules_that_tell_more_than_is_declared_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("escale.adapters.vector.layout_of", Layout)
    monkeypatch.setattr(type(escale.game("canoe")), "slots", lambda self: ())
    with pytest.raises(ValueError, match="tell 150 numbers .* 122 are declared"):
        VectorEnvironment("canoe", 1)
    assert not VectorEnvironment("canoe", 1, hooks=False).compiled


def test_a_seed_decides_everything() -> None:
    def played(seed: int) -> bytes:
        env = VectorEnvironment("qenj4", 4)
        env.reset(seed)
        for _ in range(50):
            env.step(env.sample())
        return env.observations.tobytes()

    assert played(1) == played(1) != played(2)


def test_where_one_action_is_not_legal_nothing_happens() -> None:
    env = VectorEnvironment("canoe", 3)
    before = env.observations.copy()
    legal = env.sample().copy()
    for wrong in (62, -1, 63):
        actions = legal.copy()
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
            env.step(actions)
    with pytest.raises(ValueError, match="expected 3 actions, not 2"):
        env.step(legal[:2])
    assert np.array_equal(env.observations, before)
    env.step(legal)
    assert not np.array_equal(env.observations, before)


def test_rows_that_cannot_be_meant_are_refused_and_nothing_happens() -> None:
    env = VectorEnvironment("tortuga", 3, first="south")
    before = env.observations.copy()
    legal = env.sample().copy()
    over = escale.game("tortuga").start(first="south")
    while over.turn is not None:
        over = over.play(over.moves()[0])
    start, other = env.start, VectorEnvironment("tortuga", 2)
    for message, do in (
        ("no number 3", lambda: env.step(legal[:2], [0, 3])),
        ("no number -1", lambda: env.step(legal[:2], [0, -1])),
        ("game 1 is named twice", lambda: env.step(legal[:2], [1, 1])),
        ("expected 1 actions, not 2", lambda: env.step(legal[:2], [1])),
        ("game 1 is named twice", lambda: env.assign([1, 1], env, [0, 2])),
        ("game 1 would be both copied", lambda: env.assign([0, 1], env, [1, 2])),
        ("3 games, and no number 4", lambda: env.assign([0, 1], env, [2, 4])),
        ("expected 2 games to copy", lambda: env.assign([0, 1], env, [2])),
        ("the same options", lambda: env.assign([0], other, [0])),
        ("the same game", lambda: env.assign([0], VectorEnvironment("canoe", 1), [0])),
        ("for game 2 is over", lambda: env.place([0, 2], [start.play("d2-d3"), over])),
        ("expected 1 positions, not 2", lambda: env.place([0], [start, start])),
        ("the same game", lambda: env.place([0], [escale.game("canoe").start()])),
        ("no number 9", lambda: env.place([9], [start])),
    ):
        with pytest.raises(ValueError, match=message):
            do()
        assert np.array_equal(env.observations, before), message
    four, three = (VectorEnvironment("canyon-1997", 1, seats=seats) for seats in (4, 3))
    with pytest.raises(ValueError, match="for as many seats"):
        four.assign([0], three, [0])
    with pytest.raises(ValueError, match="for as many seats"):
        four.place([0], [three.start])
    env.step(legal)
    assert not np.array_equal(env.observations, before)


@pytest.mark.parametrize("slug", ["tortuga", "qenj3", "canyon-1997"])
def test_the_number_of_threads_does_not_matter(slug: str) -> None:
    """Chance, games that end within a step and steps of some rows included."""
    alone, *others = (
        VectorEnvironment(slug, 1700, seed=6, threads=threads) for threads in (1, 2, 3)
    )
    rows = np.random.default_rng(2).permutation(1700)[:1100]
    for number in range(60):
        actions = alone.sample().copy()
        chosen = (actions[rows], rows) if number % 3 == 2 else (actions,)
        alone.step(*chosen)
        for env in others:
            assert np.array_equal(env.sample(), actions)
            env.step(*chosen)
            for name in ("observations", "masks", "rewards", "terminated", "turns"):
                assert np.array_equal(getattr(env, name), getattr(alone, name)), name


def test_games_are_independent_of_the_others() -> None:
    """What chance decides in a row does not depend on what is played in other rows."""
    env, other = (VectorEnvironment("canyon-1997", 4, seed=3, seats=3) for _ in range(2))
    for number in range(300):
        actions = env.sample().copy()
        env.step(actions)
        other.step(actions[:2], [0, 1])
        if number % 7 == 0:
            other.step(other.sample()[3:].copy(), [3])
        assert np.array_equal(env.observations[:2], other.observations[:2])


def test_a_step_lets_other_threads_go_on_but_not_in_the_same_environment() -> None:
    """Steps are made until the other thread has come upon one."""
    env, met = VectorEnvironment("qenj4", 20_000, seed=1), Event()

    def ask() -> None:
        while not met.is_set():
            try:
                env.states()
            except RuntimeError as error:
                assert "in a step of these games" in str(error)
                met.set()

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        while not asked.done():
            env.step(env.masks.argmax(axis=1))
        asked.result()


def test_there_is_at_least_one_thread() -> None:
    with pytest.raises(ValueError, match="at least 1 thread, not 0"):
        VectorEnvironment("tortuga", 2, threads=0)


def test_every_move_is_equally_likely_to_be_sampled() -> None:
    env = VectorEnvironment("tortuga", 4000, seed=5, first="south")
    moves = len(env.start.moves())
    firsts = np.bincount(env.sample(), minlength=39)
    decision = Decision(env.start)
    for action in decision.legal:
        share = sum(move.atoms[0] == decision.actions.atoms[action] for move in env.start.moves())
        assert firsts[action] == pytest.approx(4000 * share / moves, rel=0.25)


def report() -> dict[str, str]:
    """What comes of some games, in short."""
    found = {}
    for name in (*(game.slug for game in OURS), "qenj2 unstack=free"):
        slug, *words = name.split()
        options: dict[str, Any] = dict(word.split("=") for word in words)
        env = VectorEnvironment(slug, 3, seed=4, **options)
        played = hashlib.sha256()
        for number in range(150):
            env.step(env.sample())
            env.assign([number % 3], env, [(number + 1) % 3])
            env.step(env.sample()[1:], [1, 2])
            if number % 50 == 0:
                env.place([0], [env.start])
            for numbers in (env.observations, env.masks, env.rewards, env.terminated):
                played.update(numbers.tobytes())
        found[name] = played.hexdigest()
    return found


@pytest.mark.skipif(not escale.COMPILED, reason="compares with the compiled run")
def test_uncompiled_it_is_the_same() -> None:
    script = "import json; from tests.adapters.test_vector import report; " \
        "print(json.dumps(report()))"
    assert uncompiled(script) == report()


def test_the_first_reset_has_the_seed_of_the_environment() -> None:
    made, named = VectorEnvironment("canoe", 4, seed=7), VectorEnvironment("canyon-1997", 4, seed=7)
    assert (made.reset()[0] == made.reset(seed=7)[0]).all()
    first = named.reset()[0].copy()
    assert (first == named.reset(seed=7)[0]).all()
    assert not (first == named.reset()[0]).all()        # later, chance goes on
