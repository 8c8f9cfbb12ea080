"""Sentences in every language of the house, kept in TOML catalogues.

A catalogue is a tree of tables whose leaves have one string for each language:

```toml
[refusal.occupied]
fr = "{cell} est occupée."
en = "{cell} is occupied."
```

Games that share sentences may have their own words in them: `{term[piece]}` is the text
`term.piece` of the game's own catalogue.
"""

from __future__ import annotations

import datetime
import os
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from escale.game.languages import (
    AUTHORED,
    OURS,
    SOURCE,
    catalogue_name,
    everywhere,
    languages,
    said_in,
)

LANGUAGES = tuple(languages())
"""All languages that people can choose: those of AUTHORED, then those of folders."""


class Texts:
    """One catalogue; what it lacks is looked up in `fallback`.

    `name` is its name in the catalogues of other languages.
    """

    def __init__(
        self, tree: Mapping[str, Any], fallback: Texts | None = None, name: str = ""
    ) -> None:
        self._sentences = {
            key: everywhere(sentences, name, f"texts.{key}")
            for key, sentences in _leaves(tree, "")
        }
        self._fallback = fallback
        self._name = name

    @classmethod
    def read(cls, path: Path, fallback: Texts | None = None) -> Texts:
        """The catalogue in a file."""
        tree = tomllib.loads(path.read_text("utf-8"))
        return cls(tree, fallback, catalogue_name(path.parent))

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
        """The sentence for a number of things: `key.one` or `key.many`, as the language counts.

        A key with a single sentence has that for every number.
        """
        if key in self:
            return self.say(key, lang, count=count, **values)
        if f"{key}.many" not in self._sentences and self._fallback is not None:
            values.setdefault("term", _Terms(self, lang))
            return self._fallback.count(key, lang, count, **values)
        if lang not in OURS:
            forms = said_in(lang, self._name, f"texts.{key}", self._source_forms(key))
            if forms is not None:
                values.setdefault("term", _Terms(self, lang))
                form = forms[languages()[lang].form(count)]
                return form.format_map({"count": count, **values})
            lang = languages()[lang].fallback
        return self.say(
            f"{key}.many" if OURS[lang].form(count) else f"{key}.one", lang, count=count, **values
        )

    def _source_forms(self, key: str) -> tuple[str, str]:
        """The source of a sentence about a number of things, as translators have seen it."""
        one, many = (self._sentences[f"{key}.{form}"][SOURCE] for form in ("one", "many"))
        return one, many

    def sentence(self, key: str, lang: str) -> str:
        """The sentence of this catalogue, with its gaps not filled in."""
        return self._sentences[key].get(lang, "")

    def template(self, key: str, lang: str) -> str:
        """The sentence `key` with this catalogue's terms filled in; its other gaps stay open."""
        catalogue: Texts | None = self
        while catalogue is not None and key not in catalogue._sentences:
            catalogue = catalogue._fallback
        if catalogue is None:
            raise KeyError(f"no text {key!r}")
        return catalogue._sentences[key][lang].format_map(_Gaps(term=_Terms(self, lang)))

    def missing(self) -> list[str]:
        """The keys that lack a language in which authors write."""
        return [
            f"{key}.{lang}"
            for key, sentences in self._sentences.items()
            for lang in AUTHORED
            if not sentences.get(lang, "").strip()
        ]

    def __iter__(self) -> Iterator[str]:
        """Every key of this catalogue, without those of the fallback."""
        return iter(self._sentences)


class _Gaps(dict[str, Any]):
    """The values for a sentence's gaps; unknown gaps stay open."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class _Terms:
    """This catalogue's words for the things in its fallback's sentences, by name."""

    def __init__(self, texts: Texts, lang: str) -> None:
        self._texts = texts
        self._lang = lang

    def __getitem__(self, name: str) -> str:
        return self._texts.say(f"term.{name}", self._lang)


def plain(text: str) -> str:
    r"""A text without capitals and accents, with ordinary spaces, for comparing typed texts.

    >>> plain("Canoë"), plain("S\u2019arrêter\xa0ici")
    ('canoe', "s'arreter ici")
    """
    apart = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return re.sub(r"\s+", " ", "".join(one for one in apart if not unicodedata.combining(one)))


def spaced(text: str, lang: str) -> str:
    r"""A text with the no-break spaces of French punctuation.

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
            for lang in AUTHORED if isinstance(branch.get(lang), str)
        }
        if sentences:
            yield prefix + name, sentences
        yield from _leaves(branch, f"{prefix}{name}.")


def span(low: int, high: int) -> str:
    """A range from one number to another.

    >>> span(3, 6), span(2, 2)
    ('3–6', '2')
    """
    return str(low) if low == high else f"{low}–{high}"


def number(value: float, lang: str, digits: int = 0) -> str:
    r"""A number as the language writes it, with so many decimals.

    >>> number(1234.5, "en", 1), number(1234.5, "fr", 1)
    ('1,234.5', '1\u202f234,5')
    """
    language = languages()[lang]
    parts = f"{value:,.{digits}f}".split(".")
    return language.decimal.join([parts[0].replace(",", language.thousands), *parts[1:]])


def date(day: datetime.date, lang: str) -> str:
    r"""A day as people write it.

    >>> date(datetime.date(2026, 11, 18), "fr"), date(datetime.date(2026, 3, 1), "fr")
    ('18\xa0novembre\xa02026', '1er\xa0mars\xa02026')
    """
    key = "date.first" if day.day == 1 else "date.day"
    month = house().say(f"month.{day.month}", lang)
    return house().say(key, lang, day=day.day, month=month, year=day.year).replace(" ", "\xa0")


@cache
def house() -> Texts:
    """The catalogue that all games share."""
    return Texts.read(Path(__file__).with_name("texts.toml"))


def speak(lang: str | None = None) -> str:
    """The language to use: the requested one, else the one of the environment.

    If the environment names an unknown language, or none, it is English.
    """
    for wish in (lang, *(os.environ.get(name) for name in ("ESCALE_LANG", "LC_ALL", "LANG"))):
        code = re.split(r"[-_.@]", wish or "")[0].lower()
        if code in LANGUAGES:
            return code
    return SOURCE
