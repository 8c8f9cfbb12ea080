"""Other languages: PO files out and in, every page, and what stands in where a sentence lacks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import escale
from escale.cli import app
from escale.devkit import po
from escale.devkit.translating import catalogues, export, import_files, status
from escale.game import languages as module
from escale.game.errors import BadOption
from escale.game.examples import Example
from escale.game.languages import Language, languages, translated
from escale.game.rules_page import RulesPage
from escale.game.texts import Texts
from escale.web import FOLDER, STATIC
from escale.web.static_files import without_comments
from tests.pseudo_language import BEGIN, CODE, END, make

ROOT = Path(__file__).parent.parent
TORTUGA = Path(escale.__file__).parent / "games" / "tortuga"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of languages that this process reads."""
    folder = tmp_path / "languages"
    folder.mkdir()
    monkeypatch.setenv(module.VARIABLE, str(folder))
    yield folder
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Read the languages again."""
    languages.cache_clear()
    translated.cache_clear()


def fresh() -> Texts:
    """Tortuga's texts, with the languages that there are now."""
    house = Texts.read(Path(module.__file__).parent / "texts.toml")
    return Texts.read(TORTUGA / "texts.toml", house)


def mended(path: Path, key: str, **changed: object) -> None:
    """Change one entry of a PO file, as a translator would."""
    header, entries = po.read(path.read_text("utf-8"))
    entry, = (entry for entry in entries if entry.context == key)
    for name, value in changed.items():
        setattr(entry, name, value)
    path.write_text(po.write(header.items(), entries), "utf-8")


# ---- every page ----


def test_every_page_is_in_a_new_language_and_no_word_was_left(tmp_path: Path) -> None:
    """In a process of its own, as the languages are found when a program starts."""
    home = tmp_path / "languages"
    make(home)
    database = tmp_path / "house"
    database.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.pseudo_language", str(database)], cwd=ROOT, text=True,
        capture_output=True, timeout=300, env={**os.environ, module.VARIABLE: str(home)},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}


WORDS = r'"[^"\n]*[^\W\d_]{2,}[^"\n]*"'
SINKS = (
    rf"(?:textContent|innerText|title|placeholder)\s*=\s*{WORDS}",
    rf"\b(?:\"aria-label\"|title|placeholder|alt)\s*:\s*{WORDS}",
    rf"\.(?:append|prepend|replaceChildren)\(\s*{WORDS}",
    rf"\bh\(\"\w+\", \{{[^{{}}]*\}},\s*{WORDS}",
    rf"\b(?:alert|confirm|prompt)\(\s*{WORDS}",
)


@pytest.mark.parametrize("path", sorted((STATIC / "js").glob("*.js")), ids=lambda path: path.name)
def test_no_script_shows_words_of_its_own(path: Path) -> None:
    code = without_comments(path.read_text("utf-8"))
    assert [found for sink in SINKS for found in re.findall(sink, code)] == []


# ---- sentence by sentence ----


def test_what_is_missing_stands_in_english_and_is_counted(home: Path) -> None:
    language = make(home, without="texts.refusal.")
    forget()
    texts = Texts.read(TORTUGA / "texts.toml")
    assert texts.say("goal", CODE).startswith(BEGIN)
    assert texts.say("refusal.corner", CODE, to="a4") == texts.say("refusal.corner", "en", to="a4")
    missing = {part.catalogue: part.missing for part in status(language)}
    assert "texts.refusal.corner" in missing["games/tortuga"]
    assert all(key.startswith("texts.refusal.") for keys in missing.values() for key in keys)
    assert missing["web"] == ()


def test_a_language_may_name_french_as_what_stands_in(home: Path) -> None:
    folder = home / "oc"
    folder.mkdir()
    (folder / "language.toml").write_text(
        'name = "Occitan"\nplurals = "nplurals=2; plural=(n > 1);"\nfallback = "fr"\n', "utf-8"
    )
    forget()
    texts = Texts.read(TORTUGA / "texts.toml")
    assert texts.say("goal", "oc") == texts.say("goal", "fr")
    assert texts.count("tally.turtles", "oc", 0) == "0 tortue debout"


