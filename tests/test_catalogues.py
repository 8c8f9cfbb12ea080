"""Every catalogue, sentence by sentence: French typography, and words that must not appear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import escale
from escale.game.game import Game
from escale.game.texts import LANGUAGES, Texts
from escale.study.lessons import lesson

ROOT = Path(__file__).parent.parent
SOURCES = Path(escale.__file__).parent
CATALOGUES = sorted(SOURCES.rglob("texts.toml")) + sorted((ROOT / "examples").rglob("texts.toml"))

every_catalogue = pytest.mark.parametrize(
    "path", CATALOGUES, ids=lambda path: str(path.parent.name)
)

#: What a catalogue never has, by language: each with what to write instead.
MISSET = {
    "fr": {
        r"'": "’",
        r'"': "« »",
        r"[“”]": "« »",
        r"\.\.\.": "…",
        r"«(?!\xa0)|(?<!\xa0)»": "no-break spaces within « »",
        r"[^\s(][;!?](?!\S)": "a narrow no-break space before ; ! ?",
    },
    "en": {
        r"'": "’",
        r'"': "“ ”",
        r"[«»]": "“ ”",
        r"\.\.\.": "…",
        r"\s[:;!]": "no space before : ; !",
    },
}

#: Words and turns that have been mended once; each with what to write instead.
MENDED = {
    "fr": {
        r"\b(une|d’|les|plus d’|et) ?adverses?\b": "une tortue adverse, l’adversaire",
        r"suit du secret": "découle du secret",
        r"(^|\. )Possible(\xa0| avec)": "Coups possibles, Cases possibles",
        r"n’est rien": "ne désigne rien",
        r"\bCauser\b": "Discuter",
        r"À l’autre de jouer": "À votre adversaire de jouer",
        r"\bdress[ée]": "préparer, ouvrir une table",
        r"[Ll]e sort (parle|pos)|au sort de parler": "tirage au sort, au hasard",
        r"ne se demande pas": "another verb",
        r"s’asso(it|ient|ie)\b": "s’assied",
        r"\bsièges?\b": "place",
        r"règles exactes": "règles",
        r"carte (bleu|vert|violet)\b": "the feminine",
        r"\b(south|north|fill|repeat|pass|reserve|redraw)\b": "a French word",
        r"(^|[.:;] )Qui (les|l’|remplit|ouvre)\b": "celui qui, la personne qui",
        r"comptés ensemble|[Dd]e plusieurs arrivés": "les deux joueurs confondus, si plusieurs",
        r"toute barrée|points de trop|avec place libre": "complètement bloquée, en trop",
        r"\bFournissez\b|À vous d’ouvrir": "Servez, À vous d’entamer",
        r"\b[Uu]n à une\b": "un galet, une colonne",
        r"centièmes|[Mm]oniteur|Faites flotter|Passes de suite": "another word",
    },
    "en": {
        r"\b[Ll]ots?\b": "drawn at random, a draw",
        r"running games?": "games in progress",
        r"\breckon": "calculate, count",
        r"stares one": "the obvious moves",
        r"finds? the dealer": "decides who deals",
        r"” is nothing": "means nothing here",
        r"exact rules": "rules",
        r"\bthere is no (passing|stopping)\b": "you cannot",
        r"\bone (can|may|gets|sends|watches)\b": "you",
        r"two there are|points that are too many": "only two to be won, surplus points",
        r"\bOne by one, two by two\b|Set those of": "one pebble, one column",
        r"worth nothing, neither|are not concerned": "neither counts, are unaffected",
        r"\bBetter was\b|\bWell seen\b": "was better, well spotted",
        r"\bleapt\b|\bLook who\b|token is no bot|emptied leaves": "another verb",
        r"\b(of|[Tt]he|[Hh]as|a) forces?\b|\b[Ff]orce \d": "strength",
    },
}

#: What each game calls its things, and what it therefore never says.
FOREIGN = {
    "canoe": {"fr": r"\bpièces?\b", "en": r"\bpieces?\b"},
    "canyon-1972": {"fr": r"\bpièces?\b", "en": r"\bpieces?\b"},
    "qenj1": {"fr": r"\bpièces?\b|\bgalets?\b|\bbandes?\b|\blances?\b|\bencoches?\b",
              "en": r"\bpebbles?\b|\bbands?\b|\bspears?\b|\bnotch(es)?\b"},
    "qenj2": {"fr": r"\bpièces?\b|\bgalets?\b|\bbandes?\b|\blances?\b|\bencoches?\b",
              "en": r"\bpebbles?\b|\bbands?\b|\bspears?\b|\bnotch(es)?\b"},
    "qenj3": {"fr": r"\bpièces?\b|\bpions?\b|\bbandes?\b|\bflèches?\b|\bencoches?\b",
              "en": r"\bpieces?\b|\bbands?\b|\barrows?\b|\bnotch(es)?\b"},
    "qenj4": {"fr": r"\bpièces?\b|\bpions?\b|\bcolonnes?\b|\bflèches?\b|\blances?\b",
              "en": r"\bpieces?\b|\bcolumns?\b|\barrows?\b|\bspears?\b"},
    "tortuga": {"fr": r"\bpièces?\b|\bpions?\b", "en": r"\bpieces?\b|\bpawns?\b"},
}


def found(texts: Texts, words: dict[str, dict[str, str]]) -> Iterator[str]:
    """Where a catalogue has what it should not."""
    for key in texts:
        for lang in LANGUAGES:
            sentence = re.sub(r"\{[^}]*\}", "x", texts.sentence(key, lang))
            sentence = re.sub(r"pip install .*", "", sentence)
            for pattern, instead in words[lang].items():
                if re.search(pattern, sentence):
                    yield f"{key}.{lang}: {sentence!r}: {instead}"


@every_catalogue
def test_quotation_marks_apostrophes_and_spaces_are_those_of_the_language(path: Path) -> None:
    assert list(found(Texts.read(path), MISSET)) == []


@every_catalogue
def test_no_sentence_is_spaced_carelessly(path: Path) -> None:
    texts = Texts.read(path)
    for key in texts:
        for lang in LANGUAGES:
            sentence = texts.sentence(key, lang)
            assert not re.search(r"(?<=\S)  |\t| [,.]", sentence), f"{key}.{lang}"
            asks = key in ("table.your-move", "shelf.choose", "shelf.against")
            begins = key in ("refusal-rule", "analysis.effort")
            assert sentence == sentence.strip() or asks or begins, f"{key}.{lang}"


@every_catalogue
def test_no_sentence_falls_back_to_what_was_mended(path: Path) -> None:
    assert list(found(Texts.read(path), MENDED)) == []


@every_catalogue
def test_a_sentence_ends_in_the_same_way_in_every_language(path: Path) -> None:
    texts = Texts.read(path)
    for key in texts:
        ends = {re.sub(r"[\xa0\u202f ]", "", texts.sentence(key, lang))[-1:] for lang in LANGUAGES}
        marks = {end if end in ".!?…:" else "" for end in ends}
        assert len(marks) == 1, f"{key} ends with {sorted(ends)}"


@pytest.mark.parametrize("slug", FOREIGN)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_calls_its_things_by_its_own_words(slug: str, lang: str) -> None:
    """Its refusals, endings, changes and options, those of its family included."""
    game = escale.game(slug)
    folders = (game.folder, game.folder.parent)
    catalogues = [Texts.read(path) for each in folders if (path := each / "texts.toml").exists()]
    for key in {key for texts in catalogues for key in texts}:
        if key.split(".")[0] in ("refusal", "ending", "change", "option"):
            gaps = next(gaps_of(texts, key, lang) for texts in catalogues if key in texts)
            sentence = game.texts.say(key, lang, **gaps)
            assert not re.search(FOREIGN[slug][lang], sentence), f"{key}: {sentence}"
        elif key.split(".")[0] in ("atom", "area", "piece", "word"):
            assert not re.search(FOREIGN[slug][lang], game.texts.say(key, lang)), key


def gaps_of(texts: Texts, key: str, lang: str) -> dict[str, str]:
    """Something for each gap of a sentence, except for the terms, which the game has."""
    names = {name for _, name, _, _ in Formatter().parse(texts.sentence(key, lang)) if name}
    return {name: "x" for name in names if not name.startswith("term[")}


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: str(game.slug))
def test_lessons_are_set_like_catalogues_and_use_their_game_s_words(game: Game[Any]) -> None:
    taught = lesson(game)
    assert taught is not None
    texts = Texts({
        step.id: {"ask": step.ask, "done": step.done, "other": step.other or {}}
        for step in taught.steps
    })
    foreign = FOREIGN.get(game.slug, {})
    wrong = {lang: {foreign.get(lang, "(?!)"): "its own word"} for lang in LANGUAGES}
    assert [*found(texts, MISSET), *found(texts, MENDED), *found(texts, wrong)] == []
