"""`escale --help`, `--version`, and the options of the house."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import escale
from escale.cli import GROUPS, UNLISTED, app, host, language, main, serving
from escale.game.texts import LANGUAGES

RUNNER = CliRunner()


def help_in(lang: str, *words: str) -> str:
    """What `escale --help` shows in its own process: one process speaks one language."""
    return subprocess.run(
        [sys.executable, "-m", "escale", *words], capture_output=True, encoding="utf-8",
        timeout=120, check=True, env={**os.environ, "ESCALE_LANG": lang},
    ).stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_commands_fit_a_screen_by_group(lang: str) -> None:
    shown = help_in(lang, "--help")
    lines = shown.splitlines()
    assert len(lines) < 24, "a screen has 24 lines, and the last one is the prompt's"
    assert max(map(len, lines)) <= 80
    listed = lines[1:]
    headings = [language.words().say(f"group.{group.lower()}", lang) for group in GROUPS]
    assert [line[:10].strip() for line in listed if line[0] != " "] == headings
    commands = get_command(app).commands                    # type: ignore[attr-defined]
    named = sorted(line[12:].split()[0] for line in listed)
    assert named == sorted(set(commands) - UNLISTED)
    assert all(len(line[12:].split(maxsplit=1)[1]) > 20 for line in listed)
    assert help_in(lang, "-h") == shown
    assert help_in("en", "--help", "--lang", lang) == shown


def test_a_language_before_a_command_is_that_of_the_command(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_LANG", "en")
    for words in (["games"], ["verify", "-"]):
        before, after = (
            RUNNER.invoke(app, given, input="").output
            for given in (["--lang", "fr", *words], [*words, "--lang", "fr"])
        )
        assert before == after != RUNNER.invoke(app, words, input="").output
    served: list[object] = []
    monkeypatch.setattr(host, "open_house", served.append)
    RUNNER.invoke(app, ["--lang", "fr"], catch_exceptions=False)
    assert served == [host.HouseOptions(lang="fr")]


def test_the_version_is_said() -> None:
    assert escale.__version__ in RUNNER.invoke(app, ["--version"]).output.split()


def test_every_option_of_the_house_stands_under_serve_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_LANG", "en")
    command = get_command(app)
    serve = command.commands["serve"]                       # type: ignore[attr-defined]
    known = {field.name for field in fields(host.HouseOptions)}
    assert {option.name for option in serve.params} == known
    assert [option.name for option in command.params] == ["_version", "room", "lang"]
    with pytest.raises(SystemExit) as ended:
        main(["--port", "8001"])
    assert ended.value.code == 2
    assert "No such option" in capsys.readouterr().err


def test_escale_alone_opens_the_house_with_the_defaults_of_serve(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[object, dict[str, object]]] = []
    monkeypatch.setattr(
        serving, "serve_house", lambda settings, **more: served.append((settings, more))
    )
    for words in ([], ["serve"]):
        assert RUNNER.invoke(app, words, catch_exceptions=False).exit_code == 0
    alone, serve = served
    assert alone == serve
    assert RUNNER.invoke(app, ["serve", "--no-browser", "--processes", "2"]).exit_code == 0
    assert served[2][0] == serve[0]
    assert served[2][1] == {**serve[1], "browser": False, "processes": 2}


@pytest.mark.parametrize("words", [["games"], ["--help"]])
def test_other_commands_do_not_open_it(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "open_house", lambda _: pytest.fail("the house was opened"))
    assert RUNNER.invoke(app, words, catch_exceptions=False).exit_code == 0
