"""Pictures are drawn off the event loop, few at a time, and each once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from escale.game.position import Position
from escale.games import game, games
from escale.server.edge.problems import Problem
from escale.server.pages import pictures
from escale.server.workers.drawing import Drawing
from tests.server.hosting import OPEN, Hosted, hosted, person
from tests.sizes import PATIENCE_SECONDS


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder: Path = tmp_path_factory.mktemp("house")
    with hosted(folder) as running:
        yield running


def test_covers_figures_and_tables_are_drawn_in_threads_of_their_own(
    house: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg: Any = vars(pictures)["svg"]
    drawn: list[str] = []

    def noted(*arguments: Any, **options: Any) -> Any:
        drawn.append(threading.current_thread().name)
        return svg(*arguments, **options)

    monkeypatch.setattr(pictures, "svg", noted)
    pictures.cover.cache_clear()
    pictures.figure.cache_clear()
    one = games()[0]
    table = house.create(one.slug, *[person()] * (one.seats[0] - 1), OPEN)
    for path in (
        f"/cover/{one.slug}.svg", f"/figure/{one.slug}/{one.examples[0].id}.svg",
        f"/en/t/{table.id}", f"/en/t/{table.id}",
    ):
        assert house.client.get(path).status_code == 200
    assert len(drawn) == 3                              # the table once, while no move is played
    assert all(name.startswith("escale-drawing") for name in drawn)


def test_the_picture_of_a_table_is_that_of_its_position() -> None:
    async def look() -> None:
        boards = pictures.TablePictures(most=2)
        start = game("canoe").start()
        later = start.play(start.moves()[0])
        first = await boards.board("a", start)
        assert await boards.board("a", start) is first
        assert (await boards.board("a", later)).svg != first.svg
        for name in "bcd":
            await boards.board(name, start)
        assert list(boards._kept) == ["c", "d"]

    asyncio.run(look())


def test_what_many_ask_for_at_once_is_drawn_once() -> None:
    calls: list[str] = []
    go = threading.Event()

    def slow(name: str) -> str:
        calls.append(name)
        go.wait(PATIENCE_SECONDS)
        return name.upper()

    async def ask() -> list[str]:
        drawing = Drawing(threads=1)
        tasks = [asyncio.create_task(drawing(slow, name)) for name in "aaaba"]
        await asyncio.sleep(0)
        tasks[1].cancel()                               # who goes spoils nothing for the others
        go.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        return [one for one in done if isinstance(one, str)]

    assert asyncio.run(ask()) == ["A", "A", "B", "A"]
    assert sorted(calls) == ["a", "b"]


def test_too_many_drawings_at_once_are_refused() -> None:
    go = threading.Event()

    def slow(number: int) -> bool:
        return go.wait(PATIENCE_SECONDS)

    async def ask() -> list[Any]:
        drawing = Drawing(threads=1, most=3)
        tasks = [asyncio.create_task(drawing(slow, number)) for number in range(5)]
        await asyncio.sleep(0)
        go.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert await drawing(slow, 9)                   # and later there is room again
        return done

    done = asyncio.run(ask())
    assert done[:3] == [True] * 3
    assert [one.code for one in done[3:] if isinstance(one, Problem)] == ["unavailable"] * 2


def test_a_drawing_that_fails_says_so_each_time() -> None:
    async def ask() -> None:
        drawing = Drawing()

        def broken(position: Position | None) -> None:
            raise LookupError("no such picture")

        for _ in range(2):
            with pytest.raises(LookupError):
                await drawing(broken, None)

    asyncio.run(ask())
