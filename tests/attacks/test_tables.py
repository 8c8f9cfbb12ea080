"""Tables that are cheap to ask for and dear to keep or to read: the house and others do not notice.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from random import Random

import httpx2
import pytest

import escale
from escale.game.fair_random import FairRandom
from escale.match.ledger import KEPT_EVERY_PLIES, StandingLine
from escale.match.match import Match, Player
from escale.server.tables.names import fingerprint
from escale.store import NewTable, Store, Token
from tests.attacks.victim import Victim, Visitor, honest, victim
from tests.server.study.test_position_jobs import CROWDED

AT = 1_800_000_000_000
LONG_GAME = "canyon-1972"
"""Random games of it are long."""
MOST_MEGABYTES = 300
PERSON = {"kind": "person", "name": "Ana"}


def from_address(house: Victim, number: int) -> httpx2.Client:
    transport = httpx2.HTTPTransport(local_address=f"127.0.1.{number}")
    return httpx2.Client(base_url=house.url, transport=transport, timeout=120)


def crowded_tables(house: Victim, address: int, count: int) -> None:
    """Tables from a position with forty thousand moves, each read by its player and played at."""
    order = {"game": "qenj2", "seats": [PERSON] * 2, "position": CROWDED}
    with from_address(house, address) as client:
        for _ in range(count):
            answer = client.post("/api/tables", json=order)
            assert answer.status_code == 201, answer.text
            made = answer.json()
            client.get(f"/api/tables/{made['table']}",
                       headers={"authorization": f"Bearer {made['token']}"})


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.exhaustive)])
def test_tables_from_crowded_positions_have_a_budget_in_bytes(tmp_path: Path, count: int) -> None:
    with victim(tmp_path) as house, Visitor(house, pause=0.02) as visitor:
        visitor.wait_for(5)
        before = house.memory
        asking = [threading.Thread(target=crowded_tables, args=(house, address, count))
                  for address in range(1, 9)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        print(f"{8 * count} tables: {before:.0f} MB, then {house.memory:.0f} MB;", visitor)
        assert house.memory < MOST_MEGABYTES
        assert max(visitor.waits[5:]) < 2


def restless(plies: int, pairs: int) -> Match:
    """A match at whose end a move is made and taken back, again and again."""
    match = Match(escale.game(LONG_GAME).start(seed=1), players=[Player("Ana"), Player("Bo")],
                  waits=True, fair_random=FairRandom("restless"))
    match.begin(at=AT)
    random = Random(5)
    while match.ply < plies:
        match.draw_chance(at=AT)
        assert match.turn is not None
        going = [move for move in random.sample(list(match.position.moves()), 1)
                 if match.position.play(move).turn is not None]
        if going:
            match.play(match.turn, going[0], at=AT)
    for _ in range(pairs):
        match.draw_chance(at=AT)
        seat = match.turn
        assert seat is not None
        match.play(seat, match.position.moves()[0], at=AT)
        match.take_back(seat, at=AT)
    return match


def keep(folder: Path, match: Match, count: int) -> None:
    async def write() -> None:
        store = Store(str(folder / "house.sqlite3"))
        for number in range(count):
            tokens = [Token(fingerprint(f"seat {seat}"), (seat,)) for seat in range(2)]
            table = NewTable(f"table{number}", match.header, "restless", False, tokens)
            await store.create(table, match.events)
        store.close()

    asyncio.run(write())


@pytest.mark.parametrize("pairs", [600, pytest.param(6_000, marks=pytest.mark.exhaustive)])
def test_reading_what_was_taken_back_again_and_again_makes_nobody_wait(
    tmp_path: Path, pairs: int
) -> None:
    keep(tmp_path, restless(120, pairs), 8)
    order = {"game": "qenj2", "seats": [PERSON] * 2}
    with victim(tmp_path) as house, from_address(house, 1) as client, honest(house) as stranger:
        stranger.post("/api/tables", json=order)
        reading = [
            threading.Thread(target=client.get, args=(f"/api/tables/table{number}",))
            for number in range(8)
        ]
        waits = []
        for thread in reading:
            thread.start()
        while any(thread.is_alive() for thread in reading):
            answer = stranger.post("/api/tables", json=order)
            assert answer.status_code in (201, 429), answer.text
            waits.append(answer.elapsed.total_seconds())
        for thread in reading:
            thread.join()
        print(f"{len(waits)} new tables, the longest wait {1000 * max(waits):.0f} ms")
        assert max(waits) < 2                       # on a quiet machine a tenth of a second


def test_reading_is_linear_in_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in moves that are played again, not in time."""
    replayed = 0
    reach = StandingLine._reach

    def counted(line: StandingLine, ply: int) -> None:
        nonlocal replayed
        replayed += ply - (line._kept[-1][0] if line._kept else 0)
        reach(line, ply)

    monkeypatch.setattr(StandingLine, "_reach", counted)
    match = restless(60, 300)
    assert match.ply >= 60
    for _ in range(2):
        match = Match.resume([match.header, *match.events], match.fair_random)
        assert len(match.moves_since(0)) == len(match.events)
    assert replayed < KEPT_EVERY_PLIES * len(match.events) * 3


def test_a_line_that_is_cut_is_the_line_that_was_played() -> None:
    random = Random(3)
    start = escale.game("qenj1").start(seed=1)
    line, codes = StandingLine(start), list[int]()
    for _ in range(600):
        if codes and random.random() < 0.3:
            codes = codes[: random.randrange(max(0, len(codes) - 60), len(codes))]
            line.cut(len(codes))
        elif moves := line.position.moves():
            codes.append(random.choice(moves).code)
            line.add(codes[-1], line.position.follow(codes[-1]).alone())
        assert list(line.codes) == codes
        assert line.position == start.after(codes)
        assert line.position.line() == start.after(codes).line()
        assert StandingLine(start, codes).position == line.position
