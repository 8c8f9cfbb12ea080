"""Information-set tree search: above all, that it knows only what its seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import escale
from escale import kernel, opponents
from escale.games.canyon_1997 import rules
from escale.games.canyon_1997.river import NUMBERS
from escale.kernel import Random
from tests.kernel import start

GAME = escale.game("canyon-1997")
MANY = bool(kernel.COMPILED)
"""Whether there is time to try a lot."""


RARITY = {rules.PLACE: 2, rules.BID: 10, rules.PLAY: 30, rules.MOVE: 10}
"""One in so many decisions of each kind is looked at."""


def moments(count: int, seed: int) -> Iterator[Any]:
    """Decisions from all over games with three to six seats, of every kind."""
    random = Random(seed)
    met = 0
    while True:
        position = rules.CanyonState(3 + random.integer(4), random.integer(2) == 1)
        while position.legal():
            if position.turn == kernel.CHANCE:
                position.make(kernel.draw_chance(position, random))
                continue
            if random.integer(RARITY[position.table()["phase"]]) == 0:
                yield position.copy()
                met += 1
                if met == count:
                    return
            position.make(position.preference(random))


def a_bid() -> Any:
    """A decision with nine choices and many hidden cards."""
    return next(met for met in moments(99, 11) if met.table()["phase"] == rules.BID)


def thought(position: kernel.State, method: str = "ismcts", **more: Any) -> tuple[Any, ...]:
    """All that a search finds, but for the time it took."""
    return tuple(kernel.think(position, method, **{"simulations": 24, **more})[:-1])


def test_the_same_thought_about_tables_that_look_alike() -> None:
    phases: Counter[int] = Counter()
    seats: Counter[int] = Counter()
    differ = 0
    for number, position in enumerate(moments(600 if MANY else 30, 1)):
        twin = position.redealt(position.turn, Random(number + 1000))
        assert twin.table()["hand"][position.turn] == position.table()["hand"][position.turn]
        differ += twin.table() != position.table()
        phases[position.table()["phase"]] += 1
        seats[position.seats] += 1
        assert thought(position, seed=number) == thought(twin, seed=number), position.table()
    assert differ > sum(phases.values()) / 3
    if MANY:
        assert all(phases[phase] > 40 for phase in (rules.PLACE, rules.BID, rules.PLAY, rules.MOVE))
        assert all(seats[count] > 50 for count in (3, 4, 5, 6))


def test_a_search_of_one_table_would_give_hands_away() -> None:
    """The test above can fail: a search that looks at the table as it is does not pass it."""
    given_away = 0
    for number, position in enumerate(moments(60 if MANY else 15, 2)):
        twin = position.redealt(position.turn, Random(number))
        one, other = (
            thought(seen, "mcts", seed=1, simulations=24 if MANY else 6)
            for seen in (position, twin)
        )
        given_away += one != other
    assert given_away > 3


def test_levels_know_only_what_they_see() -> None:
    for seed in range(40 if MANY else 3):
        random = Random(seed)
        position = GAME.start(seats=3 + seed % 4, seed=f"levels {seed}")
        for _ in range(random.integer(60)):
            if position.turn is not None:
                moves = position.moves()
                position = position.play(moves[random.integer(len(moves))])
        if position.turn is None:
            continue
        twin = position.imagine(position.turn, Random(seed + 99))
        one, other = (
            opponents.think(seen, simulations=50, seed=seed).as_json() for seen in (position, twin)
        )
        assert {**one, "ms": 0} == {**other, "ms": 0}
        assert not one["proven"]


def test_the_seed_decides() -> None:
    for position in moments(10, 3):
        assert thought(position, seed=1) == thought(position, seed=1)
    position = a_bid()
    assert len({thought(position, seed=seed)[1][0] for seed in range(6)}) > 1


def test_what_a_thought_says() -> None:
    for number, position in enumerate(moments(120 if MANY else 10, 4)):
        before = position.hash()
        found = kernel.think(position, "ismcts", simulations=60, seed=number)
        assert position.hash() == before
        assert found.move == found.line[0]
        assert found.move in position.legal()
        assert sum(found.shares) == pytest.approx(1)
        assert min(found.shares) >= 0
        assert found.simulations == 60
        assert (found.proven, found.plies_to_end) == (False, None)
        table = position.redealt(position.turn, Random(number))
        for move in found.line:
            assert move in table.legal()
            table.make(move)


# ---- that it plays well ----


@pytest.mark.parametrize(("hand", "bid", "card"), [
    ("b39", 0, "blue3"),        # the nine would take a trick that was not said
    ("b30", 2, "blue10"),       # both tricks were said
    ("b3g1", 1, "blue3"),       # the lowest trump takes the last trick, if not this one
])
def test_the_last_to_lay_knows_what_it_wants(hand: str, bid: int, card: str) -> None:
    """On the current only an exact bid moves a canoe."""
    position = GAME.position(
        f"r7.dB.tg4/Oc1.hp2.kb5.b0.w0/Hd1.hp3.kb7.b1.w0/Bb25.h{hand}.b{bid}.w0 beaver 9"
    )
    for seed in range(4):
        assert opponents.think(position, simulations=300, seed=seed).move.text == card


def test_a_sure_trick_is_bid() -> None:
    """One card each: the highest trump takes the trick, the one of a suit not led never does."""
    for hand, bid in (("g0", "bid1"), ("p1", "bid0")):
        position = GAME.position(f"r8.dB.tg4/Oc1.hb5.b0/Hd1.hy3.b0/Be1.h{hand} beaver 5")
        for seed in range(4):
            assert opponents.think(position, simulations=400, seed=seed).move.text == bid


# ---- what it asks of the game ----


def test_estimates_follow_the_race() -> None:
    position = rules.CanyonState(4)
    cells = {"ahead": "c20", "behind": "c5", "beside": "d5", "far": "c1"}
    position.lay({
        **position.table(), "phase": rules.DEAL, "turn": kernel.CHANCE, "dealer": 0, "drawing": 0,
        "at": [NUMBERS[cell] for cell in cells.values()],
    })
    shares = position.outlook()
    assert shares is not None
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > 0.5 > shares[1] > shares[3] > 0
    assert shares[1] == pytest.approx(shares[2])


def test_estimates_are_for_between_the_rounds() -> None:
    for position in moments(40, 5):
        assert position.outlook() is None
    assert start("tortuga").outlook() is None


def test_common_sense_is_legal() -> None:
    for number, position in enumerate(moments(200 if MANY else 20, 6)):
        assert position.preference(Random(number)) in position.legal()


def test_what_is_open_is_not_dealt_anew() -> None:
    position = start("tortuga")
    assert position.redealt(0, Random(1)).hash() == position.hash()
    found = kernel.think(position, "ismcts", simulations=20, seed=1)
    assert found.move in position.legal()
    assert found.simulations == 20


# ---- budgets, and illegal use ----


def test_moves_can_be_left_out() -> None:
    position = next(moments(1, 7))
    best = kernel.think(position, "ismcts", simulations=50, seed=1).move
    other = kernel.think(position, "ismcts", simulations=50, seed=1, without=[best])
    assert other.move != best
    assert other.move in position.legal()


def test_a_full_tree_grows_no_further() -> None:
    position = a_bid()
    for capacity in (0, 60, 200):
        found = kernel.think(position, "ismcts", simulations=400, capacity=capacity)
        assert found.simulations == 400
        assert found.nodes <= max(capacity, position.capacity + 1)
    assert kernel.think(position, "ismcts", simulations=400).nodes > 200


def test_a_search_ends_when_nothing_can_change_its_choice() -> None:
    early = 0
    for position in moments(40 if MANY else 2, 9):
        if len(position.legal()) == 1:
            continue
        found = kernel.think(position, "ismcts", simulations=1024, seed=2)
        assert found.simulations in (512, 768, 1024)        # at least half: one leads by no more
        early += found.simulations < 1024
        tempered = kernel.think(position, "ismcts", simulations=1024, seed=2, temperature=1)
        assert tempered.simulations == 1024                 # what is drawn depends on all visits
    assert early or not MANY


def test_a_clock_ends_the_search() -> None:
    found = kernel.think(start("canyon-1997"), "ismcts", seconds=0.05)
    assert found.simulations > 0
    assert found.milliseconds >= 50


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("canyon-1997")
    with pytest.raises(ValueError, match="simulations or of seconds"):
        kernel.think(position, "ismcts")
    with pytest.raises(ValueError, match="at least one simulation, not 0"):
        kernel.think(position, "ismcts", simulations=0)
    with pytest.raises(ValueError, match="ismcts counts simulations"):
        kernel.think(position, "ismcts", nodes=10)
    with pytest.raises(ValueError, match="no move is left"):
        kernel.think(position, "ismcts", simulations=10, without=position.legal())
    with pytest.raises(ValueError, match="a lot is to be drawn"):
        kernel.think(GAME.start().kernel(), "ismcts", simulations=10)


def test_threads_do_not_disturb_one_another() -> None:
    position = start("canyon-1997")

    def found(seed: int) -> list[int]:
        return kernel.think(position, "ismcts", simulations=100, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found, range(8))) == [found(seed) for seed in range(8)]
