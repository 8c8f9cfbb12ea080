"""Scenes as text, for terminals, screen readers and log files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from escale.game.game import Game
from escale.game.scene import Piece, Scene, Tally
from escale.game.texts import house


def board_in_words(game: Game[Any], scene: Scene, lang: str) -> str:
    """The board in characters, with a list of everything beside it by name."""
    ends = [at for at, reason in scene.highlights.items() if reason == "end"]
    places = {*(piece.at for piece in scene.pieces), *scene.tallies, *ends}
    names = {at: game.called(at, lang) for at in places}
    known = game.vocabulary(game.choose({}))

    def written(piece: Piece) -> str:
        """A card by its name; any other piece by its sign and its text."""
        word = piece.name + piece.label
        return game.called(word, lang) if word in known else piece.glyph + piece.label

    board = text_board(scene, names, lang, lambda tally: game.tally_words(tally, lang), written)
    ids = {cell.id for cell in scene.cells}
    signs = {piece.glyph: piece.name for piece in scene.pieces if piece.at in ids}
    if not signs:
        return board
    legend = ", ".join(
        f"{glyph} {game.called(name, lang, ('piece',))}" for glyph, name in sorted(signs.items())
    )
    return f"{board}\n{house().say('board-signs', lang, signs=legend)}"


def counted(tally: Tally) -> str:
    """A tally in numbers and symbols, without words."""
    return f"{tally.name} {tally.number}" + ("" if tally.of is None else f"/{tally.of}")


def labelled(piece: Piece) -> str:
    """A piece with its text."""
    return piece.glyph + piece.label


def text_board(
    scene: Scene, names: Mapping[str, str] | None = None, lang: str = "en",
    tell: Callable[[Tally], str] = counted, write: Callable[[Piece], str] = labelled,
) -> str:
    """The board in characters; `names` has the names of the areas beside it, in `lang`.

    If columns and rows are straight and have names (a to m, 1 to 6), the names are in the margin;
    on other boards every cell has its own name.
    """
    cells = [cell for cell in scene.cells if not cell.extra]
    columns = sorted({cell.x for cell in cells})
    rows = sorted({cell.y for cell in cells})
    glyphs = {piece.at: piece.glyph for piece in scene.pieces}
    letters = {(cell.id[0], cell.x) for cell in cells}
    numbers = {(cell.id[1:], cell.y) for cell in cells}
    straight = len(letters) == len(columns) and len(numbers) == len(rows)
    width = 1 + max(map(len, glyphs.values()), default=1) if straight else 4
    lines = [[" "] * (len(columns) * width) for _ in rows]
    for cell in cells:
        glyph = glyphs.get(cell.id, cell.glyph if straight or cell.glyph != "·" else " ")
        at = columns.index(cell.x) * width
        for offset, character in enumerate(glyph if straight else glyph + cell.id):
            lines[rows.index(cell.y)][at + offset] = character
    text = ["".join(line).rstrip() for line in lines]
    if straight:
        margin = {y: number for number, y in numbers}
        text = [f"{margin[y]:>2}  {line}" for y, line in zip(rows, text, strict=True)]
        heads = {x: letter for letter, x in letters}
        text.append("    " + "".join(heads[x].ljust(width) for x in columns).rstrip())
    places = {cell.id for cell in scene.cells}
    beside = Counter(
        (piece.at, piece.glyph)
        for piece in scene.pieces if piece.at not in places and not piece.label
    )
    listed = [(at, f"{glyph * count} {count}") for (at, glyph), count in sorted(beside.items())]
    # Texts on pieces are listed, and so are the pieces of a cell that holds several.
    shown = [piece for piece in scene.pieces if not piece.extra]
    crowd = Counter(piece.at for piece in shown if piece.at in places)
    words: dict[str, list[str]] = {}
    for piece in shown:
        if piece.label or crowd[piece.at] > 1:
            words.setdefault(piece.at, []).append(write(piece))
    between = " " if write is labelled else ", "
    listed += [(at, between.join(written)) for at, written in words.items()]
    listed += [(seat, ", ".join(map(tell, tallies))) for seat, tallies in scene.tallies.items()]
    known = names or {}
    text += [house().say("listed", lang, at=known.get(at, at), line=line) for at, line in listed]
    if ends := [known.get(at, at) for at, reason in scene.highlights.items() if reason == "end"]:
        text.append(house().say("outcome-cells", lang, places=", ".join(ends)))
    return "\n".join(text)
