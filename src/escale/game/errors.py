"""One class for each kind of error; every message says what was expected."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING

from escale.game.texts import Texts, house

if TYPE_CHECKING:
    from escale.game.refusals import Refusal


class EscaleError(Exception):
    """The parent of every error that Escale raises on purpose."""

    code = "error"


class LocalisedError(EscaleError):
    """An error whose `text` says what was expected in the language of the reader."""

    section = ""
    """The table of the house's texts that has its sentences."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        """The name of its sentence in that table."""
        self.values = values
        super().__init__(self.text("en"))

    def text(self, lang: str) -> str:
        """What was expected, in a sentence."""
        values = {name: self._said(name, value, lang) for name, value in self.values.items()}
        return house().say(f"{self.section}.{self.key}", lang, **values)

    def _said(self, name: str, value: object, lang: str) -> object:
        """The value for a gap of the sentence, as people read it."""
        if isinstance(value, (list, tuple)):
            return ", ".join(map(str, value))
        if isinstance(value, BaseException):
            return reason(value, lang)
        return value[:200] if isinstance(value, str) else value


def reason(error: BaseException, lang: str) -> str:
    """The reason of an error, in the language of the reader if the error has sentences."""
    if isinstance(error, IllegalMove):
        return error.refusal.text(lang)
    if isinstance(error, OSError):
        key = f"system.{errno.errorcode.get(error.errno or 0, '')}"
        return house().say(key, lang) if key in house() else error.strerror or str(error)
    return str(error.text(lang)) if hasattr(error, "text") else str(error)


class UnknownGame(EscaleError, LookupError):
    """No game with this name is on the shelf."""

    code = "unknown-game"

    def __init__(self, slug: str, known: Sequence[str] = (), near: str = "") -> None:
        super().__init__(slug, known, near)

    def text(self, lang: str) -> str:
        """The names of all games, in a sentence."""
        slug, known, near = self.args
        said = house().say("set-up.game", lang, slug=slug[:60], known=", ".join(known))
        return f"{said} {house().say('set-up.near', lang, near=near)}" if near else said

    def __str__(self) -> str:
        return self.text("en")


class BadOption(EscaleError, ValueError):
    """An option, a value of one, or a number of seats that the game does not have."""

    code = "bad-option"


class BadSetup(LocalisedError, BadOption):
    """A table that cannot be set up like this."""

    section = "set-up"

    def _said(self, name: str, value: object, lang: str) -> object:
        if name == "field":
            return house().say(f"set-up.field.{value}", lang)
        return value[:40] if isinstance(value, str) else super()._said(name, value, lang)


class BadSetting(LocalisedError, BadOption):
    """A setting of a program, a player or the house that cannot be."""

    section = "setting"


class BadPosition(EscaleError, ValueError):
    """A text that describes no possible position."""

    code = "bad-position"


class BadCertificate(EscaleError, ValueError):
    """A certificate that cannot be read, or does not prove what it claims."""

    code = "bad-certificate"


class Impossible(BadPosition):
    """An impossible position; `text` says why in the language of the reader.

    The rules name one of their sentences, under `impossible` in the game's texts or the house's.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values
        self._texts = house()

    def said_by(self, texts: Texts) -> Impossible:
        """The same in the words of a game."""
        self._texts = texts
        return self

    def text(self, lang: str) -> str:
        """The reason, in a sentence."""
        values = {name: self._said(name, value, lang) for name, value in self.values.items()}
        return self._texts.say(f"impossible.{self.key}", lang, **values)

    def _said(self, name: str, value: object, lang: str) -> object:
        if isinstance(value, (list, tuple)):
            return ", ".join(str(self._said(name, one, lang)) for one in value)
        if name in ("seat", "piece") and f"{name}.{value}" in self._texts:
            return self._texts.say(f"{name}.{value}", lang)
        return value[:200] if isinstance(value, str) else value

    def __str__(self) -> str:
        return self.text("en")


class BadTranscript(EscaleError, ValueError):
    """A transcript that cannot be replayed."""

    code = "bad-transcript"


class BadLine(BadTranscript):
    """A line of a transcript that is not possible there, and why."""

    def __init__(self, line: int, why: EscaleError) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why
        self.key = "not-a-line" if isinstance(why, BadMessage) else "line"
        """Which of the house's sentences under `verify` says so."""

    def text(self, lang: str) -> str:
        """The line's number and the reason, in a sentence."""
        return house().say(f"verify.{self.key}", lang, line=self.line, why=reason(self.why, lang))


class BadMessage(EscaleError, ValueError):
    """An event, an action or an order without the fields, types or limits of its kind."""

    code = "bad-request"

    def __init__(self, message: str, field: str = "", *, malformed: bool = False) -> None:
        super().__init__(message)
        self.field = field
        """The place of the fault in the message, such as `seats[0].name`; or empty."""
        self.malformed = malformed
        """Whether the message is no JSON at all."""


class NotNow(EscaleError, ValueError):
    """Something that the table does not allow at this moment."""

    code = "not-now"


class NotBegun(NotNow):
    """Something that has to wait until all seats are taken."""

    code = "not-begun"


class MatchOver(NotNow):
    """Something that can only be done while the match goes on."""

    code = "over"


class NotYourTurn(NotNow):
    """A move for a seat that is not to move."""

    code = "not-your-turn"


class IllegalMove(EscaleError, ValueError):
    """A move that the rules forbid; `refusal` has the paragraph and the reason."""

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
