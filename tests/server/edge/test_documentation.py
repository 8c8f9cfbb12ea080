"""docs/api.md: its bot plays a whole game as it stands there, and its tables are complete."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from escale.match.events import ACTIONS
from escale.match.seating import called
from escale.server.edge.problems import STATUS
from tests.server.hosting import hosted

DOCUMENT = (Path(__file__).parents[3] / "docs" / "api.md").read_text("utf-8")


def test_the_bot_plays_a_whole_game(tmp_path: Path) -> None:
    [bot] = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(bot.splitlines()) <= 25
    (tmp_path / "bot.py").write_text(bot, "utf-8")
    with hosted(tmp_path) as house:
        done = subprocess.run(
            [sys.executable, str(tmp_path / "bot.py"), house.url], capture_output=True, text=True,
            timeout=300, check=False,
        )
        assert done.returncode == 0, done.stderr
        assert re.search(r"wins|draw", done.stdout)
        [table] = house.house.tables.values()
        assert table.match.outcome is not None
        names = called(table.match.players, table.match.game, "en")
        assert table.match.outcome.text("en", names) in done.stdout


def test_every_action_and_every_code_is_documented() -> None:
    for do in ACTIONS:
        assert f"\n| `{do}` |" in DOCUMENT
    for code, status in STATUS.items():
        [row] = re.findall(rf"^\| [45].*`{code}`.*$", DOCUMENT, re.MULTILINE)
        assert str(status) in row
