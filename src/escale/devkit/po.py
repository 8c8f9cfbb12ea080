"""Reads and writes gettext's PO files, which translators' tools use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
FIELD = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[([0-5])\])?)\s+(".*")')
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass
class Entry:
    """One sentence and its translation."""

    context: str = ""
    source: str = ""
    plural: str | None = None
    """The source for several things, if their number matters."""
    said: list[str] = field(default_factory=list)
    """The translation; if there is a `plural`, one for each plural form."""
    notes: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()


def write(header: Iterable[tuple[str, str]], entries: Iterable[Entry]) -> str:
    """A file with these entries."""
    head = Entry(said=["".join(f"{name}: {value}\n" for name, value in header)])
    return "\n".join(map(_written, [head, *entries]))


def _written(entry: Entry) -> str:
    lines = [f"#. {line}" for note in entry.notes for line in note.split("\n")]
    if entry.flags:
        lines.append(f"#, {', '.join(sorted(entry.flags))}")
    if entry.context:
        lines.append(f"msgctxt {_quoted(entry.context)}")
    lines.append(f"msgid {_quoted(entry.source)}")
    if entry.plural is None:
        lines.append(f"msgstr {_quoted(entry.said[0] if entry.said else '')}")
    else:
        lines.append(f"msgid_plural {_quoted(entry.plural)}")
        lines += [f"msgstr[{n}] {_quoted(said)}" for n, said in enumerate(entry.said)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    for letter, sign in (("\\", "\\"), ('"', '"'), ("n", "\n"), ("t", "\t"), ("r", "\r")):
        text = text.replace(sign, f"\\{letter}")
    if text.count("\\n") > 1:
        return "\n".join(['""', *(f'"{line}"' for line in re.findall(r".*?\\n|.+$", text))])
    return f'"{text}"'


def read(text: str) -> tuple[dict[str, str], list[Entry]]:
    """The header and the entries of a file; ValueError names the line that cannot be read."""
    entries: list[Entry] = []
    entry, part, place = Entry(), "", 0
    for number, raw in enumerate([*text.split("\n"), ""], 1):
        line = raw.strip()
        if line.startswith("#~"):                   # entries that a tool has removed
            continue
        if part and (not line or (line.startswith("#") and part.startswith("msgstr"))):
            entries.append(entry)
            entry, part = Entry(), ""
        if not line or line.startswith("#"):
            if line.startswith("#,"):
                entry.flags |= {flag.strip() for flag in line[2:].split(",")}
            continue
        found = FIELD.fullmatch(line)
        if found:
            if found[1] in ("msgctxt", "msgid") and part.startswith("msgstr"):
                entries.append(entry)
                entry = Entry()
            part, place, line = found[1].partition("[")[0], int(found[2] or 0), found[3]
        quoted = QUOTED.fullmatch(line)
        if not part or not quoted or (part == "msgstr" and place > len(entry.said)):
            raise ValueError(f"line {number}: expected a text in quotation marks, got {raw[:60]!r}")
        _add(entry, part, place, _unquoted(quoted[1]))
    header = entries.pop(0).said[0] if entries and not entries[0].source else ""
    pairs = (line.partition(":") for line in header.split("\n") if ":" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}, entries


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), text)


def _add(entry: Entry, part: str, place: int, text: str) -> None:
    if part == "msgctxt":
        entry.context += text
    elif part == "msgid":
        entry.source += text
    elif part == "msgid_plural":
        entry.plural = (entry.plural or "") + text
    elif place == len(entry.said):
        entry.said.append(text)
    else:
        entry.said[place] += text
