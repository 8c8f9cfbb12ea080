"""The conformance kit: what every game must satisfy; its author runs `escale check GAME`.

- *facts*: everything that the contract demands is there and makes sense, places are cells;
- *texts*: every sentence exists in every language, with the same gaps, among them a pitch of one
  line and a phrase for every feature of the evaluation, and so does every paragraph cited; every
  atom that is no cell has a name that people read;
- *rules pages*: every section for learners is there, with its figures; every paragraph says where
  it comes from, and no option or button is shown by its code;
- *examples*: each gives the result that it states, and together they show every section, every
  paragraph that a refusal cites, every ending and every value of every option;
- *lessons*: the steps are short and can be solved, and every other move gets an answer;
- *data*: the game's own data, such as a map, is valid;
- *files*: the levels can be read, the code names no sentence that no catalogue has, and a wheel
  would contain every file;
- *puzzles*: if the game has any, they can be read and played, each once, and are not too large;
- *art*: there is a symbol for every kind of piece, and one that stands for every seat;
- *moves*: in random games with every option, atoms are prefix-free, texts unique, moves lead to
  different positions, notation and position texts can be read back, changes say exactly what
  changes on the table, and atoms that have places occur;
- *keys*: no two tables have one key, and no table has two;
- *editor*: where positions can be set up by hand, those of random games with every option can;
  every field has a label;
- *prompts*: in random games with every option, every question to a player has a sentence in every
  language, which reveals nothing that is hidden from that player;
- *vectors*: in random games with every option, views that differ give observations that differ, and
  nothing that is hidden changes one; compiled rules that number atoms do it as all others do;
- *symmetries*: positions that the game declares equal have the same moves and the same value;
- *games end*: with an outcome whose shares add up to 1, and the cells that show it are on the
  board; an ending that the game reaches by itself has a sentence and a countdown;
- *transcripts*: a random match that is written and replayed is the same match;
- *compiled as uncompiled*: both modes give the same games, keys and evaluations.
"""

from __future__ import annotations

import itertools
import json
import re
import string
from collections.abc import Callable, Iterator
from typing import Any

from escale import kernel
from escale.devkit.editor import editor_faults
from escale.devkit.examples import citable, example_faults
from escale.devkit.keys import key_faults
from escale.devkit.lessons import lesson_faults
from escale.devkit.modes import differences
from escale.devkit.package import package_faults
from escale.devkit.pages import page_faults
from escale.devkit.prompts import prompt_faults
from escale.devkit.puzzles import puzzle_faults
from escale.devkit.starts import looked_at, random_starts
from escale.devkit.symmetry import symmetry_faults
from escale.devkit.vectors import vector_faults
from escale.game.changes import retell
from escale.game.definition import Countdown
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.position import REPETITION, Position
from escale.game.viewer import ALL, SPECTATOR, Seat
from escale.kernel import Random
from escale.kernel.weights import DRAWS, flat
from escale.match.match import Match
from escale.render.text import board_in_words

Report = list[tuple[str, list[str]]]
"""Each thing checked, with its faults."""

GAME_PLIES = 100_000
"""A game that has not ended after this many moves is a fault."""
PITCH_LETTERS = 80
"""The most letters of the line that describes a game."""
TRIED_OUTCOMES = 8
"""The most chance outcomes of a position that are tried; all moves of seats are tried."""


def check(game: Game[Any], *, games: int = 50, seed: int = 1) -> Report:
    """Check one game; `games` random games are played for this."""
    report: Report = []
    for name, run in CHECKS.items():
        faults: list[str] = []
        try:
            faults.extend(run(game, games, seed))
        except Exception as error:  # a game under construction may raise anything
            faults.append(f"{type(error).__name__}: {_told(error)}")
        report.append((name, faults))
    return report


def _told(error: Exception) -> str:
    """What an error says; if its sentence is missing, that."""
    try:
        return str(error)
    except KeyError as missing:
        return str(missing)


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
        gaps = {lang: _gaps(texts.sentence(key, lang)) for lang in AUTHORED}
        if len(set(map(frozenset, gaps.values()))) > 1:
            yield f"text {key} has different gaps: {gaps}"
    wanted = [
        "goal",
        "pitch",
        *(f"seat.{name}" for name in game.seat_names),
        *(f"piece.{name}" for name in game.board.kinds),
        *(f"option.{option.name}" for option in game.options),
        *(f"option.{o.name}.{value}" for o in game.options for value in o.values),
        *(f"ending.{ending.name}" for ending in game.endings),
        *(f"atom.{button}" for button in game.buttons),
        *(f"mechanism.{name}" for name in game.mechanisms),
        *(f"countdown.{countdown.name}" for countdown in _countdowns(game)),
        *(f"feature.{name}" for name in _features(game)),
    ]
    yield from (f"missing text {key}" for key in wanted if key not in texts)
    if "pitch" in texts and max(len(texts.say("pitch", lang)) for lang in AUTHORED) > PITCH_LETTERS:
        yield f"the pitch is one line: {PITCH_LETTERS} letters at most"
    for atom in sorted(game.vocabulary(game.choose({})) - {cell.id for cell in game.board.cells}):
        if f"atom.{atom}" not in texts and atom in (game.label(atom, lang) for lang in AUTHORED):
            yield f"the atom {atom} has no name that people read"
    cited = citable(game) | ({game.drawing} if game.drawing else set())
    for name in sorted(cited - game.rules[AUTHORED[0]].numbers.keys()):
        yield f"paragraph {name} is cited but does not exist"


