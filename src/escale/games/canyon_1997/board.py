"""Where everything is drawn: the river from bottom to top, and the table beside it.

Three panels: `river`, `table` (the round track around the totem, and a line for each seat) and
`hand`, a strip with the trump and the hands that can be seen. Renderers may show river and table
one by one; the strip is always in sight, because one bids by what is in it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from escale.game.scene import Board, Cell, Cells, Kind, Label, Panel, Piece, Scene
from escale.games.canyon_1997.cards import LETTERS, SEATS, SUITS, TRACK, suit_of, value_of
from escale.games.canyon_1997.river import COLUMNS, NAMES, RIVER, ROWS

ACROSS, UP = 100.0, 64.0                # from cell to cell
LEFT, TOP = 90.0, 46.0                  # the middle of a29
RIVER_WIDTH = 660.0
TABLE, TABLE_WIDTH = 680.0, 800.0       # where the table begins, and how wide it is
HEIGHT = 1980.0
TOTEM = (1080.0, 235.0)                 # the middle of the round track
ROUND = 165.0                           # its radius
LINES, LINE = 520.0, 150.0              # the first seat's line, and how far apart they are
GAP, HAND = 204.0, 92.0                 # from the last line to the hands that can be seen
TRUMP = TABLE + 64                      # the trump, at the head of the strip
CARD = 80.0                             # from card to card in a hand

#: What draws a cell, and what stands for it in a text board.
TERRAIN = {
    ".": ("water", "·"), "S": ("start", "_"), "O": ("rock", "●"), "#": ("mountain", "#"),
    "W": ("waterfall", "≋"), "P": ("footbridge", "="), "L": ("landing", "+"),
    ">": ("current-right", ">"), "<": ("current-left", "<"),
    "^": ("current-up", "^"), "v": ("current-down", "v"),
}
SUIT_GLYPHS = dict(zip(SUITS, "≈▲♣✶◆", strict=True))


def place(number: int) -> Cell:
    """Where a cell is drawn: columns side by side, row 0 below."""
    row, column = divmod(number, len(COLUMNS))
    x, y = LEFT + column * ACROSS, TOP + (ROWS - 1 - row) * UP
    symbol, glyph = TERRAIN[RIVER.terrain[number]]
    right, down = ACROSS / 2, UP / 2
    outline = ((x - right, y - down), (x + right, y - down),
               (x + right, y + down), (x - right, y + down))
    return Cell(NAMES[number], x, y, outline, symbol=symbol, glyph=glyph)


def on_track(marker: int, radius: float = ROUND) -> tuple[float, float]:
    """A round's place on the track: round 1 at the top, then clockwise."""
    angle = math.radians(360 * (marker - 1) / len(TRACK) - 90)
    x, y = TOTEM
    return round(x + radius * math.cos(angle), 1), round(y + radius * math.sin(angle), 1)


CELLS = {cell.id: cell for cell in map(place, range(len(NAMES)))}

BOARD = Board(
    width=TABLE + TABLE_WIDTH,
    height=HEIGHT,
    cells=tuple(CELLS.values()),
    kinds={
        **{
            seat: Kind(f"canoe-{seat}", LETTERS[seat], LETTERS[seat], owner=number)
            for number, seat in enumerate(SEATS)
        },
        **{suit: Kind(f"card-{suit}", SUIT_GLYPHS[suit], suit[0]) for suit in SUITS},
        "back": Kind("card-back", "▯", "?"),
        "speed": Kind("speed", "»", "s"),
        "pile": Kind("pile", "▤", "w"),
        "marker": Kind("marker", "◉", "m"),
        "deals": Kind("deals", "✦", "d"),
    },
    rows=tuple(
        tuple(f"{column}{row}" for column in COLUMNS) for row in range(ROWS - 1, -1, -1)
    ),
    labels=(
        *((22.0, CELLS[f"a{row}"].y, str(row)) for row in range(ROWS)),
        *((CELLS[f"{column}0"].x, HEIGHT - 26, column) for column in COLUMNS),
        *(Label(*on_track(marker), str(size), "label-size")
          for marker, size in enumerate(TRACK, 1)),
        *(Label(*on_track(marker, ROUND - 57), str(marker), "label-round")
          for marker in range(1, len(TRACK) + 1)),
    ),
)


