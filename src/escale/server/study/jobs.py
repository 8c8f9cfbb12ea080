"""The function for each job of the study, called in worker processes."""

from __future__ import annotations

from escale.server.study.analysis import AnalysisJob, analyse
from escale.server.study.hints import (
    HintJob,
    JudgeJob,
    WarmJob,
    have_hints_ready,
    hint_at_table,
    judge_at_table,
)
from escale.server.study.positions import (
    ChoicesJob,
    ComposeJob,
    ExplainJob,
    PositionJob,
    composed_position,
    explain_attempt,
    list_choices,
    study_position,
)
from escale.server.study.puzzles import (
    PuzzleHintJob,
    PuzzleTryJob,
    puzzle_hint,
    puzzle_verdict,
)
from escale.server.study.reviews import ReviewJob, review_steps

JOBS = {
    PositionJob: study_position, ComposeJob: composed_position,
    ExplainJob: explain_attempt, ChoicesJob: list_choices,
    WarmJob: have_hints_ready, HintJob: hint_at_table, JudgeJob: judge_at_table,
    PuzzleTryJob: puzzle_verdict, PuzzleHintJob: puzzle_hint,
    AnalysisJob: analyse, ReviewJob: review_steps,
}
