"""Pictures: the right size, and what is written in them can be read on every machine."""

from __future__ import annotations

import pytest

from escale.render.png import png, writable
from escale.render.share_card import HEIGHT, WIDTH, share_card

BOARD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} 100"><circle r="9"/></svg>'


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG")
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def written(words: str, family: str = "sans-serif") -> bytes:
    return png(f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
               f'<text x="5" y="30" font-size="24" font-family="{family}">{words}</text></svg>')


def test_words_are_drawn_in_the_font_of_the_house() -> None:
    nothing = written("")
    for letter in "Aéœ’–7":
        assert writable(letter)
        assert written(letter) != nothing
        for family in ("serif", "monospace", "Georgia, serif"):
            assert written(letter, family) == written(letter)
    assert not writable("Ана")
    assert not writable("子")


@pytest.mark.parametrize("across", [60, 100, 160, 240])
def test_a_card_has_the_size_that_other_sites_want_whatever_the_board(across: int) -> None:
    lines = ["A rather long sentence that says who plays, and against whom. " * 2, "And more."]
    card = share_card(BOARD.format(across), house="Escale", heading="Canyon (1997)", lines=lines)
    assert size(png(card)) == (WIDTH, HEIGHT)
    bare = share_card(BOARD.format(across), house="Escale", heading="Canyon (1997)", lines=[""])
    assert png(card) != png(bare)
