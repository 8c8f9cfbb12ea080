"""Other languages: writes sentences to PO files, reads translations, lists what is missing."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from escale.devkit import po
from escale.game.errors import BadOption, BadSetting
from escale.game.languages import (
    AUTHORED,
    CODE,
    PACKAGE,
    SOURCE,
    Language,
    Sentence,
    catalogue_name,
    fits,
    languages,
    read_language,
)
from escale.game.rules_page import rule_sentences
from escale.game.texts import Texts
from escale.games import games

TWO_FORMS = "nplurals=2; plural=(n != 1);"


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to translate."""

    key: str
    source: Sentence
    french: Sentence


@cache
def catalogues() -> Mapping[str, tuple[Unit, ...]]:
    """All that can be translated, by catalogue: sentences, rules, examples and lessons."""
    folders = {path.parent for path in PACKAGE.rglob("texts.toml")}
    folders |= {game.folder for game in games()}
    return {catalogue_name(folder): tuple(_units(folder)) for folder in sorted(folders)}


def _units(folder: Path) -> list[Unit]:
    units = []
    texts = Texts.read(folder / "texts.toml")
    keys = set(texts)
    for key in texts:
        stem, _, form = key.rpartition(".")
        pair = form in ("one", "many") and {f"{stem}.one", f"{stem}.many"} <= keys
        if pair and form == "one":
            source, french = (_pair(texts, stem, lang) for lang in (SOURCE, "fr"))
            units.append(Unit(f"texts.{stem}", source, french))
        elif not pair:
            source, french = (texts.sentence(key, lang) for lang in (SOURCE, "fr"))
            units.append(Unit(f"texts.{key}", source, french))
    if (folder / f"rules.{SOURCE}.md").exists():
        pages = {
            lang: rule_sentences((folder / f"rules.{lang}.md").read_text("utf-8"))
            for lang in AUTHORED
        }
        units += [
            Unit(f"rules.{key}", said, pages["fr"][key]) for key, said in pages[SOURCE].items()
        ]
    if (folder / "examples.toml").exists():
        for table in tomllib.loads((folder / "examples.toml").read_text("utf-8"))["example"]:
            units.append(Unit(f"example.{table['id']}", table[SOURCE], table["fr"]))
    if (folder / "lessons.toml").exists():
        tree = tomllib.loads((folder / "lessons.toml").read_text("utf-8"))
        for table in (*tree.get("step", ()), *tree.get("task", ())):
            units += [
                Unit(f"lesson.{table['id']}.{name}", table[name][SOURCE], table[name]["fr"])
                for name in ("ask", "done", "other") if name in table
            ]
    return units


def _pair(texts: Texts, stem: str, lang: str) -> Sentence:
    return texts.sentence(f"{stem}.one", lang), texts.sentence(f"{stem}.many", lang)


# ---- out ----


def export(language: Language, folder: Path) -> list[Path]:
    """Write a PO file for each catalogue, with the existing translations; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, units in catalogues().items():
        header = (
            ("Project-Id-Version", "escale"), ("Language", language.code),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"), ("Plural-Forms", language.plurals),
            ("X-Language-Name", language.name), ("X-Fallback", language.fallback),
            ("X-Catalogue", name),
        )
        known = _stored(language.folder, name)
        entries = [_entry(unit, known.get(unit.key, {}), language) for unit in units]
        path = folder / f"{name.replace('/', '-')}.po"
        path.write_text(po.write(header, entries), "utf-8")
        written.append(path)
    return written


def _entry(unit: Unit, stored: Mapping[str, Sentence], language: Language) -> po.Entry:
    said = stored.get(language.code)
    flags = {"python-brace-format"} if "{" in str(unit.source) else set()
    if said is not None and stored.get(SOURCE) != unit.source:
        flags.add("fuzzy")                          # the English sentence has changed since then
    if isinstance(unit.source, str):
        notes = (f"fr: {unit.french}",)
        texts = [said] if isinstance(said, str) else [""]
        return po.Entry(unit.key, unit.source, None, texts, notes, frozenset(flags))
    forms = list(said) if isinstance(said, tuple) else [""] * language.forms
    notes = (f"fr: {' / '.join(unit.french)}",)
    return po.Entry(unit.key, unit.source[0], unit.source[1], forms, notes, frozenset(flags))


def _stored(folder: Path | None, name: str) -> dict[str, dict[str, Sentence]]:
    """The translations of a catalogue in a language's folder, outdated ones included."""
    path = folder / f"{name}.toml" if folder else None
    tree = tomllib.loads(path.read_text("utf-8")) if path and path.exists() else {}
    return {
        key: {code: tuple(said) if isinstance(said, list) else said for code, said in table.items()}
        for key, table in tree.items()
    }


