"""Compile the kernel, the rules and the evaluations; write the README for package indexes.

Everything else is in pyproject.toml.
"""

from __future__ import annotations

import os
import re
import runpy
import tomllib
from pathlib import Path

LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:)([^)\s]+)\)")
"""A link or a picture of Markdown that is relative."""


def index_readme(text: str, repository: str, tag: str) -> str:
    """The README as a package index can show it.

    Relative links and pictures lead to the tag of the repository. Without an address of the
    repository, links become their words, and pictures go.
    """
    def replace(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if not repository:
            return "" if picture else words
        return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return LINK.sub(replace, text)


def build() -> None:
    """Run setuptools; ESCALE_REPOSITORY may say where the repository is, as in a workflow."""
    repository = os.environ.get("ESCALE_REPOSITORY", "").rstrip("/")
    version = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["version"]
    urls = {
        "Source": repository,
        "Documentation": f"{repository}/blob/v{version}/docs/README.md",
        "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }
    # By its path: the package cannot be imported before it is built.
    runpy.run_path("src/escale/devkit/build.py")["build"](
        "src",
        long_description=index_readme(
            Path("README.md").read_text("utf-8"), repository, f"v{version}"
        ),
        long_description_content_type="text/markdown",
        project_urls=urls if repository else {},
    )


if __name__ == "__main__":
    build()
