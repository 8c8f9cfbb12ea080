"""The drawing of the table: the river from bottom to top, and the table beside it.

The parts of the table are panels, which renderers place as they have room. All of them are visible
while seats bid and play, because players need them to decide:

- `river`, which may be enlarged while a canoe is on its way;
- `rounds`, a tile with the track of the rounds and what is played now;
- a tile for each seat: its canoe and name, its bid, its tricks, its card;
- `hand`, a strip with the trump and the hand of who looks; `hands`, another, where several are
  seen; at the end of the game `ranking` instead.
"""

from __future__ import annotations

from dataclasses import replace

from escale.game.printed import (
    PrintedBoard,
    PrintedBox,
    PrintedCard,
    PrintedDeck,
    PrintedToken,
)
from escale.game.scene import Board, Caption, Cell, Cells, Kind, Label, Panel, Piece, Scene
from escale.games.canyon_1997.cards import LETTERS, SEATS, SUITS, TRACK, suit_of, value_of
from escale.games.canyon_1997.river import COLUMNS, NAMES, NUMBERS, RIVER, ROWS

ACROSS, UP = 100.0, 64.0                # from cell to cell
LEFT, TOP = 90.0, 46.0                  # the middle of a29
RIVER_WIDTH, HEIGHT = 660.0, 1980.0
TABLE = 680.0                           # the left edge of the table
TILE, TILE_HEIGHT = 500.0, 134.0        # the width of a tile, and the height of a seat's tile
ROUNDS_TOP, ROUNDS_HEIGHT = 8.0, 150.0
STRIP_TOP, STRIP, STRIP_HEIGHT = 170.0, 800.0, 146.0
SEATS_TOP = 328.0                       # the first seat's tile; they lie two by two
HANDS_TOP, HANDS = 772.0, 100.0         # the first of several hands, and the distance between them
PLACE = 62.0                            # from place to place in the ranking
TRUMP = TABLE + 64                      # the trump, at the head of the strip
HAND = TABLE + 178                      # the first card of a hand
CARD = 80.0                             # from card to card in a hand
CAPTION, LAID = 18.0, 86.0              # within a tile or the strip: lines of text, lines of cards
BID, TRICKS, PLAYED = 218.0, 338.0, 446.0       # the columns of a seat's tile
HIGHEST = 4                             # the highest speed card
SPEEDS = {1: (0.0, 0.0), 2: (-48.0, 80.0), 3: (-72.0, 56.0)}
"""The first card of a bid with this many, from its column's middle, and the next ones."""

#: The symbol of a cell, and its character in a text board.
TERRAIN = {
    ".": ("water", "·"), "S": ("start", "_"), "O": ("rock", "●"), "#": ("mountain", "#"),
    "W": ("waterfall", "≋"), "P": ("footbridge", "="), "L": ("landing", "+"),
    ">": ("current-right", ">"), "<": ("current-left", "<"),
    "^": ("current-up", "^"), "v": ("current-down", "v"),
}
SUIT_GLYPHS = dict(zip(SUITS, "≈▲♣✶◆", strict=True))


def place(number: int) -> Cell:
    """The point at which a cell is drawn: columns side by side, row 0 below."""
    row, column = divmod(number, len(COLUMNS))
    x, y = LEFT + column * ACROSS, TOP + (ROWS - 1 - row) * UP
    symbol, glyph = TERRAIN[RIVER.terrain[number]]
    right, down = ACROSS / 2, UP / 2
    outline = ((x - right, y - down), (x + right, y - down),
               (x + right, y + down), (x - right, y + down))
    return Cell(NAMES[number], x, y, outline, symbol=symbol, glyph=glyph)


def on_track(marker: int) -> tuple[float, float]:
    """A round's place on the track: seven from left to right, and seven back below them."""
    there = len(TRACK) // 2
    step = marker - 1 if marker <= there else len(TRACK) - marker
    return TABLE + 46 + 68 * step, ROUNDS_TOP + (28 if marker <= there else 122)


def tile(number: int) -> tuple[float, float]:
    """The corner of a seat's tile."""
    row, column = divmod(number, 2)
    return TABLE + column * (TILE + 12), SEATS_TOP + row * (TILE_HEIGHT + 10)


