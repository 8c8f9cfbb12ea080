"""Analysis over HTTP: results that arrive one by one, and end when their reader has left."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from escale.server.edge.limits import Limits
from escale.server.study import analysis
from escale.server.study.analysis import AnalysisJob, AnalysisLook, AnalysisQuestion
from tests.server.hosting import MOUSSE, OPEN, Hosted, hosted, person
from tests.sizes import PATIENCE_SECONDS


def idle(house: Hosted) -> bool:
    pool = house.app.state.workers
    return bool(pool.busy == pool.waiting == 0)


def test_looks_arrive_one_by_one_and_are_given_up_when_one_leaves(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits(study=0)) as house:     # what is spent does not come back
        path, body = "/api/games/canoe/analysis", {"lang": "en", "lines": 2}
        with house.client.stream("POST", path, json=body) as answer:
            lines = answer.iter_lines()
            first = json.loads(next(lines))
            assert (len(first["lines"]), first["last"]) == (2, False)
            assert not idle(house)
        until = time.monotonic() + PATIENCE_SECONDS
        while not idle(house) and time.monotonic() < until:
            time.sleep(0.02)
        assert idle(house), "nobody reads, and nobody works"
        spent = house.app.state.rate_limiter
        assert spent.left("study", "127.0.0.1") < spent.limits.study_burst, "it was paid for"

        # Refusals have their status; what is over or left to chance is not analysed.
        for wrong, code in (
            ({"position": "nonsense"}, "bad-position"), ({"line": ["z9"]}, "illegal"),
            ({"lines": 99}, "bad-request"),
        ):
            assert house.client.post(path, json=wrong).json()["code"] == code
        no = house.client.post("/api/games/tortuga/analysis", json={})
        assert (no.status_code, no.json()["code"]) == (409, "not-now")
        assert idle(house)


def test_a_look_ends_by_itself() -> None:
    job = AnalysisJob(game="tortuga", question=AnalysisQuestion(
        position="S2N/S3N/S4N/SS3NN/S4N/S3N/S2N south 0", lines=3,
    ))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "deepen", lambda *position, **how: _few(*position, **how))
        found = list(analysis.analyse(job))
    assert [look.last for look in found] == [False] * (len(found) - 1) + [True]
    assert all(isinstance(look, AnalysisLook) and len(look.lines) == 3 for look in found)
    assert all(len(line.moves) <= analysis.SENT_MOVES for look in found for line in look.lines)


def _few(position: Any, **how: Any) -> Any:
    from escale.study.analysis import deepen

    return deepen(position, whole=0.05, **how)


def test_a_match_is_a_line_for_those_who_may_see_it(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        def study(table: Any, token: str | None = None) -> tuple[int, dict[str, Any]]:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            answer = house.client.get(f"/api/tables/{table.id}/study", headers=headers)
            return answer.status_code, answer.json()

        # Against the computer: for the player, and not for spectators.
        alone = house.create("canoe", person("Ana"), MOUSSE)
        status, found = study(alone, alone.token)
        assert (status, found["game"], found["hidden"]) == (200, "canoe", False)
        assert study(alone)[1]["code"] == "still-played"

        # At one screen.
        screen = house.create("canoe", person("Ana"), person("Bo"))
        screen.play(0, "b2")
        assert study(screen, screen.token)[1]["line"] == ["b2"]

        # Between people: not before the end.
        people = house.create("canoe", person("Ana"), OPEN)
        people.sit(1, name="Bo")
        status, no = study(people, people.token)
        assert (status, no["code"]) == (409, "still-played")
        assert "people" in no["message"]
        people.act("resign", 0)
        assert study(people)[0] == 200

        # Hidden cards stay hidden to the end, against computers too.
        cards = house.create("canyon-1997", person("Ana"), MOUSSE, MOUSSE)
        assert study(cards, cards.token)[1]["code"] == "still-hidden"
