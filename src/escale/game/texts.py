"""Sentences in every language of the house, kept in TOML catalogues.

A catalogue is a tree of tables whose leaves have one string for each language:

```toml
[refusal.occupied]
fr = "{cell} est occupée."
en = "{cell} is occupied."
```

Games that share sentences may have their own words for what these speak of: `{term[piece]}` is the
text `term.piece` of the game's own catalogue.
"""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("fr", "en")


class Texts:
    """One catalogue; what it lacks is looked up in `fallback`."""

    def __init__(self, tree: Mapping[str, Any], fallback: Texts | None = None) -> None:
        self._sentences = dict(_leaves(tree, ""))
        self._fallback = fallback

    @classmethod
    def read(cls, path: Path, fallback: Texts | None = None) -> Texts:
        """The catalogue in a file."""
        return cls(tomllib.loads(path.read_text("utf-8")), fallback)

    def __contains__(self, key: str) -> bool:
        return key in self._sentences or (self._fallback is not None and key in self._fallback)

    def say(self, key: str, lang: str, **values: object) -> str:
        """The sentence `key` in `lang`, with the values filled in, and this catalogue's terms."""
        values.setdefault("term", _Terms(self, lang))
        if key not in self._sentences:
            if self._fallback is None:
                raise KeyError(f"no text {key!r}")
            return self._fallback.say(key, lang, **values)
        return self._sentences[key][lang].format_map(values)

    def count(self, key: str, lang: str, count: int, **values: object) -> str:
        """The sentence for a number of things: `key.one` or `key.many`; French has one of none.

        A key with a single sentence has that for every number.
        """
        if key not in self:
            few = count < 2 if lang == "fr" else count == 1
            key = f"{key}.one" if few else f"{key}.many"
        return self.say(key, lang, count=count, **values)

    def sentence(self, key: str, lang: str) -> str:
        """The sentence of this catalogue, with its gaps not filled in."""
        return self._sentences[key].get(lang, "")

    def template(self, key: str, lang: str) -> str:
        """The sentence `key` with this catalogue's terms filled in, and its other gaps left."""
        catalogue: Texts | None = self
        while catalogue is not None and key not in catalogue._sentences:
            catalogue = catalogue._fallback
        if catalogue is None:
            raise KeyError(f"no text {key!r}")
        return catalogue._sentences[key][lang].format_map(_Gaps(term=_Terms(self, lang)))

    def missing(self) -> list[str]:
        """The keys that lack a language."""
        return [
            f"{key}.{lang}"
            for key, sentences in self._sentences.items()
            for lang in LANGUAGES
            if not sentences.get(lang, "").strip()
        ]

    def __iter__(self) -> Iterator[str]:
        """Every key of this catalogue, without those of the fallback."""
        return iter(self._sentences)


class _Gaps(dict[str, Any]):
    """What fills a sentence's gaps; those that it does not know stay."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class _Terms:
    """What a catalogue calls the things that its fallback's sentences speak of, by name."""

    def __init__(self, texts: Texts, lang: str) -> None:
        self._texts = texts
        self._lang = lang

    def __getitem__(self, name: str) -> str:
        return self._texts.say(f"term.{name}", self._lang)


def plain(text: str) -> str:
    r"""Without capitals and accents, with ordinary spaces, for comparing what people write.

    >>> plain("Canoë"), plain("S\u2019arrêter\xa0ici")
    ('canoe', "s'arreter ici")
    """
    apart = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return re.sub(r"\s+", " ", "".join(one for one in apart if not unicodedata.combining(one)))


def spaced(text: str, lang: str) -> str:
    r"""With the spaces of French punctuation that must not break a line.

    Catalogues and rules pages may be written with ordinary spaces: they pass through here.

    >>> spaced("Qui ? « Moi » !", "fr")
    'Qui\u202f? «\xa0Moi\xa0»\u202f!'
    """
    if lang != "fr":
        return text
    text = re.sub("[ \xa0]([;!?])", "\u202f\\1", text)
    return re.sub(" ([:»])", "\xa0\\1", text).replace("« ", "«\xa0")


def _leaves(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, dict[str, str]]]:
    for name, branch in tree.items():
        if not isinstance(branch, dict):
            continue
        sentences = {
            lang: spaced(branch[lang], lang)
            for lang in LANGUAGES if isinstance(branch.get(lang), str)
        }
        if sentences:
            yield prefix + name, sentences
        yield from _leaves(branch, f"{prefix}{name}.")


def span(low: int, high: int) -> str:
    """From one number to another.

    >>> span(3, 6), span(2, 2)
    ('3–6', '2')
    """
    return str(low) if low == high else f"{low}–{high}"


@cache
def house() -> Texts:
    """The catalogue that all games share."""
    return Texts.read(Path(__file__).with_name("texts.toml"))


def speak(lang: str | None = None) -> str:
    """The language to use: the one asked for, else the one of the environment, else French."""
    for wish in (lang, *(os.environ.get(name) for name in ("ESCALE_LANG", "LC_ALL", "LANG"))):
        if wish and wish[:2].lower() in LANGUAGES:
            return wish[:2].lower()
    return LANGUAGES[0]
