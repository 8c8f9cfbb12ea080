"""The languages of the house, and the catalogues with their sentences.

Authors write every sentence in the languages of `AUTHORED`, side by side. Every other language is a
folder of catalogues, in `escale/languages` or in the folder that `ESCALE_LANGUAGES` names:

    de/language.toml its name, its plural forms, and its substitute language de/web.toml a catalogue
    for each of ours: web, game, games/tortuga, … de/games/tortuga.toml

A catalogue has a table for each sentence, with the English one that was translated:

    ["texts.refusal.occupied"]
    en = "{cell} is occupied."
    de = "{cell} ist besetzt."

If a sentence is missing, no longer translates the English one, or has other gaps than the English
one, the sentence of the substitute language is shown.
"""

from __future__ import annotations

import gettext
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

AUTHORED = ("fr", "en")
"""The languages in which authors write; the first is the house's own."""
SOURCE = "en"
"""The language from which translators work."""
VARIABLE = "ESCALE_LANGUAGES"
PACKAGE = Path(__file__).parent.parent
CODE = re.compile(r"[a-z]{2,3}")

Sentence = str | tuple[str, ...]
"""The sentence; several, for different numbers of things."""


@dataclass(frozen=True)
class Language:
    """A language in which pages can be read."""

    code: str
    name: str
    """Its own name."""
    plurals: str
    """Its plural forms, as in the header `Plural-Forms` of gettext."""
    fallback: str = SOURCE
    """The substitute, one of AUTHORED, for sentences that are missing."""
    decimal: str = "."
    """The sign before the decimals of a number …"""
    thousands: str = ","
    """… and the one between its thousands."""
    folder: Path | None = None
    """The folder with its catalogues, unless it is one of AUTHORED."""

    def __post_init__(self) -> None:
        if not CODE.fullmatch(self.code) or self.fallback not in AUTHORED:
            raise ValueError(f"expected a code such as de, and a fallback of {AUTHORED}")
        if self.form(1) not in range(self.forms):
            raise ValueError("expected plural forms such as nplurals=2; plural=(n != 1);")

    @property
    def forms(self) -> int:
        """The number of forms of a sentence about a number of things."""
        found = re.search(r"nplurals\s*=\s*([1-6])\b", self.plurals)
        return int(found[1]) if found else 0

    def form(self, number: int) -> int:
        """The index of the form for a number of things."""
        return _rule(self.plurals)(number)


@cache
def _rule(plurals: str) -> Callable[[int], int]:
    """The rule in a header `Plural-Forms`; ValueError if there is none that can be computed."""
    found = re.search(r"plural\s*=\s*([^;]{1,1000})", plurals.partition(";")[2])
    return gettext.c2py(found[1].strip()) if found else (lambda _: -1)


OURS = {
    "fr": Language("fr", "Français", "nplurals=2; plural=(n > 1);", "fr", ",", "\u202f"),
    "en": Language("en", "English", "nplurals=2; plural=(n != 1);", "en"),
}


@cache
def languages() -> Mapping[str, Language]:
    """Every language, by its code: the two of AUTHORED, then the folders."""
    found = dict(OURS)
    for home in (PACKAGE / "languages", os.environ.get(VARIABLE)):
        for path in sorted(Path(home).glob("*/language.toml")) if home else ():
            language = read_language(path.parent)
            found.setdefault(language.code, language)
    return found


def read_language(folder: Path) -> Language:
    """The language that a folder of catalogues describes."""
    facts = tomllib.loads((folder / "language.toml").read_text("utf-8"))
    return Language(
        folder.name, str(facts["name"]), str(facts["plurals"]), str(facts.get("fallback", SOURCE)),
        str(facts.get("decimal", ".")), str(facts.get("thousands", ",")), folder,
    )


def catalogue_name(folder: Path) -> str:
    """The name of the catalogue of one of our folders: `web`, `games/tortuga`, `my_game`."""
    folder = folder.resolve()
    if folder.is_relative_to(PACKAGE.resolve()):
        return folder.relative_to(PACKAGE.resolve()).as_posix()
    return folder.name


@cache
def translated(lang: str, catalogue: str) -> Mapping[str, Mapping[str, Sentence]]:
    """The sentences of a catalogue in a language, each with the English one that it translates."""
    folder = languages()[lang].folder
    path = folder / f"{catalogue}.toml" if folder else None
    if path is None or not path.exists():
        return {}
    return {
        key: {code: tuple(said) if isinstance(said, list) else said for code, said in table.items()}
        for key, table in tomllib.loads(path.read_text("utf-8")).items()
    }


def said_in(lang: str, catalogue: str, key: str, source: Sentence) -> Sentence | None:
    """The translation of `source`; None if there is none, or only an outdated one."""
    table = translated(lang, catalogue).get(key, {})
    said = table.get(lang)
    if said is None or table.get(SOURCE) != source or not fits(
        said, source, languages()[lang].forms
    ):
        return None
    return said


def everywhere(
    authored: Mapping[str, str], catalogue: str, key: str
) -> dict[str, str]:
    """A sentence in every language: as authored, as translated, or in the substitute language."""
    found = dict(authored)
    for lang, language in languages().items():
        if lang not in found and language.fallback in authored:
            said = said_in(lang, catalogue, key, authored.get(SOURCE, ""))
            found[lang] = said if isinstance(said, str) else authored[language.fallback]
    return found


def fits(said: Any, source: Sentence, forms: int) -> bool:
    """Whether a translation has the shape and the gaps of its source.

    `forms` is the number of plural forms of its language.
    """
    if isinstance(source, str):
        return isinstance(said, str) and bool(said.strip()) and _gaps(said) == _gaps(source)
    if not isinstance(said, tuple) or len(said) != forms:
        return False
    known = _gaps(source[-1])
    # "one turtle" may leave its number out.
    return all(
        isinstance(form, str) and bool(form.strip())
        and (gaps := _gaps(form)) is not None and known is not None and gaps <= known
        for form in said
    )


def _gaps(sentence: str) -> frozenset[str] | None:
    """The gaps of a sentence; None if they are not well written."""
    try:
        return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)
    except ValueError:
        return None
