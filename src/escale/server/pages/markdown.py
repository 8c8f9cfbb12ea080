"""Rules in Markdown as HTML: the little of it that the rules pages use."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from escale.game.rules_page import RECONSTRUCTION
from escale.game.texts import plain


def html(text: str, lang: str) -> Markup:
    """Emphasis, code and the marks of reconstruction; everything else is just text.

    >>> html("*Reconstruction:* `fill` < *proxime*", "en")
    Markup('<b class="ours">Reconstruction:</b> <code>fill</code> &lt; <em>proxime</em>')
    """
    ours = RECONSTRUCTION[lang]
    marked = str(escape(text))
    marked = marked.replace(ours, f'<b class="ours">{ours.strip("*")}</b>')
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", marked))


def slug(heading: str) -> str:
    """A heading as a word for addresses.

    >>> slug("But du jeu"), slug("Les canoës")
    ('but-du-jeu', 'les-canoes')
    """
    return "-".join(re.findall("[a-z0-9]+", plain(heading)))
