"""Positions of the family as text, and back; impossible tables are refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from escale.game.errors import Impossible
from escale.game.options import Options
from escale.game.scene import Cells
from escale.games.qenj.box import LETTERS, Box, cell
from escale.games.qenj.geometry import SPOTS
from escale.games.qenj.moves import SEATS
from escale.games.qenj.ring import PHASES
from escale.games.qenj.rules import QenjState
from escale.kernel import CHANCE


def write_board(box: Box, cells: Cells) -> str:
    """The columns from West to East, each from the North: `.r2b1` is an empty cell, then two
    pieces; `-` is a column without any."""
    columns = []
    for letter in LETTERS[:box.columns]:
        pieces = [cells.get(f"{letter}{row}") for row in range(1, box.cells + 1)]
        text = "".join("." if piece is None else box.letters(str(piece)) for piece in pieces)
        columns.append(text if any(pieces) else "-")
    return "/".join(columns)


def read_board(box: Box, text: str) -> Cells:
    """Read the text that `write_board` has written."""
    columns = text.split("/")
    if len(columns) != box.columns:
        raise Impossible("columns", wanted=box.columns, count=len(columns), got=text)
    names = {box.letters(name): name for name in box.pieces}
    cells: Cells = {}
    for column, letters in enumerate(columns):
        if letters == "-":
            continue
        spelled = re.findall(r"\.|[a-z][0-9]?|.", letters)
        if len(spelled) != box.cells:
            raise Impossible(
                "column-cells", column=LETTERS[column], cells=box.cells, got=letters[:60]
            )
        for row, word in enumerate(spelled):
            if word == ".":
                continue
            if word not in names:
                raise Impossible(
                    "column-letter", column=LETTERS[column], known=list(names), got=word
                )
            cells[cell(column, row)] = names[word]
    return cells


def counts(box: Box, state: QenjState) -> dict[str, str]:
    """The seat in the North, the pieces taken out, and the dots, as in a position's text."""
    found = {}
    if state.north >= 0 and box.fact("chooser") >= 0:
        found["north"] = SEATS[state.north]
    if state.out_a or state.out_b:
        found["out"] = f"{state.out_a}-{state.out_b}"
    if state.dots:
        digits = (state.dots >> 3 * column & 7 for column in range(box.columns))
        found["dots"] = "".join(str(digit or "-") for digit in digits)
    return found


def set_up(
    box: Box, cells: Cells, turn: int, options: Options, words: Mapping[str, str]
) -> QenjState:
    """The compiled position; Impossible says why there is none."""
    pieces = {place: str(name) for place, name in cells.items()}
    dots, out, north = _dots(words), _out(box, words), _north(box, words)
    step = len(pieces)
    _count(box, pieces)
    whole = len(SPOTS[box.number])
    if step + sum(out) > whole:
        raise Impossible("pieces", whole=whole, count=step + sum(out))
    if step + sum(out) < whole or _crowded(box, pieces):
        phase, step, turns = _colours(box, pieces, dots, options)
    elif box.forces and not all(" " in name for name in pieces.values()):
        phase, step, turns = _forces(box, pieces, dots)
    elif north is None:
        phase, step, turns = "sides", 0, [box.fact("chooser")]
        _at_their_spots(box, pieces, dots, whole)
    else:
        phase, step, turns = "play", 0, [0, 1]
        _columns(box, pieces, turn, out)
    if phase != "play" and (any(out) or (north is not None and box.fact("chooser") >= 0)):
        raise Impossible("setting-up")
    if turn not in turns:
        raise Impossible(f"turn-{phase}", seat=[SEATS[seat] for seat in turns if seat >= 0])
    columns = [0] * box.columns
    for place, name in pieces.items():
        columns[LETTERS.index(place[0])] |= box.code(name) << 5 * (int(place[1]) - 1)
    if phase == "play":
        dots = sum(dots & 7 << 3 * i for i, word in enumerate(columns) if word)
    return QenjState(
        box.number, columns, turn, PHASES.index(phase), step,
        -1 if north is None or phase != "play" else north, out, dots,
        options.get("setup") == "quick", options.get("unstack") == "free",
    )


def _dots(words: Mapping[str, str]) -> int:
    text = words.get("dots", "")
    if not re.fullmatch("([1-4-]{12})?", text):
        raise Impossible("dots", got=text[:40])
    return sum(int(digit) << 3 * i for i, digit in enumerate(text) if digit != "-")


