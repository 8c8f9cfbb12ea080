"""The conformance kit: what every game must satisfy; its author runs `escale check GAME`.

- *facts*: everything the contract asks for is there and makes sense, places are cells;
- *texts*: every sentence exists in every language, with the same gaps, and so does every
  paragraph cited; every atom that is no cell has a name that people read;
- *rules pages*: every section that one learns from is there, with its figures; every paragraph
  says where it comes from, and no option or button is shown by its code;
- *examples*: each is as it says, and together they show every section, every paragraph that a
  refusal cites, every ending and every value of every option;
- *data*: the game's own data, such as a map, is valid;
- *art*: there is a symbol for every kind of piece;
- *moves*: in random games with every option, atoms are prefix-free, texts unique, moves lead to
  different positions, notation and position texts can be read back, changes say exactly what
  changes on the table, and atoms that have places occur;
- *games end*: with an outcome whose shares add up to 1;
- *transcripts*: a random match, written down and replayed, is the same match;
- *compiled as uncompiled*: both modes tell the same games, keys and evaluations.
"""

from __future__ import annotations

import itertools
import json
import re
import string
from collections.abc import Callable, Iterator
from typing import Any

from escale import kernel
from escale.devkit.examples import citable, example_faults
from escale.devkit.modes import differences
from escale.devkit.pages import page_faults
from escale.devkit.starts import random_starts
from escale.game.changes import retell
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.position import Position
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL, Seat
from escale.kernel import Random
from escale.match.match import Match

Report = list[tuple[str, list[str]]]
"""Each thing checked, with its faults."""

LONGEST = 100_000
"""A game that has not ended after this many moves is a fault."""
LOOKED_AT = 50
"""The first positions of a random game are all checked; after that, fewer and fewer are."""
MOST_OUTCOMES = 8
"""Chance outcomes of a position that are tried at most; all moves of seats are tried."""


def check(game: Game[Any], *, games: int = 50, seed: int = 1) -> Report:
    """Check one game, by playing `games` random games among other things."""
    report: Report = []
    for name, run in CHECKS.items():
        faults: list[str] = []
        try:
            faults.extend(run(game, games, seed))
        except Exception as error:  # a game under construction may raise anything
            faults.append(f"{type(error).__name__}: {error}")
        report.append((name, faults))
    return report


def _facts(game: Game[Any]) -> Iterator[str]:
    if not re.fullmatch("[a-z0-9-]+", game.slug):
        yield f"slug {game.slug!r} must be lower-case letters, digits and hyphens"
    fewest, most = game.seats
    if not 2 <= fewest <= most <= 6 or len(game.seat_names) != most:
        yield f"seats {game.seats} and seat names {game.seat_names} do not fit"
    game.choose(game.quick)
    if not game.authors or not game.mechanisms:
        yield "authors and mechanisms must not be empty"
    ids = [cell.id for cell in game.board.cells]
    if len(set(ids)) != len(ids):
        yield "two cells have the same name"
    if {cell for row in game.board.rows for cell in row} != set(ids):
        yield "the rows of the position's text do not list every cell once"
    letters = [kind.letter for kind in game.board.kinds.values()]
    if type(game).write_board is Game.write_board and any(len(letter) != 1 for letter in letters):
        yield "a kind of piece is written with one letter"
    if len(set(letters)) != len(letters):
        yield "every kind of piece needs a letter of its own"
    for atom, cells in game.board.places.items():
        if not set(cells) <= set(ids) or not cells:
            yield f"the places of {atom} are not cells of the board"


def _texts(game: Game[Any]) -> Iterator[str]:
    texts = game.texts
    yield from (f"missing text {key}" for key in texts.missing())
    for key in texts:
        gaps = {lang: _gaps(texts.sentence(key, lang)) for lang in LANGUAGES}
        if len(set(map(frozenset, gaps.values()))) > 1:
            yield f"text {key} has different gaps: {gaps}"
    wanted = [
        *(f"seat.{name}" for name in game.seat_names),
        *(f"piece.{name}" for name in game.board.kinds),
        *(f"option.{option.name}" for option in game.options),
        *(f"option.{o.name}.{value}" for o in game.options for value in o.values),
        *(f"ending.{ending.name}" for ending in game.endings),
        *(f"atom.{button}" for button in game.buttons),
        *(f"mechanism.{name}" for name in game.mechanisms),
    ]
    yield from (f"missing text {key}" for key in wanted if key not in texts)
    for atom in sorted(game.vocabulary(game.choose({})) - {cell.id for cell in game.board.cells}):
        if f"atom.{atom}" not in texts and atom in (game.label(atom, lang) for lang in LANGUAGES):
            yield f"the atom {atom} has no name that people read"
    cited = citable(game) | ({game.drawing} if game.drawing else set())
    for name in sorted(cited - game.rules[LANGUAGES[0]].numbers.keys()):
        yield f"paragraph {name} is cited but does not exist"


