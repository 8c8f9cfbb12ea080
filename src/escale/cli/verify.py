"""`escale verify`: check a transcript, for people and for scripts."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from escale.cli.language import MisreadTranscript
from escale.cli.options import Lang, Transcript
from escale.game.texts import house, speak
from escale.match.verify import Verdict
from escale.match.verify import verify as check_transcript

EXIT_CODES = {Verdict.RIGHT: 0, Verdict.WRONG: 1, Verdict.UNKNOWN: 3}
"""2 means that there was nothing to check."""
MARKS = {Verdict.RIGHT: "ok   ", Verdict.WRONG: "FAIL ", Verdict.UNKNOWN: "?    "}


def verify(transcript: Transcript, lang: Lang = None) -> None:
    """Check a transcript: legal moves, fair chance, right result.

    Exit code 0: all is right; 1: something is wrong; 2: it cannot be read; 3: it does not contain
    enough to check everything.
    """
    lines, code = describe_findings(read_transcript(transcript), speak(lang))
    for line in lines:
        typer.echo(line)
    if code:
        raise typer.Exit(code)


def read_transcript(path: str) -> str:
    """The text of a transcript's file; `-` is standard input."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise MisreadTranscript("cannot-read", path=path, why=error) from error
    except UnicodeDecodeError as error:
        raise MisreadTranscript("not-text", path=path) from error


def describe_findings(transcript: str, lang: str) -> tuple[list[str], int]:
    """The lines to print, and the exit code."""
    findings = check_transcript(transcript)
    verdicts = {finding.verdict for finding in findings}
    worst = next(
        verdict for verdict in (Verdict.WRONG, Verdict.UNKNOWN, Verdict.RIGHT)
        if verdict in verdicts
    )
    lines = [MARKS[finding.verdict] + finding.text(lang) for finding in findings]
    return [*lines, house().say(f"verify.{worst.value}", lang)], EXIT_CODES[worst]
