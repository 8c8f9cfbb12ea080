"""The contents of a game's box, for people who print it, cut it out and play on their own table.

Data of a game, in millimetres where a name says so and otherwise in the units of its scenes;
`render/print_sheets.py` lays it out on paper. The game's texts name each piece: `print.NAME`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Frame = tuple[float, float, float, float]
"""Left, top, width and height of a part of a scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedBoard:
    """A board, or another part of the table, on as many sheets as it needs."""

    name: str
    unit_mm: float
    """The length of 100 units: about the width of a cell."""
    frame: Frame
    cuts: tuple[Frame, ...] = ()
    """Lines to cut along: the start, and the distances across and down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedToken:
    """A piece with two faces, folded along the edge between them."""

    name: str
    front: str
    """A symbol of the art, drawn in the box from -50 to 50."""
    back: str = ""
    """Another symbol, if the faces differ."""
    count: int
    spare: int = 1
    ground: str = "#fffaf0"
    """The colour around the symbol, up to the cut and a little beyond."""
    stands: bool = False
    """Whether it is a standee on two flaps; other tokens are discs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCard:
    """A card; every card of a box has the same size and, in its set, the same back."""

    front: str
    label: str = ""
    """The text on the front, at the place of the art's `label-SYMBOL`."""
    emblem: str = ""
    """The symbol in two corners that marks the card's owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedDeck:
    """Cards that share a back."""

    name: str
    cards: tuple[PrintedCard, ...]
    back: str
    back_emblem: bool = False
    """Whether the emblem of its front is also on the back of a card."""
    spare: int = 0
    """Blank cards, to replace lost ones by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedBox:
    """Everything to print of a game, except its rules."""

    boards: tuple[PrintedBoard, ...]
    tokens: tuple[PrintedToken, ...] = ()
    disc_mm: float = 20.0
    """The diameter of discs; standees are as wide as half as much again."""
    decks: tuple[PrintedDeck, ...] = ()
    card_mm: tuple[float, float] = (43.0, 49.8)
    card_art: Frame = field(default=(-38.0, -44.0, 76.0, 88.0))
    """The part of a card's symbol that is the card."""
