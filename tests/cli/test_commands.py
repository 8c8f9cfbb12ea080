"""The command line as a person meets it: typed lines, exit codes, some in real processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer import Context
from typer.main import get_command
from typer.testing import CliRunner

import escale
from escale.cli import app, language, main
from escale.match.match import Match
from escale.study.puzzles import puzzles_of
from tests.games.golden import path_of


def run(*arguments: str, typed: str = "", lang: str = "en") -> subprocess.CompletedProcess[str]:
    """What the command says, and how it ends, in this process: starting one takes longest."""
    with CliRunner().isolation(typed, {"ESCALE_LANG": lang, "COLUMNS": "200"}) as (out, err, _):
        with pytest.raises(SystemExit) as done:
            main(list(arguments))
        said = [stream.getvalue().decode() for stream in (out, err)]
    return subprocess.CompletedProcess(arguments, int(done.value.code or 0), *said)


def run_process(
    *arguments: str, typed: str = "", lang: str = "en"
) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "escale", *arguments], input=typed, capture_output=True,
        encoding="utf-8", timeout=120, env={**os.environ, "ESCALE_LANG": lang, "COLUMNS": "200"},
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "chess"], "There is no game “chess” on the shelf; known games: "),
        (["draw", "tortugo"], "Did you mean “tortuga”?"),
        (["perft", "tortuga", "2", "-o", "speed=fast"], "known options: formation, first"),
        (["perft", "tortuga", "2", "-o", "longest=on"], "known values: off, jumps, enemies"),
        (["perft", "qenj4", "2", "-o", "longest=jumps"], "this game has none"),
        (["perft", "tortuga", "2", "-o", "longest"], "An option is written NAME=VALUE"),
        (["draw", "tortuga", "-p", "S2N south 0"], "Expected 7 rows"),
        (["draw", "tortuga", "d2-d1", "-o", "first=south"], "(Rule 9.)"),
        (["play", "tortuga", "--against", "god"], "known levels: mousse"),
        (["play", "tortuga", "--seat", "2"], "Seats go from 0 to 1"),
        (["check", "chess"], "known games: "),
        (["draw", "tortuga", "--output", "/nowhere/at/all.svg"], "all.svg: no such file"),
        (["draw", "tortuga", "--output", "/"], "/: it is a directory"),
        (["play", "tortuga", "--keep", "/nowhere/at/all.jsonl"], "no such file"),
        (["play", "tortuga", "--keep", "/"], "/: it is a directory"),
        (["play", "tortuga", "--keep", sys.executable], "is not a text file"),
        (["analyse", "tortuga", "--method", "magic"], "known methods: mcts, ismcts, alphabeta"),
        (["analyse", "canoe", "zz"], "zz"),
        (["analyse", "tortuga", "-p", "4/5/6/6S/6/5/4 north 9"], "no seat's turn"),
        (["perft", "tortuga", "-3"], "No such option"),
        (["fly"], "No such command"),
    ],
)
def test_bad_input_says_what_was_expected_and_exits_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ESCALE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as done:
        main(arguments)
    assert done.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("too_much", [["--nodes", "9" * 30], ["--lines", "9" * 20]])
def test_what_no_search_can_do_is_refused(
    too_much: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_LANG", "en")
    with pytest.raises(SystemExit) as ended:
        main(["analyse", "tortuga", "-o", "first=south", *too_much])
    assert ended.value.code == 2
    assert f"Invalid value for '{too_much[0]}'" in capsys.readouterr().err


def test_bad_input_ends_the_process_without_a_traceback() -> None:
    done = run_process("play", "chess")
    assert done.returncode == 2
    assert done.stderr.startswith("escale: There is no game “chess”")
    assert "Traceback" not in done.stderr


def test_games_lists_all_boxes_with_their_options() -> None:
    done = run("games")
    assert done.returncode == 0
    for game in escale.games():
        assert game.slug in done.stdout
        for option in game.options:
            for value in option.values:
                assert f"{option.name}={value} " in done.stdout


def test_perft() -> None:
    assert run("perft", "tortuga", "3", "-o", "first=south").stdout.split() == ["4478"]
    lines = run("perft", "canoe", "2", "--divide").stdout.splitlines()
    assert len(lines) == 62
    assert sum(int(line.split()[1]) for line in lines[:-1]) == int(lines[-1]) == 3660


def test_draw(tmp_path: Path) -> None:
    text = run("draw", "canoe", "e4", "f4", "--format", "text").stdout
    assert " 4  · · · · ○ ● · · · · · · ·" in text
    flipped = run("draw", "canoe", "e4", "f4", "--format", "text", "--flip").stdout
    assert " 4  · · · · · · · ● ○ · · · ·" in flipped
    target = tmp_path / "table.svg"
    assert run("draw", "tortuga", "--seed", "1", "--output", str(target)).stdout == ""
    assert ElementTree.parse(target).getroot().tag.endswith("svg")


def test_two_people_play_a_game_to_its_end(tmp_path: Path) -> None:
    keep = tmp_path / "game.jsonl"
    position = "4/5/6/4SN1/6/5/4 south 0"
    done = run_process("play", "tortuga", "-p", position, "--keep", str(keep), typed="d5-d7\n")
    assert done.returncode == 0
    assert "South has reached the enemy base and wins." in done.stdout
    match = Match.replay(keep.read_text("utf-8"))
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_the_table_explains_helps_and_takes_back() -> None:
    typed = "\n".join([
        "?", "d2", "d2-d1", "zz", "rule 9", "rule 99", "undo", "d2-d3", "d6-d5", "undo",
        "resign",
    ])
    done = run("play", "tortuga", "-o", "first=south", typed=typed + "\n")
    assert done.returncode == 0
    for says in (
        "Possible moves: a1-a2", "What may follow: d3, c2, e2", "(Rule 9.)",
        "“zz” means nothing here", "9. A turtle only goes forward: straight ahead,",
        "[sheet]", "The rules are numbered from 1 to 28", "Nothing to take back",
        "Move taken back", "South plays d2-d3", "resigns",
    ):
        assert says in done.stdout, says


def test_french_first() -> None:
    done = run_process("play", "canoe", typed="e4\nzz\nquitter\n", lang="fr")
    assert "Clair joue e4. Un pion clair est planté en e4." in done.stdout
    assert "«\xa0zz\xa0» ne désigne rien ici." in done.stdout
    assert "À bientôt\u202f!" in done.stdout


def test_a_kept_game_goes_on(tmp_path: Path) -> None:
    keep = tmp_path / "game.jsonl"
    run("play", "canoe", "--keep", str(keep), typed="e4\nf4\n")
    done = run("play", "canoe", "--keep", str(keep), typed="e4-e5\nquit\n")
    assert done.returncode == 0
    assert Match.replay(keep.read_text("utf-8")).position.cells["e5"] == "light"
    wrong = run("play", "tortuga", "--keep", str(keep), typed="quit\n")
    assert wrong.returncode == 2
    assert "holds a game of Canoë" in wrong.stderr


def test_against_the_computer() -> None:
    done = run(
        "play", "tortuga", "--against", "mousse", "-o", "first=north", typed="?\nquit\n"
    )
    assert done.returncode == 0
    assert "North is thinking" in done.stdout
    assert "North plays" in done.stdout


def test_the_shelf() -> None:
    number = [game.slug for game in escale.games()].index("canoe") + 1
    done = run("play", typed=f"99\n{number}\np\ne4\nquit\n")
    assert done.returncode == 0
    assert "Type a number" in done.stdout
    assert "Light plays e4" in done.stdout


@pytest.mark.parametrize("against", ["c", "p"])
def test_the_shelf_suggests_the_quick_set_up_and_names_the_other(against: str) -> None:
    number = [game.slug for game in escale.games()].index("qenj2") + 1
    done = run("play", typed=f"{number}\n{against}\nquit\n")
    assert done.returncode == 0
    assert "For the sheet’s own: escale play qenj2" in done.stdout
    assert "piece of strength" in done.stdout          # dealt already


def test_check_says_what_it_checked() -> None:
    done = run("check", "tortuga", "--games", "1")      # all games: tests/games/test_conformance.py
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("tortuga\n  ok   facts\n")
    assert "FAIL" not in done.stdout


def test_analyse_tells_the_best_lines() -> None:
    won = run("analyse", "tortuga", "-p", "4/5/6/4SN1/6/5/4 south 0", "--nodes", "500")
    assert won.returncode == 0
    assert "1. d5-d7\n   South 100%, North 0% (proven; moves left, at most: 1)" in won.stdout
    lines = run(
        "analyse", "canoe", "e4", "f4", "--nodes", "300", "--lines", "3", "--method", "mcts",
        lang="fr",
    ).stdout
    firsts = re.findall(r"^[123]\. (\S+)", lines, re.MULTILINE)
    assert len(set(firsts)) == 3
    assert lines.count("(estimé)") == 3
    assert "Monte-Carlo, parties simulées\xa0: 300" in lines
    timed = run("analyse", "tortuga", "--seconds", "0.05", "--lines", "99", "-p",
                "4/5/6/3S3/6/N4/4 south 0")
    assert timed.stdout.count("proven") == 3
    hidden = run("analyse", "canyon-1997", "--nodes", "20")
    assert "Monte Carlo over what the player may know, simulated games: 20" in hidden.stdout


def test_who_gives_up_among_several_is_replaced_by_the_computer() -> None:
    done = run("play", "canyon-1997", "--seed", "4", typed="resign\nquit\n")
    assert done.returncode == 0
    assert "The computer now plays for Otter." in done.stdout
    assert "Otter is thinking" in done.stdout


def test_secret_bids_at_a_terminal() -> None:
    """Three people, each seeing the screen in turn: no one reads what another has bid."""
    position = "r7.dB.tg4/Oc1.hb7r2/Hd1.hg2y5/Be1.hp19 otter 60"
    typed = "bid2\nbid0\nbid1\nquit\n"
    told = run("play", "canyon-1997", "-p", position, typed=typed).stdout
    assert "Otter has chosen a speed." in told
    assert "Heron has chosen a speed." in told
    before, _, after = told.partition("Otter bids 2 tricks.")
    assert "Heron bids 0 tricks. Beaver bids 1 trick." in after
    assert not re.search("[02] tricks", before)
    alone = run(
        "play", "canyon-1997", "-p", position, "--against", "mousse", typed="bid2\nquit\n"
    ).stdout
    assert "Heron has chosen a speed." in alone
    assert "Heron plays" not in alone.partition("Otter bids")[0]


def test_review(tmp_path: Path) -> None:
    golden = path_of("qenj1", ".jsonl")
    match = Match.replay(golden.read_text("utf-8"))
    done = run("review", str(golden), "--budget", "300", lang="fr")
    assert done.returncode == 0, done.stderr
    assert "Analyse de la partie" in done.stdout
    assert match.outcome is not None
    assert match.outcome.text("fr") in done.stdout
    data = json.loads(run("review", str(golden), "--budget", "300", "--format", "json").stdout)
    assert len(data["review"]["moves"]) == len(data["words"]["moves"]) > 5
    assert data["review"]["nodes"] == 300
    page = tmp_path / "review.html"
    run("review", str(golden), "--budget", "300", "--format", "html", "--output", str(page))
    text = page.read_text("utf-8")
    assert "<polyline" in text
    assert "<script" not in text
    assert not re.search(r"""(src|href)=["'](?!#)|url\((?!#)|@import""", text), "from elsewhere"
    begun = "\n".join(golden.read_text("utf-8").splitlines()[:6])
    done = run("review", "-", typed=begun)
    assert done.returncode == 2
    assert "when it is over" in done.stderr


