"""The parts with which a browser plays without a house: Pyodide, and Escale compiled for it.

`prepare` puts them into one folder, which the house serves (`server/offline/parts.py`) and which
`escale static` copies. The rules are compiled by clang for WebAssembly, from the same sources as
for this machine. Where clang, lld, the headers of emscripten or those of the right Python are
missing, the sources run uncompiled: the same moves, much slower.

    parts/
      offline.json            what they are, and their fingerprint
      pyodide.mjs, pyodide.asm.js, pyodide.asm.wasm.packed, python_stdlib.zip, pyodide-lock.json
      escale.zip              Escale and msgspec: sources, texts, compiled modules
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import escale
from escale.devkit.build import sources
from escale.game.errors import EscaleError

PACKAGE = Path(escale.__file__).parent
PYODIDE = {"3.13": "0.29.5", "3.14": "314.0.7"}
"""The version of the npm package `pyodide` with each Python; modules are compiled for the first."""
COMPILED_PYTHON, PURE_PYTHON = PYODIDE
PURE_PLATFORM = "pyemscripten_2026_0_wasm32"
"""The platform under which msgspec has a wheel for the uncompiled parts."""
CLANGS = ("clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", "clang")
SYSROOT = "usr/share/emscripten/cache/sysroot/include"
SIZES = (
    "ALIGNOF_LONG", "ALIGNOF_SIZE_T", "SIZEOF_LONG", "SIZEOF_PTHREAD_T", "SIZEOF_SIZE_T",
    "SIZEOF_UINTPTR_T", "SIZEOF_VOID_P",
)
"""The sizes in `pyconfig.h` that are 4 bytes in WebAssembly."""
ELSEWHERE = (
    "adapters", "arena", "cli", "devkit", "render/fonts", "server/admin", "server/bots",
    "server/pages", "server/people", "store/migrations", "web/static", "web/templates",
)
"""Folders of the package that are of no use in a browser."""
ALSO = (
    "server/pages/__init__.py", "server/pages/examples.py", "server/pages/forms.py",
    "web/templates/icons.html", "web/templates/review_article.html",
    "web/templates/review_parts.html",
)
"""Files in these folders that are of use all the same."""
PLAIN = ("jinja2", "markupsafe")
"""Packages that are given along as they are."""
KEPT = (".py", ".toml", ".md", ".jsonl", ".json", ".svg", ".html")
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that equal contents have equal fingerprints."""


class NotPrepared(EscaleError):
    """The parts cannot be built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The programs and headers that compile for WebAssembly."""

    clang: str
    linker: str
    sysroot: Path
    headers: Path
    """The folder with `Python.h`."""


