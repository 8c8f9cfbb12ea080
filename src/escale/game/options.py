"""The choices a game offers before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from escale.game.errors import BadSetup


@dataclass(frozen=True, slots=True)
class Option:
    """One choice; the first value is the default. Its sentences are in the game's texts."""

    name: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """The value if none was chosen."""
        return self.values[0]


class Options(dict[str, str]):
    """A value for every option of a game: part of a position's identity, so it never changes."""

    def __init__(self, declared: tuple[Option, ...], chosen: Mapping[str, object]) -> None:
        known = {option.name: option for option in declared}
        for name, value in chosen.items():
            if name not in known:
                key = "option" if known else "no-option"
                raise BadSetup(key, name=name, known=list(known))
            if value not in known[name].values:
                raise BadSetup("value", name=name, value=str(value), known=known[name].values)
        super().__init__(
            {option.name: str(chosen.get(option.name, option.default)) for option in declared}
        )
        self.changed = {
            option.name: self[option.name]
            for option in declared
            if self[option.name] != option.default
        }
        """The options whose values differ from the defaults."""

    def words(self) -> list[str]:
        """The changed options as `name=value`."""
        return [f"{name}={value}" for name, value in self.changed.items()]
