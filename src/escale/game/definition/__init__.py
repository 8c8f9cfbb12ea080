"""The parts of a game that its author writes: rules, presentation, and study by computers.

`Game` derives everything else from it. A game's folder has one subclass of `Game` with these class
attributes and methods; five of the methods must be written, the others have a usual answer.
"""

from __future__ import annotations

from escale.game.definition.presentation import Field, Presentation, Supply
from escale.game.definition.rules import Countdown, Ending, Rules, StateT
from escale.game.definition.study import Merit, Study

__all__ = [
    "Countdown", "Definition", "Ending", "Field", "Merit", "Presentation", "Rules", "StateT",
    "Study", "Supply",
]


class Definition(Presentation[StateT], Study[StateT]):
    """A game as its author defines it."""
