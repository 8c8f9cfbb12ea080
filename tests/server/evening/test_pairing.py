"""Pairings, by their properties over thousands of random evenings; see `tests/sizes.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from time import process_time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from escale.server.evening.evening import Evening
from escale.server.evening.events import Format, as_json, read_event, read_plan
from escale.server.evening.pairing import (
    Draft,
    History,
    empty_seats,
    group_cost,
    next_round,
    table_count,
)
from escale.server.evening.refusals import Refused
from escale.server.evening.standings import standings
from tests.server.evening.evenings import Lived, evening, live, play_round
from tests.sizes import sized

EVENINGS = sized(60, 2500, 60)
TWO: tuple[Format, ...] = ("swiss", "keizer")
FORMATS: tuple[Format, ...] = ("round-robin", "swiss", "keizer", "ladder")


def until(found: Evening, n: int) -> Evening:
    """An evening as it was after so many events."""
    return Evening(found.first_plan, found.events[:n])


def rounds(lived: Lived) -> Iterator[tuple[Evening, History, Draft]]:
    """Each round's pairings, with the evening before them."""
    for n, draft in lived.before:
        before = until(lived.evening, n)
        yield before, History.of(before), draft


def most_new_pairs(found: Evening, history: History) -> int:
    """How many tables at most at which two sit who have not met, tried out one by one."""
    there = tuple(guest.who for guest in found.present())
    fits = {
        frozenset(pair) for pair in combinations(there, 2)
        if not history.met[frozenset(pair)]
        and any(found.guests[who].person for who in pair)
    }

    @cache
    def best(left: tuple[int, ...]) -> int:
        if len(left) < 2:
            return 0
        first, rest = left[0], left[1:]
        found = best(rest)
        for other in rest:
            if found == len(left) // 2:
                break
            if frozenset((first, other)) in fits:
                found = max(found, 1 + best(tuple(who for who in rest if who != other)))
        return found

    return best(there)


@pytest.mark.parametrize("format", FORMATS)
def test_everybody_who_is_there_plays_or_waits_once(format: Format) -> None:
    for seed in range(EVENINGS):
        for before, _, draft in rounds(live(format, seed, restless=0.4, computers=seed % 2 > 0)):
            seated = [who for one in draft.pairings for who in one.seats]
            assert sorted(seated + draft.byes) == [guest.who for guest in before.present()]
            assert [one.table for one in draft.pairings] == [*range(1, len(draft.pairings) + 1)]
            for one in draft.pairings:
                assert any(before.guests[who].person for who in one.seats)
                assert len(one.seats) in (range(3, 7) if format == "ladder" else (2,))


@pytest.mark.parametrize("format", ["round-robin", "swiss"])
def test_two_meet_again_only_where_it_cannot_be_avoided(format: Format) -> None:
    for seed in range(EVENINGS):
        for before, history, draft in rounds(live(format, seed, most=9, restless=0.4)):
            new = sum(not history.met[frozenset(one.seats)] for one in draft.pairings)
            if format == "swiss":
                assert new == len(draft.pairings) or new < len(before.present()) // 2
                full = most_new_pairs(before, history) == len(before.present()) // 2
                assert new == len(draft.pairings) or not full
            else:
                assert new == len(draft.pairings)
                if before.n and all(guest.present for guest in before.guests.values()):
                    continue                    # the timetable leaves no pair out in the end
                assert new == most_new_pairs(before, history)


def test_a_round_robin_lets_each_meet_each_once_in_the_fewest_rounds() -> None:
    for people in range(2, 21):
        found, chance = evening("round-robin", people), Random(people)
        while True:
            try:
                draft = next_round(found)
            except Refused as refusal:
                assert refusal.key == "all-met"
                break
            play_round(found, draft, chance)
        history = History.of(found)
        assert all(history.met[frozenset(pair)] == 1 for pair in combinations(found.guests, 2))
        assert len(found.rounds) == people - 1 + people % 2
        assert all(history.byes[who] == people % 2 for who in found.guests)
        assert max(map(abs, history.balance.values()), default=0) <= 2


def test_a_latecomer_to_a_round_robin_meets_all_who_stay() -> None:
    for seed in range(EVENINGS):
        lived = live("round-robin", seed, most=8, rounds=4, restless=0.6)
        found, chance = lived.evening, Random(seed)
        while True:
            try:
                draft = next_round(found)
            except Refused:
                break
            play_round(found, draft, chance)
        history, there = History.of(found), [guest.who for guest in found.present()]
        assert all(history.met[frozenset(pair)] == 1 for pair in combinations(there, 2))


@pytest.mark.parametrize("format", ["round-robin", "swiss", "keizer"])
def test_sides_are_balanced(format: Format) -> None:
    for seed in range(EVENINGS):
        history = History.of(live(format, seed, restless=0.3).evening)
        assert max(map(abs, history.balance.values()), default=0) <= 2


def test_byes_are_shared_out() -> None:
    for seed in range(EVENINGS):
        for format in TWO:
            lived = live(format, seed, rounds=Random(seed).randint(1, 4))
            if len(lived.evening.guests) < 6:
                continue                        # so few have to meet again, or to wait
            byes = History.of(lived.evening).byes
            counts = [byes[who] for who in lived.evening.guests]
            assert max(counts) - min(counts) <= 1


