"""Taking a box along: the parts under their fingerprint, the list of files, the page of a table."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import escale
from escale.devkit.offline import PYODIDE_FILES, archive
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.offline.parts import find_parts
from escale.server.offline.routes import box_files
from escale.server.settings import Settings


def make_parts(folder: Path) -> Path:
    """Parts that look like those that are built, with little in them."""
    folder.mkdir()
    sizes = {}
    for name in ("escale.zip", *PYODIDE_FILES):
        (folder / name).write_bytes(name.encode() * 40)
        sizes[name] = len(name) * 40
    facts = {"version": "0", "pyodide": "0.29.5", "compiled": True, "fingerprint": "0123456789ab",
             "files": sizes}
    (folder / "offline.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture(scope="module")
def giving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A house with the parts."""
    folder = tmp_path_factory.mktemp("giving")
    settings = Settings(
        database=f"sqlite:///{folder}/escale.db", workers=1, limits=Limits.none(),
        offline=make_parts(folder / "parts"),
    )
    with TestClient(create_app(settings), "http://localhost", follow_redirects=False) as client:
        yield client


def test_without_the_parts_nothing_is_taken_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_OFFLINE", str(tmp_path / "none"))
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db", workers=1)
    with TestClient(create_app(settings), "http://localhost") as client:
        page = client.get("/g/tortuga", headers={"accept-language": "fr"})
        assert page.status_code == 200
        assert "data-take" not in page.text
        assert client.get("/g/tortuga/table").status_code == 404
        assert client.get("/api/games/tortuga/files").status_code == 404
        assert "make offline" in client.get("/host").text


def test_parts_are_kept_for_ever_under_their_fingerprint(giving: TestClient) -> None:
    page = giving.get("/g/tortuga", headers={"accept-language": "fr"}).text
    assert "data-take" in page
    assert "/offline/0123456789ab/" in page
    part = giving.get("/offline/0123456789ab/pyodide.mjs", headers={"accept-encoding": "br"})
    assert part.text.startswith("pyodide.mjs")
    assert part.headers["content-encoding"] == "br"
    assert "immutable" in part.headers["cache-control"]
    assert part.headers["content-type"].startswith("text/javascript")
    for other in ("0123456789ab/offline.json", "0123456789ab/..", "ffffffffffff/pyodide.mjs"):
        assert giving.get(f"/offline/{other}").status_code == 404


def test_only_the_worker_may_compile(giving: TestClient) -> None:
    listed = giving.get("/api/games/tortuga/files").json()["files"]
    [worker] = [path for path, _ in listed if path.endswith("/js/device_worker.js")]
    assert "'wasm-unsafe-eval'" in giving.get(worker).headers["content-security-policy"]
    page = giving.get("/g/tortuga", headers={"accept-language": "fr"})
    assert "unsafe" not in page.headers["content-security-policy"]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_file_of_a_box_is_there(giving: TestClient, lang: str) -> None:
    found = giving.get(f"/api/games/tortuga/files?lang={lang}").json()
    paths = [path for path, _ in found["files"]]
    assert len(paths) == len(set(paths))
    assert found["size"] == sum(size for _, size in found["files"])
    seen: dict[str, int] = {}
    for path in paths:
        kind = path.rpartition("/")[0]
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= 3:                     # three of each kind
            answer = giving.get(path, headers={"accept-language": lang})
            assert answer.status_code == 200, path
    prefix = "" if lang == "fr" else "/en"
    for page in ("rules", "rules/text", "learn", "analyse", "table"):
        assert f"{prefix}/g/tortuga/{page}" in paths


def test_all_boxes_have_their_files(giving: TestClient) -> None:
    parts = giving.app.state.parts              # type: ignore[attr-defined]
    for game in escale.games():
        paths = {path for path, _ in box_files(parts, game, "fr").files}
        assert {f"/g/{game.slug}", f"/g/{game.slug}/table", f"/cover/{game.slug}.svg"} <= paths


def test_incomplete_parts_are_none(tmp_path: Path) -> None:
    folder = make_parts(tmp_path / "parts")
    assert find_parts(folder) is not None
    (folder / "escale.zip").write_bytes(b"cut off")
    assert find_parts(folder) is None
    (folder / "offline.json").write_text("[]")
    assert find_parts(folder) is None


def test_the_archive_is_small_and_has_what_runs() -> None:
    suffix = ".cpython-313-wasm32-emscripten.so"
    modules = {f"escale/kernel/core{suffix}": b"compiled", "msgspec/__init__.py": b""}
    packed = archive(modules)
    assert packed == archive(modules), "equal contents have equal bytes"
    assert len(packed) < 1_400_000
    names = set(zipfile.ZipFile(io.BytesIO(packed)).namelist())
    assert f"escale/kernel/core{suffix}" in names
    assert "escale/kernel/core.py" not in names
    for name in ("server/offline/device.py", "games/tortuga/rules.py", "games/tortuga/texts.toml",
                 "server/texts.toml", "server/pages/forms.py"):
        assert f"escale/{name}" in names
    assert not any(name.startswith(("escale/arena/", "escale/web/static/")) for name in names)
