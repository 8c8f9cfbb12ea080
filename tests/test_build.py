"""Without a C compiler the package installs and works, and says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


ASKED_ONCE = """
import importlib.metadata, sys
depth, known = [0], importlib.metadata.entry_points

def entry_points(**wanted):
    depth[0] += 1
    assert depth[0] == 1, "asked again while it is being answered"
    found = known(**wanted)
    depth[0] -= 1
    return found

importlib.metadata.entry_points = entry_points
sys.path.append(sys.argv[1])
import escale, xml.dom.minidom
print(escale.game("tortuga").slug)
"""


def test_from_sources_beside_a_library_in_a_zip_file(tmp_path: Path) -> None:
    library = tmp_path / "library.zip"
    with zipfile.ZipFile(library, "w") as file:
        file.writestr("shelf.py", "")
    ran = subprocess.run(
        [sys.executable, "-c", ASKED_ONCE, str(library)], env={**os.environ, "ESCALE_PURE": "1"},
        capture_output=True, text=True,
    )
    assert (ran.stdout, ran.returncode) == ("tortuga\n", 0), ran.stderr


@pytest.mark.exhaustive
def test_without_a_compiler(tmp_path: Path) -> None:
    copy = tmp_path / "escale"
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignore)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    bare = {name: value for name, value in os.environ.items() if name != "ESCALE_PURE"}
    built = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=copy,
        env={**bare, "CC": str(tmp_path / "no-such-compiler")}, capture_output=True, text=True,
    )
    assert built.returncode == 0, built.stderr
    assert "not compiled" in built.stderr
    assert not list(copy.rglob("*.so"))
    ran = subprocess.run(
        [sys.executable, "-c", "import escale, escale.match.match\n"
         "print(escale.COMPILED, escale.__file__)\n"
         "print(len(escale.game('canoe').start().moves()))"],
        cwd=tmp_path, env={**bare, "PYTHONPATH": str(copy / "src")}, capture_output=True, text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"False {copy / 'src/escale/__init__.py'}\n61\n"
    assert ran.stderr.count("escale is not compiled") == 1


@pytest.mark.exhaustive
def test_only_what_has_changed_is_compiled_again(tmp_path: Path) -> None:
    source = tmp_path / "src/escale/kernel"
    source.mkdir(parents=True)
    head = "# cython: boundscheck=False\nimport cython\n"
    (source / "core.pxd").write_text("cdef class State:\n    cdef int turn\n")
    (source / "core.py").write_text(f"{head}@cython.cclass\nclass State:\n    pass\n")
    uses = "from cython.cimports.escale.kernel.core import State\n"
    (source / "perft.py").write_text(head + uses)
    (source.parent / "__init__.py").touch()
    (source / "__init__.py").touch()
    (source.parent / "devkit").mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE",
                 "src/escale/devkit/build.py"):
        shutil.copy(ROOT / name, tmp_path / name)

    def built() -> dict[str, int]:
        subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tmp_path, check=True,
            capture_output=True,
        )
        return {
            library.name.partition(".")[0]: library.stat().st_mtime_ns
            for library in source.glob("*.so")
        }

    def later(name: str) -> None:
        """As if the file had been saved again."""
        latest = max(path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file())
        os.utime(source / name, ns=(latest + 10**9, latest + 10**9))

    first = built()
    assert first.keys() == {"core", "perft"}
    assert built() == first
    later("perft.py")
    second = built()
    assert [name for name in first if first[name] != second[name]] == ["perft"]
    later("core.pxd")                           # everything depends on it
    third = built()
    assert all(second[name] != third[name] for name in first)
    text = (source / "perft.py").read_text("utf-8")
    (source / "perft.py").write_text(text.removeprefix("# cython:"), "utf-8")
    assert built().keys() == {"core"}           # an old library would hide the source
