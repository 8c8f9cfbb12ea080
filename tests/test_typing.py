"""Types for users: what mypy reads of the compiled modules is what they have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import escale

STUBBED = [
    ".".join(path.relative_to(Path(escale.__file__).parent.parent).with_suffix("").parts)
    for path in sorted(Path(escale.__file__).parent.rglob("*.pyi"))
]
ALLOWED = r"""
escale\.kernel\.core\.(State|Moves\.index|compact_moves)
escale\.kernel\.evaluation\.Evaluation
escale\.kernel\.sides\.SidesState
"""
"""Bases that have a layout of their own; what only compiled modules call."""
PROGRAM = """
import escale
from escale import kernel

position = escale.game("tortuga").start(first="south")
reveal_type(position.play(position.moves()[0]))
reveal_type(position.outcome)
reveal_type(position.kernel().legal_moves())
reveal_type(kernel.perft(position.kernel(), 2))
reveal_type(kernel.playouts(position.kernel(), 10).shares)
kernel.perft(position, 2)
"""
REVEALED = [
    "escale.game.position.Position", "escale.game.position.Outcome | None", "list[int]",
    "int", "list[float]",
]


@pytest.mark.skipif(not escale.COMPILED, reason="the sources speak for themselves")
def test_the_stubs_are_true(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    ran = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--ignore-missing-stub", "--concise",
         "--ignore-unused-allowlist", "--allowlist", str(allowed), *STUBBED],
        capture_output=True, text=True, cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_users_program_is_checked(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PROGRAM)
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "bot.py"], cwd=tmp_path, capture_output=True,
        text=True, env={"MYPYPATH": str(Path(escale.__file__).parent.parent)},
    )
    found = [line.split('"')[1] for line in ran.stdout.splitlines() if "Revealed" in line]
    assert found == REVEALED, ran.stdout
    errors = [line for line in ran.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1, ran.stdout
    assert 'incompatible type "Position"; expected "State"' in errors[0]
