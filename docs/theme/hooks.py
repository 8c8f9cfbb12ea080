"""What the documentation takes from elsewhere: the readme, and the styles of the house."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).parent.parent.parent
STATIC = ROOT / "src/escale/web/static"
OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
"""Pages beside the documentation's folder, by the names that they have within it: `project-…`."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies elsewhere."""
    for name in OUTSIDE:
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        text = re.sub(rf"\]\(({'|'.join(OUTSIDE)})\)", _within, text).replace("](LICENSE)", "]()")
        files.append(File.generated(config, _name(name), content=text))
    for style in ("css/base.css", "fonts/fraunces-latin-600-normal.woff2"):
        files.append(File.generated(config, style, content=(STATIC / style).read_bytes()))
    code = "\n".join(
        f"@media (prefers-color-scheme: {scheme}) {{\n"
        + HtmlFormatter(style=style).get_style_defs(".highlight") + "\n}"
        for scheme, style in (("light", "default"), ("dark", "github-dark"))
    )
    code = re.sub(r"background: #\w+;?", "", code)          # the house's own
    files.append(File.generated(config, "css/code.css", content=code))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Have links to pages outside lead to where they are now."""
    return re.sub(rf"\]\(\.\./({'|'.join(OUTSIDE)})\)", _within, markdown)


def _within(found: re.Match[str]) -> str:
    return f"]({_name(found[1])})"


def _name(page: str) -> str:
    return f"project-{page.lower()}"