def test_verify(tmp_path: Path) -> None:
    golden = path_of("canyon-1997", ".jsonl")
    done = run("verify", str(golden), lang="fr")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "Tout est juste."
    text = golden.read_text("utf-8")
    forged = tmp_path / "forged.jsonl"
    forged.write_text(text.replace("draw-yellow3", "draw-yellow4", 1), "utf-8")
    done = run("verify", str(forged))
    assert done.returncode == 1
    assert "FAIL Event 2, draw 1: draw-yellow4 was drawn, but the secret gives draw-yellow3." in (
        done.stdout)
    done = run("verify", "-", typed="\n".join(text.splitlines()[:5]))
    assert done.returncode == 3
    assert "the secret is revealed only at the end" in done.stdout
    done = run("verify", str(tmp_path / "nothing"))
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


def test_a_box_becomes_a_document_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "box.pdf"
    command = ["print", "qenj4", "--parts", "board, pieces", "--out", str(path)]
    assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
    assert path.read_bytes().startswith(b"%PDF")
    done = run("--lang", "fr", "print", "qenj4", "--parts", "board,lid", "--out", str(path))
    assert done.returncode == 2
    assert "«\xa0lid\xa0»" in done.stderr


def test_a_transcript_becomes_a_page_that_stands_alone(tmp_path: Path) -> None:
    for game in escale.games():
        sheet = tmp_path / f"{game.slug}.html"
        golden = path_of(game.slug, ".jsonl")
        command = ["score", str(golden), "--output", str(sheet), "--lang", "fr"]
        assert CliRunner().invoke(app, command, catch_exceptions=False).exit_code == 0
        text = sheet.read_text("utf-8")
        assert text.startswith("<!doctype html>")
        assert "<svg" in text
        assert not re.search(r"<script|<link|src=", text)
    done = run("score", str(tmp_path / "none.jsonl"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


# ---- in the language of the reader ----


def every_help() -> Iterator[str]:
    """All help that `--help` shows, of every command and option."""
    def visit(command: Any) -> Iterator[str]:
        yield command.help or ""
        yield from (getattr(one, "help", None) or "" for one in command.params)
        yield command.get_help_option(Context(command)).help
        for inner in getattr(command, "commands", {}).values():
            yield from visit(inner)

    yield from filter(None, visit(get_command(app)))


def test_all_help_is_in_the_catalogue_which_holds_no_other() -> None:
    texts = language.words()
    known = {language._bare(texts.sentence(key, "en")) for key in texts if key[:5] == "help."}
    assert known == {language._bare(one) for one in every_help()}


def test_help_is_shown_in_the_language_asked_for() -> None:
    shown = run("play", "--help", "--lang", "fr").stdout
    assert "Usage\xa0: escale play" in shown
    assert "Jouer dans le terminal" in shown
    assert "Afficher cette aide" in shown
    assert "[par défaut\xa0: 0]" in shown
    assert "Jouer dans le terminal" in run("--help", lang="fr").stdout
    served = run("serve", "--help", lang="fr").stdout
    assert "Données" in served
    assert "Watching over it" not in served
    assert "Afficher cette aide" in run("new-game", "--help", "--lang", "fr").stdout
    assert "Play in the terminal" in run("--help").stdout


@pytest.mark.parametrize(("arguments", "says"), [
    (["play", "chess"], "Il n’y a pas de jeu « chess » sur l’étagère. Jeux possibles : canoe"),
    (["draw", "tortugo"], "Vouliez-vous dire « tortuga » ?"),
    (["play", "tortuga", "--seats", "3"], "Tortuga se joue à 2, pas à 3."),
    (["play", "tortuga", "-o", "first=west"], "L’option « first » ne peut pas valoir « west »."),
    (["play", "tortuga", "-o", "first"], "Une option s’écrit NOM=VALEUR"),
    (["play", "tortuga", "--against", "god"], "L’ordinateur n’a pas de niveau « god »."),
    (["play", "tortuga", "--seat", "2"], "Les places vont de 0 à 1."),
    (["draw", "tortuga", "d2-d1", "-o", "first=south"], "« d2-d1 » n’est pas permis. d1"),
    (["draw", "tortuga", "-p", "S2N south 0"], "Le plateau a 7 rangées"),
    (["verify", "/nowhere"], "/nowhere est illisible : ce fichier ou ce dossier n’existe pas."),
    (["draw", "canoe", "--output", "/"], "/ : c’est un dossier"),
    (["arena", "match", "mousse", "mousse", "-g", "canoe"], "ne peut pas s’affronter lui-même"),
    (["arena", "league", "mousse", "-g", "canoe"], "Il faut au moins deux joueurs"),
    (["study", "puzzles", "canoe", "zz"], "Il n’y a pas de problème « zz » de Canoë."),
    (["health", "http://127.0.0.1:1"], "127.0.0.1:1 ne répond pas : rien n’écoute à cette adresse"),
    (["perft", "tortuga", "-3"], "Il n’y a pas d’option « -3 »"),
    (["perft"], "Il manque :"),
    (["perft", "tortuga", "x"], "ne convient pas"),
    (["fly"], "Cette commande n’est pas comprise"),
    (["analyse", "tortuga", "--method", "magic"], "Il n’y a pas de méthode « magic »."),
    (["arena", "match", "x", "mousse", "-g", "canoe"], "« x » ne désigne aucun joueur."),
    (["backup", "x", "--database", "/nowhere.db"], "Il n’y a pas de base de données à /nowhere.db"),
    (["serve", "--keep-finished", "3q"], "Une durée de garde s’écrit comme 12h"),
    (["score", __file__], "La ligne 1 n’est pas celle d’une transcription"),
    (["texts", "export", "fr", "x"], "La langue fr est écrite dans les catalogues eux-mêmes"),
    (["new-game", "9x"], "Un nom de jeu s’écrit en lettres minuscules"),
    (["draw", "canoe", "zz"], "c2, d2, e2, f2, …\n"),
])
def test_errors_are_told_in_the_language_asked_for(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ESCALE_LANG", "fr")
    with pytest.raises(SystemExit) as done:
        main(arguments)
    assert done.value.code == 2
    told = re.sub(r"[\xa0\u202f]", " ", capsys.readouterr().err)
    assert says in told
    assert told.count("\n") == 1


def test_research_is_reported_in_the_language_asked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Tables, scores and proofs, too: no English word, and numbers as French writes them."""
    def told(*arguments: str) -> str:
        with pytest.raises(SystemExit) as done:
            main([*arguments, "--lang", "fr"])
        assert not done.value.code
        captured = capsys.readouterr()
        return re.sub(r"[\s\xa0\u202f]+", " ", captured.out + captured.err)

    assert "problème coups mousse" in told("study", "puzzles", "qenj4")
    played = ("--games", "2", "-g", "canoe", "--processes", "1")
    said = told("arena", "match", "random", "mousse", *played)
    assert "random contre mousse à canoe : " in said
    assert "soit 0,0 % (à 95 %, de 0,0 à " in said
    assert "SPRT 0/50, indécis" in said
    assert "joueur Elo ± parties score" in told("arena", "league", "random", "mousse", *played)
    puzzle = next(iter(puzzles_of(escale.game("qenj4"))))
    proof = str(tmp_path / "proof.jsonl")
    assert "coups au plus, quoi que jouent les autres" in told(
        "study", "prove", "qenj4", puzzle, "--out", proof
    )
    assert "Lignes de la preuve, " in told("study", "verify", proof)


def test_about_says_whom_it_thanks_and_whose_it_is_not() -> None:
    for lang, words in (("fr", "nous remercions"), ("en", "whom we thank")):
        told = run("about", "--lang", lang).stdout
        assert words in " ".join(told.split())
        assert "escaleajeux.fr" in told
        assert not re.search(r"@|\d\d \d\d \d\d", told)
