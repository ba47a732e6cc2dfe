"""Schemas as short as they can be: every client pays for them in every conversation."""

from typing import Any

import msgspec

from browserx.mcp.arguments import Arguments

_NOISE = frozenset(("title", "default", "minLength", "minItems", "exclusiveMinimum", "minimum", "maximum"))


def input_schema(arguments: type[Arguments], options: frozenset[str]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments: those that need no option, or one of ``options``.

    What is only there for checking (bounds, defaults, titles) is left out: a call that breaks it is told so.
    """
    (schema,), definitions = msgspec.json.schema_components((arguments,))
    own = definitions[schema["$ref"].rpartition("/")[2]]
    absent = {
        field.encode_name
        for field in msgspec.structs.fields(arguments)
        if arguments.options.get(field.name, "") not in options | {""}
    }
    properties = {name: body for name, body in own.get("properties", {}).items() if name not in absent}
    short = _object({**own, "properties": properties}, definitions)
    if required := [name for name in own.get("required", ()) if name not in absent]:
        short["required"] = required
    return short


def _object(body: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    properties = {name: _short(inner, definitions) for name, inner in body.get("properties", {}).items()}
    return {"type": "object", "properties": properties}


def _short(body: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Without references and noise. A ref may be a number too; to those who write calls it is a string."""
    if "$ref" in body:
        target = definitions[body["$ref"].rpartition("/")[2]]
        return {**_object(target, definitions), "required": target["required"]}
    short = {name: value for name, value in body.items() if name not in _NOISE}
    if "anyOf" in short and {one["type"] for one in short["anyOf"]} == {"string", "integer"}:
        del short["anyOf"]
        short["type"] = "string"
    if "enum" in short:
        short["type"] = "string"
    if "items" in short:
        short["items"] = _short(short["items"], definitions)
    return short
