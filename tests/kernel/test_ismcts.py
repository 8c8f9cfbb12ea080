"""Information-set tree search: above all, that it knows only what its seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import escale
from escale import kernel, opponents
from escale.game.moves import Move
from escale.games.canyon_1997 import rules
from escale.games.canyon_1997.river import NUMBERS
from escale.kernel import Limit, Random, SearchResult
from tests.kernel import search, start

GAME = escale.game("canyon-1997")
EVALUATION = GAME.evaluation
MANY = bool(kernel.COMPILED)
"""Whether there is time to try a lot."""


RARITY = {rules.PLACE: 2, rules.BID: 10, rules.PLAY: 30, rules.MOVE: 10}
"""One in so many decisions of each kind is looked at."""


def moments(count: int, seed: int) -> Iterator[Any]:
    """Decisions from all over games with three to six seats, of every kind."""
    random = Random(seed)
    met = 0
    while True:
        position = rules.CanyonState(3 + random.below(4), random.below(2) == 1)
        while position.legal_moves():
            if position.turn == kernel.CHANCE:
                position.play(kernel.draw_chance(position, random))
                continue
            if random.below(RARITY[position.table()["phase"]]) == 0:
                yield position.copy()
                met += 1
                if met == count:
                    return
            position.play(EVALUATION.prefer(position, random))


def a_bid() -> Any:
    """A decision with nine choices and many hidden cards."""
    return next(met for met in moments(99, 11) if met.table()["phase"] == rules.BID)


def redealt(position: Any, seat: int, random: Random) -> Any:
    """A copy in which what a seat cannot know is drawn anew."""
    copy = position.copy()
    copy.redeal(seat, random)
    return copy


def thought(position: kernel.State, method: str = "ismcts", **more: Any) -> tuple[Any, ...]:
    """All that a search finds, but for the time it took."""
    return tuple(search(position, method, **{"simulations": 24, **more})[:-1])


def test_the_same_thought_about_tables_that_look_alike() -> None:
    phases: Counter[int] = Counter()
    seats: Counter[int] = Counter()
    differ = 0
    for number, position in enumerate(moments(600 if MANY else 30, 1)):
        twin = redealt(position, position.turn, Random(number + 1000))
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
        twin = redealt(position, position.turn, Random(number))
        one, other = (
            thought(seen, "mcts", seed=1, simulations=24 if MANY else 6)
            for seen in (position, twin)
        )
        given_away += one != other
    assert given_away > 3


def told(found: SearchResult[Move]) -> list[Any]:
    """What a seat is told, but for the time it took."""
    lines = [
        ([move.text for move in line.moves], line.shares, line.proven) for line in found.lines
    ]
    return [*found[2:5], lines]


def test_levels_know_only_what_they_see() -> None:
    for seed in range(40 if MANY else 3):
        random = Random(seed)
        position = GAME.start(seats=3 + seed % 4, seed=f"levels {seed}")
        for _ in range(random.below(60)):
            if position.turn is not None:
                moves = position.moves()
                position = position.play(moves[random.below(len(moves))])
        if position.turn is None:
            continue
        twin = position.imagine(position.turn, Random(seed + 99))
        one, other = (
            opponents.think(seen, limit=Limit(simulations=50), seed=seed, lines=3)
            for seen in (position, twin)
        )
        assert told(one) == told(other)
        assert one.method == "ismcts"
        assert not one.proven


def test_the_seed_decides() -> None:
    for position in moments(10, 3):
        assert thought(position, seed=1) == thought(position, seed=1)
    position = a_bid()
    assert len({thought(position, seed=seed)[1][0] for seed in range(6)}) > 1


def test_what_a_thought_says() -> None:
    for number, position in enumerate(moments(120 if MANY else 10, 4)):
        before = position.key()
        found = search(position, "ismcts", simulations=60, seed=number)
        assert position.key() == before
        assert found.move == found.line[0]
        assert found.move in position.legal_moves()
        assert sum(found.shares) == pytest.approx(1)
        assert min(found.shares) >= 0
        assert found.simulations == 60
        assert (found.proven, found.plies_to_end) == (False, None)
        table = redealt(position, position.turn, Random(number))
        for move in found.line:
            assert move in table.legal_moves()
            table.play(move)


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
        assert opponents.think(position, limit=Limit(simulations=300), seed=seed).move.text == card


def test_a_sure_trick_is_bid() -> None:
    """One card each: the highest trump takes the trick, the one of a suit not led never does."""
    for hand, bid in (("g0", "bid1"), ("p1", "bid0")):
        position = GAME.position(f"r8.dB.tg4/Oc1.hb5.s0/Hd1.hy3.s0/Be1.h{hand} beaver 5")
        for seed in range(4):
            found = opponents.think(position, limit=Limit(simulations=400), seed=seed)
            assert found.move.text == bid


# ---- what it asks of the game ----


def test_estimates_follow_the_race() -> None:
    position = rules.CanyonState(4)
    cells = {"ahead": "c20", "behind": "c5", "beside": "d5", "far": "c1"}
    position.lay({
        **position.table(), "phase": rules.DEAL, "turn": kernel.CHANCE, "dealer": 0, "drawing": 0,
        "at": [NUMBERS[cell] for cell in cells.values()],
    })
    shares = EVALUATION.estimate(position)
    assert shares is not None
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > 0.5 > shares[1] > shares[3] > 0
    assert shares[1] == pytest.approx(shares[2])


def test_estimates_are_for_between_the_rounds() -> None:
    for position in moments(40, 5):
        assert EVALUATION.estimate(position) is None
    assert escale.game("tortuga").evaluation.estimate(start("tortuga")) is None


def test_common_sense_is_legal() -> None:
    for number, position in enumerate(moments(200 if MANY else 20, 6)):
        assert EVALUATION.prefer(position, Random(number)) in position.legal_moves()


def test_what_is_open_is_not_dealt_anew() -> None:
    position = start("tortuga")
    assert redealt(position, 0, Random(1)).key() == position.key()
    found = search(position, "ismcts", simulations=20, seed=1)
    assert found.move in position.legal_moves()
    assert found.simulations == 20


# ---- budgets, and illegal use ----


def test_several_lines_come_from_one_search() -> None:
    position = a_bid()
    one = search(position, "ismcts", simulations=200, seed=1)
    several = search(position, "ismcts", simulations=200, seed=1, lines=4)
    assert several.line == one.line
    assert several[2:5] == one[2:5]
    assert len({line.moves[0] for line in several.lines}) == 4
    for line in several.lines:
        assert line.moves[0] in position.legal_moves()
        assert sum(line.shares) == pytest.approx(1)
    every = search(position, "ismcts", simulations=200, seed=1, lines=99)
    assert sorted(line.moves[0] for line in every.lines) == sorted(position.legal_moves())


def test_a_full_tree_grows_no_further() -> None:
    position = a_bid()
    for capacity in (0, 60, 200):
        found = search(position, "ismcts", simulations=400, capacity=capacity)
        assert found.simulations == 400
        assert found.nodes <= max(capacity, position.capacity + 1)
    assert search(position, "ismcts", simulations=400).nodes > 200


def test_a_search_ends_when_nothing_can_change_its_choice() -> None:
    early = 0
    for position in moments(40 if MANY else 2, 9):
        if len(position.legal_moves()) == 1:
            continue
        found = search(position, "ismcts", simulations=1024, seed=2)
        assert found.simulations in (512, 768, 1024)        # at least half: one leads by no more
        early += found.simulations < 1024
        tempered = search(position, "ismcts", simulations=1024, seed=2, temperature=1)
        assert tempered.simulations == 1024                 # what is drawn depends on all visits
    assert early or not MANY


def test_a_clock_ends_the_search() -> None:
    found = search(start("canyon-1997"), "ismcts", seconds=0.05)
    assert found.simulations > 0
    assert found.milliseconds >= 50


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("canyon-1997")
    with pytest.raises(ValueError, match="simulations or of seconds"):
        search(position, "ismcts")
    with pytest.raises(ValueError, match="at least one simulation, not 0"):
        search(position, "ismcts", simulations=0)
    with pytest.raises(ValueError, match="ismcts counts simulations"):
        search(position, "ismcts", nodes=10)
    with pytest.raises(ValueError, match="it is chance's turn"):
        search(GAME.start().kernel(), "ismcts", simulations=10)


def test_threads_do_not_disturb_one_another() -> None:
    position = start("canyon-1997")

    def found(seed: int) -> tuple[int, ...]:
        return search(position, "ismcts", simulations=100, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found, range(8))) == [found(seed) for seed in range(8)]
