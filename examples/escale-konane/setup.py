"""Compile the rules; everything else is in pyproject.toml."""

from escale.devkit.build import build

build("src")
