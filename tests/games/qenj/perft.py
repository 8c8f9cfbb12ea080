"""Where perft counts the moves of the four Qenj from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import escale
from tests.games.qenj import witness as qenj
from tests.games.qenj.test_compare import state_of

#: Starts as chance has drawn them, then positions of games; how deep to count in each.
POSITIONS: dict[str, list[tuple[str, str, int]]] = {
    "qenj1": [
        ("a start", "..g3./...g2/y1.../...y2/.r3../..r1./b2.../b3.../...b1/.r2../..y3./.g1.. "
         "A 0 north=B", 5),
        ("eight columns", "..g3./...g2/y1.../...y2/-/-/-/-/...b1/b2r1../.b3y3r3/r2g1.. "
         "A 8 north=B", 7),
        ("A must pass", "-/r3b1g1./-/-/r1g3y2./-/-/-/-/.y1b2r2/.g2y3b3/- A 26 north=B", 6),
        ("a winning move", "-/-/-/r1g3y3./-/-/b2r2g1./-/g2b3y1./-/.y2r3b1/- B 11 north=A", 4),
    ],
    "qenj2": [
        ("a start", "...b3y2r1.../...y2r1y3.../...r1r1y1.../...b1y1y2.../...b3b2b1.../"
         "...y2r2r3.../...r2b3b2.../...r3y1b1.../...y3b1r2.../...r2y3r3.../...b2y3y1.../"
         "...r3b2b3... A 0 north=B", 2),
        ("six columns, half way round is one way", "-/-/-/..r3y1y3r2b3b1./b2r3......./"
         "y3r3y3b1b3y3b3r2./b2b1r3y2y2b2r2../..r2b1b2y2y1r1./-/-/-/y1y2b3r1r1y1r1.. "
         "B 13 north=A", 3),
        ("the same, free stacks", "-/-/-/..r3y1y3r2b3b1./b2r3......./y3r3y3b1b3y3b3r2./"
         "b2b1r3y2y2b2r2../..r2b1b2y2y1r1./-/-/-/y1y2b3r1r1y1r1.. B 13 north=A unstack=free", 1),
        ("A must pass", ".b3r3....../.y3b2r3b2y2b1y3r3/.....y1b1../r2b2b1y1r2y2b3r1./"
         "y1r1b3r2y2b1y3r1./y1r2b3y3b2y2r3r1./-/-/-/-/-/- A 21 north=B", 3),
    ],
    "qenj3": [
        ("a start", "..wb../.rwr../..wb../..br../..bwr./..rb../..wb../.rwb../..rw.. "
         "B 0 north=A", 2),
        ("five columns, a hole", "wwrbb./..rr.w/-/wwr.../-/.wwrrb/-/-/....br "
         "A 9 north=A out=1-2", 5),
        ("B must pass", "-/-/-/rbr.wb/-/wbbrw./-/.bwwr./rwbrb. B 20 north=A out=0-2", 5),
        ("every move wins", "-/-/rwbb../-/b.brww/-/...bww/-/brwrb. B 12 north=A out=2-2", 2),
    ],
    "qenj4": [
        ("a start", "..wr../..br../..br../..bb../..rw../..rw../..ww../..wr../..bb.. B 0", 3),
        ("four bands", "...rww/bwbrr./-/-/bbwr../-/.brrww/-/- A 11 out=0-1", 5),
        ("four bands, two holes", "-/-/.wr.wb/..wbwr/rrbb../.bwrw./-/-/- B 26 out=1-1", 5),
        ("A must pass", "-/-/-/-/...brr/brwrw./.bwwrb/-/.bwbwr A 15", 4),
    ],
}


def nodes(state: qenj.State, depth: int) -> Counter[int]:
    """The number of sequences of 1, 2, ... turns, a pass being one; both stuck is an end.

    Every sequence has its own past, for positions do come again.
    """
    found: Counter[int] = Counter()
    if qenj.outcome(state) is not None:
        return found
    results = qenj.successors(state.game, state.cells, state.side, unstack=state.unstack)
    after = [qenj.made(state, result) for result in results]
    if not after:
        passed = qenj.after_pass(state)
        if qenj.successors(state.game, state.cells, passed.side, unstack=state.unstack):
            after = [passed]
    found[1] = len(after)
    for then in after if depth > 1 else ():
        found.update({ply + 1: count for ply, count in nodes(then, depth - 1).items()})
    return found


def entries(slug: str) -> Iterator[str]:
    """Every position of one of the four games."""
    for name, text, depth in POSITIONS[slug]:
        counted = nodes(state_of(escale.game(slug).position(text)), depth)
        numbers = [counted[ply] for ply in range(1, depth + 1)]
        turn = escale.game(slug).seat_names.index(text.split()[1])
        yield "\n".join([
            "[[table]]", f'name = "{name}"', f'position = "{text}"', f"turn = {turn}",
            f"nodes = {numbers}", "",
        ])
