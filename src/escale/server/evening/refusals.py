"""The reasons why requests in an evening are refused, as sentences for host and guests."""

from __future__ import annotations

from escale.game.errors import NotNow
from escale.server.edge.problems import sentences


class Refused(NotNow):
    """A request that does not fit the evening; `key` names the sentence `evening.KEY`."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.text("en"))

    def text(self, lang: str) -> str:
        """The sentence."""
        return sentences().say(f"evening.{self.key}", lang, **self.values)
