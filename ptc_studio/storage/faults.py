"""Tells what is wrong with a file in the words of somebody who edits YAML."""

from typing import Any

from pydantic import ValidationError

from ptc_studio.storage.lined_yaml import LinedYaml, YamlFault

EXPECTED = {
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "string_type": "text (put it in quotes)",
    "invalid_key": "text (put the key in quotes)",
    "path_type": "a path",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""What pydantic's types of errors come to in the words of somebody who edits YAML."""


def fault_in(document: LinedYaml, error: ValidationError) -> YamlFault:
    """The first thing that does not fit, with its line."""
    first = error.errors()[0]
    place = _place(first["loc"])
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        place = (*place, "kind")
    return YamlFault(document.line_of(place), f"{'.'.join(map(str, place)) or 'the file'}: {_what(first, place)}")


def _place(found: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where in the file it is: without what pydantic adds of its own, the kind of a source and the mark of a key."""
    if found[:1] == ("sources",) and len(found) > 2:
        found = (*found[:2], *found[3:])
    return tuple(part for part in found if part != "[key]")


def _what(first: Any, place: tuple[str | int, ...]) -> str:
    match first["type"]:
        case "extra_forbidden":
            return f"unknown key {str(place[-1])!r}; remove it or correct its spelling"
        case "union_tag_invalid":
            return f"must be one of {first['ctx']['expected_tags']}, not {first['ctx']['tag']!r}"
        case "missing" | "union_tag_not_found":
            return f"the key {str(place[-1])!r} is missing"
        case "value_error":
            return str(first["ctx"]["error"])
        case kind if kind in EXPECTED:
            return f"must be {EXPECTED[kind]}, not {_shown(first['input'])}"
        case _:
            return f"{first['msg'][:1].lower()}{first['msg'][1:]}, not {_shown(first['input'])}"


def _shown(value: Any) -> str:
    """A value in few words; what a list or a mapping holds may be no business of an error's."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case bool():
            return str(value).lower()
        case _:
            return f"{value!r:.60}"
