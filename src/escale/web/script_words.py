"""The sentences that a page carries for its scripts: only those that they can show.

They are found in the scripts themselves, so that no list has to be kept: in lines that say
something, whatever stands in quotation marks and is the name of a sentence may be said.
"""

from __future__ import annotations

import re
from functools import cache

from escale.web import STATIC, client_words
from escale.web.static_files import modules, without_comments

LATER = re.compile(r"""\bimport\("\./([\w-]+\.js)"\)""")
"""Matches the import of a module that is fetched on demand."""
SAYS = re.compile(r"\bsay\(.*")
NAME = re.compile(r"""["']([\w-]+)["']""")
BEGINNING = re.compile(r"`([\w-]+-)\$\{")
"""Matches the beginning of a name that is put together at run time."""


@cache
def script_words(lang: str, *scripts: str) -> dict[str, str]:
    """The sentences of modules of `js/` and of all that they import, at once or later, by name."""
    names: set[str] = set()
    beginnings: set[str] = set()
    for module in {module for script in scripts for module in all_modules(script)}:
        for line in SAYS.findall(_code(module)):
            names.update(NAME.findall(line))
            beginnings.update(BEGINNING.findall(line))
    return {
        name: sentence for name, sentence in client_words(lang).items()
        if name in names or name.startswith(tuple(beginnings))
    }


@cache
def all_modules(script: str) -> tuple[str, ...]:
    """A module of `js/` and all that it imports, also what is fetched only when it is wanted."""
    found = dict.fromkeys(modules(script))
    waiting = list(found)
    while waiting:
        for later in LATER.findall(_code(waiting.pop())):
            new = [name for name in modules(later) if name not in found]
            found |= dict.fromkeys(new)
            waiting += new
    return tuple(found)


@cache
def _code(module: str) -> str:
    return without_comments((STATIC / "js" / module).read_text("utf-8"))
