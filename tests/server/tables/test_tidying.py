"""Tables that have been kept long enough are deleted, but not while a visitor looks at them."""

from __future__ import annotations

import time
from pathlib import Path

from escale.server.settings import Settings
from escale.store.retention import DAY_MS, HOUR_MS, Retention
from tests.server.hosting import OPEN, SetClock, Table, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people


def test_the_open_house_deletes_what_nobody_looks_at(tmp_path: Path) -> None:
    clock = SetClock()
    clock.now = time.time_ns() // 1_000_000
    keep = Retention(unstarted=30 * DAY_MS, finished=90 * DAY_MS)
    with hosted(tmp_path, now=clock, retention=keep, idle=60) as house:
        left = house.create("tortuga", person("Zacharie-Ephemere"), OPEN, **SOUTH)
        left.act("say", 0, text="Does-anybody-come")
        seen = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
        over, _ = two_people(house)
        over.act("resign", 0)
        played, _ = two_people(house)
        played.play(0, "d2-d3")

        def tidied(*gone: Table) -> None:
            for idle in list(house.house.tables.values()):      # as the sweep does
                if not idle.needed:
                    house.house.loop.call_soon_threadsafe(house.house.forget_table, idle)
            house.run(house.house.tidying.protect_tables())
            assert house.run(house.house.tidying.delete_expired()) == len(gone)
            for table in gone:
                answer = house.client.get(f"/api/tables/{table.id}")
                assert answer.json()["code"] == "unknown-table"
                assert "deleted" in answer.json()["message"]

        clock.now += 31 * DAY_MS
        with seen.live() as ear:
            ear.next("state")
            tidied(left)
            kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
            for trace in ("Zacharie-Ephemere", "Does-anybody-come", left.id):
                assert trace.encode() not in kept
            clock.now += HOUR_MS                       # it is still looked at
            tidied()
            ear.send(do="say", seat=0, id="say-1", text="here I am")
            assert ear.next("done")
        clock.now += 31 * DAY_MS
        tidied(seen)
        clock.now += 91 * DAY_MS
        tidied(over)
        assert played.get()["ply"] == 1             # a game that was begun is never deleted
        assert house.house.counts.deleted == 3


def test_a_table_that_is_opened_for_reading_is_not_deleted_by_another_process(
    tmp_path: Path
) -> None:
    clock = SetClock()
    clock.now = time.time_ns() // 1_000_000
    with hosted(tmp_path, now=clock) as house:
        table = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    clock.now += 40 * DAY_MS
    with hosted(tmp_path, now=clock) as house:
        work = house.house.store.housekeeping
        assert house.run(work.expired(Retention(), clock.now)) == ([table.id], None)
        Table(house, table.id, None).get()
        assert house.run(work.expired(Retention(), clock.now)) == ([], None)
        assert house.run(work.delete_unseen([table.id], clock.now)) == []
    assert Settings().retention == Retention(unstarted=30 * DAY_MS, finished=None)
