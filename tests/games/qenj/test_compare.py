"""The compiled Qenj against its literal witness: the same successors, the same outcomes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.games.qenj import GAMES, Qenj
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.rules import QenjState
from tests.games.compare import AT_LENGTH, CHUNKS, CHUNKS_AT_LENGTH, IN_CHUNKS, compare
from tests.games.facts import load, name_of
from tests.games.qenj import witness as qenj
from tests.sizes import COMPARED, COMPARED_ALL

EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))

#: The witness needs a twentieth of a second for a position of Qenj 2: fewer of them are compared.
FEWER = {"qenj2": 20}

#: With free stacks the witness tries every order: positions with more moves are left out.
MOST_FREE = 600


def table(position: escale.Position) -> qenj.Cells:
    """The pieces on the board, as the witness writes them."""
    return {
        place: str(piece) for place, piece in position.cells.items() if place[1:].isdigit()
    }


def state_of(position: escale.Position, occurrences: int = 1) -> qenj.State:
    """A position in play as the witness sees it."""
    rules = position.kernel()
    assert isinstance(rules, QenjState)
    game, cells = qenj.GAMES[int(position.game.slug[-1])], table(position)
    taken = rules.out_a, rules.out_b
    unstack = position.options.get("unstack", "bottom")
    state = qenj.begin(game, cells, rules.north, turn=rules.turn, taken=taken, unstack=unstack)
    state.occurrences[frozenset(cells.items()), rules.turn, taken] = occurrences
    return state


def same(position: escale.Position, occurrences: int) -> bool:
    """Compare successors and outcome; False where there is nothing to compare, or too much."""
    if "north" not in position.cells or position.kernel().turn == escale.CHANCE:
        return False
    rules = position.kernel()
    assert isinstance(rules, QenjState)
    if rules.phase != 4:                        # Qenj 4 is dealt with both seated
        return False
    state = state_of(position, occurrences)
    game, cells, taken, unstack = state.game, state.cells, state.taken, state.unstack
    if unstack == "free" and len(rules.legal_moves()) > MOST_FREE:
        return False
    expected = qenj.outcome(state)
    shares = position.outcome.shares if position.outcome else None
    if expected is not None:
        assert shares == expected[0], position
        return True
    results = qenj.successors(game, cells, state.side, unstack=unstack)
    if not results:
        # The witness waits for both to pass; here the game is over when both would have to.
        passed = qenj.after_pass(state)
        stuck = not qenj.successors(game, cells, passed.side, unstack=unstack)
        assert shares == (qenj.more_taken(taken) if stuck else None), position
        if not stuck:
            assert [move.text for move in position.moves()] == ["pass"], position
        return True
    if position.plies >= 300 and game.number != 2:
        assert shares == qenj.more_taken(taken), position
        return True
    assert shares is None, position
    found = set()
    for code in rules.legal_moves():
        after = rules.copy()
        after.play(code)
        words = position.game.cells(after)
        found.add((
            frozenset((place, piece) for place, piece in words.items() if place[1:].isdigit()),
            after.turn, (after.out_a, after.out_b),
        ))
    assert len(found) == len(rules.legal_moves()), position
    wanted = set()
    for result in results:
        then = qenj.made(state, result)
        wanted.add((frozenset(then.cells.items()), then.turn, then.taken))
    assert found == wanted, position
    return True


def strewn(game: Qenj, chance: random.Random, options: dict[str, str]) -> escale.Position:
    """All pieces of the game strewn over columns, blocks without holes in Qenj 1 and 2."""
    while True:
        try:
            return game.position(_text(game, game.box, chance), options=options)
        except escale.BadPosition:
            continue


def _text(game: escale.Game[QenjState], box: Box, chance: random.Random) -> str:
    words = [f"north={chance.choice('AB')}"] if box.fact("chooser") >= 0 else []
    pieces = [
        piece for piece in box.pieces if " " in piece or not box.forces
        for _ in range(box.forces or box.fact("pieces"))
    ]
    chance.shuffle(pieces)
    if box.goal:
        out = chance.randrange(box.goal + 1), chance.randrange(box.goal + 1)
        words.append(f"out={out[0]}-{out[1]}")
        pieces = pieces[sum(out):]
    cells: dict[str, str] = {}
    letters = sorted(chance.sample(LETTERS[:box.columns], chance.randint(4, box.columns)))
    for letter, column in zip(letters, _share_out(box, pieces, len(letters), chance), strict=True):
        rows = _rows(box, len(column), chance)
        cells |= {f"{letter}{row}": piece for row, piece in zip(rows, column, strict=True)}
    return " ".join([game.write_board(dict(cells)), chance.choice("AB"), "0", *words])


def _share_out(
    box: Box, pieces: list[str], count: int, chance: random.Random
) -> Iterator[list[str]]:
    """Columns with no more of a colour than there may be; what does not fit is left over."""
    columns: list[list[str]] = [[] for _ in range(count)]
    for piece in pieces:
        colour = piece.split()[0]
        free = [
            column for column in columns if len(column) < box.cells
            and sum(other.split()[0] == colour for other in column) < box.fact("alike")
        ]
        if free:
            # Tall columns are rare in random games, and full ones end them.
            tall = sorted(free, key=len)[-3:] if chance.random() < 0.6 else free
            chance.choice(tall).append(piece)
    yield from columns


def _rows(box: Box, count: int, chance: random.Random) -> list[int]:
    if box.goal:
        return sorted(chance.sample(range(1, box.cells + 1), count))
    top = chance.randint(1, box.cells - count + 1)
    return list(range(top, top + count))


def compare_some(game: Qenj, chunk: int, wanted: int) -> None:
    """Compare with the quick set-up, and seldom with free stacks, which have many moves."""
    sets = [dict(game.quick)]
    if "unstack" in {option.name for option in game.options}:
        sets = [{**sets[0], "unstack": unstack} for unstack in (*["bottom"] * 5, "free")]
    wanted //= FEWER.get(game.slug, 1)
    compare(game, chunk, wanted, same, strewn, sets=sets, most=5000)


@IN_CHUNKS
@EVERY_GAME
def test_as_the_witness_says(game: Qenj, chunk: int) -> None:
    compare_some(game, chunk, COMPARED // CHUNKS)


@pytest.mark.exhaustive
@AT_LENGTH
@EVERY_GAME
def test_as_the_witness_says_at_length(game: Qenj, chunk: int) -> None:
    compare_some(game, chunk, COMPARED_ALL // CHUNKS_AT_LENGTH)


CASES = load(Path(__file__).with_name("expected.toml"), "qenj")


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_small_positions_worked_out_by_hand(case: dict[str, Any]) -> None:
    """These tables have fewer pieces than a game has: only the compiled rules take them."""
    game, unstack = qenj.GAMES[case["game"]], case.get("unstack", "bottom")
    found = escale.game(f"qenj{case['game']}")
    box: Box = found.box  # type: ignore[attr-defined]
    words = [0] * box.columns
    for place, piece in case["cells"].items():
        words[LETTERS.index(place[0])] |= box.code(piece) << 5 * (int(place[1:]) - 1)
    if len([word for word in words if word]) < 4:
        pytest.skip("a ring too small to arise in a game")
    turn = 1 if case["side"] == "north" else 0          # B sits North
    rules = QenjState(box.number, words, turn, 4, 0, 1, free=unstack == "free")
    results = qenj.successors(game, case["cells"], case["side"], unstack=unstack)
    tables = set()
    for code in rules.legal_moves():
        if code == 15:
            continue
        after = rules.copy()
        after.play(code)
        tables.add(frozenset(
            (place, piece) for place, piece in found.cells(after).items() if place[1:].isdigit()
        ))
    full = any(qenj.full(game, case["cells"], column) for column in game.columns)
    assert tables == (set() if full else {frozenset(result.cells.items()) for result in results})