CELLS = {cell.id: cell for cell in map(place, range(len(NAMES)))}

TRUMP_CAPTION = Label(TRUMP, STRIP_TOP + CAPTION, Caption("board.trump"), "label-caption")
BOARD = Board(
    width=TABLE + 2 * TILE + 20,
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
        TRUMP_CAPTION,
    ),
)


def scene(cells: Cells, *, turn: int | None) -> Scene:
    """The scene of a viewer who knows `cells`."""
    seats = [seat for seat in SEATS if f"{seat} hand" in cells]
    open_hands = [seat for seat in seats if isinstance(cells[f"{seat} hand"], str)]
    viewer = open_hands[0] if len(open_hands) == 1 else None
    on_turn = None if turn is None or turn < 0 else SEATS[turn]
    chosen = [seat for seat in seats if f"{seat} chosen" in cells]
    over = turn is None and any(f"{seat} left" in cells for seat in seats)
    pieces = [*_canoes(cells), *_middle(cells)]
    labels = [*BOARD.labels, _round(cells, len(chosen), len(seats))]
    for number, seat in enumerate(seats):
        pieces += _seat(cells, seat, *tile(number))
        asked = seat not in chosen if chosen else seat == on_turn
        labels += _captions(seat, *tile(number), you=seat == viewer, asked=asked)
    if over or not any(cells[f"{seat} hand"] for seat in open_hands):
        open_hands = open_hands if viewer else []
    if over:
        open_hands = []
        labels.remove(TRUMP_CAPTION)
        pieces = [piece for piece in pieces if piece.at != "trump"]
        for place, seat in enumerate(ranked(cells, seats)):
            labels += _place(cells, seat, place)
    top = STRIP_TOP if viewer else HANDS_TOP
    for number, seat in enumerate(open_hands):
        pieces += _hand(cells, seat, top + LAID + number * HANDS, seat == on_turn)
        if not viewer:
            name = Caption(f"seat.{seat}")
            labels.append(Label(TRUMP, top + LAID + number * HANDS + 10, name, "label-name"))
    if open_hands:
        key = "board.hand" if viewer else "board.hands"
        labels.append(Label(HAND - 38, top + CAPTION, Caption(key), "label-left"))
    return replace(
        BOARD.scene({}, turn=turn), pieces=tuple(pieces),
        labels=tuple(Label(*label) for label in labels),
        panels=(
            Panel("river", 0, 0, RIVER_WIDTH, HEIGHT, focus=_focus(cells, on_turn, viewer)),
            Panel("rounds", TABLE, ROUNDS_TOP, TILE, ROUNDS_HEIGHT, kind="tile"),
            *(Panel(seat, *tile(number), TILE, TILE_HEIGHT, kind="tile")
              for number, seat in enumerate(seats)),
            Panel("ranking", TABLE, HANDS_TOP, STRIP, PLACE * len(seats) + 60, kind="strip") if over
            else Panel("hand", TABLE, STRIP_TOP, STRIP, STRIP_HEIGHT, kind="strip"),
            *(Panel("hands", TABLE, HANDS_TOP, STRIP, STRIP_HEIGHT + HANDS * (len(open_hands) - 1),
                    kind="strip") for _ in open_hands[1:2]),
        ),
    )


def _focus(
    cells: Cells, on_turn: str | None, viewer: str | None
) -> tuple[tuple[float, float], ...]:
    """The points to keep in sight: the canoe to move, the viewer's, the leader's, the others."""
    at = {seat: cell for cell in CELLS for seat in str(cells.get(cell, "")).split()}
    by_distance = sorted(at, key=lambda seat: RIVER.distance[NUMBERS[at[seat]]])
    order = dict.fromkeys([*([on_turn] if _paddling(cells) else []), viewer, *by_distance])
    found = [CELLS[at[seat]] for seat in order if seat in at]
    return tuple((cell.x, cell.y) for cell in found or [CELLS["c0"]])