# ---- in ----


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of reading PO files."""

    language: Language
    taken: int
    refused: tuple[str, ...]
    """Keys of translations that lack a gap or a form, or translate an older sentence."""


def import_files(folder: Path, home: Path) -> Imported:
    """Read the PO files of a folder into a language's folder of catalogues in `home`."""
    files = {}
    for path in sorted(folder.glob("*.po")):
        try:
            files[path] = po.read(path.read_text("utf-8"))
        except ValueError as error:
            raise BadOption(f"{path}: {error}") from None
    if not files:
        raise BadSetting("texts-files", folder=folder)
    language = _language(next(iter(files.values()))[0], home)
    taken, refused = 0, []
    for path, (header, entries) in files.items():
        name = header.get("X-Catalogue", "")
        if name not in catalogues() or header.get("Language") != language.code:
            raise BadSetting("texts-file", path=path, code=language.code)
        units = {unit.key: unit for unit in catalogues()[name]}
        stored = _stored(language.folder, name)
        for entry in entries:
            if not any(entry.said) or "fuzzy" in entry.flags:
                continue
            unit = units.get(entry.context)
            plain = entry.plural is None
            source = entry.source if plain else (entry.source, entry.plural)
            said = entry.said[0] if plain else tuple(entry.said)
            if unit is None or source != unit.source or not _fits(said, unit.source, language):
                refused.append(f"{name}: {entry.context}")
                continue
            stored[entry.context] = {SOURCE: unit.source, language.code: said}
            taken += 1
        _write(language, name, {key: table for key, table in stored.items() if key in units})
    return Imported(language, taken, tuple(refused))


def _language(header: Mapping[str, str], home: Path) -> Language:
    """The language that a PO file says it is in, with its folder."""
    code = header.get("Language", "")
    if not CODE.fullmatch(code) or code in AUTHORED:
        raise BadSetting("texts-language", known=AUTHORED, got=code[:20])
    folder = home / code
    try:
        language = Language(
            code, header.get("X-Language-Name") or code, header.get("Plural-Forms") or TWO_FORMS,
            header.get("X-Fallback") or SOURCE, folder=folder,
        )
    except ValueError as error:
        raise BadOption(str(error)) from None
    folder.mkdir(parents=True, exist_ok=True)
    described = "".join(
        f"{name} = {_toml(getattr(language, name))}\n" for name in ("name", "plurals", "fallback")
    )
    (folder / "language.toml").write_text(described, "utf-8")
    return read_language(folder)


def _fits(said: Sentence, source: Sentence, language: Language) -> bool:
    return fits(said, source, language.forms)


def _write(language: Language, name: str, tables: Mapping[str, Mapping[str, Sentence]]) -> None:
    assert language.folder is not None
    path = language.folder / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(
        f"[{_toml(key)}]\n" + "".join(f"{code} = {_toml(said)}\n" for code, said in table.items())
        for key, table in tables.items()
    )
    path.write_text(text, "utf-8")


def _toml(value: Sentence) -> str:
    return json.dumps(value, ensure_ascii=False)    # a string of JSON is one of TOML


# ---- the progress of a language ----


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of one catalogue in a language."""

    catalogue: str
    whole: int
    missing: tuple[str, ...]
    outdated: tuple[str, ...]
    """Keys whose English sentence has changed since then, or whose gaps do not fit."""


def status(language: Language) -> list[Status]:
    """The missing translations of a language, by catalogue."""
    found = []
    for name, units in catalogues().items():
        stored = _stored(language.folder, name)
        missing, outdated = [], []
        for unit in units:
            table = stored.get(unit.key, {})
            said = table.get(language.code)
            if said is None:
                missing.append(unit.key)
            elif table.get(SOURCE) != unit.source or not _fits(said, unit.source, language):
                outdated.append(unit.key)
        found.append(Status(name, len(units), tuple(missing), tuple(outdated)))
    return found


def language_of(code: str, name: str | None, plurals: str | None, fallback: str) -> Language:
    """A language that is known, or a new one."""
    if code in AUTHORED:
        raise BadSetting("texts-authored", code=code)
    if code in languages():
        return languages()[code]
    try:
        return Language(code, name or code, plurals or TWO_FORMS, fallback)
    except ValueError as error:
        raise BadOption(str(error)) from None
