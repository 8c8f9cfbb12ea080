"""`python -m bench`: that it measures the same things, not how fast they are."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import escale
from bench import kernel as measuring
from bench import yardstick
from bench.__main__ import SCRIPTS, app, can
from escale import kernel

RUNNER = CliRunner()


SLUGS = [box.slug for box in escale.games()]
TWO_SEATS = [box.slug for box in escale.games() if box.seats == (2, 2)]
MORE_SEATS = [slug for slug in SLUGS if slug not in TWO_SEATS]


@pytest.mark.parametrize(("what", "slugs"), [
    ("playouts", []), ("perft", TWO_SEATS[:1]), ("search", TWO_SEATS[:1] + MORE_SEATS[:1]),
], ids=lambda value: value if isinstance(value, str) else "")
def test_games_are_measured(what: str, slugs: list[str], tmp_path: Path) -> None:
    """All of them, if none is named."""
    file = tmp_path / "figures.json"
    shown = RUNNER.invoke(app, [what, *slugs, "--seconds", "0.05", "--json", str(file)])
    assert shown.exit_code == 0, shown.output
    figures = json.loads(file.read_text())
    assert figures["what"] == what
    slugs = slugs or SLUGS
    assert [game["game"] for game in figures["games"]] == slugs
    for game in figures["games"]:
        assert game["game"] in shown.output
        assert game["best"]["one"] > 0
        assert game["threads_to_one"] > 0
        assert (game["compiled_to_uncompiled"] is not None) == kernel.COMPILED
    two_seats = [slug for slug in slugs if slug in TWO_SEATS]
    also = figures.get("alphabeta", [])
    assert [game["game"] for game in also] == (two_seats if what == "search" else [])
    assert all(game["best"]["one"] > 0 for game in also)


@pytest.mark.skipif(not measuring.STATUS.exists(), reason="the system does not tell")
@pytest.mark.parametrize("what", measuring.SEARCHES)
def test_memory_grows_with_the_search(what: str) -> None:
    small, large = (measuring.memory(what, "qenj3", amount) for amount in (100, 100_000))
    assert small is not None
    assert large is not None
    assert large > small + 100_000


def test_one_game_on_one_thread(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("before.json", "after.json")]
    for file in files:
        words = ["perft", "canoe", "--seconds", "0.05", "--threads", "1", "--json", file]
        assert RUNNER.invoke(app, words).exit_code == 0
    shown = RUNNER.invoke(app, ["compare", *files])
    assert shown.exit_code == 0, shown.output
    assert "canoe\n  one core" in shown.output


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_a_command(script: str) -> None:
    """The list names it, and it says itself what it takes, unless a package for it is missing."""
    name = script.replace("_", "-")
    assert re.search(rf"{name}\b", RUNNER.invoke(app, ["--help"]).output)
    asked = RUNNER.invoke(app, [name, "--help"])
    if isinstance(asked.exception, ModuleNotFoundError):
        pytest.skip(f"{asked.exception.name} is not installed")
    assert asked.exit_code == 0, asked.output
    assert f" {name} [OPTIONS]" in asked.output


def test_everything_beside_the_entry_is_a_script_or_a_part() -> None:
    parts = {"__init__", "__main__", "api", "compiled", "connect_four", "driving", "kernel",
             "others", "rates", "server", "yardstick"}
    modules = {file.stem for file in Path(yardstick.__file__).parent.glob("*.py")}
    assert modules == {*SCRIPTS, *parts}


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("slug", sorted(file.stem for file in yardstick.REFERENCES.glob("*.c")))
def test_references_play_the_same_games(slug: str, tmp_path: Path) -> None:
    game = escale.game(slug)
    chosen: list[dict[str, str]] = [{}]
    chosen += [{option.name: value} for option in game.options for value in option.values[1:]]
    for number, options in enumerate(chosen):
        start = game.start_with(options, seed=number).kernel()
        reference = yardstick.Yardstick(slug, start, tmp_path)
        games, depth = (200, 3) if kernel.COMPILED else (5, 2)
        assert reference.playouts(games, 9) == measuring.runner("playouts", slug, start)(games, 9)
        assert reference.perft(depth, 0) == measuring.runner("perft", slug, start)(depth, 0)


def test_without_a_reference_in_c_the_rest_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yardstick, "REFERENCES", tmp_path)
    figures = measuring.measure("playouts", "tortuga", 0.05, 1)
    assert "c" not in figures.rates
    assert figures.notes == ["no reference in plain C for tortuga"]


def test_different_results_are_no_comparison() -> None:
    with pytest.raises(measuring.Disagreement, match="tortuga: compiled came to 1, plain C to 2"):
        measuring.agree("tortuga", "compiled", "1", "plain C", "2")


def test_positions_are_measured_beside_states_and_another_version(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    here = str(Path(escale.__file__).parents[2])
    words = ["api", "canoe", "--seconds", "0.05", "--against", here, "--json", str(file)]
    shown = RUNNER.invoke(app, words)
    assert shown.exit_code == 0, shown.output
    assert "canoe" in shown.output
    [canoe] = json.loads(file.read_text())["games"]
    drives = ("positions", "states", "spelled")
    assert set(canoe["best"]) == {*drives, *(f"other {name}" for name in drives)}
    assert all(rate > 0 for rate in canoe["best"].values())
    refused = RUNNER.invoke(app, ["api", "canoe", "--against", str(tmp_path)])
    assert "no checkout" in str(refused.exception)


def test_the_house_is_measured_with_real_moves(tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    words = ["server", "--tables", "3", "--think", "0.02", "--seconds", "1", "--json", str(file)]
    shown = RUNNER.invoke(app, words)
    assert shown.exit_code == 0, shown.output
    load = json.loads(file.read_text())
    assert load["moves"] > 0
    assert 0 < load["p50"] <= load["p99"]
    assert "moves a second" in shown.output
    refused = RUNNER.invoke(app, ["server", "--game", "canyon-1997", "--tables", "1"])
    assert "to chance" in str(refused.exception)


@pytest.mark.parametrize("what", ["playouts", "perft", "search"])
def test_a_benchmark_names_every_game_in_full(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(what: str, slug: str, seconds: float, threads: int) -> measuring.Figures:
        """Figures as wide as they come."""
        figures = measuring.Figures(
            game=slug, what=what, unit=measuring.UNITS[what], threads=threads, compiled=True,
            memory=1000 * 2**20,
        )
        rates = {"one": 1.4e9, "threads": 1.6684e9, "same as uncompiled": 1.4e9, "uncompiled": 1e6,
                 "one of threads": 1e9, "c": 1e9, "c threads": 1.6684e9, "c one of threads": 1e9}
        for name, rate in rates.items():
            figures.add(name, rate)
        return figures

    monkeypatch.setattr(measuring, "measure", measured)
    monkeypatch.setenv("COLUMNS", "80")
    text = RUNNER.invoke(app, [what], catch_exceptions=False).output
    assert "…" not in text
    for game in escale.games():
        tables = 2 if what == "search" and can("alphabeta", game.slug) else 1
        firsts = [line.split()[0] for line in text.splitlines() if line.strip()]
        assert firsts.count(game.slug) == tables
    assert "compiled" in text
    assert max(map(len, text.splitlines())) <= 80
