"""What the host keeps, and what is gone when it is deleted."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from escale.game.errors import BadOption
from escale.match.events import Began, Ended, Event, OutcomeFacts, Said, Sat
from escale.store import Conflict, NewTable, Retention, Store
from escale.store.retention import DAY_MS, HOUR_MS, duration
from tests.store.test_store import HEADER, opened, play, run

NOW = 1_800_000_000_000
LONG_AGO = NOW - 100 * DAY_MS


def ended(n: int, at: int) -> Event:
    return Ended(OutcomeFacts("time", None, [0], [1.0, 0.0]), n=n, at=at)


async def keep(store: Store, name: str, *happened: Event, created: int = LONG_AGO) -> None:
    await store.create(NewTable(name, HEADER, "deep", tokens=[("ab" * 32, [0])]), happened)
    await store.housekeeping.decide(name, created=created)


def test_how_long_is_said_in_a_word() -> None:
    for wrong in ("", "30", "d", "-1d", "1y", "30 days", "1.5d", "999999d"):
        with pytest.raises(BadOption, match="such as 12h, 30d"):
            duration(wrong)


def test_only_what_nobody_plays_and_nobody_looks_at_expires(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            sly = Said(0, '"do":"play"', n=2, at=LONG_AGO)      # is no move
            await keep(store, "empty")
            await keep(store, "unstarted", Began([None], n=1, at=LONG_AGO), sly)
            await keep(store, "young", created=NOW - 5 * DAY_MS)
            await keep(store, "talked", Said(0, "still here", n=1, at=NOW - HOUR_MS))
            await keep(store, "played", play(1, at=LONG_AGO))
            await keep(store, "over", play(1, at=LONG_AGO), ended(2, LONG_AGO))
            await keep(store, "just over", play(1, at=LONG_AGO), ended(2, NOW - 40 * DAY_MS))
            await keep(store, "looked at")
            house = store.housekeeping
            await house.note_seen(["looked at"], NOW - HOUR_MS)

            async def expired(**retention: int | None) -> list[str]:
                return (await house.expired(Retention(**retention), NOW))[0]

            assert await expired() == ["empty", "unstarted"]
            assert await expired(unstarted=None) == []
            assert await expired(unstarted=None, finished=50 * DAY_MS) == ["over"]
            assert await expired(finished=30 * DAY_MS) == [
                "empty", "just over", "over", "unstarted",
            ]
            assert Retention(unstarted=None).keeps_all
            # A visitor has come between the question and the deletion.
            await house.note_seen(["empty"], NOW)
            assert await house.delete_unseen(["empty", "over", "none"], NOW) == ["over"]
            assert await store.load("over") is None
            assert await store.load("empty") is not None
            with pytest.raises(Conflict):                   # the writer knew its last number
                await store.append("over", [play(3)])
            await keep(store, "over", play(1))              # and its name is free again
            assert await house.delete("over")
            assert not await house.delete("over")

    run(test)


def test_expired_tables_are_looked_for_a_few_at_a_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("escale.store.housekeeping.CHECKED_TABLES", 2)

    async def test() -> None:
        async with opened(database) as store:
            for name in "abcde":
                await keep(store, name, created=LONG_AGO if name in "ade" else NOW)
            found, after = await store.housekeeping.expired(Retention(), NOW)
            assert (found, after) == (["a"], "b")
            found, after = await store.housekeeping.expired(Retention(), NOW, "b")
            assert (found, after) == (["d"], "d")
            assert await store.housekeeping.expired(Retention(), NOW, "d") == (["e"], None)

    run(test)


def test_what_is_deleted_is_gone_from_the_file(tmp_path: Path) -> None:
    """Names, chat and tables' names; also where SQLite has moved rows from page to page."""
    path = tmp_path / "house.sqlite3"
    dice = random.Random(1)
    names = [f"{dice.getrandbits(64):016x}" for _ in range(60)]
    dead = names[::3]

    async def test() -> None:
        async with opened(str(path)) as store:
            for name in names:
                await keep(store, name, Sat(0, f"Name-{name}", None, n=1, at=LONG_AGO))
            for n in range(2, 40):
                await asyncio.gather(*(
                    store.append(name, [Said(0, f"Chat-{name} {'x' * dice.randrange(200)}",
                                             n=n, at=LONG_AGO)])
                    for name in names
                ))
            assert len(await store.housekeeping.delete_unseen(dead, NOW)) == len(dead)
            assert not await store.housekeeping.scrub(most=1)           # too large to be rewritten
            assert await store.housekeeping.scrub()
            kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
            assert [name for name in dead if name.encode() in kept] == []
            assert f"Chat-{names[1]}".encode() in kept
            await store.append(names[1], [Said(0, "on we go", n=40)])

    run(test)
    with open(path, "rb") as file:
        kept = file.read()
    assert [name for name in dead if name.encode() in kept] == []


def test_the_host_finds_tables_by_name_game_player_and_state(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            await keep(store, "waiting", Sat(0, "Élodie", None, n=1, at=5))
            await keep(store, "playing", Began([None], n=1), Said(0, "Élodie", n=2, at=NOW))
            await keep(store, "over", Began([None], n=1), ended(2, 9), created=LONG_AGO + 1)
            await keep(store, "closed")
            await store.housekeeping.decide("closed", closed=True, muted=True)

            async def found(**wanted: object) -> list[str]:
                rows, total = await store.housekeeping.overview(**wanted)  # type: ignore[arg-type]
                assert total >= len(rows)
                return [row.id for row in rows]

            assert await found() == ["over", "closed", "playing", "waiting"]
            assert await found(skip=1, limit=2) == ["closed", "playing"]
            for state in ("waiting", "playing", "over", "closed"):
                assert await found(state=state) == [state]
            assert await found(search="play") == ["playing"]
            assert await found(search="élodie") == ["waiting"]      # chat is not searched
            assert len(await found(search="tortuga")) == 4
            assert await found(search="%") == []
            one = await store.housekeeping.one("waiting")
            assert one is not None
            assert (one.game, one.events) == ("tortuga", 1)
            assert one.names == ("Zoé \N{TURTLE}\u2028", "Élodie")
            assert one.changed == 5
            assert one.size > 50
            assert await store.housekeeping.one("none") is None
            assert (await store.housekeeping.size() or 0) > 4096

    run(test)