def test_a_bye_goes_to_the_last_who_had_none_and_to_a_computer_first() -> None:
    found, chance = evening("swiss", 7), Random(3)
    for _ in range(3):
        history = History.of(found)
        draft = next_round(found)
        order = [row.who for row in standings(found)]
        if found.rounds:
            without = [who for who in order if not history.byes[who]]
            assert draft.byes == without[-1:]
        play_round(found, draft, chance)
    for seed in range(EVENINGS):
        [(before, _, draft)] = rounds(live("swiss", seed, rounds=1, computers=True))
        people = sum(guest.person for guest in before.present())
        if people % 2 == 0:                     # later, people who have met may be a reason to wait
            assert not any(before.guests[who].person for who in draft.byes)


@given(seed=st.integers(0, 10**6), format=st.sampled_from(FORMATS))
@settings(max_examples=sized(25, 400, 25), deadline=None)
def test_the_same_log_gives_the_same_pairings(seed: int, format: Format) -> None:
    lived = live(format, seed, restless=0.4, computers=True)
    found = lived.evening
    written = [repr(as_json(event)) for event in found.events]
    again = Evening(
        read_plan(msgspec.json.encode(found.first_plan)),
        [read_event(msgspec.json.encode(event)) for event in found.events],
    )
    assert [repr(as_json(event)) for event in again.events] == written
    assert [(row.who, row.place) for row in standings(again)] == \
        [(row.who, row.place) for row in standings(found)]
    for n, draft in lived.before:
        assert next_round(until(again, n)) == draft


def test_in_a_swiss_neighbours_in_points_meet() -> None:
    found, chance = evening("swiss", 16), Random(5)
    for number in range(4):
        points = {row.who: row.points for row in standings(found)}
        draft = next_round(found)
        if number:
            apart = [abs(points[one] - points[other]) for one, other in
                     (pairing.seats for pairing in draft.pairings)]
            assert sum(apart) <= 120 * 3
        play_round(found, draft, chance)


def test_in_keizers_system_neighbours_of_the_ranking_meet_and_guests_may_drop_in() -> None:
    shares: list[float] = []
    for seed in range(EVENINGS):
        for before, _, draft in rounds(live("keizer", seed, restless=0.5)):
            recent = {
                frozenset(game.seats) for one in before.rounds[-2:] for game in one.games
            }
            there = len(before.present())
            if there >= 8:
                assert not any(frozenset(one.seats) in recent for one in draft.pairings)
            rank = {row.who: place for place, row in enumerate(standings(before))}
            apart = [abs(rank[one] - rank[other]) for one, other in
                     (pairing.seats for pairing in draft.pairings)]
            if before.rounds and there >= 8:
                shares.append(sum(apart) / len(apart) / there)
    assert sum(shares) / len(shares) < 1 / 4    # by chance it would be a third


def test_no_exchange_of_two_guests_makes_the_tables_of_a_ladder_better() -> None:
    for seed in range(EVENINGS // 3):
        for before, history, draft in rounds(live("ladder", seed, restless=0.3)):
            if not before.rounds:
                continue
            order = [row.who for row in standings(before)]
            seated = {who for one in draft.pairings for who in one.seats}
            rank = {who: n for n, who in enumerate(who for who in order if who in seated)}
            groups = [one.seats for one in draft.pairings]
            sizes = [len(group) for group in groups]
            assert max(sizes) - min(sizes) <= 1
            for one, other in combinations(groups, 2):
                now = cost(before, history, rank, one, other)
                for here in range(len(one)):
                    for there in range(len(other)):
                        a, b = [*one], [*other]
                        a[here], b[there] = b[there], a[here]
                        assert cost(before, history, rank, a, b) >= now


def cost(
    found: Evening, history: History, rank: dict[int, int], one: list[int], other: list[int]
) -> tuple[int, ...]:
    both = zip(
        group_cost(one, found, history, rank), group_cost(other, found, history, rank), strict=True
    )
    return tuple(map(sum, both))


def test_tables_of_a_ladder_hold_everybody_from_three_guests_on() -> None:
    for count in range(3, 200):
        for wish in range(3, 7):
            tables = table_count(count, 3, 6, wish)
            assert 3 * tables <= count <= 6 * tables
    assert [table_count(count, 3, 6, 4) for count in (0, 1, 2)] == [0, 0, 0]


def test_computers_are_asked_for_where_a_seat_is_empty() -> None:
    assert [empty_seats(evening("swiss", people)) for people in (2, 3, 4, 7)] == [0, 1, 0, 1]
    assert [empty_seats(evening("ladder", people)) for people in (1, 2, 3, 7)] == [2, 1, 0, 0]
    assert empty_seats(evening("free", 3)) == 0


def test_two_hundred_guests_are_paired_in_a_moment() -> None:
    for format in TWO:
        found = evening(format, 200)
        play_round(found, next_round(found), Random(1))
        began = process_time()
        assert len(next_round(found).pairings) == 100
        assert process_time() - began < 10      # it takes half a second; a slip costs minutes


def test_games_follow_each_other_and_too_few_guests_cannot_play() -> None:
    found = evening("swiss", 4, games=["tortuga", "canoe"])
    names = []
    for _ in range(3):
        draft = next_round(found)
        names += sorted({one.game for one in draft.pairings})
        play_round(found, draft, Random(2))
    assert names == ["tortuga", "canoe", "tortuga"]
    few: dict[Format, int] = {"swiss": 1, "round-robin": 1, "ladder": 2, "keizer": 0}
    for format, people in few.items():
        with pytest.raises(Refused) as caught:
            next_round(evening(format, people))
        assert caught.value.key == "too-few"
    with pytest.raises(Refused):
        next_round(evening("free", 4))
    assert Counter(found.first_plan.games) == {"tortuga": 1, "canoe": 1}
