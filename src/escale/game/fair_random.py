"""Where the chance outcomes of a match come from: a secret that is shown afterwards."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from escale.kernel import Random


@dataclass(frozen=True, slots=True)
class FairRandom:
    """All chance outcomes of a match follow from its secret; with it they can be drawn again.

    Where each seat has a value, they follow from those values too: one honest value is enough to
    keep a person who knows the secret from choosing the outcomes.
    """

    secret: str
    values: tuple[str | None, ...] = ()
    """What each seat mixes in; without colons, so that no two mixtures are the same text."""

    @property
    def commitment(self) -> str:
        """The hash that is shown before the game: it fixes the secret without revealing it."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def stream(self, number: int) -> Random:
        """The random numbers for the chance outcome of that number, counted from 0."""
        mixture = ":".join([self.secret, *(value or "" for value in self.values), str(number)])
        digest = hashlib.sha256(mixture.encode()).digest()
        return Random(int.from_bytes(digest[:8], "big"))
