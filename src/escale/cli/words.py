"""Words of the command line that several commands read."""

from __future__ import annotations

from escale.play.errors import BadOption


def option_words(words: list[str] | None) -> dict[str, str]:
    """Options given as NAME=VALUE."""
    options = {}
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"expected NAME=VALUE, such as formation=compact; got {word[:60]!r}")
        options[name] = value
    return options
