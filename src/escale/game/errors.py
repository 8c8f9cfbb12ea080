"""One class for each kind of error; every message says what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from escale.game.refusals import Refusal


class EscaleError(Exception):
    """The parent of every error that Escale raises on purpose."""

    code = "error"


class UnknownGame(EscaleError, LookupError):
    """No game of that name is on the shelf."""

    code = "unknown-game"

    def __str__(self) -> str:
        return str(self.args[0])


class BadOption(EscaleError, ValueError):
    """An option, a value of one, or a number of seats that the game does not have."""

    code = "bad-option"


class BadPosition(EscaleError, ValueError):
    """A text that describes no possible position."""

    code = "bad-position"


class BadTranscript(EscaleError, ValueError):
    """A transcript that cannot be replayed."""

    code = "bad-transcript"


class NotNow(EscaleError, ValueError):
    """Something that the table does not allow at this moment."""

    code = "not-now"


class IllegalMove(EscaleError, ValueError):
    """A move that the rules forbid; `refusal` says which paragraph does, and why."""

    code = "illegal-move"

    def __init__(self, attempt: str, refusal: Refusal, position: str) -> None:
        super().__init__(f"{attempt!r}: {refusal.text('en')} (position: {position})")
        self.attempt = attempt
        self.refusal = refusal
        self.position = position

    @property
    def rule(self) -> str | None:
        """The paragraph that forbids the move, such as `tortuga#must-jump`."""
        return self.refusal.rule
