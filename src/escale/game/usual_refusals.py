"""The refusals that most games share: for pieces that go from a cell to another one.

Their sentences are in the house's catalogue; a game can have its own sentence under the same key.
The move generator alone decides what is legal; these functions only find the sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal

KEYS = (
    "nobody-there", "not-yours", "must-capture", "cannot-move", "where-to", "occupied",
    "not-adjacent",
)
"""All refusals, in the order in which they are tried."""


def usual_refusal(
    position: Position, atoms: Atoms, paragraphs: Mapping[str, str], *,
    own: str, reach: Collection[str] | None = None, captures: Collection[str] = (),
) -> Refusal | None:
    """The reason why a piece cannot go from `atoms[0]` to `atoms[1]`, citing the paragraph of each
    key.

    `own` is the kind of piece of the seat to move, `reach` the cells next to the first one, and
    `captures` the notation of the captures that are compulsory now, if there are any.
    """
    cells, legal = position.cells, position.choices().next
    start, *rest = atoms

    def no(key: str, *lit: str, **values: object) -> Refusal | None:
        if key not in paragraphs:
            return None
        return Refusal(position.game, key, paragraphs[key], lit, {"cell": lit[0], **values})

    if start not in cells:
        return no("nobody-there", start)
    if cells[start] != own:
        return no("not-yours", start)
    if captures:
        return no("must-capture", start, captures=list(captures))
    if start not in legal:
        return no("cannot-move", start)
    if not rest:
        return no("where-to", start, *legal[start].next, next=list(legal[start].next))
    to = rest[0]
    if reach is not None and to not in reach:
        return no("not-adjacent", to, start=start)
    return no("occupied", to) if cells.get(to) == own else None
