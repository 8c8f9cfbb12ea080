"""`escale verify`: the result of checking a transcript, for people and for scripts."""

from __future__ import annotations

import sys
from pathlib import Path

from escale.game.errors import BadTranscript
from escale.game.texts import house
from escale.match.verify import Verdict, verify

CODES = {Verdict.RIGHT: 0, Verdict.WRONG: 1, Verdict.UNKNOWN: 3}
"""Exit codes; 2 means that there was nothing to check."""
MARKS = {Verdict.RIGHT: "ok   ", Verdict.WRONG: "FAIL ", Verdict.UNKNOWN: "?    "}


def read_transcript(path: str) -> str:
    """The text of a transcript's file; `-` is standard input."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise BadTranscript(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadTranscript(f"{path} is not a text file") from error


def verification(path: str, lang: str) -> tuple[list[str], int]:
    """The lines to print, and the exit code; `-` reads standard input."""
    findings = verify(read_transcript(path))
    verdicts = {finding.verdict for finding in findings}
    worst = next(
        verdict for verdict in (Verdict.WRONG, Verdict.UNKNOWN, Verdict.RIGHT)
        if verdict in verdicts
    )
    lines = [MARKS[finding.verdict] + finding.text(lang) for finding in findings]
    return [*lines, house().say(f"verify.{worst.value}", lang)], CODES[worst]
