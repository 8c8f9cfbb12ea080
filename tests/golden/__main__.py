"""Write the golden playthroughs again."""

from __future__ import annotations

from escale.game.viewer import ALL
from tests.golden import HERE, matches, playthrough

for name, match in matches().items():
    (HERE / f"{name}.txt").write_text(playthrough(match), "utf-8")
    (HERE / f"{name}.jsonl").write_text(match.transcript(ALL), "utf-8")