def test_a_sentence_whose_original_has_changed_is_not_shown(home: Path, tmp_path: Path) -> None:
    language = make(home)
    path = home / CODE / "games" / "tortuga.toml"
    path.write_text(path.read_text("utf-8").replace('en = "North"', 'en = "Northern"'), "utf-8")
    forget()
    assert Texts.read(TORTUGA / "texts.toml").say("seat.north", CODE) == "North"
    part, = (part for part in status(language) if part.catalogue == "games/tortuga")
    assert part.outdated == ("texts.seat.north", "texts.option.first.north")
    export(language, tmp_path / "again")
    _, entries = po.read((tmp_path / "again" / "games-tortuga.po").read_text("utf-8"))
    fuzzy = [entry for entry in entries if "fuzzy" in entry.flags]
    assert [entry.context for entry in fuzzy] == list(part.outdated)
    assert fuzzy[0].said == [f"{BEGIN}North{END}"]


@pytest.mark.parametrize("said", ["Nothing in braces", "{cell} {other}", "{cell", "{cell} {}"])
def test_a_sentence_with_other_gaps_is_refused_and_never_shown(home: Path, said: str) -> None:
    language = make(home)
    key = "texts.refusal.not-yours"
    mended(home / "po" / "games-tortuga.po", key, said=[said])
    assert import_files(home / "po", home).refused == (f"games/tortuga: {key}",)
    path = home / CODE / "games" / "tortuga.toml"
    right = Texts.read(TORTUGA / "texts.toml").sentence("refusal.not-yours", "en")
    path.write_text(
        path.read_text("utf-8").replace(f"{BEGIN}{right}{END}", said), "utf-8"
    )
    forget()
    texts = Texts.read(TORTUGA / "texts.toml")
    assert texts.say("refusal.not-yours", CODE, cell="a1").startswith("The turtle on a1")
    assert any(key in part.outdated for part in status(language))


def test_a_language_has_as_many_plural_forms_as_it_needs(home: Path) -> None:
    make(home)
    forget()
    texts = Texts.read(TORTUGA / "texts.toml")
    told = [texts.count("tally.turtles", CODE, number) for number in (1, 3, 7)]
    forms = ((1, 0), (3, 1), (7, 2))
    assert told == [f"{BEGIN}{n} turtles standing ~{form}{END}" for n, form in forms]


def test_rules_examples_and_lessons_are_translated_too(home: Path) -> None:
    make(home, without="rules.rule.jump")
    forget()
    game = escale.game("tortuga")
    page = RulesPage.parse(game._rules_text(CODE), CODE, fresh())
    english = game.rules["en"]
    assert list(page.numbers) == list(english.numbers)
    kept = [rule.provenance for rule in page.paragraphs]
    assert kept == [rule.provenance for rule in english.paragraphs]
    for rule, original in zip(page.paragraphs, english.paragraphs, strict=True):
        assert rule.text.startswith(BEGIN) != (rule.id == "jump")
        assert rule.id != "jump" or rule.text == original.text
    assert page.introduction.startswith(BEGIN)
    assert all(word.startswith(BEGIN) for word in page.glossary)
    assert page.sources.keys() == english.sources.keys()
    examples = Example.read(TORTUGA / "examples.toml")
    assert all(example.caption[CODE].startswith(BEGIN) for example in examples)


def test_what_is_broken_in_a_rules_page_of_another_language_does_not_break_it(home: Path) -> None:
    make(home)
    files = home / "po"
    mended(files / "games-tortuga.po", "rules.glossary.1", said=["a word that explains nothing"])
    import_files(files, home)
    forget()
    game = escale.game("tortuga")
    page = RulesPage.parse(game._rules_text(CODE), CODE, fresh())
    assert next(iter(page.glossary)) == "friend"


# ---- the files ----


def test_all_that_people_read_is_exported(tmp_path: Path) -> None:
    found = catalogues()
    assert {"web", "game", "study", "server", "cli", "games/qenj", "games/qenj/qenj1"} <= set(found)
    web = {unit.key for unit in found["web"]}
    assert {f"texts.{key}" for key in Texts.read(FOLDER / "texts.toml")} - web == {
        f"texts.{key}.{form}" for key in (
            one.removesuffix(".one") for one in Texts.read(FOLDER / "texts.toml")
            if one.endswith(".one")
        ) for form in ("one", "many")
    }
    files = export(Language("de", "Deutsch", "nplurals=2; plural=(n != 1);"), tmp_path)
    assert len(files) == len(found)
    text = (tmp_path / "games-tortuga.po").read_text("utf-8")
    assert '"Language: de\\n"' in text
    assert "#. fr: Sud\n" in text


