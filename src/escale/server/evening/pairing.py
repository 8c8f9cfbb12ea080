"""The pairings of the next round, which follow from the log alone.

For two at a table all wishes become the weight of one matching of the graph of guests, from the
most important one down: do not meet twice, share out the byes, balance the sides, and then what the
format asks for. So nothing is given up for a lesser wish, and nobody has to search.

Tables of three to six are dealt in the order of the ranks, and guests change places between tables
as long as that makes them better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, permutations

from escale.games import game as game_named
from escale.server.evening.evening import Evening, Game, Guest
from escale.server.evening.events import BoardKind, Pairing
from escale.server.evening.refusals import Refused
from escale.server.evening.standings import WIN, standings

KEIZER_APART = 4
"""In Keizer's system, after so many rounds two may meet again as if they had not met once."""
BYE = 0
"""The empty chair, as a partner in a matching."""


@dataclass(slots=True)
class History:
    """The past games of the guests, as far as pairings depend on them."""

    met: Counter[frozenset[int]] = field(default_factory=Counter)
    """How often two guests were paired."""
    byes: Counter[int] = field(default_factory=Counter)
    balance: Counter[int] = field(default_factory=Counter)
    """For each guest, the games on the first of two seats minus those on the second."""
    last: dict[int, int] = field(default_factory=dict)
    """The seat of the last game."""
    last_met: dict[frozenset[int], int] = field(default_factory=dict)
    """The round in which two were paired last."""
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often a guest has sat on a seat of a larger table."""

    @classmethod
    def of(cls, evening: Evening) -> History:
        """The history of all rounds; a game without a result counts if it is running."""
        history, running = cls(), evening.running
        for one in evening.rounds:
            for game in one.games:
                if game.over or game in running or one.started is None:
                    history.add(game)
            history.byes.update(one.byes)
        return history

    def add(self, game: Game) -> None:
        """Count a game."""
        for pair in combinations(game.seats, 2):
            self.met[frozenset(pair)] += 1
            self.last_met[frozenset(pair)] = game.round
        for seat, who in enumerate(game.seats):
            self.seats[who, seat] += 1
            if len(game.seats) == 2:
                self.balance[who] += 1 if seat == 0 else -1
                self.last[who] = seat


@dataclass(frozen=True, slots=True)
class Draft:
    """A round that can be played."""

    pairings: list[Pairing]
    byes: list[int]


def next_round(evening: Evening) -> Draft:
    """The pairings of the next round; Refused if there is none."""
    plan = evening.plan
    if plan.format == "free":
        raise Refused("free-play")
    guests = evening.present()
    game = plan.games[len(evening.rounds) % len(plan.games)]
    if plan.format == "ladder":
        groups, byes = _ladder(evening, guests, game)
    else:
        pairs, byes = _pairs(evening, guests)
        groups = [list(pair) for pair in pairs]
    if not groups:
        raise Refused("all-met" if plan.format == "round-robin" and len(guests) > 1 else "too-few")
    # The first table is the one of the best.
    rank = {row.who: number for number, row in enumerate(standings(evening))}
    groups.sort(key=lambda group: (min(rank[who] for who in group), group))
    return Draft(
        [
            Pairing(number, game, group, _board(evening, group))
            for number, group in enumerate(groups, 1)
        ],
        sorted(byes),
    )


def _board(evening: Evening, group: Iterable[int]) -> BoardKind:
    """Where a game is played: on a screen if a computer takes part, or if the plan says so.

    Two guests without a phone have nothing to play on but a real board.
    """
    guests = [evening.guests[who] for who in group]
    if any(not guest.person for guest in guests):
        return "screen"
    if not any(guest.phone for guest in guests):
        return "real"
    return evening.plan.board


def planned_rounds(evening: Evening) -> int | None:
    """The number of rounds of the evening; None if it is open."""
    if evening.plan.format != "round-robin":
        return evening.plan.rounds
    count = sum(guest.present for guest in evening.guests.values())
    return count - 1 + count % 2 if count > 1 else None


def empty_seats(evening: Evening) -> int:
    """The number of computers with which every guest plays in the next round."""
    plan, count = evening.plan, len(evening.present())
    if plan.format == "ladder":
        least, most = game_named(plan.games[len(evening.rounds) % len(plan.games)]).seats
        least = max(3, least)
        return next(
            more for more in range(most + 1)
            if any(least * tables <= count + more <= most * tables
                   for tables in range(1, count + more + 1))
        )
    return count % 2 if plan.format != "free" else 0


def sit(evening: Evening, group: Sequence[int]) -> list[int]:
    """The order in which guests sit at a table, so that sides are balanced."""
    return _seated(History.of(evening), list(group), evening.plan.seed)


# ---- two at a table ----


def _pairs(evening: Evening, guests: list[Guest]) -> tuple[list[tuple[int, int]], list[int]]:
    history = History.of(evening)
    if evening.plan.format == "round-robin" and (found := _berger(evening, guests, history)):
        pairs = found
    else:
        pairs = _matched(evening, guests, history)
    seated = {who for pair in pairs for who in pair}
    byes = [guest.who for guest in guests if guest.who not in seated]
    return pairs, byes


def _berger(
    evening: Evening, guests: list[Guest], history: History
) -> list[tuple[int, int]] | None:
    """The next round of the usual timetable, in which each meets each once.

    None if a guest came late or has left: then a matching is found instead.
    """
    if len(guests) < len(evening.guests) or any(guest.since > 1 for guest in guests):
        return None
    circle = sorted(evening.guests) + ([BYE] if len(guests) % 2 else [])
    count = len(circle)
    for turn in range(count - 1):
        turned = circle[1 + turn:] + circle[1:1 + turn]
        ring = [circle[0], *turned]
        pairs = []
        for place in range(count // 2):
            one, other = ring[place], ring[-1 - place]
            # Each guest comes to sit on the other side from round to round.
            swap = turn % 2 if place == 0 else place % 2
            if BYE not in (one, other) and _may_meet(evening, one, other):
                pairs.append((other, one) if swap else (one, other))
        if pairs and not any(history.met[frozenset(pair)] for pair in pairs):
            return pairs
    return None


def _may_meet(evening: Evening, one: int, other: int) -> bool:
    return evening.guests[one].person or evening.guests[other].person


def _matched(
    evening: Evening, guests: list[Guest], history: History
) -> list[tuple[int, int]]:
    """The best pairs of all, by the weight of a matching."""
    import rustworkx  # when it is needed: it is slow to load, and most processes pair no guests

    wishes = Wishes(evening, guests, history)
    nodes = [guest.who for guest in guests] + ([BYE] if len(guests) % 2 else [])
    edges = []
    for first, second in combinations(range(len(nodes)), 2):
        cost = wishes.cost(nodes[first], nodes[second])
        if cost is not None:
            edges.append((first, second, cost))
    if not edges:
        return []
    top = max(cost for _, _, cost in edges) + 1
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(nodes)
    graph.add_edges_from([(first, second, top - cost) for first, second, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted(
        (min(nodes[one], nodes[other]), max(nodes[one], nodes[other])) for one, other in found
    )
    return [_sides(history, pair, evening.plan.seed) for pair in pairs if BYE not in pair]


class Wishes:
    """The cost of a pair as one number.

    Its digits are counted in a base of their own each, large enough that the digits of all pairs
    together never reach the next higher one.
    """

    def __init__(self, evening: Evening, guests: list[Guest], history: History) -> None:
        self._evening = evening
        self._history = history
        self._pairs = len(guests) // 2 + 1
        rows = standings(evening)
        self._points = {row.who: row.points for row in rows}
        there = {guest.who for guest in guests}
        order = [row.who for row in rows if row.who in there]
        if not evening.rounds:
            order.sort(key=lambda who: _tie_break(evening.plan.seed, who))
        self._rank = {who: number for number, who in enumerate(order)}
        self._left = {
            who: sum(not history.met[frozenset((who, other))] for other in there if other != who)
            for who in there
        }
        groups: dict[int, list[int]] = {}
        for who in order:
            groups.setdefault(self._points[who], []).append(who)
        self._group = {who: group for group in groups.values() for who in group}

    def cost(self, one: int, other: int) -> int | None:
        """The cost of a pair; None if the pair is impossible."""
        if BYE in (one, other):
            digits = self._bye(one or other)
        elif not _may_meet(self._evening, one, other) or self._is_done(one, other):
            return None
        else:
            digits = self._pair(one, other)
        cost = 0
        for digit, most in digits:
            cost = cost * (most * self._pairs + 1) + min(digit, most)
        return cost

    def _is_done(self, one: int, other: int) -> bool:
        """Whether two guests of a round robin have played all their games."""
        return self._evening.plan.format == "round-robin" and \
            self._history.met[frozenset((one, other))] > 0

    def _bye(self, who: int) -> list[tuple[int, int]]:
        guest = self._evening.guests[who]
        byes = self._history.byes[who]
        if not guest.person:                    # a computer does not mind
            return [(0, 2500), (0, 2500), (0, 1), (0, 40_000), (0, 4), (0, 200), (0, 99)]
        behind = len(self._rank) - 1 - self._rank[who]
        if self._evening.plan.format == "round-robin":
            behind = self._left[who]            # who has more games to come waits less
        return [
            (0, 2500), (min(50, byes + 1) ** 2, 2500), (0, 1), (behind, 40_000), (0, 4), (0, 200),
            (_tie_break(self._evening.plan.seed, who) % 100, 99),
        ]

    def _pair(self, one: int, other: int) -> list[tuple[int, int]]:
        history = self._history
        met = history.met[frozenset((one, other))]
        if self._evening.plan.format == "keizer":
            # The same opponent may come again, but not soon.
            ago = len(self._evening.rounds) - history.last_met.get(frozenset((one, other)), 0)
            met = max(0, met - ago // KEIZER_APART)
        tilt, their_tilt = history.balance[one], history.balance[other]
        same = min(abs(tilt), abs(their_tilt)) if tilt * their_tilt > 0 else 0
        same_seat = one in history.last and history.last[one] == history.last.get(other)
        return [
            (min(50, met) ** 2, 2500),
            (0, 2500),
            (int(same >= 2), 1),
            (self._distance(one, other), 40_000),
            (2 * min(same, 1) + same_seat, 4),
            (self._fold(one, other), 200),
            (_tie_break(self._evening.plan.seed, one, other) % 100, 99),
        ]

    def _distance(self, one: int, other: int) -> int:
        """How badly two guests fit in this format."""
        match self._evening.plan.format:
            case "keizer":                      # neighbours of the ranking
                return (self._rank[one] - self._rank[other]) ** 2
            case "round-robin":                 # first those with most games to come
                return 400 - min(400, self._left[one] + self._left[other])
            case _:                             # equal points; in half wins
                return (2 * abs(self._points[one] - self._points[other]) // WIN) ** 2

    def _fold(self, one: int, other: int) -> int:
        """In a group of equal points, the best of the upper half meets the best of the lower."""
        if self._evening.plan.format != "swiss":
            return 0
        group = self._group[one]
        if group is not self._group[other]:
            return abs(self._rank[one] - self._rank[other])
        apart = abs(self._rank[one] - self._rank[other])
        return abs(apart - len(group) // 2)


def _sides(history: History, pair: tuple[int, int], seed: str) -> tuple[int, int]:
    """A pair in the order of the seats: first who has sat there less, or less recently."""
    one, other = pair

    def claim(who: int) -> tuple[int, int, int]:
        return history.balance[who], -history.last.get(who, 0), _tie_break(seed, who, *sorted(pair))

    return (one, other) if claim(one) <= claim(other) else (other, one)


def _tie_break(seed: str, *who: int) -> int:
    """A random number that decides between equals."""
    return int.from_bytes(sha256(f"{seed}:{':'.join(map(str, who))}".encode()).digest()[:6])


# ---- three to six at a table ----


def _ladder(
    evening: Evening, guests: list[Guest], game: str
) -> tuple[list[list[int]], list[int]]:
    """Tables of guests of similar ranks, who have met as seldom as possible."""
    history = History.of(evening)
    least, most = game_named(game).seats
    least = max(3, least)
    rank = {row.who: number for number, row in enumerate(standings(evening))}
    if not evening.rounds:
        rank = {guest.who: _tie_break(evening.plan.seed, guest.who) for guest in guests}
    people = sorted((guest.who for guest in guests if guest.person), key=rank.__getitem__)
    others = sorted((guest.who for guest in guests if not guest.person), key=rank.__getitem__)
    if not people:
        return [], []
    # A table needs a person; computers that find no table wait without harm.
    tables = table_count(len(people) + len(others), least, most, evening.plan.seats)
    tables = min(tables, len(people))
    if not tables:
        return [], people + others
    room = tables * most
    playing = people[:room] if len(people) > room else people
    waiting = people[room:]
    if waiting:                                 # who had fewer byes waits
        by_byes = sorted(people, key=lambda who: (history.byes[who], -rank[who]))
        waiting = by_byes[:len(waiting)]
        playing = [who for who in people if who not in waiting]
    others_in = others[:max(0, min(len(others), room - len(playing)))]
    order = sorted([*playing, *others_in], key=rank.__getitem__)
    groups = _dealt(order, tables)
    _improve(groups, evening, history, {who: place for place, who in enumerate(order)})
    byes = [who for who in (*people, *others) if who not in set(order)]
    return [_seated(history, group, evening.plan.seed) for group in groups], byes


def table_count(count: int, least: int, most: int, wish: int) -> int:
    """How many tables for `count` guests come nearest to the wished size; 0 if there are too few.

    >>> [table_count(count, 3, 6, 4) for count in (2, 3, 5, 7, 8, 11, 12, 64)]
    [0, 1, 1, 2, 2, 3, 3, 16]
    """
    fitting = [
        tables for tables in range(1, count // least + 1)
        if least * tables <= count <= most * tables
    ]
    if fitting:
        return min(fitting, key=lambda tables: (abs(count - wish * tables) / tables, tables))
    return count // least


def _dealt(order: list[int], tables: int) -> list[list[int]]:
    """Guests in their order at tables whose sizes differ by one at most."""
    groups, start = [], 0
    for number in range(tables):
        size = (len(order) - start) // (tables - number)
        groups.append(order[start: start + size])
        start += size
    return groups


def _improve(
    groups: list[list[int]], evening: Evening, history: History, rank: dict[int, int]
) -> None:
    """Let two guests change tables as long as that makes both tables together better."""
    costs = [group_cost(group, evening, history, rank) for group in groups]
    better = True
    while better:
        better = False
        for one, other in combinations(range(len(groups)), 2):
            for here in range(len(groups[one])):
                for there in range(len(groups[other])):
                    before = _sum(costs[one], costs[other])
                    _swap(groups, one, here, other, there)
                    now = (
                        group_cost(groups[one], evening, history, rank),
                        group_cost(groups[other], evening, history, rank),
                    )
                    if _sum(*now) < before:
                        costs[one], costs[other] = now
                        better = True
                    else:
                        _swap(groups, one, here, other, there)


def _swap(groups: list[list[int]], one: int, here: int, other: int, there: int) -> None:
    groups[one][here], groups[other][there] = groups[other][there], groups[one][here]


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def group_cost(
    group: list[int], evening: Evening, history: History, rank: dict[int, int]
) -> tuple[int, int, int]:
    """The cost of a table: no person at it, guests who have met, ranks that differ."""
    ranks = [rank[who] for who in group]
    middle = sum(ranks)
    return (
        int(not any(evening.guests[who].person for who in group)),
        sum(history.met[frozenset(pair)] ** 2 for pair in combinations(group, 2)),
        sum((len(ranks) * one - middle) ** 2 for one in ranks),
    )


def _seated(history: History, group: list[int], seed: str) -> list[int]:
    """The order at a table in which all guests have the seats that they have had least."""
    if len(group) == 2:
        return list(_sides(history, (group[0], group[1]), seed))
    ordered = sorted(group, key=lambda who: _tie_break(seed, who, len(history.seats)))
    return list(min(
        permutations(ordered),
        key=lambda seated: sum(history.seats[who, seat] ** 2 for seat, who in enumerate(seated)),
    ))
