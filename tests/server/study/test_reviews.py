"""Reviews in the house: made once, kept, refused while a match goes on; nothing hidden leaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from escale.server.study import review_routes
from escale.server.study.reviews import ReviewJob, read_step
from escale.server.workers.jobs import Job
from escale.study.judging import Budget
from tests.server.hosting import Hosted, Table, hosted, person
from tests.sizes import PATIENCE_SECONDS


def finished(house: Hosted, moves: int = 3) -> Table:
    """A table at which a player has resigned after a few moves."""
    table = house.create("canoe", person("Ana"), person("Bo"))
    for _ in range(moves):
        state = table.get()
        table.play(state["turn"], table.get("/moves", **{"as": state["turn"]})["moves"][0]["text"])
    table.act("resign", table.get()["turn"])
    return table


def ask(house: Hosted, table: Table, lang: str = "en") -> Any:
    answer = house.client.post(f"/api/tables/{table.id}/review", params={"lang": lang})
    assert answer.status_code == 202, answer.text
    return answer.json()


def made(house: Hosted, table: Table, lang: str = "en") -> Any:
    until = time.monotonic() + PATIENCE_SECONDS
    found = ask(house, table, lang)
    while found["state"] == "making" and time.monotonic() < until:
        time.sleep(0.05)
        found = table.get("/review", lang=lang)
    assert found["state"] == "made", found
    return found["review"]


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget for tests."""
    monkeypatch.setattr(review_routes.Reviews.__init__, "__defaults__", (Budget(400, 20),))


@pytest.mark.usefixtures("little")
def test_a_review_is_made_once_kept_and_read_by_anybody(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = finished(house)
        assert table.get("/review")["state"] == "none"
        begun: list[Job] = []
        values = house.app.state.workers.values

        def counted(job: Job, address: str) -> Any:
            begun.append(job)
            return values(job, address)

        house.app.state.workers.values = counted
        for _ in range(3):                          # three who ask at once, and all go away
            ask(house, table)
        review = made(house, table.holding(None))
        assert [type(job) for job in begun] == [ReviewJob]
        assert [move["text"] for move in review["moves"]] == review["line"]
        assert len(review["moves"]) == 3
        assert sum(review["end"]) == 100
        assert made(house, table, "fr")["title"].startswith("Analyse de la partie")

        page = house.client.get(f"/en/t/{table.id}/review")
        assert page.status_code == 200
        assert page.text.count('<tr data-index="') == 3
        assert '<svg class="curve"' in page.text
        assert f"/t/{table.id}/review" in house.client.get(f"/en/t/{table.id}/score").text

    with hosted(tmp_path) as house:                 # opened again: nothing is worked out twice
        house.app.state.workers.values = None
        assert house.client.get(f"/api/tables/{table.id}/review").json()["state"] == "made"
        assert house.run(house.house.delete(table.id))
        assert house.run(house.house.store.review(table.id)) is None
        assert house.client.get(f"/en/t/{table.id}/review").status_code == 404


@pytest.mark.usefixtures("little")
def test_a_review_is_shown_while_it_is_made(tmp_path: Path) -> None:
    """The last move first, over HTTP and on the page; the rest is said to be pending."""
    with hosted(tmp_path) as house:
        table = finished(house)
        values, judged, go_on = house.app.state.workers.values, asyncio.Event(), asyncio.Event()

        async def held(job: Job, address: str) -> AsyncIterator[Any]:
            async for found in values(job, address):
                yield found
                step = read_step(found.body)
                if step.progress and step.progress.review and step.progress.done == 1:
                    judged.set()
                    await go_on.wait()

        house.app.state.workers.values = held
        ask(house, table)
        house.run(judged.wait())
        found = table.get("/review", lang="en")
        assert (found["state"], found["done"], found["total"]) == ("making", 1, 3)
        assert [bool(move["before"]) for move in found["review"]["moves"]] == [False, False, True]
        page = house.client.get(f"/en/t/{table.id}/review").text
        assert "data-making" in page
        assert page.count("Not judged yet") == 2
        assert '<svg class="curve"' in page

        async def release() -> None:
            go_on.set()

        house.run(release())
        assert all(move["before"] for move in made(house, table)["moves"])
        assert "data-making" not in house.client.get(f"/en/t/{table.id}/review").text


@pytest.mark.usefixtures("little")
def test_what_is_hidden_stays_hidden_while_a_match_goes_on(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        people = person("Ana"), person("Bo"), person("Cy")
        table, other = (house.create("canyon-1997", *people) for _ in range(2))
        for answer in (
            house.client.get(f"/api/tables/{table.id}/review"),
            house.client.post(f"/api/tables/{table.id}/review"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (409, "still-played")
            assert set(answer.json()) <= {"code", "message", "request"}
        assert table.get()["scene"] != other.get()["scene"], "dealt differently"
        pages = [house.client.get(f"/en/t/{one.id}/review") for one in (table, other)]
        assert [page.status_code for page in pages] == [409, 409]
        same = {
            page.text.replace(one.id, "ID") for page, one in zip(pages, (table, other), strict=True)
        }
        assert len(same) == 1, "whatever was dealt, the page is the same"
        assert house.client.post(f"/t/{table.id}/review").status_code == 409
        assert house.run(house.house.store.review(table.id)) is None


@pytest.mark.usefixtures("little")
def test_without_scripts_a_form_asks_for_it(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = finished(house)
        before = house.client.get(f"/en/t/{table.id}/review")
        assert f'action="/en/t/{table.id}/review"' in before.text
        answer = house.client.post(f"/en/t/{table.id}/review")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/en/t/{table.id}/review")
        made(house, table)
        assert 'class="review-turns"' in house.client.get(f"/en/t/{table.id}/review").text


@pytest.mark.usefixtures("little")
def test_a_review_that_fails_says_why_and_can_be_asked_for_again(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = finished(house)
        limiter = house.app.state.rate_limiter
        limiter.spend("study", "127.0.0.1", 1e6)
        answer = house.client.post(f"/api/tables/{table.id}/review")
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        limiter.spend("study", "127.0.0.1", -1e6)
        assert made(house, table)["moves"]
