"""Puzzles: judging a solver's move, and hints."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from escale.game.position import Position
from escale.games import game
from escale.match.limits import LanguageWish, MoveText
from escale.server.study.lanes import SHORT
from escale.server.study.positions import ShownMove, shown
from escale.server.workers.jobs import Job
from escale.study import puzzle_words
from escale.study.puzzles import Puzzle, puzzles_of
from escale.study.solving import judge, next_move

# ---- messages ----


class PuzzleLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The state of a puzzle that is being solved."""

    line: Annotated[
        list[MoveText],
        Meta(max_length=60, description="All moves from the puzzle's position on, replies too."),
    ]
    lang: LanguageWish | None = None


class PuzzleTry(PuzzleLine, frozen=True, kw_only=True):
    """A move in a puzzle: the last of the line."""

    line: Annotated[
        list[MoveText],
        Meta(min_length=1, max_length=60,
             description="All moves from the puzzle's position on, replies too."),
    ]


class PuzzleHelp(PuzzleLine, frozen=True, kw_only=True):
    """A request for a hint."""

    hint: Annotated[
        Literal[1, 2], Meta(description="1: what it is about; 2: the move itself.")
    ] = 1


class PuzzleVerdict(Struct, frozen=True):
    """The judgement of a move in a puzzle; everything in it is proven."""

    verdict: Annotated[
        Literal["right", "solved", "slower", "wrong"],
        Meta(description="`slower`: it wins for certain, but not within the moves asked for."),
    ]
    text: Annotated[str, Meta(description="The same in a sentence.")]
    replies: Annotated[
        list[str],
        Meta(description="What the others play, until it is the solver's turn: the longest "
             "defence, or what refutes the move."),
    ]


class PuzzleHint(Struct, frozen=True):
    """Help with a puzzle."""

    text: Annotated[str, Meta(description="Empty where nothing helps any more.")]
    rule: Annotated[
        str | None, Meta(description="The paragraph of the rules that it is about.")
    ] = None
    place: Annotated[str | None, Meta(description="The atom to look at.")] = None
    move: Annotated[ShownMove | None, Meta(description="The move to make.")] = None


# ---- jobs ----


class PuzzleJob(Job, frozen=True, kw_only=True):
    """A question about a puzzle after some moves, including the replies."""

    lane = SHORT
    game: str
    puzzle: str
    line: list[str]


class PuzzleTryJob(PuzzleJob, frozen=True, kw_only=True):
    """Judge the last move of the line."""


class PuzzleHintJob(PuzzleJob, frozen=True, kw_only=True):
    """Help the solver to find the next move."""

    hint: int
    """1: name the theme; 2: name the move."""


# ---- in worker processes ----


def puzzle_verdict(job: PuzzleTryJob) -> PuzzleVerdict:
    """The judgement of the last move of a line, and the reply to it."""
    puzzle, here = _reach(job)
    move = here.last
    assert move is not None
    found = judge(puzzle, here)
    text = puzzle_words.verdict(here.game, puzzle, move, found, job.lang)
    return PuzzleVerdict(found.kind, text, [reply.text for reply in found.replies])


def puzzle_hint(job: PuzzleHintJob) -> PuzzleHint:
    """The theme and its rule, or the move itself."""
    puzzle, here = _reach(job)
    move, lang = next_move(puzzle, here), job.lang
    if move is None:
        return PuzzleHint("")
    if job.hint == 1:
        text = puzzle_words.first_hint(here.game, puzzle, move, lang)
        place = move.atoms[0] if len(move.atoms) > 1 else None
        return PuzzleHint(text, puzzle_words.hint_rule(here.game, puzzle), place)
    return PuzzleHint(puzzle_words.second_hint(move, lang), move=shown(move, lang))


def _reach(job: PuzzleJob) -> tuple[Puzzle, Position]:
    box = game(job.game)
    puzzle = puzzles_of(box)[job.puzzle]
    here = puzzle.start(box)
    for move in job.line:
        here = here.play(move)
    return puzzle, here
