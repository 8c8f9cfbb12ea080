"""Where the lots come from when a match draws them: a secret that can be shown afterwards."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from escale.kernel import Random


@dataclass(frozen=True, slots=True)
class FairRandom:
    """All the lots of a match follow from its secret; whoever knows it can draw them again.

    Where each seat has a value, the lots follow from those too: one honest value is enough to keep
    whoever knows the secret from choosing the lots.
    """

    secret: str
    values: tuple[str | None, ...] = ()
    """What each seat mixes in; without colons, so that no two mixtures read the same."""

    @property
    def commitment(self) -> str:
        """What may be shown before the game: it tells nothing, and fixes everything."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def stream(self, number: int) -> Random:
        """The random numbers for the lot of that number, counted from 0."""
        mixture = ":".join([self.secret, *(value or "" for value in self.values), str(number)])
        digest = hashlib.sha256(mixture.encode()).digest()
        return Random(int.from_bytes(digest[:8], "big"))