def prepare(
    folder: Path, *, pyodide: Path | None = None, headers: Path | None = None,
    compiled: bool | None = None, tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Build the parts into a folder, and return what `offline.json` says of them.

    `pyodide` is an unpacked npm package of that name; without one, npm gets it. `compiled` True
    insists on compiling, False does without, None compiles where it is possible.
    """
    with tempfile.TemporaryDirectory(prefix="escale-offline-") as scratch:
        work = Path(scratch)
        tools = None
        if compiled is not False:
            try:
                tools = find_tools(work, headers)
            except NotPrepared as error:
                if compiled:
                    raise
                tell(f"not compiled: {error}")
        package = pyodide or _npm_package(work, PYODIDE[COMPILED_PYTHON if tools else PURE_PYTHON])
        found = _version_of(package)
        folder.mkdir(parents=True, exist_ok=True)
        modules = dict(_compile(tools, work, tell)) if tools else dict(_msgspec_wheel(work))
        modules |= dict(_plain_packages())
        (folder / "escale.zip").write_bytes(archive(modules))
        for name in PYODIDE_FILES:
            _copy(package / name, folder)
        lock = json.loads((package / "pyodide-lock.json").read_text("utf-8"))
        lock["packages"] = {}
        (folder / "pyodide-lock.json").write_text(json.dumps(lock))
        return _describe(folder, found, tools is not None)


def archive(modules: dict[str, bytes]) -> bytes:
    """Escale as a browser needs it, with further files; a compiled module replaces its source."""
    files = dict(modules)
    compiled = {name.partition(".")[0] for name in modules if name.endswith(".so")}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        elsewhere = name not in ALSO and name.startswith(
            tuple(f"{folder}/" for folder in ELSEWHERE)
        )
        replaced = f"escale/{name.removesuffix('.py')}" in compiled
        if path.suffix in KEPT and not elsewhere and not replaced:
            files[f"escale/{name}"] = path.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        for name, content in sorted(files.items()):
            zipped.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _describe(folder: Path, pyodide: str, compiled: bool) -> dict[str, Any]:
    names = sorted(
        path.name for path in folder.iterdir() if path.is_file() and path.name != "offline.json"
    )
    digest = sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes())
    facts: dict[str, Any] = {
        "version": escale.__version__, "pyodide": pyodide, "compiled": compiled,
        "fingerprint": digest.hexdigest()[:12],
        "files": {name: (folder / name).stat().st_size for name in names},
    }
    (folder / "offline.json").write_text(json.dumps(facts, indent=1) + "\n")
    return facts


def _copy(path: Path, folder: Path) -> None:
    """Copy a file of Pyodide; the largest is packed, since few plain file servers do it."""
    if path.suffix != ".wasm":
        shutil.copyfile(path, folder / path.name)
        return
    packed = gzip.compress(path.read_bytes(), 9, mtime=0)
    (folder / f"{path.name}.packed").write_bytes(packed)


# ---- what is needed from elsewhere ----


def find_tools(work: Path, headers: Path | None = None) -> Tools:
    """The tools that compile for a browser; NotPrepared says which is missing."""
    for clang in CLANGS:
        linker = clang.replace("clang", "wasm-ld")
        if shutil.which(clang) and shutil.which(linker):
            break
    else:
        raise NotPrepared("neither clang nor its wasm-ld is installed (Debian: clang-14, lld-14)")
    found = headers or _python_headers()
    if found is None or not (found / "Python.h").exists():
        raise NotPrepared(f"the headers of Python {COMPILED_PYTHON} were not found (--headers)")
    return Tools(clang=clang, linker=linker, sysroot=_sysroot(work), headers=found)


def _python_headers() -> Path | None:
    """The headers of the Python that Pyodide has, if it is installed here."""
    named = f"python{COMPILED_PYTHON}"
    script = "import sysconfig; print(sysconfig.get_path('include'))"
    for program in (sys.executable, shutil.which(named), *_pyenv_pythons()):
        if program is None:
            continue
        asked = subprocess.run([program, "-c", script], capture_output=True, text=True)
        path = Path(asked.stdout.strip())
        if asked.returncode == 0 and path.name == named and (path / "Python.h").exists():
            return path
    return None


def _pyenv_pythons() -> list[str]:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return [str(path) for path in sorted(root.glob(f"versions/{COMPILED_PYTHON}*/bin/python"))]


def _sysroot(work: Path) -> Path:
    """The headers of emscripten's C library: those installed, else those of Debian's package."""
    installed = Path("/", SYSROOT)
    if (installed / "stdio.h").exists():
        return installed
    if shutil.which("apt-get") is None:
        raise NotPrepared("the headers of emscripten are not installed (Debian: emscripten)")
    folder = work / "emscripten"
    folder.mkdir()
    got = subprocess.run(["apt-get", "download", "emscripten"], cwd=folder, capture_output=True)
    packages = list(folder.glob("*.deb"))
    if got.returncode or not packages:
        raise NotPrepared("the headers of emscripten cannot be got (Debian: emscripten)")
    subprocess.run(["dpkg-deb", "-x", packages[0].name, "."], cwd=folder, check=True)
    return folder / SYSROOT


def _npm_package(work: Path, wanted: str) -> Path:
    """The npm package `pyodide`, unpacked; npm checks that it is the one that was published."""
    if shutil.which("npm") is None:
        raise NotPrepared(f"npm is not installed: give pyodide@{wanted}, unpacked (--pyodide)")
    got = subprocess.run(
        ["npm", "pack", "--silent", f"pyodide@{wanted}"], cwd=work, capture_output=True, text=True
    )
    packages = list(work.glob("pyodide-*.tgz"))
    if got.returncode or not packages:
        raise NotPrepared(f"npm cannot get pyodide@{wanted}: {got.stderr.strip()[-300:]}")
    with tarfile.open(packages[0]) as packed:
        packed.extractall(work / "pyodide", filter="data")
    return work / "pyodide" / "package"


def _version_of(package: Path) -> str:
    try:
        found = json.loads((package / "package.json").read_text("utf-8"))
        missing = [name for name in PYODIDE_FILES if not (package / name).exists()]
    except (OSError, ValueError) as error:
        raise NotPrepared(f"{package} is no npm package of pyodide: {error}") from None
    if missing:
        raise NotPrepared(f"{package} lacks {', '.join(missing)}")
    return str(found["version"])


# ---- compiling ----


def _compile(
    tools: Tools, work: Path, tell: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Every compiled module of Escale, and msgspec: pairs of a path and its content."""
    include = _headers_for_wasm(tools, work)
    jobs = [_cython_job(source, work) for source in sources(PACKAGE)]
    files = dict(_msgspec_source(work))
    jobs += [("msgspec/_core", path, ()) for path in (work / "msgspec" / "src" / "msgspec").glob(
        "_core.c"
    )]
    tell(f"compiling {len(jobs)} modules with {tools.clang}")

    def build(job: tuple[str, Path, Sequence[str]]) -> tuple[str, bytes]:
        name, code, translate = job
        if translate:
            _run(translate)
        target = code.with_suffix(".so")
        _run([
            tools.clang, "--target=wasm32-unknown-emscripten", "-O2", "-fPIC",
            "-fvisibility=default", "-DNDEBUG", "-D__EMSCRIPTEN_major__=3",
            "-DCYTHON_CLINE_IN_TRACEBACK=0", "-w", "-nostdinc",
            "-isystem", _clang_headers(tools), "-isystem", str(tools.sysroot / "compat"),
            "-isystem", str(tools.sysroot), f"-I{include}", "-c", str(code),
            "-o", str(code.with_suffix(".o")),
        ])
        _run([
            tools.linker, "-shared", "--experimental-pic", "--no-entry", "--allow-undefined",
            "--import-memory", f"--export=PyInit_{name.rpartition('/')[2]}", "--strip-debug",
            "-o", str(target), str(code.with_suffix(".o")),
        ])
        suffix = f"cpython-{COMPILED_PYTHON.replace('.', '')}-wasm32-emscripten.so"
        return f"{name}.{suffix}", target.read_bytes()

    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        yield from threads.map(build, jobs)
    yield from files.items()


def _cython_job(source: Path, work: Path) -> tuple[str, Path, Sequence[str]]:
    name = f"escale/{source.relative_to(PACKAGE).with_suffix('').as_posix()}"
    code = work / f"{name.replace('/', '.')}.c"
    return name, code, [
        sys.executable, "-m", "cython", "-3", "-X", "infer_types=True",
        "--module-name", name.replace("/", "."), "-o", str(code), str(source),
    ]


def _headers_for_wasm(tools: Tools, work: Path) -> Path:
    """Python's headers, with the sizes of 32 bits."""
    include = work / "include"
    shutil.copytree(tools.headers, include)
    config = include / "pyconfig.h"
    text = config.read_text("utf-8")
    for size in SIZES:
        text = re.sub(rf"^#define {size} \d+$", f"#define {size} 4", text, flags=re.MULTILINE)
    config.write_text(text)
    return include


def _clang_headers(tools: Tools) -> str:
    found = _run([tools.clang, "-print-resource-dir"])
    return f"{found.strip()}/include"


def _msgspec_source(work: Path) -> Iterable[tuple[str, bytes]]:
    """The Python files of the msgspec that is installed here; its C is unpacked beside."""
    named = f"msgspec=={version('msgspec')}"
    _run([
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "msgspec",
        "--dest", str(work), named,
    ])
    [packed] = work.glob("msgspec-*.tar.gz")
    with tarfile.open(packed) as source:
        source.extractall(work / "msgspec", filter="data")
    [unpacked] = (work / "msgspec").glob("msgspec-*")
    for path in list(unpacked.iterdir()):
        path.rename(work / "msgspec" / path.name)
    package = next(path for path in (work / "msgspec" / "src" / "msgspec",
                                     work / "msgspec" / "msgspec") if path.exists())
    for path in sorted(package.glob("*.py")):
        yield f"msgspec/{path.name}", path.read_bytes()


def _msgspec_wheel(work: Path) -> Iterator[tuple[str, bytes]]:
    """The msgspec that was built for the browser, where nothing is compiled here."""
    _run([
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
        "--platform", PURE_PLATFORM, "--python-version", PURE_PYTHON, "--dest", str(work),
        "msgspec>=0.19,<1",
    ])
    [wheel] = work.glob("msgspec-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if name.startswith("msgspec/") and name.endswith((".py", ".so")):
                yield name, packed.read(name)


def _plain_packages() -> Iterator[tuple[str, bytes]]:
    """What writes the page of a review: installed here, and all Python."""
    for name in PLAIN:
        module = import_module(name)
        folder = Path(str(module.__file__)).parent
        for path in sorted(folder.glob("*.py")):
            yield f"{name}/{path.name}", path.read_bytes()


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NotPrepared(f"{' '.join(command[:4])} … failed: {done.stderr.strip()[-600:]}")
    return done.stdout
