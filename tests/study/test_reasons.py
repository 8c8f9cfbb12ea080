"""Reasons are true: every claim is checked with the literal witnesses, or by exhaustive search."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Set
from typing import Any

import pytest

import escale
from escale import kernel
from escale.devkit.starts import option_sets
from escale.game.texts import LANGUAGES
from escale.kernel import Limit, Line
from escale.kernel.weights import flat
from escale.opponents.levels import Way
from escale.opponents.thinking import think
from escale.study import features
from escale.study.reasons import Reason, reason, reasons
from tests.games.canoe import test_compare as canoe
from tests.games.canyon_1972 import test_compare as canyon
from tests.games.compare import walk
from tests.games.qenj import test_compare as qenj
from tests.games.tortuga import test_compare as tortuga
from tests.kernel.test_proofs import ends
from tests.sizes import sized
from tests.study import comparing
from tests.study.literal import Try, table, tries

SLUGS = [game.slug for game in escale.games() if game.seats == (2, 2)]
STREWN: dict[str, Any] = {
    "tortuga": tortuga.strewn, "canoe": canoe.strewn, "canyon-1972": canyon.strewn,
}
MOST_MOVES = {"qenj2": 30, "qenj3": 60, "qenj4": 60}
"""Moves of a position that a witness is asked for at most; elsewhere, all of them."""
CAPPED = 250
"""Plies after which witnesses and rules may count the limits of a game differently."""

Claims = Counter[str]


def positions(game: escale.Game[Any], chance: random.Random) -> Iterator[escale.Position]:
    """Random games and strewn tables, with every option, as far as a seat of two plays."""
    sets = [chosen for chosen in option_sets(game) if chosen.get("unstack") != "free"]
    most = MOST_MOVES.get(game.slug, 10_000)
    while True:
        options = chance.choice(sets)
        strewn = STREWN.get(game.slug, qenj.strewn)
        start = game.start_with(options, seed=chance.randrange(1 << 30))
        met = list(walk(start, chance))
        met = chance.sample(met, min(4, len(met)))
        met += played(start, chance)[-5:-1]
        met += [strewn(game, chance, options) for _ in range(6)]
        for position in met:
            ready = position.turn is not None and position.turn >= 0
            if ready and in_play(position) and len(position.moves()) <= most:
                yield position


def played(start: escale.Position, chance: random.Random) -> list[escale.Position]:
    """A game in which both seats think a little."""
    way, found = Way.parse("alphabeta:nodes=60,noise=300"), [start]
    while (position := found[-1]).turn is not None:
        found.append(position.play(think(position, way, seed=chance.randrange(1 << 30)).move))
    return found


def in_play(position: escale.Position) -> bool:
    """Whether the set-up is over and no limit is near."""
    state: Any = position.kernel()
    if position.game.slug.startswith("qenj") and (
        state.phase != 4 or "pass" in (move.text for move in position.moves())
    ):
        return False
    return 1 < position.plies < CAPPED or position.plies == 0


def check(position: escale.Position, move: escale.Move, found: Reason) -> None:
    """Whether what is claimed is so, by the witness."""
    seat = position.turn
    assert seat is not None
    after = position.play(move)
    here = (position, move.text, found)

    def mine(where: escale.Position) -> list[Try]:
        return tries(where, seat)

    def theirs(where: escale.Position) -> list[Try]:
        return tries(where, 1 - seat)

    if found.kind == "wins":
        assert found.count == 1
        assert after.outcome is not None
        assert after.outcome.winners == (seat,), here
        # What depends on the moves before is not on the witness's table.
        if "repetition" not in after.outcome.name:
            assert any(one.wins and one.cells == table(after) for one in mine(position)), here
    elif found.kind == "only":
        assert len({frozenset(one.cells.items()) for one in mine(position)}) <= 1, here
    elif found.kind == "takes":
        assert lost(position, after) == found.count == len(found.cells), here
        assert any(
            one.cells == table(after) and one.taken == set(found.cells) for one in mine(position)
        ), here
    elif found.kind == "threatens-win":
        assert found.threat is not None
        reached = table(found.threat.position.play(found.threat))
        assert any(one.wins and one.cells == reached for one in mine(after)), here
    elif found.kind == "stops-win":
        assert found.threat is not None
        reached = table(found.threat.position.play(found.threat))
        assert any(one.wins and one.cells == reached for one in theirs(position)), here
        assert not any(one.wins for one in theirs(after)), here
    elif found.kind == "shelters":
        exposed = set().union(*(one.taken for one in theirs(position)))
        assert exposed == set(found.cells) != set(), here
        assert not any(one.taken for one in theirs(after)), here
    elif found.kind == "threatens":
        [cell] = found.cells
        assert any(cell in one.taken for one in mine(after)), here
        assert not any(cell in one.taken for one in mine(position)), here
    elif found.kind == "feature":
        assert found.feature is not None
        check_feature(position, move, found.feature)
    else:
        comparing.check(position, move, found)


def lost(position: escale.Position, after: escale.Position) -> int:
    """How many pieces the other seat has less, or how many more the mover has taken out."""
    seat = position.turn
    assert seat is not None
    out = f"{position.game.seat_names[seat]} out"
    if out in position.cells:
        return int(after.cells[out]) - int(position.cells[out])
    enemy = position.game.seat_names[1 - seat]
    return list(table(position).values()).count(enemy) - sum(
        table(after).get(cell) == enemy for cell, who in table(position).items() if who == enemy
    )


def check_feature(position: escale.Position, move: escale.Move, name: str) -> None:
    """With all other weights at 0, this move leaves the seat better than the others on average."""
    others = [other for other in position.moves() if other.code != move.code]
    if len(others) > features.COMPARED_MOVES:
        return                              # not all were looked at
    evaluation = position.game.evaluation
    gains = {}
    for feature in {key for key in flat(evaluation.numbers) if "." not in key}:
        alone = type(evaluation)(only(evaluation.numbers, feature))
        going_on = [p for p in map(position.play, others) if p.turn == 1 - (position.turn or 0)]
        values = [-alone.evaluate(other.kernel()) for other in going_on]
        mine = -alone.evaluate(position.play(move).kernel())
        gains[feature] = mine - sum(values) / len(values)
    assert gains[name] == pytest.approx(max(gains.values())), (position, move, name, gains)
    assert gains[name] >= features.NOTABLE_POINTS


def only(numbers: dict[str, Any], feature: str) -> dict[str, Any]:
    """The weights with all but one feature at 0."""
    kept: dict[str, Any] = {}
    for name, value in numbers.items():
        if isinstance(value, dict):
            kept[name] = only(value, "")
        elif name == feature:
            kept[name] = value
        else:
            kept[name] = [0] * len(value) if isinstance(value, list) else 0
    return kept


def claims(
    slug: str, seed: str, most: int, enough: int = 0, kinds: Set[str] = frozenset()
) -> Claims:
    """Check all that is said of some moves of so many positions; how often each kind was.

    After `enough` positions it ends as soon as each of `kinds` was there.
    """
    game, chance = escale.game(slug), random.Random(seed)
    found: Claims = Counter()
    even = (0.5, 0.5)
    for number, position in enumerate(positions(game, chance)):
        if number == most or (number >= enough > 0 and kinds <= found.keys()):
            return found
        # A good move has other things to be said for it than any other.
        good = think(position, limit=Limit(nodes=200), seed=number).move
        for move in (good, chance.choice(position.moves())):
            said = list(reasons(position, Line((move,), even)))
            for one in said:
                check(position, move, one)
                found[one.kind] += 1
            if "takes" not in (one.kind for one in said) and said[0].kind != "wins":
                # Where every move takes, that is no reason.
                assert slug == "canoe" or lost(position, position.play(move)) == 0 or all(
                    lost(position, position.play(other)) for other in position.moves()
                ), (position, move)
    return found


WANTED = {
    "tortuga": "wins takes threatens-win stops-win shelters threatens feature only",
    "canoe": "wins threatens-win stops-win feature",
    "canyon-1972": "wins takes threatens-win stops-win shelters threatens feature",
    "qenj1": "wins threatens-win stops-win feature",
    "qenj2": "wins threatens-win stops-win feature",
    "qenj3": "wins takes threatens-win stops-win shelters threatens feature",
    "qenj4": "wins takes threatens-win stops-win shelters threatens feature",
}
"""What must have been claimed, and so checked, at least once."""


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_seen_on_the_board_is_there(slug: str) -> None:
    wanted = set(WANTED[slug].split())
    found = claims(slug, "3", sized(150, 150, 4), sized(15, 150, 4), wanted)
    missing = wanted - found.keys()
    assert not missing or not escale.COMPILED, (missing, found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("part", range(4))
def test_what_is_seen_on_thousands_of_boards(slug: str, part: int) -> None:
    claims(slug, f"{slug} {part}", 2000 if escale.COMPILED else 30)


# ---- what is proven ----


NODES = 300_000 if escale.COMPILED else 3000
"""What an exhaustive search may take; longer claims are not checked."""


def share(state: kernel.State, plies: int, seat: int) -> float | None:
    """What a seat gets for certain within so many plies; None if that is open, or too costly."""
    bounds = kernel.brute_force(state, plies, NODES)
    if bounds is None or bounds[0] != bounds[1]:
        return None
    low: float = bounds[0]
    return low if seat == 0 else 1 - low


def check_end(
    position: escale.Position, line: Any, rival: Any, found: Reason
) -> bool:
    """Whether a claim about the end of the game holds; False where it takes too long to see."""
    seat, state = position.turn, position.kernel()
    assert seat is not None
    here = (position, found)
    if found.kind == "wins":
        assert found.count is not None
        if kernel.brute_force(state, 2 * found.count - 1, NODES) is None:
            return False
        assert share(state, 2 * found.count - 1, seat) == 1, here
    elif found.kind == "lost":
        plies = line.plies_to_end if line.proven else rival.plies_to_end
        if kernel.brute_force(state, plies, NODES) is None:
            return False
        assert share(state, plies, seat) == 0, here
    elif found.kind == "draws":
        kept = state.child(line.moves[0].code)
        if kernel.brute_force(kept, line.plies_to_end - 1, NODES) is None:
            return False
        assert share(kept, line.plies_to_end - 1, seat) == 0.5, here
    elif found.kind == "saves":
        assert found.count is not None
        plies = 2 * found.count - 1         # after the move itself
        others = [m.code for m in position.moves() if m.code != line.moves[0].code]
        for code in others:
            after = state.child(code)
            if kernel.brute_force(after, plies, NODES) is None:
                return False
            assert share(after, plies, seat) == 0, here
        kept = state.child(line.moves[0].code)
        assert others, here
        assert share(kept, plies, seat) != 0, here
    return found.proven


def ends_of_games(slug: str, games: int, first: int, wanted: int) -> Claims:
    """Check what is said of the ends of games, until so many claims were checked."""
    found: Claims = Counter()
    game = escale.game(slug)
    for number, state in enumerate(ends(slug, games, first)):
        position = escale.Position(game, option_of(game, state), state)
        thought = think(position, limit=Limit(nodes=4000), seed=number, lines=2)
        best, *others = thought.lines
        rival = others[0] if others else None
        said = reason(position, best, rival)
        if said.proven and check_end(position, best, rival, said):
            found[said.kind] += 1
            for lang in LANGUAGES:
                assert said.text(lang)
        if found.total() >= wanted:
            break
    return found


def option_of(game: escale.Game[Any], state: kernel.State) -> Any:
    """The options do not matter here: the state has them."""
    return game.choose({})


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_called_proven_is_so(slug: str) -> None:
    found = ends_of_games(slug, 400, 0, 40 if escale.COMPILED else 1)
    assert found.total() >= (40 if escale.COMPILED else 1), found


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
def test_thousands_of_proven_claims(slug: str) -> None:
    found = ends_of_games(slug, 900, 5000, 1500 if escale.COMPILED else 3)
    assert not escale.COMPILED or {"wins", "saves", "lost"} <= found.keys(), found
