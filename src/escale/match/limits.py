"""Limits of everything that people and programs send, each declared once.

The limits are part of the types. Everything that is read with them is checked; the OpenAPI document
and the types of the browser's scripts contain them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

NAME_LETTERS = 40
"""The most letters of a person's name; pages cut names before they send them."""
MOST_SEATS = 6

# Control characters, and letters that change the direction of writing, which could distort the
# names of others. A JSON text cannot have halves of letters: those are refused when it is read.
_HIDDEN = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_HIDDEN_BUT_LINES = r"\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
# Letters of no width, marks of direction and blanks that pass for letters: two different names
# could look the same. Transcripts from before this check can still be read.
UNSEEN = (
    _HIDDEN + r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0" "\U000e0000-\U000e0fff"
)
_LINE = rf"^(?![\s\S]*[{_HIDDEN}])"
_NAMING = rf"^(?![\s\S]*[{UNSEEN}])"
_SAYING = rf"^(?![\s\S]*[{_HIDDEN_BUT_LINES}])[\s\S]*\S"
_WORD = r"^[A-Za-z0-9_-]{1,64}$(?!\n)"

PATTERNS = {
    _LINE: "a text without control characters and direction marks",
    _NAMING: "a name without control characters, direction marks and letters that are not seen",
    _SAYING: "a text with something to read, without control characters and direction marks",
    _WORD: "a word of up to 64 letters, digits, '-' and '_'",
}
"""A description of each pattern, for error messages."""

SeatNumber = Annotated[
    int, Meta(ge=0, le=MOST_SEATS - 1, description="A seat, counted from 0.")
]
SeatCount = Annotated[int, Meta(ge=1, le=MOST_SEATS, description="How many seats there are.")]
Name = Annotated[
    str, Meta(max_length=NAME_LETTERS, pattern=_LINE, description="The name of a person.")
]
NewName = Annotated[
    str, Meta(max_length=NAME_LETTERS, pattern=_NAMING, description="The name of a person.")
]
About = Annotated[
    str, Meta(max_length=200, pattern=_NAMING, description="What a bot is, in one line.")
]
Line = Annotated[str, Meta(pattern=_LINE)]
LevelName = Annotated[
    str, Meta(max_length=NAME_LETTERS, pattern=_LINE, description="A level of the computer.")
]
Value = Annotated[
    str,
    Meta(pattern=_WORD,
         description="A random word that is mixed into what chance decides, so that no one "
         "chooses it."),
]
TableName = Annotated[str, Meta(pattern=_WORD, description="A table's name.")]
GameName = Annotated[
    str, Meta(max_length=NAME_LETTERS, pattern=_LINE, description="A game's slug.")
]
ActionId = Annotated[
    str,
    Meta(min_length=1, max_length=64, pattern=_LINE,
         description="A unique word of the sender's: the same action sent twice is done once."),
]
OrderId = Annotated[
    str,
    Meta(min_length=16, pattern=_WORD,
         description="A random word of the sender's that cannot be guessed, of 16 letters or more: "
         "what is asked for twice under it is done once, and answered the same, token included."),
]
MoveText = Annotated[str, Meta(max_length=1000, pattern=_LINE, description="The move's text.")]
PositionText = Annotated[
    str, Meta(max_length=5000, pattern=_LINE, description="A position's text.")
]
Saying = Annotated[str, Meta(max_length=500, pattern=_SAYING, description="Plain text.")]
Secret = Annotated[str, Meta(max_length=1000, pattern=_LINE)]
Digest = Annotated[str, Meta(max_length=64, pattern=_LINE, description="A SHA-256.")]
EventNumber = Annotated[int, Meta(ge=1, description="Counted from 1, without a gap.")]
Known = Annotated[int, Meta(ge=0, description="The number of the last event that you know of.")]
Time = Annotated[int, Meta(ge=0, lt=1 << 53, description="In Unix milliseconds.")]
Atoms = Annotated[list[Annotated[str, Meta(max_length=60)]], Meta(max_length=60)]
TokenText = Annotated[str, Meta(max_length=100, description="What holds a seat.")]
LanguageWish = Annotated[
    str, Meta(max_length=10, description="`fr` or `en`; another means the browser's.")
]