def _out(box: Box, words: Mapping[str, str]) -> tuple[int, int]:
    text = words.get("out", "0-0")
    if not re.fullmatch("[0-3]-[0-3]", text):
        raise Impossible("out", got=text[:40])
    a, b = int(text[0]), int(text[2])
    if max(a, b) > box.goal or a == b == box.goal > 0:
        raise Impossible("out-won", goal=box.goal, got=text)
    return a, b


def _north(box: Box, words: Mapping[str, str]) -> int | None:
    if box.fact("chooser") < 0:
        return 1
    text = words.get("north")
    if text not in (None, *SEATS):
        raise Impossible("north", got=text[:40])
    return None if text is None else SEATS.index(text)


def _count(box: Box, pieces: Mapping[str, str]) -> None:
    """Refuse more pieces than the box has."""
    colours = Counter(name.partition(" ")[0] for name in pieces.values())
    for colour, count in colours.items():
        if count > box.fact("pieces"):
            raise Impossible("too-many", piece=colour, most=box.fact("pieces"), count=count)
    for name, count in Counter(pieces.values()).items():
        if " " in name and count > box.forces:
            raise Impossible("too-many", piece=name, most=box.forces, count=count)


def _crowded(box: Box, pieces: Mapping[str, str]) -> bool:
    """Whether a column has too many pieces of a colour, all of them at the places of the deal."""
    if box.forces or set(pieces) != {cell(*spot) for spot in SPOTS[box.number]}:
        return False
    return any(count > box.fact("alike") for count in _alike(pieces).values())


def _alike(pieces: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """The number of pieces of each colour in each column."""
    return Counter((place[0], name.partition(" ")[0]) for place, name in pieces.items())


def _colours(
    box: Box, pieces: Mapping[str, str], dots: int, options: Options
) -> tuple[str, int, list[int]]:
    laid = sum(dots >> 3 * column & 7 > 0 for column in range(box.columns))
    if box.number == 0 and laid < box.columns:
        if pieces or dots >> 3 * laid:
            raise Impossible("not-laid")
        _no_more_than_three(dots)
        return "shuffle", laid, [CHANCE]
    _at_their_spots(box, pieces, dots, len(pieces))
    if any(" " in name for name in pieces.values()):
        raise Impossible("forces-hidden")
    last = box.spot(dots, len(pieces) - 1)[0] if pieces else 0
    for (letter, colour), count in _alike(pieces).items():
        if count > box.fact("alike") and letter != LETTERS[last]:
            raise Impossible("dealt-again", column=letter, count=count, piece=colour)
    chosen = box.forces and options.get("setup") != "quick"
    return "colours", len(pieces), [0, CHANCE] if chosen else [CHANCE]


def _no_more_than_three(dots: int) -> None:
    for row, count in Counter(oct(dots)[2:]).items():
        if row != "0" and count > 3:
            raise Impossible("dots-in-row", row=row, count=count)


def _forces(box: Box, pieces: Mapping[str, str], dots: int) -> tuple[str, int, list[int]]:
    _at_their_spots(box, pieces, dots, len(pieces))
    shown = [
        " " in pieces[cell(*box.spot(dots, step))] for step in range(len(pieces))
    ]
    if shown != sorted(shown, reverse=True):
        raise Impossible("forces-order")
    return "forces", sum(shown), [CHANCE]


def _at_their_spots(box: Box, pieces: Mapping[str, str], dots: int, step: int) -> None:
    """During the set-up pieces stand at its places, in order."""
    if box.number == 0:
        _no_more_than_three(dots)
        if not all(dots >> 3 * column & 7 for column in range(box.columns)):
            raise Impossible("dots-missing")
    spots = {cell(*box.spot(dots, number)) for number in range(step)}
    if set(pieces) != spots:
        wrong = sorted(set(pieces) ^ spots)
        raise Impossible("order", cell=wrong[0])


def _columns(box: Box, pieces: Mapping[str, str], turn: int, out: tuple[int, int]) -> None:
    """Check the content of each column once play has begun."""
    for (letter, colour), count in _alike(pieces).items():
        if count > box.fact("alike"):
            raise Impossible("alike", column=letter, count=count, piece=colour)
    full = []
    for letter in LETTERS[:box.columns]:
        rows = sorted(int(place[1]) for place in pieces if place[0] == letter)
        if rows and not box.goal and rows[-1] - rows[0] >= len(rows):
            raise Impossible("hole", column=letter)
        if len(rows) == box.cells:
            full.append(letter)
    if len(full) > (0 if box.goal else 1):
        raise Impossible("full-out" if box.goal else "full-over", column=full[-1])
    if box.goal and box.goal in out and turn == out.index(box.goal):
        raise Impossible("won", seat=SEATS[turn])
