"""Puzzles over HTTP: what a move is worth, hints, and pages that are whole without scripts."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import escale
from escale.study.puzzles import of_the_day, puzzles_of
from tests.server.hosting import Hosted, hosted


def ask(house: Hosted, path: str, **body: object) -> tuple[int, dict[str, Any]]:
    answer = house.client.post(f"/api/games/{path}", json=body)
    return answer.status_code, answer.json()


def test_a_puzzle_is_solved_over_http(tmp_path: Path) -> None:
    game = escale.game("tortuga")
    puzzle = next(one for one in puzzles_of(game).values()
                  if one.moves == 2 and one.proof == "only")
    path = f"tortuga/puzzles/{puzzle.id}"
    first, reply, last = puzzle.line
    with hosted(tmp_path) as house:
        status, hint = ask(house, f"{path}/hint", line=[])
        assert (status, hint["rule"]) == (200, f"tortuga#{game.themes[puzzle.themes[0]]}")
        assert hint["move"] is None
        status, hint = ask(house, f"{path}/hint", line=[], hint=2, lang="fr")
        assert (status, hint["move"]["text"]) == (200, first)
        assert hint["text"].startswith("Le coup")

        other = next(move.text for move in puzzle.start(game).moves() if move.text != first)
        status, wrong = ask(house, f"{path}/try", line=[other])
        assert (status, wrong["verdict"], len(wrong["replies"])) == (200, "wrong", 1)
        assert puzzle.start(game).play(other).play(wrong["replies"][0]).outcome is None or (
            wrong["replies"]
        )
        status, right = ask(house, f"{path}/try", line=[first])
        assert (status, right["verdict"], right["replies"]) == (200, "right", [reply])
        status, done = ask(house, f"{path}/try", line=[first, reply, last])
        assert (status, done["verdict"], done["replies"]) == (200, "solved", [])

        assert ask(house, "tortuga/puzzles/nothing/try", line=[first])[1]["code"] == (
            "unknown-puzzle"
        )
        assert ask(house, "no/puzzles/x/try", line=[first])[1]["code"] == "unknown-game"
        assert ask(house, f"{path}/try", line=["a1-a9"])[1]["code"] == "illegal"
        assert ask(house, f"{path}/try", line=[])[0] == 400
        assert ask(house, f"{path}/hint", line=[], hint=3)[0] == 400

        pages_are_whole(house)


def pages_are_whole(house: Hosted) -> None:
    """Lists by game, theme, length and level; a picture, what is asked, and the solution."""
    def page(path: str, status: int = 200) -> str:
        answer = house.client.get(path, headers={"accept-language": "fr"})
        assert answer.status_code == status, path
        return answer.text

    puzzles = list(puzzles_of(escale.game("tortuga")).values())
    all_of_them = page("/puzzles?game=tortuga")
    assert all_of_them.count('data-puzzle="tortuga/') == len(puzzles)
    theme, moves = puzzles[0].themes[0], puzzles[0].moves
    wanted = [one for one in puzzles if theme in one.themes and one.moves == moves]
    assert page(f"/puzzles?game=tortuga&theme={theme}&moves={moves}").count(
        'data-puzzle="tortuga/') == len(wanted)
    for stars in (1, 3):
        wanted = [one for one in puzzles if one.stars[1] == stars]
        listed = page(f"/puzzles?game=tortuga&stars={stars}")
        assert listed.count('data-puzzle="tortuga/') == len(wanted)
        assert listed.count('<img src="/puzzle/tortuga/') == len(wanted)
        assert listed.count(f"{stars} sur 5") == len(wanted)
    assert "Aucun problème" in page("/puzzles?moves=99&theme=%3Cscript%3E")
    one = page(f"/puzzles/tortuga/{puzzles[0].id}")
    assert f"/puzzle/tortuga/{puzzles[0].id}.svg" in one
    assert puzzles[0].line[0] in one
    solver_sits_below(page)
    picture = house.client.get(f"/puzzle/tortuga/{puzzles[0].id}.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    page("/puzzles/tortuga/nothing", 404)
    page("/puzzles/nothing/nothing", 404)
    page("/puzzle/tortuga/nothing.svg", 404)
    today = of_the_day(datetime.datetime.now(datetime.UTC).date())
    assert today is not None
    assert f"/puzzles/{today[0].slug}/{today[1].id}" in page("/")
    assert "/puzzles?game=tortuga" in page("/g/tortuga")


def solver_sits_below(page: Callable[[str], str]) -> None:
    """The board is turned where the side of who solves is above; where pieces belong to both, the
    edge says so.
    """
    for slug, says in (("qenj2", True), ("tortuga", False)):
        game = escale.game(slug)
        starts = {one.id: one.start(game) for one in puzzles_of(game).values()}
        for far in (True, False):
            one = next(name for name, start in starts.items()
                       if (game.near(start.cells) != start.turn) == far)
            shown = page(f"/puzzles/{slug}/{one}")
            assert f'"turned": {str(far).lower()}' in shown
            assert ("data-you" in shown) == says
