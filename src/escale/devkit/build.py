"""Compiles the games of a package: a complete `setup.py`, for Escale and for other packages.

```python
from escale.devkit.build import build

build("src")
```

Files that begin with a line `# cython:` are compiled. This module imports nothing of Escale, so
that Escale's own `setup.py` can load it by its path.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

MARK = "# cython:"
"""The first line of a file that is compiled."""
COMPILE = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
LINK = ["-s"] if sys.platform == "linux" else []
"""Options of compilers: fast, and without symbols for debuggers."""


def sources(root: Path) -> list[Path]:
    """The files below a folder that are compiled."""
    return sorted(path for path in root.rglob("*.py") if _first_line(path).startswith(MARK))


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline()


def build(root: str, **metadata: Any) -> None:
    """Run setuptools for the packages in the folder `root`, which must be those of the project.

    `metadata` may have the fields that pyproject.toml declares as dynamic.
    """
    folder = Path(root)

    class BuildOrGoWithout(build_ext):  # type: ignore[misc]
        """Without a C compiler the same sources run as plain Python, only slower."""

        def finalize_options(self) -> None:
            super().finalize_options()
            self.parallel: int | bool | None = getattr(self, "parallel", None) or os.cpu_count()

        def run(self) -> None:
            try:
                super().run()
            except Exception as error:  # any error of a missing or broken compiler
                print(f"*** not compiled ({error}); the same files will run as plain Python",
                      file=sys.stderr)
                self.extensions: list[Extension] = []

        def build_extension(self, ext: Extension) -> None:
            """In a checkout, a library that is newer than its source is not compiled again."""
            beside = folder / self.get_ext_filename(ext.name)
            target = Path(self.get_ext_fullpath(ext.name))
            if beside.exists() and not newer_group([*ext.sources, *ext.depends], str(beside)):
                self.mkpath(str(target.parent))
                self.copy_file(str(beside), str(target))
            else:
                super().build_extension(ext)

        def copy_extensions_to_source(self) -> None:
            if self.extensions:
                super().copy_extensions_to_source()
            # Otherwise the old library would hide a source that is not compiled any more.
            wanted = {folder / self.get_ext_filename(ext.name) for ext in self.extensions}
            for library in (*folder.rglob("*.so"), *folder.rglob("*.pyd")):
                if library not in wanted:
                    library.unlink()

    def extension(source: Path) -> Any:
        """The compiled module of `source`, in the same folder."""
        name = ".".join(source.relative_to(folder).with_suffix("").parts)
        return Extension(name, [str(source)], extra_compile_args=COMPILE, extra_link_args=LINK)

    setup(
        **metadata,
        cmdclass={"build_ext": BuildOrGoWithout},
        ext_modules=cythonize(  # type: ignore[no-untyped-call]
            [extension(source) for source in sources(folder)],
            build_dir="build",
            compiler_directives={"language_level": 3, "infer_types": True},
        ),
    )
