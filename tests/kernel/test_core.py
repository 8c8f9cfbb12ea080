"""Positions, move lists, histories and random numbers."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import pytest

import escale
from escale import kernel
from escale.games.canoe.rules import CanoeState
from escale.games.tortuga.rules import TortugaState
from tests.kernel import search, start, starts, uncompiled, walk

RESERVE = 63


# ---- move lists ----


def test_a_move_list_that_is_too_short_is_reported() -> None:
    for position in starts().values():
        count = len(position.legal_moves())
        for capacity in (1, count // 2, count - 1):
            position.capacity = capacity
            with pytest.raises(OverflowError, match=f"more than {capacity} moves"):
                position.legal_moves()
            with pytest.raises(OverflowError):
                kernel.playouts(position, 3)
            with pytest.raises(OverflowError):
                kernel.perft(position, 2)
            with pytest.raises(OverflowError):
                search(position, simulations=10)
        position.capacity = count
        assert len(position.legal_moves()) == count


def test_a_list_that_is_too_short_later_is_reported_too() -> None:
    position = start("canoe")
    position.capacity = len(position.legal_moves())       # each peg on the board adds moves
    with pytest.raises(OverflowError):
        kernel.playouts(position, 1)
    with pytest.raises(OverflowError):
        kernel.perft(position, 3)
    with pytest.raises(OverflowError):
        search(position, simulations=200)


def test_legal_moves_lead_to_different_positions_and_ways_to_no_others() -> None:
    for position in starts().values():
        for seed in range(12):
            for met in walk(position, kernel.Random(seed), 40):
                after = [hash_after(met, move) for move in met.legal_moves()]
                assert len(set(after)) == len(after)
                assert {hash_after(met, move) for move in met.ways()} == set(after)


def hash_after(position: kernel.State, move: int) -> int:
    copy = position.copy()
    copy.play(move)
    return copy.key()


def test_chains_over_enemies_and_over_friends_are_different_moves() -> None:
    # South jumps the neutral turtle e3, then two friends or two enemies to e6; with
    # obligation=start neither is compulsory.
    position = TortugaState(1153396421689360, 805445696, 562967200923648, 0, True, False)
    to_e6 = [move for move in position.legal_moves() if move & 0xFFF == 33 | 37 << 6]
    assert len(to_e6) == 4
    assert len({hash_after(position, move) for move in to_e6}) == 4


# ---- random numbers ----


def test_random_numbers_are_those_of_splitmix64() -> None:
    random = kernel.Random(0)
    bits = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [random.below(1 << 31) for _ in bits] == [word >> 33 for word in bits]


def test_random_numbers_are_the_same_uncompiled() -> None:
    script = """if True:
        import json
        from escale.kernel import Random
        seeds = (0, 1, 2**64 - 1, 2**64 + 5, -1)
        print(json.dumps([[r.below(n) for n in range(1, 99)] for r in map(Random, seeds)]))
    """
    expected = [
        [random.below(n) for n in range(1, 99)]
        for random in map(kernel.Random, (0, 1, 2**64 - 1, 2**64 + 5, -1))
    ]
    assert uncompiled(script) == expected


def test_random_numbers_stay_below_and_reach_everything() -> None:
    random = kernel.Random(7)
    drawn = Counter(random.below(6) for _ in range(6000))
    assert sorted(drawn) == list(range(6))
    assert all(850 < times < 1150 for times in drawn.values())


# ---- chance ----


def test_a_lot_is_even() -> None:
    outcome = escale.game("tortuga").start().kernel()
    assert outcome.turn == kernel.CHANCE
    random = kernel.Random(3)
    drawn = Counter(kernel.draw_chance(outcome, random) for _ in range(4000))
    assert sorted(drawn) == [0, 1]
    assert abs(drawn[0] - 2000) < 130


def test_weighted_lots() -> None:
    # Compiled code does not see Python subclasses, so this one runs uncompiled.
    drawn = uncompiled("""if True:
        import json
        from collections import Counter
        from escale.kernel import Random, draw_chance
        from escale.kernel.core import State, add

        class Bag(State):
            def _legal_moves(self, out):
                for ball in range(4):
                    add(out, ball)

            def _chance_weight(self, move):
                return move

        random = Random(5)
        drawn = Counter(draw_chance(Bag(), random) for _ in range(6000))
        print(json.dumps([drawn[ball] for ball in range(4)]))
    """)
    assert drawn[0] == 0
    assert all(abs(times - 1000 * ball) < 160 for ball, times in enumerate(drawn))


# ---- histories ----


def to_and_fro(position: kernel.State) -> None:
    """Both seats of Canoë take a peg back and plant it again: four plies, the same position."""
    holes = []
    for _ in range(2):
        take = next(move for move in position.legal_moves() if move >> 6 == RESERVE)
        holes.append(take & 63)
        position.play(take)
    for hole in holes:
        position.play(RESERVE | hole << 6)


def later(plies: int) -> kernel.State:
    """A game of Canoë so many plies old."""
    return walk(start("canoe"), kernel.Random(plies), plies)[-1]


@pytest.mark.parametrize("plies", [2, 3, 20, 59, 60, 61, 62, 63, 64, 65, 100, 140])
def test_repetitions_are_counted_however_long_the_history(plies: int) -> None:
    position = later(plies)
    assert position.plies == plies
    key = position.key()
    for times in (1, 2, 3):
        assert position.occurrences == times
        assert position.key() == key
        if times < 3:
            to_and_fro(position)
    assert position.legal_moves() == []
    assert position.result() == (1, [0.5, 0.5])


def test_copies_go_their_own_ways() -> None:
    original = later(70)
    to_and_fro(original)
    copy = original.copy()
    to_and_fro(copy)
    assert (copy.occurrences, original.occurrences) == (3, 2)
    assert original.legal_moves()
    to_and_fro(original)
    assert original.occurrences == 3


def test_children_share_a_history_until_they_part() -> None:
    """A parent, its children and theirs count repetitions as copies do, in any order of play."""
    random = kernel.Random(11)
    shared, copied = [later(8)], [later(8)]
    for _ in range(600):
        which = random.below(len(shared)) if random.below(3) == 0 else len(shared) - 1
        moves = shared[which].legal_moves()
        assert moves == copied[which].legal_moves()
        backs = [move for move in moves if move >> 6 == RESERVE] or moves
        if not backs:
            which, backs = 0, moves or shared[0].legal_moves()
        move = backs[random.below(len(backs))]
        if random.below(4) == 0 and which:
            shared[which].play(move)                    # in place, though children may share it
            copied[which].play(move)
        else:
            shared.append(shared[which].child(move))
            copied.append(copied[which].copy())
            copied[-1].play(move)
    for one, other in zip(shared, copied, strict=True):
        assert one.occurrences == other.occurrences
        assert pickle.dumps(one) == pickle.dumps(other)          # fields, and history
    assert max(state.occurrences for state in shared) == 3


def test_a_copy_has_everything() -> None:
    position = later(50)
    position.capacity = 200
    copy = position.copy()
    assert type(copy) is CanoeState
    for name in ("turn", "plies", "seats", "occurrences", "capacity", "own", "enemy"):
        assert getattr(copy, name) == getattr(position, name)
    assert copy.legal_moves() == position.legal_moves()


def test_shadows_share_the_history_up_to_where_they_part() -> None:
    position = later(66)
    shadow = position.shadow()
    to_and_fro(shadow)
    assert shadow.occurrences == 2
    # The shadow's four plies lie beyond what the position has: its own plies overwrite them.
    to_and_fro(position)
    assert position.occurrences == 2
    assert position.key() == shadow.key()


def test_a_history_begins_anew_at_a_given_number_of_occurrences() -> None:
    position = later(30)
    position.resume(30, 2)
    assert (position.plies, position.occurrences) == (30, 2)
    to_and_fro(position)
    assert position.occurrences == 3


def test_keys_tell_whose_turn_it_is() -> None:
    assert CanoeState(5, 9, 0).key() != CanoeState(5, 9, 1).key()
    assert TortugaState(8, 16, 0, 0).key() != TortugaState(8, 16, 0, 1).key()


def test_numbers_for_python_are_plain() -> None:
    position = start("tortuga")
    assert json.loads(json.dumps(position.legal_moves())) == position.legal_moves()
    assert position.chance_weight(position.legal_moves()[0]) == 1
