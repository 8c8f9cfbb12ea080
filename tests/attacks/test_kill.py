"""Real houses, killed with signal 9 at any moment: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.attacks.histories import judge, live
from tests.attacks.house_process import Outside


@pytest.mark.parametrize("kills", [3, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_a_house_that_is_killed_again_and_again_keeps_its_word(folder: Path, kills: int) -> None:
    killed = acknowledged = epoch = 0
    while killed < kills:
        database = folder / f"{epoch}.sqlite3"
        house = Outside(database)
        histories = asyncio.run(live(house, Random(epoch), (0.05, 0.5)))
        judge(database, histories)
        killed += house.kills
        acknowledged += sum(
            asked.answered is not None and asked.code is None
            for history in histories for asked in history.asked
        )
        epoch += 1
        for file in folder.glob(f"{epoch - 1}.*"):
            file.unlink()
    assert acknowledged > 20 * kills
