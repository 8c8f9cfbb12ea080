"""The sentences of the study, French and English side by side in `texts.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from escale.game.texts import Texts, house


@cache
def words() -> Texts:
    """The sentences of the study, then the house's."""
    return Texts.read(Path(__file__).with_name("texts.toml"), house())
