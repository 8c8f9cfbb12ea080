"""Refusals: the right paragraph, the right cells and a sentence for whatever may be attempted."""

from __future__ import annotations

import importlib
import random
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

import escale
from escale.game.errors import BadPosition, IllegalMove
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import LANGUAGES, spaced
from tests.games import part_of
from tests.games.refusals import Case
from tests.sizes import sized


def paragraphs_of(game: Game[Any]) -> dict[str, str] | None:
    """What each refusal cites, for games that list it: every sentence then has its case."""
    module = importlib.import_module(f"{type(game).__module__}.refusals")
    found: dict[str, str] | None = getattr(module, "PARAGRAPHS", None)
    return found


def cases_of(game: Game[Any]) -> list[Case]:
    module = part_of(game, "refusals")
    return module.CASES if module else []


PARAGRAPHS = {
    game.slug: found for game in escale.games() if (found := paragraphs_of(game)) is not None
}
CASES = [case for game in escale.games() for case in cases_of(game)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.key}-{case.attempt}")
def test_the_sentence(case: Case) -> None:
    with pytest.raises(IllegalMove) as caught:
        case.position().play(case.attempt)
    refusal = caught.value.refusal
    assert refusal.key == case.key
    assert refusal.paragraph == PARAGRAPHS[case.game][case.key]
    assert sorted(refusal.cells) == sorted(case.cells.split(", "))
    rule = escale.game(case.game).rules["fr"].numbers[refusal.paragraph]
    assert refusal.text("fr") == spaced(f"{case.fr} (Règle {rule}.)", "fr")
    assert refusal.text("en") == f"{case.en} (Rule {rule}.)"


@pytest.mark.parametrize("slug", PARAGRAPHS)
def test_every_sentence_has_a_case(slug: str) -> None:
    assert set(PARAGRAPHS[slug]) == {case.key for case in CASES if case.game == slug}


@pytest.mark.parametrize("slug", PARAGRAPHS)
def test_every_sentence_is_used(slug: str) -> None:
    texts = tomllib.loads((escale.game(slug).folder / "texts.toml").read_text("utf-8"))
    assert set(texts["refusal"]) == set(PARAGRAPHS[slug])


# ---- whatever may be attempted ----


def visited(game: Game[Any], rng: random.Random, games: int) -> Iterator[Position]:
    """Positions of games played at random, with options chosen at random."""
    for _ in range(games):
        chosen = {option.name: rng.choice(option.values) for option in game.options}
        position = game.start(seats=None, seed=None, **chosen)
        while position.moves():
            position = position.play(rng.choice(position.moves()))
            if rng.random() < 0.2:
                yield position


def scattered(game: Game[Any], rng: random.Random, boards: int) -> Iterator[Position]:
    """Positions with a few pieces thrown on the board, likely or not."""
    places = [cell.id for cell in game.board.cells]
    for _ in range(boards):
        pieces = rng.sample(places, rng.randint(2, 9))
        board = game.write_board({place: rng.choice([*game.board.kinds]) for place in pieces})
        options = [f"{option.name}={rng.choice(option.values)}" for option in game.options]
        try:
            yield game.position(" ".join([board, rng.choice(game.seat_names), "0", *options]))
        except BadPosition:
            continue


