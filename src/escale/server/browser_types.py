"""Makes `types.js` from the schema: the types of messages between the house and its pages.

    python -m escale.server.browser_types

writes the file; a test fails when it differs from the schema.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any, get_args

from msgspec import inspect

from escale.match.events import AnyAction, Hello, View
from escale.server.edge.problems import Refusal
from escale.server.offline.routes import BoxFiles
from escale.server.offline.taking_up import TakenUp
from escale.server.pages.examples import ExampleFacts
from escale.server.pages.games import BoardFacts
from escale.server.people.notice_routes import NoticeFacts, Turns
from escale.server.people.routes import MyGames, NotebookFacts
from escale.server.study.analysis import AnalysisLook, TableStudy
from escale.server.study.hints import CoachRemark, HintFacts
from escale.server.study.positions import AttemptResult, StudyPosition
from escale.server.study.puzzles import PuzzleHint, PuzzleVerdict
from escale.server.study.reviews import ReviewState
from escale.server.tables import messages
from escale.web import STATIC

FILE = STATIC / "js" / "types.js"
HEAD = """\
// What travels between the house and its pages. Nothing here runs: these are names for the type
// checker and for who reads the code.
//
// Made from the schema (src/escale/match/events.py, and the messages of the server's rooms) by
// python -m escale.server.browser_types
"""
TRAVELS = {
    "What the house sends.": [
        messages.TableState, BoardFacts, messages.Events, messages.Presence,
        messages.Acknowledged, messages.Refused, Refusal, messages.StaleRefusal,
        messages.Done, messages.Ply, messages.Became, messages.ChoiceFacts, messages.Reason,
        messages.BoardText,
        ExampleFacts, AttemptResult, messages.Opened, messages.Seated,
        StudyPosition, AnalysisLook, TableStudy, HintFacts,
        CoachRemark, PuzzleVerdict, PuzzleHint, ReviewState,
        MyGames, NotebookFacts, NoticeFacts, Turns, BoxFiles, TakenUp,
    ],
    "What people ask for.": [*get_args(AnyAction), View, Hello],
}
NAMED = {
    "SentBranch":
        "{[atom: string]: SentBranch | string | 1 | [string | 1, string] | null}",
}
"""Types that refer to themselves, which the schema can only describe."""
WIDTH = 100
GLUE = "\0"
"""Stands for a space at which no line may be broken."""


def types() -> str:
    """The text of the file."""
    found: dict[str, str] = {}
    parts = [HEAD]
    for heading, kinds in TRAVELS.items():
        before = set(found)
        for info in inspect.multi_type_info(kinds):
            _declare(info, found)
        texts = [text for name, text in found.items() if name not in before]
        parts.append("// ---- " + heading[0].lower() + heading[1:].rstrip(".") + " ----\n")
        parts += texts
    actions = " | ".join(kind.__name__ for kind in get_args(AnyAction))
    parts.append(_comment("", f"@typedef {{{actions}}} Action"))
    return "\n".join([*parts, "export {};\n"])


def _declare(info: inspect.Type, found: dict[str, str]) -> None:
    """Add a type to `found`, after the types of its fields."""
    if isinstance(info, inspect.StructType | inspect.DataclassType):
        name = info.cls.__name__
        if name in found:
            return
        found[name] = ""                    # a type that refers to itself finds this entry
        for field in info.fields:
            _declare(field.type, found)
        fields = ", ".join(_fields(info))
        del found[name]
        found[name] = _comment(info.cls.__doc__ or "", f"@typedef {{{{{fields}}}}} {name}")
    elif isinstance(info, inspect.Metadata) and _title(info) in NAMED:
        name = _title(info)
        extra = info.extra_json_schema or {}
        found.setdefault(
            name, _comment(str(extra["description"]), f"@typedef {{{NAMED[name]}}} {name}")
        )
    else:
        for part in _parts(info):
            _declare(part, found)


def _parts(info: inspect.Type) -> Iterator[inspect.Type]:
    """The types within a type without a name, such as the items of a list."""
    match info:
        case inspect.Metadata(type=inner):
            yield inner
        case inspect.UnionType(types=inner):
            yield from inner
        case inspect.CollectionType(item_type=inner):
            yield inner
        case inspect.TupleType(item_types=inner):
            yield from inner
        case inspect.NamedTupleType(fields=fields):
            yield from (field.type for field in fields)
        case inspect.DictType(value_type=inner):
            yield inner


def _fields(info: inspect.StructType | inspect.DataclassType) -> Iterator[str]:
    config: Any = getattr(info.cls, "__struct_config__", None)
    if config is not None and config.tag is not None:
        yield f"{config.tag_field}:{GLUE}{json.dumps(config.tag)}"
    for field in info.fields:
        kind = _kind(field.type)
        left_out = config is not None and not field.required
        if left_out and config.omit_defaults:
            kind = kind.removesuffix(" | null")         # left out instead of null
        yield f"{field.encode_name}{'?' if left_out else ''}:{GLUE}{kind}"


def _kind(info: inspect.Type) -> str:
    """A type in TypeScript's words."""
    match info:
        case inspect.Metadata():
            return _title(info) if _title(info) in NAMED else _kind(info.type)
        case inspect.StructType() | inspect.DataclassType():
            return info.cls.__name__
        case inspect.UnionType(types=types):
            return " | ".join(_kind(part) for part in types)
        case inspect.LiteralType(values=values):
            return " | ".join(json.dumps(value) for value in values)
        case inspect.CollectionType(item_type=item):
            kind = _kind(item)
            return f"({kind})[]" if " | " in kind else f"{kind}[]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(_kind, items))}]"
        case inspect.NamedTupleType(fields=fields):
            return f"[{', '.join(_kind(field.type) for field in fields)}]"
        case inspect.DictType(value_type=value):
            return f"Record<string, {_kind(value)}>"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "any"
    raise TypeError(f"no word for {info}")


def _title(info: inspect.Metadata) -> str:
    return str((info.extra_json_schema or {}).get("title", ""))


def _comment(about: str, typedef: str) -> str:
    """A JSDoc comment, in lines of the usual width."""
    lines: list[str] = []
    if about:
        lines += textwrap.wrap(" ".join(about.split()), WIDTH - 3)
    wrapped = textwrap.wrap(
        typedef, WIDTH - 3, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    body = "\n".join(f" * {line}" for line in [*lines, *wrapped])
    return f"/**\n{body}\n */\n".replace(GLUE, " ")


def write() -> None:
    """Write the file again."""
    FILE.write_text(types(), "utf-8")


if __name__ == "__main__":
    write()
