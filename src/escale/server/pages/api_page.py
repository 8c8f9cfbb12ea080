"""The OpenAPI document as a page for people: every request, its body and its answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

Schema = dict[str, Any]


def requests(document: Schema) -> list[dict[str, Any]]:
    """Every request that programs can make, in the order of the document."""
    return [
        {
            "id": f"{verb}{path}".replace("/", "-").replace("{", "").replace("}", ""),
            "verb": verb.upper(), "path": path, "about": operation.get("description", ""),
            "takes": [
                (parameter["name"], parameter["in"], kind(parameter["schema"]))
                for parameter in operation.get("parameters", [])
            ],
            "body": _content(operation.get("requestBody", {})),
            "answers": [
                (status, answer.get("description", ""), _content(answer))
                for status, answer in sorted(operation["responses"].items())
            ],
        }
        for path, verbs in document["paths"].items() for verb, operation in verbs.items()
    ]


def shapes(document: Schema) -> list[dict[str, Any]]:
    """The shapes of all messages, by name."""
    return [
        {
            "name": name, "about": schema.get("description", ""),
            "fields": [
                (field, kind(part), _about(part),
                 field in schema.get("required", ()))
                for field, part in schema.get("properties", {}).items()
            ],
            "kind": "" if "properties" in schema else kind(schema),
        }
        for name, schema in sorted(document.get("components", {}).get("schemas", {}).items())
    ]


def _about(schema: Schema) -> str:
    """The description of a field: its own, or that of the only shape that it may have."""
    parts = (schema, *schema.get("anyOf", ()))
    return next((part["description"] for part in parts if "description" in part), "")


def kind(schema: Schema) -> Markup:
    """The type of a value in a few words; named shapes are links to their descriptions.

    >>> kind({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    Markup('integer | null')
    """
    return Markup(" | ").join(dict.fromkeys(_kinds(schema)))


def _kinds(schema: Schema) -> Iterator[Markup]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield Markup('<a href="#shape-{0}">{0}</a>').format(name)
    elif alternatives := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        for part in alternatives:
            yield from _kinds(part)
    elif "const" in schema or "enum" in schema:
        for value in schema.get("enum", [schema.get("const")]):
            yield Markup("“{}”").format(value)
    elif "prefixItems" in schema:
        yield Markup("[{}]").format(Markup(", ").join(map(kind, schema["prefixItems"])))
    elif schema.get("type") == "array" and schema.get("items"):
        yield Markup("[{}, …]").format(kind(schema["items"]))
    elif isinstance(schema.get("additionalProperties"), dict):
        yield Markup("{{name: {}}}").format(kind(schema["additionalProperties"]))
    else:
        yield Markup("{}").format(schema.get("type", "any"))


def _content(part: Schema) -> Markup | None:
    """The type of a body, or nothing if there is no body."""
    for content in part.get("content", {}).values():
        if content.get("schema"):
            return kind(content["schema"])
    return None