def scene(cells: Cells, *, turn: int | None) -> Scene:
    """The table as a viewer who knows `cells` sees it."""
    seats = [seat for seat in SEATS if f"{seat} hand" in cells]
    open_hands = [seat for seat in seats if isinstance(cells[f"{seat} hand"], str)]
    viewer = open_hands[0] if len(open_hands) == 1 else None
    hands = LINES + (len(seats) - 1) * LINE + GAP
    pieces = [*_canoes(cells), *_middle(cells, hands)]
    for number, seat in enumerate(seats):
        pieces += _line(cells, seat, LINES + number * LINE)
    for number, seat in enumerate(open_hands):
        y = hands + number * HAND
        pieces += _hand(cells, seat, y, turn == SEATS.index(seat))
    at = {seat: cell for cell in CELLS for seat in str(cells.get(cell, "")).split()}
    middle = CELLS[at[viewer]] if viewer in at else CELLS["c0"]
    return replace(
        BOARD.scene({}, turn=turn), pieces=tuple(pieces),
        panels=(
            Panel("river", 0, 0, RIVER_WIDTH, HEIGHT, focus=(middle.x, middle.y)),
            Panel("table", TABLE, 0, TABLE_WIDTH, hands - 60),
            Panel("hand", TABLE, hands - 52, TABLE_WIDTH, 104 + HAND * max(0, len(open_hands) - 1)),
        ),
    )


def _piece(
    name: str, at: str, x: float, y: float, *, label: str = "", atom: str = "", faded: bool = False
) -> Piece:
    kind = BOARD.kinds[name]
    return Piece(
        at, name, kind.symbol, kind.glyph, kind.owner, x, y, kind.facing,
        label=label, atom=atom, faded=faded,
    )


def _card(card: str, at: str, x: float, y: float, *, atom: str = "", faded: bool = False) -> Piece:
    label = str(value_of(card))
    return _piece(suit_of(card), at, x, y, label=label, atom=atom, faded=faded)


def _canoes(cells: Cells) -> list[Piece]:
    """Each in the middle of its cell; on the footbridge two by two, so that all are visible."""
    pieces = []
    for name, cell in CELLS.items():
        together = str(cells.get(name, "")).split()
        lines = (len(together) + 1) // 2
        for number, seat in enumerate(together):
            line, side = divmod(number, 2)
            x, y = (60 * side - 30, 22 * (line - (lines - 1) / 2)) if len(together) > 1 else (0, 0)
            pieces.append(_piece(seat, name, cell.x + x, cell.y + y))
    return pieces


def _middle(cells: Cells, hands: float) -> list[Piece]:
    """The marker on its track, and the trump."""
    marker = int(cells["round"])
    pieces = [_piece("marker", "round", *on_track(marker), label=str(TRACK[marker - 1]))]
    if "trump" in cells:
        pieces.append(_card(str(cells["trump"]), "trump", TRUMP, hands))
    return pieces


def _line(cells: Cells, seat: str, y: float) -> list[Piece]:
    """What everybody sees of a seat: its colours, whether it deals, bid, tricks, card, hand."""
    pieces = [_piece(seat, f"{seat} seat", TABLE + 80, y)]
    if cells.get("dealer") == seat:
        pieces.append(_piece("deals", f"{seat} deals", TABLE + 180, y))
    if f"{seat} chosen" in cells:
        label = str(cells[f"{seat} chosen"])
        pieces.append(_piece("speed", f"{seat} chosen", TABLE + 292, y, label=label, faded=True))
    if f"{seat} bid" in cells:
        label = str(cells[f"{seat} bid"])
        pieces.append(_piece("speed", f"{seat} bid", TABLE + 292, y, label=label))
        label = str(cells[f"{seat} tricks"])
        pieces.append(_piece("pile", f"{seat} tricks", TABLE + 418, y, label=label))
    if f"{seat} card" in cells:
        pieces.append(_card(str(cells[f"{seat} card"]), f"{seat} card", TABLE + 568, y))
    hand = cells[f"{seat} hand"]
    count = hand if isinstance(hand, int) else len(hand.split())
    if count:
        pieces.append(_piece("back", f"{seat} cards", TABLE + 712, y, label=str(count)))
    return pieces


def _hand(cells: Cells, seat: str, y: float, on_turn: bool) -> list[Piece]:
    """A hand that can be seen; cards that do not follow suit are faded."""
    cards = str(cells[f"{seat} hand"]).split()
    others = [f"{other} card" for other in _before(cells, seat)]
    laid = [str(cells[card]) for card in others if card in cells]
    led = suit_of(laid[0]) if laid and "trump" in cells and on_turn else None
    follows = any(suit_of(card) == led for card in cards)
    return [
        _card(
            card, f"{seat} hand", TABLE + 178 + CARD * number, y,
            atom=card, faded=follows and suit_of(card) != led,
        )
        for number, card in enumerate(cards)
    ]


def _before(cells: Cells, seat: str) -> list[str]:
    """The other seats, from the one on the left of `seat`: in a trick, the first to play first."""
    seats = [other for other in SEATS if f"{other} hand" in cells]
    here = seats.index(seat)
    return seats[here + 1 :] + seats[:here]