def test_a_po_file_comes_back_as_it_was_written() -> None:
    entries = [
        po.Entry("a", 'He said "no"\\', None, ["Zeile 1\nZeile 2\n\tEnde"]),
        po.Entry("b", "one", "many", ["eins", "zwei"], (), frozenset({"fuzzy"})),
    ]
    header = {"Language": "de", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
    assert po.read(po.write(header.items(), entries)) == (header, entries)


def test_po_files_of_other_tools_are_read() -> None:
    header, entries = po.read(
        'msgid ""\nmsgstr "Language: de\\n"\n\n#: here.py:1\n#  a remark\n#, fuzzy, c-format\n'
        'msgctxt "k"\nmsgid "long "\n"text"\nmsgstr ""\n"langer "\n"Text"\n'
        '#~ msgid "old"\n#~ msgstr "alt"\nmsgctxt "l"\nmsgid "x"\nmsgstr "y"\n'
    )
    assert header == {"Language": "de"}
    assert [(one.context, one.source, one.said) for one in entries] == [
        ("k", "long text", ["langer Text"]), ("l", "x", ["y"]),
    ]
    assert entries[0].flags == {"fuzzy", "c-format"}
    with pytest.raises(ValueError, match="line 2"):
        po.read('msgid "a"\nmsgstr oops\n')


@pytest.mark.parametrize(("code", "plurals"), [
    ("deu1", "nplurals=2; plural=(n != 1);"), ("../de", "nplurals=2; plural=(n != 1);"),
    ("de", "plural=n"), ("de", "nplurals=2; plural=__import__('os')"),
    ("de", "nplurals=9; plural=0;"),
])
def test_a_language_that_cannot_be_is_refused(code: str, plurals: str) -> None:
    with pytest.raises(ValueError, match=r"plural|fallback"):
        Language(code, "X", plurals)


def test_the_commands(home: Path, tmp_path: Path) -> None:
    run = CliRunner()
    files = tmp_path / "po"
    done = run.invoke(app, ["texts", "export", "de", str(files), "--name", "Deutsch"])
    assert done.exit_code == 0, done.output
    mended(files / "games-tortuga.po", "texts.seat.south", said=["Süd"])
    hours = ["vor {number} Stunde", "vor {number} Stunden"]
    mended(files / "web.po", "texts.ago.hours", said=hours)
    done = run.invoke(app, ["texts", "import", str(files), "--lang", "fr"])
    assert done.exit_code == 0, done.output
    assert "Deutsch" in done.output
    forget()
    assert Texts.read(TORTUGA / "texts.toml").say("seat.south", "de") == "Süd"
    pages = Texts.read(FOLDER / "texts.toml")
    assert pages.count("ago.hours", "de", 3, number=3) == "vor 3 Stunden"
    done = run.invoke(app, ["texts", "status", "--lang", "en"])
    whole = sum(map(len, catalogues().values()))
    assert f"Deutsch: sentences translated, 2 of {whole} (0%). Missing: {whole - 2}." in done.output
    listed = run.invoke(app, ["texts", "status", "de", "--keys"]).output
    assert "games/tortuga: texts.seat.north" in listed
    assert "games/tortuga: texts.seat.south" not in listed


def test_what_is_no_translation_of_ours_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "x.po").write_text('msgid ""\nmsgstr "Language: de\\n"\n', "utf-8")
    with pytest.raises(BadOption, match="has exported"):
        import_files(tmp_path, home)
    with pytest.raises(BadOption, match="Expected files"):
        import_files(home, home)
    (tmp_path / "x.po").write_text('msgid ""\nmsgstr "Language: ../../x\\n"\n', "utf-8")
    with pytest.raises(BadOption, match="Expected a language"):
        import_files(tmp_path, home)
