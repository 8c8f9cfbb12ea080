"""Compile the kernel and every game's rules; everything else is in pyproject.toml."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = [
    *sorted(Path("src/escale/kernel").glob("[!_]*.py")),
    *sorted(Path("src/escale/games").glob("*/rules.py")),
]


class BuildOrGoWithout(build_ext):
    """Without a C compiler the same sources run as plain Python, only slower."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # whatever a missing or broken compiler raises
            print(f"*** escale: not compiled ({error}); the same files will run as plain Python",
                  file=sys.stderr)
            self.extensions = []

    def copy_extensions_to_source(self) -> None:
        if self.extensions:
            super().copy_extensions_to_source()


def extension(source: Path) -> Extension:
    """The compiled module that stands beside `source`."""
    name = ".".join(source.relative_to("src").with_suffix("").parts)
    return Extension(
        name, [str(source)], extra_compile_args=["-O3", "-g0"], extra_link_args=["-s"]
    )


setup(
    cmdclass={"build_ext": BuildOrGoWithout},
    ext_modules=cythonize(
        [extension(source) for source in SOURCES],
        build_dir="build",
        compiler_directives={"language_level": 3, "infer_types": True},
    ),
)
