"""The shapes of hints and of what a coach says.

The OpenAPI document and the types of the browser's scripts are made from them, too.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from escale.match.limits import MoveText, SeatNumber
from escale.server.messages import ShownMove


class HintQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at a table does not know what to play."""

    as_: SeatNumber = field(name="as")


class HintFacts(Struct, frozen=True):
    """What to play, and why."""

    ply: Annotated[int, Meta(description="For the table after so many moves.")]
    move: ShownMove
    kind: Annotated[
        str, Meta(description="What kind of reason it is, such as `wins`, `takes`, `feature`.")
    ]
    proven: Annotated[bool, Meta(description="Whether the reason says how the game ends.")]
    text: Annotated[str, Meta(description="The move and its reason in a sentence.")]
    further: Annotated[
        str, Meta(description="How the game probably goes on; empty where that is not known.")
    ]
    chance: Annotated[bool, Meta(description="Whether there is a win, or something to take.")]
    look: Annotated[str, Meta(description="The atom to look at first.")]
    nudge: Annotated[str, Meta(description="The same in a sentence that does not tell the move.")]


class JudgedMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that somebody at a table is about to make."""

    move: MoveText
    as_: SeatNumber = field(name="as")


class CoachRemark(Struct, frozen=True):
    """What a coach has to say of a move before it is made."""

    ply: Annotated[int, Meta(description="For the table after so many moves.")]
    mark: Annotated[
        str | None,
        Meta(description="`best`, `only`, `good`, `inaccuracy`, `mistake` or `blunder`; null "
             "where there is nothing to choose, or nothing to lose."),
    ]
    warns: Annotated[bool, Meta(description="Whether to ask before it is made.")]
    look: Annotated[str, Meta(description="The cell or the atom to look at.")]
    question: Annotated[str, Meta(description="What to ask.")]
    story: Annotated[str, Meta(description="What to say when it was made all the same.")]
    better: ShownMove
