"""Evenings in the database: written in order, in backups, and without names when those are erased.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from escale.store import Conflict
from escale.store.backup import back_up, restore
from escale.store.database import database_url
from escale.store.records import Device, EveningRow, EveningToken, KeptEvening, Notebook
from tests.store.test_store import opened

HOLDER, OTHER, LINK = "ab" * 32, "cd" * 32, "ef" * 32
KEPT = KeptEvening(
    "evening", '{"title":"Jeudi"}', "K7P2QX", "series", "secret", 1, 1, False,
    (EveningToken(LINK, -1), EveningToken(HOLDER, 0), EveningToken(HOLDER, 1)),
    (EveningRow(1, 1, '{"do":"join","n":1,"at":1,"who":1,"name":"Zoé"}'),
     EveningRow(2, 2, '{"do":"join","n":2,"at":2,"who":2,"name":"Ana"}')),
)


def rename(n: int, who: int, name: str) -> EveningRow:
    return EveningRow(n, n, f'{{"do":"rename","n":{n},"at":{n},"who":{who},"name":"{name}"}}')


def test_events_follow_each_other_and_a_second_of_a_number_is_refused(database: str) -> None:
    async def run() -> None:
        async with opened(database) as store:
            found = store.evenings
            await found.create(KEPT)
            with pytest.raises(Conflict):
                await found.create(KEPT)
            await found.append("evening", [rename(3, 1, "Zo")], closed=True)
            with pytest.raises(Conflict):
                await found.append("evening", [rename(3, 1, "Zaza")])
            with pytest.raises(Conflict):
                await found.append("nowhere", [rename(1, 1, "Zaza")])
            kept = await found.load("evening")
            assert kept is not None
            assert kept.events == (*KEPT.events, rename(3, 1, "Zo"))
            assert (kept.closed, kept.changed, kept.tokens) == (True, 3, KEPT.tokens)
            assert await found.head("evening") == 3
            assert (await found.head("nowhere"), await found.load("nowhere")) == (None, None)
            assert await found.coded("K7P2QX") == "evening"
            assert [one.id for one in await found.held(HOLDER, 10)] == ["evening"]
            assert await found.held(LINK, 10) == []        # a link holds nothing
            assert [one.id for one in await found.of_series("series", 10)] == ["evening"]
            assert [one.id for one in await found.closed_evenings(0, 9)] == ["evening"]
            assert await found.open_evenings(0, 9) == []
            assert await found.expired(100, 10, None, 9) == []
            assert await found.expired(100, None, 10, 9) == ["evening"]
            await found.delete("evening")
            assert await found.load("evening") is None
            with pytest.raises(Conflict):
                await found.append("evening", [rename(4, 1, "Zo")])

    asyncio.run(run())


def test_an_evening_is_in_a_backup(database: str, tmp_path: Path) -> None:
    async def make() -> None:
        async with opened(database) as store:
            await store.evenings.create(KEPT)

    async def read(where: str) -> object:
        async with opened(where) as store:
            return await store.evenings.load("evening")

    asyncio.run(make())
    path, other = tmp_path / "all.backup", str(tmp_path / "other.sqlite3")
    back_up(database_url(database), path)
    restore(database_url(other), path)
    assert asyncio.run(read(other)) == KEPT


def test_a_notebook_takes_its_name_with_it_and_leaves_the_evening(database: str) -> None:
    mine = Notebook("mine", HOLDER, 1, 2, "Zoé", "fr", "{}")
    theirs = Notebook("theirs", OTHER, 1, 2, "Ana", "fr", "{}")

    async def run() -> None:
        async with opened(database) as store:
            for number, notebook in enumerate((mine, theirs)):
                device = Device(str(number) * 64, notebook.id, "Firefox", 1, 2)
                await store.notebooks.create(notebook, device)
            await store.evenings.create(KEPT)
            await store.evenings.append("evening", [rename(3, 1, "Zaza"), rename(4, 2, "An")])
            assert await store.notebooks.drop_unused(10**15) == 1       # the other holds nothing
            assert [table async for table in store.notebooks.erase(mine, "Invité")] == []
            kept = await store.evenings.load("evening")
            assert kept is not None
            entries = "".join(event.entry for event in kept.events)
            assert "Zoé" not in entries
            assert "Zaza" not in entries
            assert entries.count("Invité") == 2
            assert '"Ana"' in entries
            assert kept.tokens == (EveningToken(LINK, -1),)

    asyncio.run(run())


def test_two_notebooks_that_become_one_hold_what_both_held(database: str) -> None:
    one = Notebook("one", HOLDER, 1, 2, "Zoé", "fr", "{}")
    into = Notebook("into", OTHER, 1, 2, "Zoé", "fr", "{}")

    async def run() -> None:
        async with opened(database) as store:
            for number, notebook in enumerate((one, into)):
                device = Device(str(number) * 64, notebook.id, "Firefox", 1, 2)
                await store.notebooks.create(notebook, device)
            await store.evenings.create(KEPT._replace(
                tokens=(EveningToken(HOLDER, 0), EveningToken(HOLDER, 1), EveningToken(OTHER, 1))
            ))
            assert [table async for table in store.notebooks.merge(one, into)] == []
            kept = await store.evenings.load("evening")
            assert kept is not None
            assert kept.tokens == (EveningToken(OTHER, 0), EveningToken(OTHER, 1))

    asyncio.run(run())
