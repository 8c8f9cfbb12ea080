"""Modules of this folder in Cython's pure Python mode, compiled when they are asked for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from Cython.Build import cythonize
from setuptools import Distribution, Extension

from escale.devkit.build import COMPILE, LINK

HERE = Path(__file__).parent
FOLDER = HERE.parent / "build" / "bench"


def compiled(name: str) -> ModuleType:
    """The module of a name, compiled as the library's own are, unless it was before."""
    source = Extension(
        name, [str(HERE / f"{name}.py")], extra_compile_args=COMPILE, extra_link_args=LINK
    )
    command = Distribution({"ext_modules": cythonize(  # type: ignore[no-untyped-call]
        [source], build_dir=str(FOLDER), quiet=True,
        compiler_directives={"language_level": 3, "infer_types": True},
    )}).get_command_obj("build_ext")
    command.build_lib = command.build_temp = str(FOLDER)
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location(name, command.get_ext_fullpath(name))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
