"""Positions to study, with a board that a visitor can touch."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, convert, field

from escale.game.editing import Composition, compose
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.scene import Scene
from escale.game.state_of_play import board_part
from escale.game.viewer import ALL, Seat, Viewer, viewer_on_turn
from escale.games import game
from escale.kernel import CHANCE
from escale.match.limits import (
    Atoms,
    LanguageWish,
    MoveText,
    PositionText,
    SeatCount,
    SeatNumber,
)
from escale.server.study.lanes import POSITIONS
from escale.server.tables.branches import branch, choice_facts, labels, reason
from escale.server.tables.messages import (
    Badge,
    Branch,
    Change,
    ChoiceFacts,
    CountdownState,
    OutcomeState,
    SituationState,
    StateOfPlay,
    Turn,
)
from escale.server.tables.views import (
    badges,
    board_address,
    countdowns,
    outcome_state,
    situation,
)
from escale.server.workers.jobs import Job

CellName = Annotated[str, Meta(max_length=40)]


# ---- messages ----


class StudyQuestion(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position to study: where a line begins, and the moves since."""

    position: Annotated[
        PositionText | None,
        Meta(description="A position's text; null for the beginning of a game."),
    ] = None
    options: Annotated[
        dict[str, str], Meta(description="Of the beginning; or they add to those in the text.")
    ] = field(default_factory=dict)
    seats: Annotated[
        SeatCount | None, Meta(description="At the beginning; null for the fewest.")
    ] = None
    line: Annotated[
        list[MoveText],
        Meta(max_length=1000, description="The moves since, chance outcomes among them."),
    ] = field(default_factory=list)
    draw: Annotated[
        bool, Meta(description="Whether chance outcomes that come next are drawn.")
    ] = False
    open: Annotated[
        bool, Meta(description="Whether all cards lie open; else the seat to move looks.")
    ] = False
    as_: Annotated[
        SeatNumber | None, Meta(description="The seat that looks, on its turn or not.")
    ] = field(name="as", default=None)
    lang: LanguageWish | None = None


class StudyAttempt(StudyQuestion, frozen=True, kw_only=True):
    """The atoms that a visitor has chosen in such a position."""

    atoms: Atoms


