"""Escale: rare board games, to play right now.

```python
>>> import escale
>>> game = escale.game("tortuga")
>>> position = game.start(first="south")
>>> position.play("d2-d3").text
'S2N/S3N/S4N/S1S2NN/S4N/S3N/S2N north 1 first=south'

```
"""

from __future__ import annotations

import os
import sys
import warnings

if os.environ.get("ESCALE_PURE"):
    from escale import pure

    sys.meta_path.insert(0, pure.SourceFinder())

from escale.game.changes import Change
from escale.game.choices import Choices
from escale.game.errors import (
    BadMessage,
    BadOption,
    BadPosition,
    BadTranscript,
    EscaleError,
    IllegalMove,
    MatchOver,
    NotBegun,
    NotNow,
    NotYourTurn,
    UnknownGame,
)
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Outcome, Position, View
from escale.game.refusals import Refusal, explain
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.games import game, games
from escale.kernel import CHANCE, COMPILED, Limit
from escale.opponents.client import AsyncEngine, Engine
from escale.opponents.line_process import (
    EngineDied,
    EngineError,
    EngineIllegalMove,
    EngineLate,
    EngineNonsense,
    EngineRefused,
)

__version__ = "0.1.0"

__all__ = [
    "ALL",
    "CHANCE",
    "COMPILED",
    "SPECTATOR",
    "AsyncEngine",
    "BadMessage",
    "BadOption",
    "BadPosition",
    "BadTranscript",
    "Change",
    "Choices",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineIllegalMove",
    "EngineLate",
    "EngineNonsense",
    "EngineRefused",
    "EscaleError",
    "Game",
    "IllegalMove",
    "Limit",
    "MatchOver",
    "Move",
    "NotBegun",
    "NotNow",
    "NotYourTurn",
    "Outcome",
    "Position",
    "Refusal",
    "Seat",
    "UnknownGame",
    "View",
    "Viewer",
    "explain",
    "game",
    "games",
]

if not COMPILED and not os.environ.get("ESCALE_PURE"):
    warnings.warn(
        "escale is not compiled and runs as plain Python, much slower; "
        "with a C compiler, install it again (ESCALE_PURE=1 silences this)",
        RuntimeWarning,
        stacklevel=2,
    )
