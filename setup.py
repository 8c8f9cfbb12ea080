"""Compile the kernel, the rules and the evaluations; everything else is in pyproject.toml."""

from __future__ import annotations

import runpy

# By its path: the package cannot be imported before it is built.
runpy.run_path("src/escale/devkit/build.py")["build"]("src")
