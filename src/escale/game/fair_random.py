"""The source of a match's chance outcomes: a secret that is shown after the match."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from escale.kernel import Random


@dataclass(frozen=True, slots=True)
class FairRandom:
    """All chance outcomes of a match follow from its secret; with it they can be drawn again.

    If each seat has a value, the outcomes also follow from those values: one honest value is enough
    to prevent a person who knows the secret from choosing the outcomes.
    """

    secret: str
    values: tuple[str | None, ...] = ()
    """The value of each seat; without colons, so that different values never give the same text."""

    @property
    def commitment(self) -> str:
        """The hash that is shown before the game: it fixes the secret without revealing it."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def stream(self, number: int) -> Random:
        """The random numbers for the chance outcome with this number, counted from 0."""
        mixture = ":".join([self.secret, *(value or "" for value in self.values), str(number)])
        digest = hashlib.sha256(mixture.encode()).digest()
        return Random(int.from_bytes(digest[:8], "big"))