def _countdowns(game: Game[Any]) -> Iterator[Countdown]:
    """All countdowns of a game."""
    yield from game.countdowns(game.begin(game.choose({}), game.seats[0]))
    if game.has_ending(REPETITION):
        yield Countdown(REPETITION)


def _features(game: Game[Any]) -> list[str]:
    """The names of all weights of the evaluation; those for draws are the same features."""
    return sorted({name.removeprefix(f"{DRAWS}.") for name in flat(game.evaluation.numbers)})


def _art(game: Game[Any]) -> Iterator[str]:
    symbols = [kind.symbol for kind in game.board.kinds.values()]
    for name in (*symbols, *{emblem for emblem in _emblems(game) if emblem}):
        if f'id="{game.slug}-{name}"' not in game.art:
            yield f"art.svg has no symbol {game.slug}-{name}"
    if not all(_emblems(game)):
        yield "every seat needs an emblem: a kind of piece of its own, or see `emblem`"
    if re.search(r"<style|style=|<script|href=\"[^#]", game.art):
        yield "art.svg must have presentation attributes only, and no links"


def _emblems(game: Game[Any]) -> list[str]:
    """The emblems of the seats before the first move."""
    cells = game.cells(game.begin(game.choose({}), game.seats[1]))
    return [game.emblem(seat, cells) for seat in range(game.seats[1])]


def _moves(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    unused = set(game.board.places)
    for start, random in random_starts(game, games, seed):
        position = start
        for number in itertools.count():
            if position.turn is None:
                break
            if looked_at(number):
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
    """Faults in one position and its moves; also for the tests of a game."""
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
        tried = moves[:: -(-len(moves) // TRIED_OUTCOMES)]
    for move in tried:
        if not set(move.atoms) <= words:
            yield f"{move.text}: an atom is not in the vocabulary"
        node = choices.after(*move.atoms)
        if node is None or node.move is None or node.move.code != move.code:
            yield f"{move.text}: its atoms do not lead to it"
        if game.ways_in_atoms and position.turn != kernel.CHANCE and not move.way_in_atoms:
            yield f"{move.text}: its atoms do not tell its way: see `ways_in_atoms`"
        if position.find(move.text).code != move.code:
            yield f"{move.text}: its text does not find it"
        after = position.play(move)
        if after.parent is not position:    # only some chance outcomes were tried
            continue
        decided = retell(position.cells, move.changes[:1]) if game.follows else {}
        tables.add(json.dumps([after.kernel().turn, after.cells, decided], sort_keys=True))
        expected = retell(position.cells, move.changes)
        if expected != after.cells:
            differing = {cell for cell in expected.keys() | after.cells.keys()
                         if expected.get(cell) != after.cells.get(cell)}
            yield f"{move.text}: its changes do not say what happens on {sorted(differing)}"
        for lang in AUTHORED:
            move.narrate(lang, ALL)
    # A chance outcome names what was drawn, even if that makes no difference on the table.
    if position.turn != kernel.CHANCE and len(tables) != len(tried):
        yield "two moves lead to the same table"
    again = game.position(position.text)
    if again != position or again.cells != position.cells:
        yield f"its text sets up {again.text} instead"
    if sorted(move.text for move in again.moves()) != sorted(texts):
        yield "set up from its text it has other moves"
    for countdown in position.countdowns:
        if not game.has_ending(countdown.name) or countdown.left == 0:
            yield f"{countdown} does not end the game"
    for seat in range(position.seats):
        view = position.seen_by(Seat(seat))
        json.dumps(view.scene.as_json())
        for lang in AUTHORED:
            board_in_words(game, view.scene, lang)
            game.emblem_name(seat, view.cells, lang)
        imagined = position.imagine(seat, Random(len(moves)))
        if imagined.text_for(Seat(seat)) != view.text:
            yield f"what {game.seat_names[seat]} imagines is not what it sees: {imagined.text}"


def _matches(game: Game[Any], games: int, seed: int) -> Iterator[str]:
    for start, random in random_starts(game, games, seed):
        match = random_match(start, random)
        if match.outcome is None:
            yield f"a game did not end within {GAME_PLIES} moves"
            continue
        if abs(sum(match.outcome.shares) - 1) > 1e-9:
            yield f"shares {match.outcome.shares} do not add up to 1"
        for lang in AUTHORED:
            match.outcome.text(lang)
        scene = match.position.scene(SPECTATOR)
        places = {*(cell.id for cell in scene.cells), *(area.id for area in scene.areas)}
        if unknown := [cell for cell in match.outcome.cells if cell not in places]:
            yield f"{match.position.text}: {unknown} are no places that show how it ended"
        if Match.replay(match.transcript(ALL)).transcript(ALL) != match.transcript(ALL):
            yield "a transcript replays differently"


def random_match(start: Position, random: kernel.Random) -> Match:
    """A match played at random, to its end if it has one."""
    match = Match(start, fair_random=FairRandom(f"lots {random.below(1 << 30)}"))
    while match.turn is not None and len(match.events) < GAME_PLIES:
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
    "lessons": lambda game, games, seed: lesson_faults(game),
    "data": lambda game, games, seed: iter(game.faults()),
    "files": lambda game, games, seed: package_faults(game),
    "puzzles": lambda game, games, seed: puzzle_faults(game),
    "art": lambda game, games, seed: _art(game),
    "moves": _moves,
    "keys": key_faults,
    "editor": editor_faults,
    "prompts": prompt_faults,
    "vectors": vector_faults,
    "symmetries": symmetry_faults,
    "games end, transcripts": _matches,
    "compiled as uncompiled": lambda game, games, seed: differences(game, min(games, 8), seed),
}
"""The checks by their names: each returns the faults of a game, from random games by a seed."""