def _paddling(cells: Cells) -> bool:
    """Whether all cards have been played, and canoes move."""
    return "trump" in cells and not any(
        cells[name] for name in cells if name.endswith(" hand")
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


def _middle(cells: Cells) -> list[Piece]:
    """The marker on its track, and the trump."""
    marker = int(cells["round"])
    pieces = [_piece("marker", "round", *on_track(marker), label=str(TRACK[marker - 1]))]
    if "trump" in cells:
        pieces.append(_card(str(cells["trump"]), "trump", TRUMP, STRIP_TOP + LAID))
    return pieces


def _round(cells: Cells, chosen: int, seats: int) -> Label:
    """The present phase, within the track; while seats bid in secret, the number of bids."""
    marker = int(cells["round"])
    size = TRACK[marker - 1]
    key = "board.round-one" if size == 1 else "board.round-many"
    said = Caption(key, {"round": marker, "cards": size})
    x, y = TABLE + TILE / 2, ROUNDS_TOP + ROUNDS_HEIGHT / 2
    if chosen:
        bids = Caption("board.bids", {"chosen": chosen, "seats": seats})
        return Label(x, y, bids, "label-size")
    if "laps" in cells:
        again = {"round": marker + len(TRACK) * int(cells["laps"]), "like": marker}
        return Label(x, y, Caption("board.round-again", again), "label-caption")
    return Label(x, y, said, "label-now")


def _captions(
    seat: str, x: float, y: float, *, you: bool, asked: bool
) -> list[Label]:
    """The texts on a seat's tile: its name, and the headings of its columns."""
    found = [
        Label(x + 70, y + 88, Caption(f"seat.{seat}"), "label-name"),
        Label(x + BID, y + CAPTION, Caption("board.bid"), "label-caption"),
        Label(x + TRICKS, y + CAPTION, Caption("board.tricks"), "label-caption"),
        Label(x + PLAYED, y + CAPTION, Caption("board.card"), "label-caption"),
    ]
    if you:
        found.append(Label(x + 70, y + 117, Caption("board.you"), "label-you"))
    if asked:
        found.append(Label(x + 18, y + 30, "●", "label-turn"))
    return found


def ranked(cells: Cells, seats: list[str]) -> list[str]:
    """The seats at the end: those that landed as the rules compare them, the others by distance."""
    at = {seat: cell for cell in CELLS for seat in str(cells.get(cell, "")).split()}

    def worth(seat: str) -> tuple[int, int, int]:
        left = int(cells.get(f"{seat} left", -1))
        bid = int(cells[f"{seat} bid"]) if left >= 0 else 0
        return -left, -bid, RIVER.distance[NUMBERS[at[seat]]]

    return sorted(seats, key=worth)


def _place(cells: Cells, seat: str, place: int) -> list[Label]:
    """A line of the ranking: the place, the seat, and the reason."""
    at = next(cell for cell in CELLS if seat in str(cells.get(cell, "")).split())
    values = {"bid": int(cells[f"{seat} bid"]), "tricks": int(cells[f"{seat} tricks"])}
    if f"{seat} left" in cells:
        why = Caption("board.landed", values | {"left": int(cells[f"{seat} left"])})
    else:
        why = Caption("board.away", values | {"cells": RIVER.distance[NUMBERS[at]]})
    y = HANDS_TOP + 80 + place * PLACE
    title = [Label(TABLE + 30, HANDS_TOP + 28, Caption("board.ranking"), "label-left")]
    return [
        *(title if place == 0 else []),
        Label(TABLE + 60, y, str(place + 1), "label-name"),
        Label(TABLE + 95, y, Caption(f"seat.{seat}"), "label-left"),
        Label(TABLE + 250, y, why, "label-left"),
    ]


def _seat(cells: Cells, seat: str, x: float, y: float) -> list[Piece]:
    """The part of a seat that all viewers see: its canoe, whether it deals, its bid, tricks and
    card.

    Until it has played a card, the number of cards in its hand is shown.
    """
    laid = y + LAID
    pieces = [_piece(seat, f"{seat} seat", x + 70, y + 42)]
    if cells.get("dealer") == seat:
        pieces.append(_piece("deals", f"{seat} deals", x + 136, y + 28))
    if f"{seat} chosen" in cells:
        pieces += _speeds(f"{seat} chosen", cells[f"{seat} chosen"], x + BID, laid, faded=True)
    if f"{seat} bid" in cells:
        pieces += _speeds(f"{seat} bid", cells[f"{seat} bid"], x + BID, laid)
        label = str(cells[f"{seat} tricks"])
        pieces.append(_piece("pile", f"{seat} tricks", x + TRICKS, laid, label=label))
    hand = cells[f"{seat} hand"]
    count = hand if isinstance(hand, int) else len(hand.split())
    if f"{seat} card" in cells:
        pieces.append(_card(str(cells[f"{seat} card"]), f"{seat} card", x + PLAYED, laid))
    elif count:
        pieces.append(_piece("back", f"{seat} cards", x + PLAYED, laid, label=str(count)))
    return pieces


def speed_cards(bid: int) -> tuple[int, ...]:
    """The speed cards with which a bid is laid: one up to 4, two up to 7, three for 8.

    >>> speed_cards(4), speed_cards(6), speed_cards(8)
    ((4,), (4, 2), (4, 3, 1))
    """
    first = min(bid, HIGHEST)
    second = min(bid - first, HIGHEST - 1)
    return (first, *(card for card in (second, bid - first - second) if card))


def _speeds(at: str, bid: object, x: float, y: float, *, faded: bool = False) -> list[Piece]:
    """A bid as it lies on the table, its cards beside each other; one card if it is hidden."""
    cards = speed_cards(int(str(bid))) if str(bid).isdigit() else (bid,)
    first, step = SPEEDS[len(cards)]
    return [
        _piece("speed", at, x + first + step * number, y, label=str(card), faded=faded)
        for number, card in enumerate(cards)
    ]


def in_order(cards: str, trump: str | None) -> list[str]:
    """The cards of a hand by suit and value; trumps first, beside the trump."""
    return sorted(cards.split(), key=lambda card: (
        suit_of(card) != trump, SUITS.index(suit_of(card)), value_of(card)
    ))


def _hand(cells: Cells, seat: str, y: float, on_turn: bool) -> list[Piece]:
    """A hand that can be seen; cards that do not follow suit are faded."""
    trump = suit_of(str(cells["trump"])) if "trump" in cells else None
    cards = in_order(str(cells[f"{seat} hand"]), trump)
    others = [f"{other} card" for other in _before(cells, seat)]
    laid = [str(cells[card]) for card in others if card in cells]
    led = suit_of(laid[0]) if laid and "trump" in cells and on_turn else None
    follows = any(suit_of(card) == led for card in cards)
    return [
        _card(
            card, f"{seat} hand", HAND + CARD * number, y,
            atom=card, faded=follows and suit_of(card) != led,
        )
        for number, card in enumerate(cards)
    ]


def _before(cells: Cells, seat: str) -> list[str]:
    """The other seats, from the left neighbour of `seat` on: the order of play in a trick."""
    seats = [other for other in SEATS if f"{other} hand" in cells]
    here = seats.index(seat)
    return seats[here + 1 :] + seats[:here]


#: Five suits of ten, and for each seat five speed cards with its canoe on both sides: so that the
#: cards of two seats cannot be confused.
PRINTED = PrintedBox(
    boards=(
        PrintedBoard(name="river", unit_mm=25, frame=(0, 0, RIVER_WIDTH, HEIGHT)),
        PrintedBoard(name="track", unit_mm=36, frame=(TABLE, 0, TILE, ROUNDS_HEIGHT + 14)),
    ),
    tokens=(
        PrintedToken(name="marker", front="marker", count=1),
        PrintedToken(name="deals", front="deals", count=1),
        *(PrintedToken(name=seat, front=f"canoe-{seat}", count=1, spare=0, ground="#dff0f5",
                       stands=True)
          for seat in SEATS),
    ),
    disc_mm=16,
    decks=(
        PrintedDeck(name="deck", back="card-back", spare=1, cards=tuple(
            PrintedCard(front=f"card-{suit}", label=str(value))
            for suit in SUITS for value in range(1, 11)
        )),
        PrintedDeck(name="speed", back="speed", back_emblem=True, cards=tuple(
            PrintedCard(front="speed", label=str(value), emblem=f"canoe-{seat}")
            for seat in SEATS for value in range(HIGHEST + 1)
        )),
    ),
)
