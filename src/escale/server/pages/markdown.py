"""Rules in Markdown as HTML: the little of it that the rules pages use."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape


def html(text: str) -> Markup:
    """Emphasis; everything else is just text.

    >>> html("**First**, a *proxime* < another")
    Markup('<b>First</b>, a <em>proxime</em> &lt; another')
    """
    marked = re.sub(r"\*\*([^*\s][^*]*)\*\*", r"<b>\1</b>", str(escape(text)))
    return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", marked))


def plain(text: str) -> str:
    """Without capitals and accents, for searching.

    >>> plain("Canoë")
    'canoe'
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