def attempted(position: Position, rng: random.Random) -> Iterator[Atoms]:
    """Atoms thrown together, moves begun well that end badly, and those of another option."""
    known = sorted(position.game.vocabulary(position.options))
    mine = [*position.choices().next, *position.cells]
    first = [atom for atom in mine if atom in known] or known
    for _ in range(4):
        yield tuple(rng.choice(known) for _ in range(rng.randint(1, 5)))
        yield (rng.choice(first), *(rng.choice(known) for _ in range(rng.randint(0, 3))))
    for _ in range(4):
        atoms: Atoms = ()
        node = position.choices()
        while node.next and rng.random() < 0.8:
            atoms += (rng.choice([*node.next]),)
            node = node.next[atoms[-1]]
        yield (*atoms, *(rng.choice(known) for _ in range(rng.randint(0, 2))))
    if position.options.changed:
        words = [w for w in position.text.split() if w.split("=")[0] not in position.options]
        with suppress(BadPosition):         # an option may allow what is impossible without it
            usual = position.game.position(" ".join(words)).moves()
            yield from (move.atoms for move in rng.sample(usual, min(4, len(usual))))


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: game.slug)
def test_nothing_makes_it_stumble(game: Game[Any]) -> None:
    rng = random.Random(f"refusals of {game.slug}")
    tables = [*visited(game, rng, sized(8, 40, 8))]
    shown = {game.position(e.position): game.split(e.attempt) for e in game.examples if e.attempt}
    if game.slug in PARAGRAPHS:
        tables += scattered(game, rng, sized(1500, 6000, 1500))
    known = game.rules["fr"].numbers
    places = {cell.id for cell in game.board.cells} | {area.id for area in game.board.areas}
    cited = set()
    for position in [*tables, *shown]:
        for atoms in [*attempted(position, rng), shown.get(position, ())]:
            node = position.choices().after(*atoms)
            if not atoms or (node is not None and node.move is not None):
                continue
            refusal = explain(position, atoms)
            assert refusal.paragraph is None or refusal.paragraph in known
            for lang in LANGUAGES:
                assert refusal.text(lang).strip()
            if position.turn is None:
                assert refusal.key == "over"
            elif game.slug in PARAGRAPHS and position.turn >= 0:
                assert refusal.key in PARAGRAPHS[game.slug], (position.text, atoms)
                assert refusal.paragraph == PARAGRAPHS[game.slug][refusal.key]
                assert refusal.cells
                assert set(refusal.cells) <= places
                cited.add(refusal.key)
    assert cited == set(PARAGRAPHS.get(game.slug, ())), "every refusal came up"


@pytest.mark.parametrize("slug", ["qenj1", "qenj2", "qenj3", "qenj4"])
def test_a_piece_that_may_well_move_is_not_crossed_out(slug: str) -> None:
    """What is lit is the place that cannot be, or what stands in the way there."""
    game = escale.game(slug)
    rng = random.Random(f"crossed out at {slug}")
    keys = set()
    for position in visited(game, rng, sized(8, 40, 8)):
        if position.turn is None or position.turn < 0:
            continue
        cells = [cell.id for cell in game.board.cells]
        for first in position.choices().next:
            for second in rng.sample(cells, 6):
                node = position.choices().after(first, second)
                if node is not None or first in ("pass", second):
                    continue
                refusal = explain(position, (first, second))
                keys.add(refusal.key)
                assert first not in refusal.cells, (position.text, first, second)
    assert {"wrong-way", "gone"} <= keys or slug == "qenj2"
    assert keys & {"not-so-far", "too-far", "not-nearest"}


def test_a_cell_in_place_of_a_column_is_refused_for_what_is_wrong_with_the_column() -> None:
    position = escale.game("qenj2").start(setup="quick", seed=2).play("north")
    piece = next(atom for atom in position.choices().next if atom.endswith("6"))
    right = next(iter(position.choices().next[piece].next))
    force = int(str(position.cells[piece])[-1])
    wrong = next(letter for letter in "abcdefghijkl"
                 if letter not in position.choices().next[piece].next and letter != piece[0]
                 and abs(ord(letter) - ord(piece[0])) != force)
    assert explain(position, (piece, f"{wrong}2")).key == "not-so-far"
    assert explain(position, (piece, f"{wrong}2")).cells == (f"{wrong}2",)
    assert explain(position, (piece, f"{right}2")).key == "column-next"    # typed, a letter is due
    assert explain(position, (piece, right, f"{right}5")).key == "side-next"
    assert explain(position, (piece, right, f"{right}5")).cells == (f"{right}5",)
