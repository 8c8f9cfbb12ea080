"""`escale backup`, `restore`, `tidy` and `health`, as a host types them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from escale.cli import app, main
from escale.cli.service_manager import tell_service_manager
from escale.store import archive
from escale.store.archive import Archive
from escale.store.backup import back_up, back_up_into, inspect_archive
from escale.store.database import database_url
from escale.store.retention import DAY_MS
from tests.attacks.victim import victim
from tests.server.hosting import OPEN, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people
from tests.sizes import PATIENCE_SECONDS
from tests.store.test_backup import fill


def run(*words: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, [*words, "--lang", "en"], catch_exceptions=False)
    return ran.exit_code, ran.output


def test_a_backup_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, file = str(tmp_path / "house.sqlite3"), str(tmp_path / "house.backup")
    asyncio.run(fill(database))
    code, said = run("backup", file, "--database", database)
    assert (code, "4 tables" in said, "every match has been replayed" in said) == (0, True, True)
    with pytest.raises(SystemExit) as left:
        main(["backup", file, "--database", database])
    assert left.value.code == 2
    assert "overwrite it with --force" in capsys.readouterr().err
    assert run("backup", file, "--database", database, "--force", "--no-verify")[0] == 0
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("UPDATE events SET entry = 'x' WHERE table_id = 'buoy' AND n = 1")
    code, said = run("backup", file, "--database", database, "--force")
    assert (code, "table buoy cannot be replayed" in said) == (1, True)
    other = str(tmp_path / "other.sqlite3")
    # The good copy is still there; the one with the damaged table stands beside it.
    code, said = run("restore", f"{file}.damaged", "--database", other, "--new")
    assert code == 1
    assert "table buoy cannot be replayed" in said
    assert "3 tables" in said
    assert "Damaged tables: 1" in said


def test_tidying_says_first_what_it_would_delete(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        waiting = house.create("tortuga", person("Zacharie-Ephemere"), OPEN, **SOUTH)
        played, _ = two_people(house)
        played.play(0, "d2-d3")
    database = tmp_path / "house.sqlite3"
    long_ago = time.time_ns() // 1_000_000 - 31 * DAY_MS
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("UPDATE tables SET created = ?, seen = NULL", (long_ago,))
        opened.execute("UPDATE events SET at = ?", (long_ago,))
    code, said = run("tidy", "--database", str(database), "--dry-run")
    assert (code, said) == (0, f"{waiting.id}\nTables that would be deleted: 1.\n")
    assert run("tidy", "--database", str(database), "--keep-unstarted", "8w")[1].endswith(": 0.\n")
    assert "Tables deleted: 1." in run("tidy", "--database", str(database))[1]
    assert b"Zacharie-Ephemere" not in database.read_bytes()
    with hosted(tmp_path) as house:
        assert house.client.get(f"/api/tables/{waiting.id}").status_code == 404
        assert house.client.get(f"/api/tables/{played.id}").json()["ply"] == 1
    with pytest.raises(SystemExit):
        main(["tidy", "--database", str(database), "--keep-finished", "a while"])


def test_a_house_for_a_host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real process: it says when it is ready, logs JSON, and answers those who watch over it."""
    notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notified.bind(str(tmp_path / "notify"))
    notified.settimeout(60)
    with closing(notified), pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        patch.setenv("ESCALE_ADMIN_TOKEN", "correct-horse-battery-staple")
        with victim(tmp_path, "--log-json", "--access-log", "--metrics-port", "0") as house:
            assert notified.recv(100) == b"READY=1"
            until = time.monotonic() + PATIENCE_SECONDS
            while run("health", house.url)[0]:
                assert time.monotonic() < until
                time.sleep(0.2)
            assert run("health", house.url) == (0, "The house is ready.\n")
            asked = subprocess.run(
                [sys.executable, "-m", "escale", "health", house.url + "/en", "--lang", "en"],
                capture_output=True, text=True, timeout=60,
            )
            assert (asked.returncode, "is not an Escale house" in asked.stderr) == (2, True)
        assert notified.recv(100) == b"STOPPING=1"
        lines = [json.loads(line) for line in house.log.splitlines()]
        assert {"/readyz"} <= {line.get("path") for line in lines}
        assert all(line["request"] for line in lines if "path" in line)
    with pytest.raises(SystemExit):
        main(["health", house.url, "--lang", "en"])
    assert "does not answer" in capsys.readouterr().err
    environment = {**os.environ, "ESCALE_ADMIN_TOKEN": "short"}
    ran = subprocess.run(
        [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", "0",
         "--database", str(tmp_path / "x.sqlite3")], env=environment, capture_output=True,
        text=True, timeout=60,
    )
    assert (ran.returncode, "16 letters or more" in ran.stderr) == (2, True)
    tell_service_manager("READY=1")             # without a service manager: nothing happens


def test_commands_that_need_a_database_make_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "typo.sqlite3"
    file = tmp_path / "house.backup"
    file.write_bytes(b"")
    for command in (["bot", "create", "Gull"], ["bot", "show"], ["restore", str(file)], ["tidy"]):
        with pytest.raises(SystemExit) as refused:
            main([*command, "--database", str(database), "--lang", "en"])
        assert refused.value.code == 2
        assert "There is no database at" in capsys.readouterr().err
        assert not database.exists()


def test_a_good_backup_is_never_replaced_by_a_worse_one(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "house.sqlite3"))
    asyncio.run(fill(str(url.database)))
    folder = tmp_path / "backups"
    sound = [back_up_into(url, folder, keep=2).path for _ in range(3)]
    assert sorted(folder.iterdir()) == sorted(path for path in sound[1:] if path)
    single = tmp_path / "single.backup"
    back_up(url, single)
    before = single.read_bytes()
    with closing(sqlite3.connect(str(url.database))) as connection, connection:
        connection.execute("UPDATE events SET entry = 'x' WHERE table_id = 'buoy' AND n = 1")
    for _ in range(3):
        report = back_up_into(url, folder, keep=2)
        assert not report.sound
        assert report.path
        assert report.path.name.endswith(".backup.damaged")
    assert [path for path in sound[1:] if path and path.exists()] == sound[1:]
    assert len(list(folder.glob("*.damaged"))) == 2
    assert not back_up(url, single, force=True).sound
    assert single.read_bytes() == before
    assert single.with_name("single.backup.damaged").exists()
    code, said = run("backup", "--keep", "2", str(folder), "--database", str(url.database))
    assert code == 1
    assert "every match has been replayed" not in said


def test_a_cut_off_backup_says_how_many_tables_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MEMBER_BYTES", 1)
    url, file = database_url(str(tmp_path / "house.sqlite3")), tmp_path / "house.backup"
    asyncio.run(fill(str(url.database)))
    tables = back_up(url, file).tables
    whole = file.read_bytes()
    starts = [found.start() for found in re.finditer(rb"\x1f\x8b\x08", whole)]
    file.write_bytes(whole[: starts[2]])                # the header and one table
    report = inspect_archive(Archive(file))
    assert (report.cut_off, report.tables, report.lost) == (True, 1, tables - 1)