def _art(game: Game[Any]) -> Iterator[str]:
    for kind in game.board.kinds.values():
        if f'id="{game.slug}-{kind.symbol}"' not in game.art:
            yield f"art.svg has no symbol {game.slug}-{kind.symbol}"
    if re.search(r"<style|style=|<script|href=\"[^#]", game.art):
        yield "art.svg must have presentation attributes only, and no links"


def _moves(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    unused = set(game.board.places)
    for start, random in random_starts(game, games, seed):
        position = start
        for number in itertools.count():
            if position.turn is None:
                break
            if Random(number).below(1 + number // LOOKED_AT) == 0:
                yield from (f"{position.text}: {fault}" for fault in faults_of(position))
            moves = position.moves()
            if unused:
                unused.difference_update(atom for move in moves for atom in move.atoms)
            if position.turn == kernel.CHANCE:
                position = position.play(position.draw(random))
            else:
                position = position.play(moves[random.below(len(moves))])
    yield from (f"no legal move has the atom {atom}, which has places" for atom in sorted(unused))


def faults_of(position: Position) -> Iterator[str]:
    """What is wrong with one position and its moves; also for the tests of a game."""
    game = position.game
    moves = position.moves()
    texts = [move.text for move in moves]
    if len(set(texts)) != len(texts):
        yield "two moves have the same text"
    choices = position.choices()            # raises where atoms are not prefix-free
    words = game.vocabulary(position.options)
    tables = set()
    tried = moves
    if position.turn == kernel.CHANCE:
        tried = moves[:: -(-len(moves) // MOST_OUTCOMES)]
    for move in tried:
        if not set(move.atoms) <= words:
            yield f"{move.text}: an atom is not in the vocabulary"
        node = choices.after(*move.atoms)
        if node is None or node.move is None or node.move.code != move.code:
            yield f"{move.text}: its atoms do not lead to it"
        if position.find(move.text).code != move.code:
            yield f"{move.text}: its text does not find it"
        after = position.play(move)
        if after.parent is not position:    # chance outcomes were drawn
            continue
        decided = retell(position.cells, move.changes[:1]) if game.follows else {}
        tables.add(json.dumps([after.kernel().turn, after.cells, decided], sort_keys=True))
        told = retell(position.cells, move.changes)
        if told != after.cells:
            differing = {cell for cell in told.keys() | after.cells.keys()
                         if told.get(cell) != after.cells.get(cell)}
            yield f"{move.text}: its changes do not say what happens on {sorted(differing)}"
        for lang in LANGUAGES:
            move.narrate(lang, ALL)
    # A chance outcome names what was drawn, even where that makes no difference.
    if position.turn != kernel.CHANCE and len(tables) != len(tried):
        yield "two moves lead to the same table"
    again = game.position(position.text)
    if again != position or again.cells != position.cells:
        yield f"its text sets up {again.text} instead"
    if sorted(move.text for move in again.moves()) != sorted(texts):
        yield "set up from its text it has other moves"
    for seat in range(position.seats):
        view = position.seen_by(Seat(seat))
        json.dumps(view.scene.as_json())
        imagined = position.imagine(seat, Random(len(moves)))
        if imagined.text_for(Seat(seat)) != view.text:
            yield f"what {game.seat_names[seat]} imagines is not what it sees: {imagined.text}"


def _matches(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    for start, random in random_starts(game, games, seed):
        match = random_match(start, random)
        if match.outcome is None:
            yield f"a game did not end within {LONGEST} moves"
            continue
        if abs(sum(match.outcome.shares) - 1) > 1e-9:
            yield f"shares {match.outcome.shares} do not add up to 1"
        for lang in LANGUAGES:
            match.outcome.text(lang)
        if Match.replay(match.transcript(ALL)).transcript(ALL) != match.transcript(ALL):
            yield "a transcript replays differently"


def random_match(start: Position, random: kernel.Random) -> Match:
    """A match played at random, to its end if it has one."""
    match = Match(start, fair_random=FairRandom(f"lots {random.below(1 << 30)}"))
    while match.turn is not None and len(match.events) < LONGEST:
        match.draw_chance()
        if match.turn is not None:
            moves = match.position.moves()
            match.play(match.turn, moves[random.below(len(moves))])
    return match


def _gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


CHECKS: dict[str, Callable[[Game[Any], int, int], Iterator[str]]] = {
    "facts": lambda game, games, seed: _facts(game),
    "texts": lambda game, games, seed: _texts(game),
    "rules pages": lambda game, games, seed: page_faults(game),
    "examples": lambda game, games, seed: example_faults(game),
    "data": lambda game, games, seed: iter(game.faults()),
    "art": lambda game, games, seed: _art(game),
    "moves": _moves,
    "games end, transcripts": _matches,
    "compiled as uncompiled": lambda game, games, seed: differences(game, min(games, 8), seed),
}
"""Each part by its name: the faults of a game, in a number of random games from a seed."""
