"""`escale bench`: that it measures the same things, not how fast they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import escale
from bench.compare import main as compare
from escale import kernel
from escale.cli import bench, yardstick

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
    shown = RUNNER.invoke(bench.app, [what, *slugs, "--seconds", "0.05", "--json", str(file)])
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


@pytest.mark.skipif(not bench.STATUS.exists(), reason="the system does not tell")
@pytest.mark.parametrize("what", bench.SEARCHES)
def test_memory_grows_with_the_search(what: str) -> None:
    small, large = (bench.memory(what, "qenj3", amount) for amount in (100, 20_000))
    assert small is not None
    assert large is not None
    assert large > small + 100_000


def test_one_game_on_one_thread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("before.json", "after.json")]
    for file in files:
        words = ["perft", "canoe", "--seconds", "0.05", "--threads", "1", "--json", file]
        assert RUNNER.invoke(bench.app, words).exit_code == 0
    compare(*files)
    assert "canoe\n  one core" in capsys.readouterr().out


@pytest.mark.skipif(not yardstick.REFERENCES.is_dir(), reason="not a checkout")
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
        assert reference.playouts(games, 9) == bench.runner("playouts", slug, start)(games, 9)
        assert reference.perft(depth, 0) == bench.runner("perft", slug, start)(depth, 0)


def test_without_a_checkout_the_reference_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yardstick, "REFERENCES", tmp_path / "nowhere")
    figures = bench.measure("playouts", "tortuga", 0.05, 1)
    assert "c" not in figures.rates
    assert "references in plain C are in a checkout only" in figures.notes


def test_different_results_are_no_comparison() -> None:
    with pytest.raises(bench.Disagreement, match="tortuga: compiled came to 1, plain C to 2"):
        bench.agree("tortuga", "compiled", "1", "plain C", "2")


def test_positions_are_measured_beside_states_and_another_version(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    here = str(Path(escale.__file__).parents[2])
    words = ["api", "canoe", "--seconds", "0.05", "--against", here, "--json", str(file)]
    shown = RUNNER.invoke(bench.app, words)
    assert shown.exit_code == 0, shown.output
    assert "canoe" in shown.output
    [canoe] = json.loads(file.read_text())["games"]
    drives = ("positions", "states", "spelled")
    assert set(canoe["best"]) == {*drives, *(f"other {name}" for name in drives)}
    assert all(rate > 0 for rate in canoe["best"].values())
    refused = RUNNER.invoke(bench.app, ["api", "canoe", "--against", str(tmp_path)])
    assert "no checkout" in str(refused.exception)


def test_the_house_is_measured_with_real_moves(tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    words = ["server", "--tables", "3", "--think", "0.02", "--seconds", "0.5", "--json", str(file)]
    shown = RUNNER.invoke(bench.app, words)
    assert shown.exit_code == 0, shown.output
    load = json.loads(file.read_text())
    assert load["moves"] > 3
    assert 0 < load["p50"] <= load["p99"]
    assert "moves a second" in shown.output
    refused = RUNNER.invoke(bench.app, ["server", "--game", "canyon-1997", "--tables", "1"])
    assert "to chance" in str(refused.exception)
