"""The compiled Qenj against its witness, one position at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import escale
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.rules import QenjState
from tests.witness import qenj

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


def compare(position: escale.Position, occurrences: int) -> bool:
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


def strewn(slug: str, chance: random.Random, options: dict[str, str]) -> escale.Position:
    """All pieces of the game strewn over columns, blocks without holes in Qenj 1 and 2."""
    game = escale.game(slug)
    box: Box = game.box  # type: ignore[attr-defined]
    while True:
        try:
            return game.position(_text(game, box, chance), options=options)
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
