"""`escale static`: every link of its pages leads to a file, under any path, also without parts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from escale.server.app import create_app
from escale.server.offline.static_site import Site, export
from tests.server.offline.test_parts import make_parts

LINK = re.compile(r'\b(?:href|src|action)="([^"]*)"')
FORMS = ("/tables",)
"""Addresses that a script answers for."""


@pytest.fixture(scope="module", params=["", "/club/games"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> \
        tuple[Path, str, Site]:
    """One game as files, under a path."""
    folder = tmp_path_factory.mktemp("static")
    parts = make_parts(folder / "parts")
    written = export(folder / "site", create_app, base=request.param, parts_folder=parts,
                     slugs=("tortuga",))
    return folder / "site", request.param, written


def file_of(root: Path, base: str, address: str) -> Path:
    """What a plain file server sends for an address."""
    path = urlsplit(address).path
    assert path.startswith(f"{base}/"), address
    found = root / path.removeprefix(base).lstrip("/")
    return found / "index.html" if found.is_dir() else found


def test_every_link_leads_to_a_file(site: tuple[Path, str, Site]) -> None:
    root, base, _ = site
    pages = [*root.rglob("*.html")]
    assert len(pages) > 80
    missing = set()
    for page in pages:
        here = f"{base}/{page.relative_to(root).as_posix()}"
        for link in LINK.findall(page.read_text("utf-8")):
            there = urljoin(here, link.replace("&amp;", "&"))
            if urlsplit(there).netloc or there.startswith("mailto:"):
                continue
            if there.removeprefix(base) in FORMS or there.partition("#")[0] == here:
                continue
            other_box = re.search(r"/(?:g|puzzles)/(?!tortuga)[\w-]+", there)
            if not other_box and not file_of(root, base, there).exists():
                missing.add((page.relative_to(root).as_posix(), link))
    assert not missing, sorted(missing)[:10]


def test_pages_know_that_there_is_no_house(site: tuple[Path, str, Site]) -> None:
    root, base, written = site
    assert written.playable
    page = (root / "g/tortuga/index.html").read_text("utf-8")
    assert 'data-house="device"' in page
    assert (f'data-base="{base}"' in page) == bool(base)
    assert f'"at": "{base}/offline/0123456789ab/"' in page
    assert "http-equiv=\"Content-Security-Policy\"" in page
    assert 'value="link"' not in page, "no one elsewhere can sit down"
    english = (root / "en/g/tortuga/index.html").read_text("utf-8")
    assert f'href="{base}/g/tortuga"' in english, "the way to the other language"
    assert not re.search(r'href="[^"]*/(?:lobby|mine|host|lang)\b', page)


def test_the_list_of_a_box_names_files(site: tuple[Path, str, Site]) -> None:
    root, base, _ = site
    for lang in ("", "en/"):
        listed = json.loads((root / f"{lang}g/tortuga/files.json").read_text("utf-8"))
        for path, _ in listed["files"]:
            cover_of_another = "/cover/" in path
            assert cover_of_another or file_of(root, base, path).exists(), path


def test_a_site_without_parts_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_OFFLINE", str(tmp_path / "none"))
    written = export(tmp_path / "site", create_app, slugs=("canoe",))
    assert not written.playable
    assert (tmp_path / "site/g/canoe/rules/index.html").exists()
    assert not (tmp_path / "site/g/canoe/table").exists()
    assert not (tmp_path / "site/offline").exists()
