"""The table as one word, and back: the first word of a position's text.

    r3.dO.tg4.pb12/Oc11.hb79r3.b2.w1/Hd12.hg1.b0.w0.kb3/Bd10.h?3.b1.w0

First the table: the round (`n`: how often the marker has gone around before), the dealer, the trump
turned up, the cards played, and if needed the seats that draw for dealer (`c`) and those that have
lost their move (`x`). Then each seat by its letter: its canoe's cell, its hand (a number if it is
hidden), its bid (`b`, or `s` before all are shown: `s?` if it is hidden), the tricks won, the card
in front of it (`k`), the suits it has shown not to have (`v`) and the points left on landing (`l`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from escale.game.errors import Impossible
from escale.game.scene import Cells
from escale.game.viewer import HIDDEN
from escale.games.canyon_1997.cards import LETTERS, SEATS, SUITS, pack, unpack
from escale.games.canyon_1997.river import NUMBERS

NAMES = {letter: seat for seat, letter in LETTERS.items()}
SUIT_NAMES = {suit[0]: suit for suit in SUITS}


def write(cells: Cells) -> str:
    """The table as a word."""

    def field(letter: str, cell: str, how: Callable[[str], str] = str) -> str:
        return f".{letter}{how(str(cells[cell]))}" if cell in cells else ""

    def letters(names: str) -> str:
        return "".join(LETTERS[name] for name in names.split())

    def cards(names: str) -> str:
        return pack(names.split())

    def suits(names: str) -> str:
        return "".join(suit[0] for suit in names.split())

    canoes = {name: cell for cell in cells if cell in NUMBERS for name in str(cells[cell]).split()}
    parts = [
        f"r{cells['round']}" + field("n", "laps") + field("d", "dealer", letters)
        + field("t", "trump", cards)
        + field("p", "played", cards) + field("c", "drawing", letters) + field("x", "lost", letters)
    ]
    for seat in SEATS:
        if f"{seat} hand" not in cells:
            break
        hand = cells[f"{seat} hand"]
        held = (f"?{hand}" if hand else "") if isinstance(hand, int) else cards(hand)
        parts.append(
            LETTERS[seat] + canoes.get(seat, "-") + (f".h{held}" if held else "")
            + field("s", f"{seat} chosen") + field("b", f"{seat} bid")
            + field("w", f"{seat} tricks")
            + field("k", f"{seat} card", cards) + field("v", f"{seat} void", suits)
            + field("l", f"{seat} left")
        )
    return "/".join(parts)


def read(text: str) -> Cells:
    """Read the word that `write` has written; Impossible says what was expected."""
    table, *seats = text.split("/")
    cells: Cells = {}
    for key, value in _fields(table, "rndtpcx"):
        if key == "r":
            cells["round"] = _number(value)
        elif key == "n":
            cells["laps"] = _number(value)
        elif key in "tp":
            cells["trump" if key == "t" else "played"] = " ".join(unpack(value))
        else:
            name = {"d": "dealer", "c": "drawing", "x": "lost"}[key]
            cells[name] = " ".join(_each(value, NAMES))
    if "round" not in cells:
        raise Impossible("round-first", got=table[:60])
    canoes: dict[str, list[str]] = {}
    for seat, part in zip(SEATS, seats, strict=False):
        head, *_ = part.split(".")
        if head[:1] != LETTERS[seat] or head[1:] not in {"-", *NUMBERS}:
            raise Impossible("seat-and-cell", letter=LETTERS[seat], seat=seat, got=head[:40])
        if head[1:] != "-":
            canoes.setdefault(head[1:], []).append(seat)
        cells[f"{seat} hand"] = ""
        for key, value in _fields(part[len(head) + 1 :], "hsbwkvl"):
            if key == "h":
                hidden = re.fullmatch(r"\?([0-9])", value)
                cells[f"{seat} hand"] = int(hidden[1]) if hidden else " ".join(unpack(value))
            elif key == "s" and value == HIDDEN:
                cells[f"{seat} chosen"] = HIDDEN
            elif key == "k":
                cells[f"{seat} card"] = " ".join(unpack(value))
            elif key == "v":
                cells[f"{seat} void"] = " ".join(_each(value, SUIT_NAMES))
            else:
                name = {"s": "chosen", "b": "bid", "w": "tricks", "l": "left"}[key]
                cells[f"{seat} {name}"] = _number(value)
    if not 3 <= len(seats) <= len(SEATS):
        raise Impossible("how-many-seats", count=len(seats))
    return cells | {cell: " ".join(names) for cell, names in canoes.items()}


def _fields(part: str, keys: str) -> list[tuple[str, str]]:
    fields = [(field[:1], field[1:]) for field in part.split(".")] if part else []
    for key, _ in fields:
        if key not in keys or not key:
            raise Impossible("field-letter", known=list(keys), got=part[:80])
    if len({key for key, _ in fields}) != len(fields):
        raise Impossible("field-twice", got=part[:80])
    return fields


def _each(letters: str, names: dict[str, str]) -> list[str]:
    for letter in letters:
        if letter not in names:
            raise Impossible("one-of", known=list(names), got=letter)
    return [names[letter] for letter in letters]


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", text):
        raise Impossible("number", got=text[:40])
    return int(text)
