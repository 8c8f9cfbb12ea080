"""The shapes of what goes in and out of puzzles."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from escale.match.limits import LanguageWish, MoveText
from escale.server.messages import ShownMove


class PuzzleLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How far somebody is in a puzzle."""

    line: Annotated[
        list[MoveText],
        Meta(max_length=60, description="All moves from the puzzle's position on, replies too."),
    ]
    lang: LanguageWish | None = None


class PuzzleTry(PuzzleLine, frozen=True, kw_only=True):
    """A move in a puzzle: the last of the line."""

    line: Annotated[
        list[MoveText],
        Meta(min_length=1, max_length=60,
             description="All moves from the puzzle's position on, replies too."),
    ]


class PuzzleHelp(PuzzleLine, frozen=True, kw_only=True):
    """A wish for a hint."""

    hint: Annotated[
        Literal[1, 2], Meta(description="1: what it is about; 2: the move itself.")
    ] = 1


class PuzzleVerdict(Struct, frozen=True):
    """What a move in a puzzle is worth; all that it says is proven."""

    verdict: Annotated[
        Literal["right", "solved", "slower", "wrong"],
        Meta(description="`slower`: it wins for certain, but not within the moves asked for."),
    ]
    text: Annotated[str, Meta(description="The same in a sentence.")]
    replies: Annotated[
        list[str],
        Meta(description="What the others play, until it is the solver's turn: the longest "
             "defence, or what refutes the move."),
    ]


class PuzzleHint(Struct, frozen=True):
    """Help with a puzzle."""

    text: Annotated[str, Meta(description="Empty where nothing helps any more.")]
    rule: Annotated[
        str | None, Meta(description="The paragraph of the rules that it is about.")
    ] = None
    place: Annotated[str | None, Meta(description="The atom to look at.")] = None
    move: Annotated[ShownMove | None, Meta(description="The move to make.")] = None
