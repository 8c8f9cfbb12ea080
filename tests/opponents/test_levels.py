"""Levels: legal, reproducible, varied; they take a win in one and stop a loss in one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import escale
from escale import kernel
from escale.devkit.starts import option_sets
from escale.game.position import Position
from escale.game.texts import LANGUAGES, house
from escale.games import game, games
from escale.kernel import Limit
from escale.opponents import CEILINGS, LEVELS, Way, levels, think, way_of
from escale.opponents.engine import as_json
from tests.games import OURS, part_of
from tests.kernel import search, uncompiled

SLUGS = [box.slug for box in games()]
QUICK = LEVELS[:3]
"""Levels whose whole games take little time."""
SHORT = {"canyon-1997": {"short": "on"}}
"""Options that make a game short."""


def start(slug: str, seed: int, seats: int | None = None) -> Position:
    return game(slug).start_with(SHORT.get(slug, {}), seats=seats, seed=seed)


def whole_game(slug: str, level: str, seed: int, seats: int | None = None) -> Position:
    """A game in which every seat plays at a level; a move that is not legal raises."""
    position = start(slug, seed, seats)
    while position.turn is not None:
        thought = think(position, level, seed=position.plies)
        assert thought.move in position.moves()
        assert sum(thought.shares) == pytest.approx(1)
        position = position.play(thought.move)
    return position


# ---- the data ----


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_six_levels(slug: str) -> None:
    ways = [way_of(game(slug), level) for level in LEVELS]
    assert len(set(ways)) == len(LEVELS) == 6
    for level, way in zip(LEVELS, ways, strict=True):
        assert way.budgeted
        assert Way.parse(way.word) == way
        if way.method == "alphabeta":
            settings = dict(way.settings)
            assert settings["sure"] == 2
            assert settings.get("slip", 0) <= (100 if level == "mousse" else 25)
            assert settings["noise"] > 0          # else two games would be the same


@pytest.mark.parametrize("lang", LANGUAGES)
def test_levels_have_names(lang: str) -> None:
    names = [house().say(f"level.{level}", lang) for level in LEVELS]
    assert len(set(names)) == 6
    assert names[0] == {"fr": "Mousse", "en": "Cabin boy"}[lang]


def test_levels_are_written_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    ways = {level: way_of(game("tortuga"), level) for level in LEVELS}
    levels.write_levels(path, ways, "Found by matches.\n\nOf many games.")
    assert levels.read_levels(path) == ways
    lines = path.read_text("utf-8").splitlines()
    assert lines[:3] == ["# Found by matches.", "#", "# Of many games."]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected mousse, matelot"),
        ("mousse = {}", "expected mousse, matelot"),
        ("\n".join(f"{level} = {{}}" for level in LEVELS), "no method “”"),
        ("\n".join(f'{level} = {{ method = "mcts" }}' for level in LEVELS), "needs a budget"),
    ],
)
def test_wrong_data_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "levels.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(escale.BadOption, match=says):
        levels.read_levels(path)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("guess:nodes=5", "no method “guess”"),
        ("alphabeta:simulations=5", "takes whole numbers for nodes, noise, sure, slip"),
        ("alphabeta:nodes=-5", "not nodes=-5"),
        ("alphabeta:nodes=0", "at least one of nodes"),
        ("mcts:simulations=many", "not simulations=many"),
        ("mcts:simulations", "not simulations="),
    ],
)
def test_wrong_ways_are_refused(word: str, says: str) -> None:
    with pytest.raises(escale.BadOption, match=says):
        Way.parse(word)


# ---- whole games ----


@pytest.mark.parametrize("level", QUICK)
@pytest.mark.parametrize("slug", SLUGS)
def test_whole_games(slug: str, level: str) -> None:
    assert whole_game(slug, level, seed=11).outcome is not None


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slug", SLUGS)
def test_whole_games_at_every_table(slug: str, level: str) -> None:
    fewest, most = game(slug).seats
    for seats in range(fewest, most + 1 if level in QUICK else fewest + 1):
        assert whole_game(slug, level, seed=12, seats=seats).outcome is not None


@pytest.mark.parametrize("level", LEVELS[3:])
@pytest.mark.parametrize("slug", SLUGS)
def test_strong_levels_anywhere(slug: str, level: str) -> None:
    """On positions of random games with any options, the last ones among them."""
    box = game(slug)
    sets = option_sets(box)
    for number in range(2):
        position = box.start_with(sets[number % len(sets)], seed=number)
        line = [position]
        chance = kernel.Random(number)
        while line[-1].turn is not None:
            moves = line[-1].moves()
            line.append(line[-1].play(moves[chance.below(len(moves))]))
        for chosen in (line[-2], line[chance.below(len(line) - 1)]):
            assert think(chosen, level, seed=number).move in chosen.moves()


def test_the_longest_lists_of_moves() -> None:
    """Qenj 2 with free unstacking: thousands of moves, and no level gives up or takes for ever."""
    longest = game("qenj2").start(unstack="free", setup="quick", seed=0)
    for seed in range(12):
        position = game("qenj2").start(unstack="free", setup="quick", seed=seed)
        chance = kernel.Random(seed)
        while position.turn is not None:
            moves = position.moves()
            longest = max(longest, position, key=lambda table: len(table.moves()))
            position = position.play(moves[chance.below(len(moves))])
    assert len(longest.moves()) > 500
    for level in LEVELS:
        assert think(longest, level).move in longest.moves()


def test_the_only_move() -> None:
    found = set()
    for slug in SLUGS:
        for seed in range(8):
            position = start(slug, seed)
            chance = kernel.Random(seed)
            while position.turn is not None and len(position.moves()) > 1:
                moves = position.moves()
                position = position.play(moves[chance.below(len(moves))])
            if position.turn is not None:
                found.add(slug)
                for level in QUICK:
                    [only] = position.moves()
                    assert think(position, level, seed=seed).move == only
    assert len(found) >= 3


# ---- seeds ----


def seeds_decide(slug: str, level: str, deal: int = 3, plies: int = 6) -> None:
    """Different seeds begin a game differently, and the same seed never does."""

    def opening(seed: int) -> str:
        position = start(slug, deal)
        while position.turn is not None and position.plies < plies:
            position = position.play(think(position, level, seed=seed * 99).move)
        return position.text

    openings = [opening(seed) for seed in (1, 2, 3, 4, 5, 1)]
    assert openings[0] == openings[-1]
    assert len(set(openings)) > 1


@pytest.mark.parametrize("level", LEVELS[:4])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_seed_decides_and_different_seeds_differ(slug: str, level: str) -> None:
    seeds_decide(slug, level)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS[4:])
@pytest.mark.parametrize("slug", SLUGS)
def test_strong_levels_vary_too(slug: str, level: str) -> None:
    if (slug, level) == ("canyon-1997", "amiral"):      # it knows its bids: cards have to tell
        seeds_decide(slug, level, deal=4, plies=9)
    else:
        seeds_decide(slug, level)


SCRIPT = """
import json
from tests.opponents.test_levels import some_thoughts
print(json.dumps(some_thoughts()))
"""


def some_thoughts() -> list[list[Any]]:
    """What the weakest level thinks somewhere in every game."""
    found: list[list[Any]] = []
    for number, slug in enumerate(SLUGS):
        position = start(slug, number)
        chance = kernel.Random(number)
        for _ in range(8):
            moves = position.moves()
            position = position.play(moves[chance.below(len(moves))])
        for level in LEVELS[:1]:
            fields = as_json(think(position, way_of(position.game, level), seed=number))
            del fields["ms"]
            found.append([slug, level, fields])
    return json.loads(json.dumps(found))        # type: ignore[no-any-return]


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to compare with")
def test_the_same_thoughts_uncompiled() -> None:
    assert uncompiled(SCRIPT) == some_thoughts()


# ---- wins and losses in one ----


def won_by(position: kernel.State, seat: int, plies: int) -> bool:
    """Whether a seat can make sure of the win within so many plies."""
    return kernel.brute_force(position, plies) == ((1, 1) if seat == 0 else (0, 0))


def moves_that_win(position: kernel.State, seat: int, plies: int) -> set[int]:
    """The moves after which a seat has won, or does within so many plies."""
    found = set()
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        if won_by(after, seat, plies):
            found.add(move)
    return found


def crossroads(slug: str) -> Iterator[kernel.State]:
    """Tables on which pieces were strewn at random, where there is something to choose.

    No game is played to get there: which positions come up does not depend on an evaluation.
    """
    box = game(slug)
    compared = part_of(box, "test_compare")
    assert compared is not None, "a game says how its pieces are strewn"
    # Free unstacking has tens of thousands of moves: looking at all replies takes too long.
    sets = [options for options in option_sets(box) if options.get("unstack") != "free"]
    chance = random.Random(slug)
    while True:
        position = compared.strewn(box, chance, chance.choice(sets)).kernel()
        choice = 1 < len(position.legal_moves()) < 400
        if choice and kernel.brute_force(position, 2, 20_000) is not None:
            yield position


def chosen(position: kernel.State, slug: str, level: str, seed: int) -> int:
    way = way_of(game(slug), level)
    return search(position, way.method, seed=seed, **dict(way.settings)).move


@pytest.mark.parametrize("slug", [box.slug for box in OURS if box.seats == (2, 2)])
def test_a_win_in_one_is_taken_and_a_loss_in_one_stopped(slug: str) -> None:
    to_win = to_save = stopped = 0
    enough = 12
    slips = any("slip" in dict(way_of(game(slug), level).settings) for level in LEVELS[1:3])
    for number, position in enumerate(crossroads(slug)):
        if min(to_win, to_save) >= enough:
            break
        assert number < 2000, f"only {to_win} to win, {to_save} to save"
        wins = moves_that_win(position, position.turn, 0)
        lost = set() if wins else moves_that_win(position, 1 - position.turn, 1)
        if to_win < enough and 0 < len(wins) < len(position.legal_moves()):
            to_win += 1
            for level in LEVELS:
                assert chosen(position, slug, level, number) in wins, (level, number)
        if to_save < enough and 0 < len(lost) < len(position.legal_moves()):
            to_save += 1
            for level in LEVELS[1:3]:
                stopped += chosen(position, slug, level, number) not in lost
    assert stopped >= (0.7 if slips else 1) * 2 * to_save


# ---- ceilings, and use that is refused ----


@pytest.mark.parametrize("level", LEVELS)
def test_the_ceiling_is_given_to_the_search(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float | None] = []
    usual = kernel.search

    def watched(state: Any, method: str, limit: Limit, **more: Any) -> Any:
        given.append(limit.seconds)
        return usual(state, method, replace(limit, seconds=0.001), **more)

    monkeypatch.setattr(kernel, "search", watched)
    position = start("tortuga", 1)
    think(position, level)
    think(position, level, Limit(seconds=9))
    think(position, level, Limit(seconds=0.5))
    assert given == [CEILINGS[level], CEILINGS[level], 0.5]
    assert CEILINGS[level] == (1 if level in QUICK else 3)


def test_wrong_use_is_refused() -> None:
    position = start("tortuga", 1)
    for player, limit, says in (
        ("god", None, "no level “god”; known levels: mousse"),
        ("bosco", Limit(nodes=5), "a level or a way of thinking has a budget"),
        (Way.parse("mcts:simulations=5"), Limit(simulations=5), "a level or a way of thinking"),
        (None, None, "thinking needs a budget"),
        (Way.parse("mcts:"), None, "thinking needs a budget"),
        (Way.parse("mcts:"), Limit(nodes=5), "mcts counts simulations"),
        (Way.parse("alphabeta:"), Limit(simulations=5), "alphabeta counts nodes"),
    ):
        with pytest.raises(escale.BadOption, match=says):
            think(position, player, limit)
    with pytest.raises(escale.NotNow):
        think(whole_game("tortuga", "mousse", 1), "mousse")
    with pytest.raises(escale.NotNow):
        think(game("tortuga").start(), "mousse")            # it is chance's turn


def test_a_result_names_the_method_that_was_used() -> None:
    two, three = start("tortuga", 1), start("canyon-1997", 1)
    for position, player, limit, method in (
        (two, "bosco", None, "alphabeta"), (two, None, Limit(nodes=9), "alphabeta"),
        (two, None, Limit(depth=1), "alphabeta"), (two, None, Limit(simulations=9), "mcts"),
        (two, None, Limit(seconds=0.01), "alphabeta"), (three, None, Limit(seconds=0.01), "ismcts"),
        (three, None, Limit(simulations=9), "ismcts"),
        (three, Way.parse("mcts:simulations=9"), None, "mcts"),
    ):
        assert think(position, player, limit).method == method


def test_alpha_beta_is_refused_where_there_are_more_than_two_seats() -> None:
    position = start("canyon-1997", 1)
    for player, limit in ((Way.parse("alphabeta:nodes=9"), None), (None, Limit(nodes=9))):
        with pytest.raises(escale.BadOption, match="alphabeta is for two seats, not 3"):
            think(position, player, limit)


def test_lines_are_told_in_moves() -> None:
    position = start("canoe", 1)
    found = think(position, limit=Limit(nodes=300), lines=3)
    assert len({line.moves[0] for line in found.lines}) == 3
    for line in found.lines:
        here = position
        for move in line.moves:
            here = here.play(move)
