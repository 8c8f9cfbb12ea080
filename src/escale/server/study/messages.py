"""The shapes of what goes in and out of the analysis board, beside those of all study positions.

The OpenAPI document and the types of the browser's scripts are made from them, too.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from escale.match.limits import LanguageWish
from escale.server.messages import ShownMove, StudyQuestion

CellName = Annotated[str, Meta(max_length=40)]


class AnalysisQuestion(StudyQuestion, frozen=True, kw_only=True):
    """A position to be analysed; with `open`, the computer knows all cards, too."""

    lines: Annotated[int, Meta(ge=1, le=5, description="How many moves to compare.")] = 3


class ComposedPosition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position that somebody has set up by hand."""

    cells: Annotated[
        dict[CellName, CellName],
        Meta(max_length=200, description="The pieces, by the names of their cells."),
    ]
    turn: Annotated[str, Meta(max_length=40, description="A seat's name, or `chance`.")]
    plies: Annotated[int, Meta(ge=0, le=99_999)] = 0
    seen: Annotated[int, Meta(ge=1, le=3, description="How often it has occurred.")] = 1
    fields: Annotated[
        dict[str, Annotated[str, Meta(max_length=60)]],
        Meta(description="What its text says besides, such as `{\"north\": \"A\"}`."),
    ] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    lang: LanguageWish | None = None


class AnalysisLine(Struct, frozen=True):
    """A move, how the game is expected to go on, and what that is worth."""

    moves: Annotated[list[ShownMove], Meta(description="The move itself first.")]
    shares: Annotated[list[float], Meta(description="Each seat's expected share of the win.")]
    proven: Annotated[bool, Meta(description="Whether that is certain.")]
    plies: Annotated[int | None, Meta(description="When proven: within so many plies.")]
    verdict: Annotated[str, Meta(description="The same in words.")]


class AnalysisLook(Struct, frozen=True):
    """The best lines as far as they are known; more looks follow until the `last`."""

    lines: Annotated[list[AnalysisLine], Meta(description="The best first.")]
    method: str
    count: Annotated[int, Meta(description="Positions looked at, or games simulated.")]
    depth: int
    assumed: Annotated[
        str, Meta(description="What the computer was let know, where something is hidden.")
    ]
    last: bool


class TableStudy(Struct, frozen=True):
    """A match as a line to study."""

    game: str
    start: Annotated[str, Meta(description="The text of its first position.")]
    line: Annotated[list[str], Meta(description="All its moves, chance outcomes among them.")]
    hidden: Annotated[bool, Meta(description="Whether some of it was hidden while it was played.")]