class ComposedPosition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position that was set up by hand."""

    cells: Annotated[
        dict[CellName, CellName],
        Meta(max_length=200, description="The pieces, by the names of their cells."),
    ]
    turn: Annotated[str, Meta(max_length=40, description="A seat's name, or `chance`.")]
    plies: Annotated[int, Meta(ge=0, le=99_999)] = 0
    seen: Annotated[int, Meta(ge=1, le=3, description="How often it has occurred.")] = 1
    fields: Annotated[
        dict[str, Annotated[str, Meta(max_length=60)]],
        Meta(description="What its text says besides, such as `{\"north\": \"A\"}`."),
    ] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    lang: LanguageWish | None = None


class ShownMove(Struct, frozen=True):
    """A move, with the cells that show it."""

    text: str
    label: Annotated[str, Meta(description="The move as people read it.")]
    atoms: list[str]
    ways: Annotated[
        list[list[str]], Meta(description="The cells through which each piece goes that moves.")
    ]


class StudyPosition(Struct, frozen=True):
    """A position to study."""

    start: Annotated[str, Meta(description="The text of the position where the line begins.")]
    line: Annotated[list[str], Meta(description="The moves since, with those that were drawn.")]
    spelled: Annotated[list[str], Meta(description="These moves as people read them.")]
    position: Annotated[str, Meta(description="The text of the position that they lead to.")]
    turn: Turn
    ply: Annotated[int, Meta(description="How many moves the seats have made.")]
    moves: Annotated[int, Meta(description="How many legal moves there are.")]
    scene: StateOfPlay
    near: Annotated[
        int,
        Meta(description="Of two seats that sit opposite, the one below the board as it is drawn."),
    ]
    badges: Annotated[list[Badge], Meta(description="One for each seat.")]
    choices: Branch | None
    labels: Annotated[dict[str, str], Meta(description="What people call every atom.")]
    situation: SituationState | None
    countdowns: list[CountdownState]
    outcome: OutcomeState | None
    last: Annotated[ShownMove | None, Meta(description="The last move of the line.")]
    sentence: Annotated[str, Meta(description="That move in a sentence.")]
    changes: Annotated[
        list[Change],                               # type: ignore[valid-type]
        Meta(description="What happens on the table during it."),
    ]


class AttemptResult(Struct, frozen=True, omit_defaults=True):
    """Whether an attempt in a figure is a move; if not, the reason."""

    legal: bool
    move: str | None = None
    sentence: str | None = None
    scene: Scene | None = None
    outcome: OutcomeState | None = None
    text: str | None = None
    rule: str | None = None
    cells: list[str] | None = None


# ---- jobs ----


class AnyPositionJob(Job, frozen=True, kw_only=True):
    """A question about any position of a game."""

    lane = POSITIONS
    game: str
    question: StudyQuestion | ComposedPosition


class PositionJob(AnyPositionJob, frozen=True, kw_only=True):
    """Show a position and its legal moves."""

    question: StudyQuestion


class ComposeJob(AnyPositionJob, frozen=True, kw_only=True):
    """Show a position that was set up by hand."""

    question: ComposedPosition


class ExplainJob(AnyPositionJob, frozen=True, kw_only=True):
    """Say whether some atoms are a move."""

    question: StudyAttempt


class ChoicesJob(AnyPositionJob, frozen=True, kw_only=True):
    """List the atoms that may follow some atoms."""

    question: StudyAttempt


def reach(box: Game[Any], question: StudyQuestion) -> Position:
    """The position of a question; an error of the games explains why there is none."""
    if question.position is None:
        position = box.start_with(question.options, seats=question.seats)
    else:
        position = box.position(question.position, options=question.options)
    for move in question.line:
        position = position.play(move)
    while question.draw and position.turn == CHANCE:
        position = position.play(position.draw())
    return position


def study_position(job: PositionJob) -> StudyPosition:
    """A position with everything that a page needs to show it and to let a visitor move."""
    position = reach(game(job.game), job.question)
    return _show(position, _viewer(position, job.question), job.lang)


def composed_position(job: ComposeJob) -> StudyPosition:
    """The same for a position set up by hand; Impossible says why it cannot be."""
    wish = job.question
    composed = Composition(
        cells=wish.cells, turn=wish.turn, plies=wish.plies, seen=wish.seen, fields=wish.fields,
        options=wish.options,
    )
    return _show(compose(game(job.game), composed), ALL, job.lang)


def _show(position: Position, viewer: Viewer, lang: str) -> StudyPosition:
    box, line = position.game, position.line()
    start = line[0].position if line else position
    scene = position.scene(viewer)
    play = board_part(box, position.options, position.seats).state_of_play(scene)
    tree = branch(position.game, position.choices()) if position.turn is not None else None
    return convert(
        {
            "start": start.text, "line": [move.text for move in line],
            "spelled": [move.label(lang) for move in line], "position": position.text,
            "turn": "chance" if position.turn == CHANCE else position.turn,
            "ply": position.plies, "moves": len(position.moves()),
            "scene": {"board": board_address(position), **play},
            "near": box.near(box.seen(position.cells, viewer)),
            "badges": badges(position, viewer, scene, lang),
            "choices": tree, "labels": labels(position, tree or {}, lang),
            "situation": situation(position, lang) if tree else None,
            "countdowns": countdowns(position, lang),
            "outcome": outcome_state(position.outcome, lang),
            "last": shown(line[-1], lang) if line else None,
            "sentence": line[-1].narrate(lang, viewer) if line else "",
            "changes": [change.as_json() for change in line[-1].seen_by(viewer)] if line else [],
        },
        StudyPosition, from_attributes=True,
    )


def _viewer(position: Position, question: StudyQuestion) -> Viewer:
    """The viewer: all cards open, the seat that was named, or the one that is to move."""
    if question.open:
        return ALL
    if question.as_ is not None and question.as_ < position.seats:
        return Seat(question.as_)
    return viewer_on_turn(position.turn)


def shown(move: Move, lang: str) -> ShownMove:
    """A move, with the cells that show it."""
    return ShownMove(
        move.text, move.label(lang), list(move.atoms), [list(way) for way in move.ways]
    )


def list_choices(job: ChoicesJob) -> ChoiceFacts:
    """The atoms that may follow some atoms."""
    position = reach(game(job.game), job.question)
    return choice_facts(position, tuple(job.question.atoms), job.lang)


def explain_attempt(job: ExplainJob) -> AttemptResult:
    """Whether some atoms are a move, and its result; if not, the rule that forbids it."""
    position, atoms, lang = reach(game(job.game), job.question), job.question.atoms, job.lang
    node = position.choices().after(*atoms)
    if node is None or node.move is None:
        no = reason(position, atoms, lang)
        return AttemptResult(legal=False, text=no.text, rule=no.rule, cells=no.cells)
    after = position.play(node.move)
    viewer = viewer_on_turn(position.turn)
    return AttemptResult(
        legal=True, move=node.move.text, sentence=node.move.narrate(lang, viewer),
        scene=after.scene(viewer), outcome=outcome_state(after.outcome, lang),
    )
