"""Rules in Markdown as HTML: the little of it that the rules pages use."""

from __future__ import annotations

import re

from markupsafe import Markup, escape


def html(text: str) -> Markup:
    """Emphasis; everything else is just text.

    >>> html("**First**, a *proxime* < another")
    Markup('<b>First</b>, a <em>proxime</em> &lt; another')
    """
    marked = re.sub(r"\*\*([^*\s][^*]*)\*\*", r"<b>\1</b>", str(escape(text)))
    return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", marked))


