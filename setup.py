"""Compile the kernel, the rules and the evaluations; everything else is in pyproject.toml.

Compiled is what begins with a line `# cython:` in `kernel/` and in the games' folders.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

PLACES = ("kernel/*.py", "games/*/*.py")
SOURCES = [
    source for place in PLACES for source in sorted(Path("src/escale").glob(place))
    if source.read_text("utf-8").startswith("# cython:")
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

    def build_extension(self, ext: Extension) -> None:
        """In a checkout, what stands beside its source and is newer is not compiled again."""
        beside = Path("src", self.get_ext_filename(ext.name))
        target = Path(self.get_ext_fullpath(ext.name))
        if beside.exists() and not newer_group([*ext.sources, *ext.depends], str(beside)):
            self.mkpath(str(target.parent))
            self.copy_file(str(beside), str(target))
        else:
            super().build_extension(ext)

    def copy_extensions_to_source(self) -> None:
        if self.extensions:
            super().copy_extensions_to_source()
        # What is compiled no longer would hide its source.
        wanted = {Path("src", self.get_ext_filename(ext.name)) for ext in self.extensions}
        for place in PLACES:
            for library in Path("src/escale").glob(place.replace(".py", ".*.so")):
                if library not in wanted:
                    library.unlink()


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
