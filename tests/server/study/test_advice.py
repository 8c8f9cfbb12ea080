"""Hints and a coach at tables: for whom, about what, and nothing that a seat cannot know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import escale
from escale import kernel
from escale.server.study.hints import HintJob, JudgeJob, hint_at_table, judge_at_table
from escale.study import hints
from tests.server.hosting import MOUSSE, OPEN, Hosted, Table, hosted, person


def advise(table: Table, seat: int = 0, what: str = "hint", **more: Any) -> tuple[int, Any]:
    answer = table.hosted.client.post(
        f"/api/tables/{table.id}/{what}", headers=table.headers, json={"as": seat, **more},
        params={"lang": "en"},
    )
    return answer.status_code, answer.json()


def refusal(table: Table, seat: int = 0, what: str = "hint", **more: Any) -> tuple[int, str]:
    status, body = advise(table, seat, what, **more)
    return status, body["code"]


def seated(house: Hosted, *, hints: bool) -> tuple[Table, Table]:
    """A table between two people, who hold a token each."""
    one = house.create("canoe", person("Ana"), OPEN, hints=hints)
    answer = house.client.post(f"/api/tables/{one.id}/seats/1", json={"name": "Bea"})
    return one, one.holding(answer.json()["token"])


def test_who_may_have_a_hint(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        # Against the computer, for the seat to move.
        table = house.create("tortuga", person("Ana"), MOUSSE, options={"first": "south"})
        status, found = advise(table)
        assert status == 200
        assert found["move"]["text"] in [move["text"] for move in table.get("/moves")["moves"]]
        assert found["text"].startswith(found["move"]["label"])
        assert found["ply"] == table.get()["ply"]
        assert refusal(table.holding(None)) == (403, "no-hints")
        assert refusal(table, 9)[0] == 400
        # What was asked before costs nothing, not even where nothing is left.
        limiter = house.app.state.rate_limiter
        limiter.spend("study", "127.0.0.1", 1e6)
        assert advise(table) == (200, found)
        table.act("play", 0, move="d2-d3", n=table.get()["n"])
        other = house.create("canoe", person("Ana"), MOUSSE)
        assert refusal(other) == (429, "too-many")
        limiter.spend("study", "127.0.0.1", -1e6)
        # At one screen, for whoever is to move.
        screen = house.create("canoe", person("Ana"), person("Bea"))
        assert advise(screen)[0] == 200
        # Between people nobody is helped, unless all could know before they sat down.
        one, two = seated(house, hints=False)
        assert one.get()["hints"] is False
        for player in (one, two, one.holding(None)):
            assert refusal(player) == (403, "no-hints")
            assert refusal(player, 0, "judge", move="e1") == (403, "no-hints")
        one, two = seated(house, hints=True)
        assert two.get()["hints"] is True
        assert advise(one)[0] == 200
        assert refusal(two, 1) == (409, "not-your-turn")
        assert '"hints": true' in one.get("/transcript").replace('":true', '": true')
        # A rematch is played as the game before was.
        assert house.house.tables[one.id].duties._rematch.match().header.hints is True


def planted() -> tuple[escale.Position, escale.Move, list[str]]:
    """A position with a winning move, a move that lets the other seat win, and all wins."""
    game = escale.game("qenj1")
    for seed in range(500):
        position, random = game.start(setup="quick", seed=seed), kernel.Random(seed)
        while position.turn is not None:
            wins, gifts = [], []
            for move in position.moves():
                after = position.play(move)
                if after.outcome is not None and after.outcome.winners == (position.turn,):
                    wins.append(move.text)
                elif any(
                    (end := after.play(reply).outcome) is not None
                    and end.winners == (after.turn,) for reply in after.moves()
                ):
                    gifts.append(move)
            if wins and gifts:
                return position, gifts[0], wins
            moves = position.moves()
            position = position.play(moves[random.below(len(moves))])
    raise AssertionError("no such position")


def test_a_coach_asks_before_a_blunder_and_says_what_it_was(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        table = house.create("tortuga", person("Ana"), MOUSSE, options={"first": "south"})
        move = advise(table)[1]["move"]["text"]
        status, found = advise(table, what="judge", move=move)
        assert (status, found["warns"]) == (200, False)
        assert refusal(table, 0, "judge", move="d2-d9") == (422, "illegal")
    position, gift, wins = planted()
    remark = judge_at_table(JudgeJob(
        game="qenj1", start=position.game.start(setup="quick").text, lang="en",
        moves=tuple(move.text for move in position.line()), move=gift.text,
    ))
    assert (remark.mark, remark.warns) == ("blunder", True)
    assert remark.near
    assert remark.question.startswith("Are you sure? The other side could answer ")
    assert remark.question.endswith(": it wins at once.")
    assert remark.better.text in wins
    told = f"{gift.label('en')} allowed "
    assert remark.story.startswith(told)
    assert f"it wins at once. {remark.better.label} was better." in remark.story
    reply = remark.story.removeprefix(told).partition(":")[0]
    after = position.play(gift)
    end = after.play(reply)
    assert end.outcome is not None
    assert end.outcome.winners == (after.turn,)
    assert remark.look in end.last.atoms if end.last else False


def test_a_hint_uses_nothing_that_the_seat_cannot_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twin tables, which look the same to the seat to move, give the same hint and remark."""
    monkeypatch.setattr(hints, "HINT_SECONDS", 600)  # the simulations end the search, not the clock
    game, random = escale.game("canyon-1997"), kernel.Random(5)
    compared = different = 0
    for seed in range(4):
        position = game.start(seats=3 + seed % 3, seed=seed)
        while compared < 12 * (seed + 1):
            seat = position.turn
            assert seat is not None
            moves = position.moves()
            if len(moves) > 1 and position.plies > 3:
                twin = position.imagine(seat, random)
                different += twin.text != position.text
                move = moves[random.below(len(moves))].text
                one, two = (
                    hint_at_table(HintJob(game=game.slug, start=start.text, moves=()))
                    for start in (position, twin)
                )
                assert one == two, position
                if compared % 4 == 0:
                    first, second = (
                        judge_at_table(
                            JudgeJob(game=game.slug, start=start.text, moves=(), move=move)
                        )
                        for start in (position, twin)
                    )
                    assert first == second, position
                compared += 1
            position = position.play(moves[random.below(len(moves))])
    assert different > compared / 2
