"""Tables in a terminal of 80 columns: no name is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

import escale
from escale.arena.pairings import Pairing, Result
from escale.cli import app, arena
from escale.cli.tables import names_and_figures

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def shown(*words: str) -> str:
    done = RUNNER.invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def first_words(text: str) -> Iterator[str]:
    return (line.split()[0] for line in text.splitlines() if line.strip())


def test_the_shelf_names_every_game_and_option_in_full() -> None:
    for lang in ("fr", "en"):
        text = shown("games", "--lang", lang)
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= 80
        told = re.sub(r"[ \n]+", " ", text)
        for game in escale.games():
            assert list(first_words(text)).count(game.slug) == 1
            for option in game.options:
                assert game.texts.say(f"option.{option.name}", lang) in told
                for value in option.values:
                    sentence = game.texts.say(f"option.{option.name}.{value}", lang)
                    assert f" {option.name}={value} {sentence}" in told


def test_a_league_names_every_contender_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "mcts:simulations=1000000,temperature=100"
    twins = [f"{long}{number}" for number in (1, 2)]

    def played(wanted: list[Pairing], *_: object) -> list[Result]:
        return [Result(one.key, one.seated, one.opening, (1.0, 0.0), "end", 9) for one in wanted]

    monkeypatch.setattr(arena, "play_pairings", played)
    text = shown("arena", "league", *twins, "-g", "qenj4", "-n", "2")
    assert "…" not in text
    assert set(twins) <= set(first_words(text))


def test_a_name_longer_than_the_terminal_goes_on_in_the_next_line(tmp_path: Path) -> None:
    name = "alphabeta:nodes=1000,weights=" + "/a-folder" * 12
    table = names_and_figures("", "contender", "Elo", "games")
    table.add_row(name, "+200", "4000")
    with (tmp_path / "screen.txt").open("w+") as file:
        Console(width=80, file=file).print(table)
        file.seek(0)
        lines = file.read().splitlines()
    assert name in "".join(line.split()[0] for line in lines[2:] if line.strip())
    assert any("+200" in line and "4000" in line for line in lines)
