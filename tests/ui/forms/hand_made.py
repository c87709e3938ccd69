"""Schemas made by hand, for every keyword that forms know, each with values that fit."""

from typing import Any

Case = tuple[Any, list[Any]]
"""A schema, and values that are right by it."""


def prop(schema: Any, *values: Any, **around: Any) -> Case:
    """An object with the one property `x`; each value for it."""
    return {"type": "object", "properties": {"x": schema}, **around}, [{"x": value} for value in values]


def whole(schema: Any, *values: Any) -> Case:
    """The schema at the root."""
    return schema, list(values)


def obj(properties: Any, *values: Any, **around: Any) -> Case:
    return {"type": "object", "properties": properties, **around}, list(values)


S, I, N, B = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}  # noqa: E741
TREE = {
    "type": "object",
    "properties": {"v": I, "left": {"$ref": "#/$defs/t"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/t"}}},
}
CAT = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": I}, "required": ["kind"]}
DOG = {"type": "object", "properties": {"kind": {"const": "dog"}, "name": S}, "required": ["kind", "name"]}
PERSON = {"type": "object", "properties": {"name": S, "age": I}, "required": ["name"]}

TEXTS: dict[str, Case] = {
    "a text": prop(S, "a", "two words", "ünïcödé ✓", "[1]", "true", "12", "null"),
    "a text that may be empty": prop(S, ""),
    "a required text": prop(S, "a", "", required=["x"]),
    "a text of several lines": prop({**S, "format": "multiline"}, "a", "a\nb\n", "\n", ""),
    "a text area": prop({**S, "format": "textarea"}, "x\ty"),
    "a text with a media type": prop({**S, "contentMediaType": "text/markdown"}, "# A\n\nB"),
    "an encoded text": prop({**S, "contentEncoding": "base64"}, "aGk="),
    "a text with our own hint": prop({**S, "x-multiline": True}, "a\nb"),
    "a text with a long default": prop({**S, "default": "long " * 30}, "short"),
    "lines where one was expected": prop(S, "one\ntwo"),
    "a date": prop({**S, "format": "date"}, "2026-03-31"),
    "a time": prop({**S, "format": "time"}, "14:30:00Z"),
    "a moment": prop({**S, "format": "date-time"}, "2026-03-31T14:30:00+02:00"),
    "an e-mail address": prop({**S, "format": "email"}, "ada@example.org"),
    "an address": prop({**S, "format": "uri"}, "https://example.org/?q=1#x"),
    "an address by its other name": prop({**S, "format": "url"}, "http://localhost:8000/"),
    "a UUID": prop({**S, "format": "uuid"}, "12345678-1234-5678-1234-567812345678"),
    "an IPv4 address": prop({**S, "format": "ipv4"}, "192.0.2.1"),
    "an IPv6 address": prop({**S, "format": "ipv6"}, "2001:db8::1"),
    "a format that nobody knows": prop({**S, "format": "postcode"}, "D-04109"),
    "a password": prop({**S, "format": "password"}, "correct horse"),
    "a text to write only": prop({**S, "writeOnly": True}, "s3cret"),
    "a file": prop({**S, "format": "file-path"}, "/tmp/a b.txt"),
    "a path": prop({**S, "format": "path"}, "a/b"),
    "a folder": prop({**S, "format": "directory-path"}, "/tmp"),
    "minLength": prop({**S, "minLength": 2}, "ab"),
    "maxLength": prop({**S, "maxLength": 2}, "ab", "é✓"),
    "pattern": prop({**S, "pattern": "^[a-z]+$"}, "abc"),
    "a pattern with a look ahead": prop({**S, "pattern": r"^(?=.*\d).+$"}, "a1"),
    "only implied to be a text": prop({"minLength": 1}, "a"),
}
NUMBERS: dict[str, Case] = {
    "an integer": prop(I, 0, 1, -7, 10**25),
    "an integer that is written as a float": prop(I, 3.0),
    "a number": prop(N, 1, 1.0, 0.1, -0.0, 1e300, 1e-7, 12345678901234567890),
    "minimum and maximum": prop({**I, "minimum": 1, "maximum": 9}, 1, 9),
    "exclusiveMinimum": prop({**N, "exclusiveMinimum": 0}, 0.5),
    "exclusiveMaximum": prop({**N, "exclusiveMaximum": 1}, 0.5),
    "multipleOf": prop({**I, "multipleOf": 5}, 15),
    "multipleOf with a fraction": prop({**N, "multipleOf": 0.25}, 0.75),
    "only implied to be a number": prop({"minimum": 3}, 4, 4.5),
    "a number with a default": prop({**N, "default": 1.5}, 2.5, 1.5),
    "a required number": prop(N, 0, required=["x"]),
}
PLAIN: dict[str, Case] = {
    "a boolean": prop(B, True, False),
    "a required boolean": prop(B, False, required=["x"]),
    "a boolean with a default": prop({**B, "default": True}, False, True),
    "a boolean or null": prop({"type": ["boolean", "null"]}, True, None),
    "null": prop({"type": "null"}, None),
    "enum": prop({"enum": ["red", "green"]}, "red", "green"),
    "an enum of every type": prop({"enum": ["1", 1, 1.5, True, None, [1], {"a": 1}]}, "1", 1, 1.5, True, None, [1]),
    "an enum with a type": prop({**S, "enum": ["a b", ""]}, "a b", ""),
    "an enum of one": prop({"enum": ["only"]}, "only", required=["x"]),
    "an enum with a default": prop({"enum": ["a", "b"], "default": "a"}, "b", "a"),
    "a large enum": prop({"enum": [f"value {n}" for n in range(300)]}, "value 299"),
    "const": prop({"const": "v1"}, "v1"),
    "a const that is an object": prop({"const": {"a": [1, None]}}, {"a": [1, None]}),
    "a const that is null": prop({"const": None}, None),
    "a required const": prop({"const": 2}, 2, required=["x"]),
    "titled constants": prop({"oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]}, 1, 2),
    "a nullable text": prop({"type": ["string", "null"]}, "a", None),
    "a nullable number": prop({"type": ["number", "null"]}, 1.0, 2, None),
    "nullable by anyOf": prop({"anyOf": [I, {"type": "null"}]}, 5, None),
    "nullable by oneOf": prop({"oneOf": [{"type": "null"}, S]}, "a", None),
    "a nullable enum": prop({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, "a", None),
    "a nullable list": prop({"anyOf": [{"type": "array", "items": S}, {"type": "null"}]}, ["a"], [], None),
    "a nullable object": prop({"anyOf": [PERSON, {"type": "null"}]}, {"name": "Ada"}, None),
    "a nullable reference": (
        {
            "type": "object",
            "properties": {"x": {"anyOf": [{"$ref": "#/$defs/p"}, {"type": "null"}]}},
            "$defs": {"p": PERSON},
        },
        [{"x": {"name": "A"}}, {"x": None}],
    ),
    "anything": prop({}, 1, "a", None, [1, {"b": None}], {"c": 1.0}),
    "true": prop(True, "a", {"b": [False]}),
    "a default": prop({**S, "default": "d"}, "e", "d"),
    "a required default": prop({**I, "default": 3}, 4, 3, required=["x"]),
    "a default that is null": prop({"type": ["string", "null"], "default": None}, "a", None),
    "examples": prop({**S, "examples": ["Ada", "Grace"]}, "Bo"),
    "an example": prop({**N, "example": 1.5}, 2.5),
    "title, description and comment": prop({**S, "title": "T", "description": "D", "$comment": "C"}, "a"),
    "deprecated": prop({**S, "deprecated": True}, "a"),
}
LISTS: dict[str, Case] = {
    "a list of texts": prop({"type": "array", "items": S}, ["a", "b"], [""], []),
    "a list of numbers": prop({"type": "array", "items": N}, [1, 1.0, 2.5]),
    "a list of booleans": prop({"type": "array", "items": B}, [True, False]),
    "a list of choices": prop({"type": "array", "items": {"enum": ["a", 1]}}, ["a", 1, "a"]),
    "a list of anything": prop({"type": "array"}, [1, "a", None, [2]]),
    "a list of objects": prop({"type": "array", "items": PERSON}, [{"name": "A"}, {"name": "B", "age": 2}]),
    "a list of lists": prop({"type": "array", "items": {"type": "array", "items": I}}, [[1, 2], [], [3]]),
    "a list of nullable texts": prop({"type": "array", "items": {"type": ["string", "null"]}}, ["a", None]),
    "a list of alternatives": prop({"type": "array", "items": {"anyOf": [I, S]}}, [1, "a"]),
    "minItems": prop({"type": "array", "items": S, "minItems": 2}, ["a", "b"]),
    "maxItems": prop({"type": "array", "items": S, "maxItems": 2}, ["a", "b"]),
    "uniqueItems": prop({"type": "array", "items": I, "uniqueItems": True}, [1, 2]),
    "contains": prop({"type": "array", "contains": {"const": 1}}, [0, 1]),
    "prefixItems": prop({"type": "array", "prefixItems": [I, S]}, [1, "a"], [1], [1, "a", None]),
    "a closed tuple": prop({"type": "array", "prefixItems": [I, B], "items": False}, [1, True]),
    "a tuple that goes on": prop({"type": "array", "prefixItems": [S], "items": I}, ["a", 1, 2]),
    "a tuple of an older draft": whole(
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": [I, S]}, [1, "a"]
    ),
    "a list at the root": whole({"type": "array", "items": S}, ["a"], []),
    "only implied to be a list": prop({"items": I}, [1]),
    "a list with a default": prop({"type": "array", "items": S, "default": ["a"]}, ["b"], [], ["a"]),
    "a long list": prop({"type": "array", "items": I}, list(range(210))),
}
OBJECTS: dict[str, Case] = {
    "an object": obj({"a": S, "b": I}, {"a": "x", "b": 1}, {"a": "x"}, {}),
    "nothing to fill in": obj({}, {}),
    "nothing allowed": obj({}, {}, additionalProperties=False),
    "required": obj({"a": S, "b": S}, {"a": "x"}, required=["a"]),
    "required and not described": obj({"a": S}, {"a": "x", "b": [1]}, required=["b"], additionalProperties=True),
    "an object in an object": obj({"p": PERSON}, {"p": {"name": "A", "age": 1}}, {}),
    "an empty object in an object": obj({"p": {"type": "object", "properties": {"a": S}}}, {"p": {}}, {"p": {"a": "b"}}),
    "a required object": obj({"p": PERSON}, {"p": {"name": "A"}}, required=["p"]),
    "additionalProperties": obj({"a": S}, {"a": "x", "more": 1}, {"n": 2}, additionalProperties=I),
    "additionalProperties of any kind": obj({}, {"a": [1], "b": {"c": None}}, additionalProperties=True),
    "no additionalProperties": obj({"a": S}, {"a": "x"}, additionalProperties=False),
    "a table of lists": whole({"type": "object", "additionalProperties": {"type": "array", "items": I}}, {"a": [1, 2]}),
    "a table of objects": whole({"type": "object", "additionalProperties": PERSON}, {"boss": {"name": "A"}}),
    "a free object": whole({"type": "object"}, {"a": 1, "b c": [True]}, {}),
    "patternProperties": whole(
        {"type": "object", "patternProperties": {"^n_": I, "^s_": S}, "additionalProperties": False},
        {"n_a": 1, "s_b": "x"},
    ),
    "patterns beside properties": obj({"a": B}, {"a": True, "n_1": 5}, patternProperties={"^n_": I}),
    "propertyNames": whole(
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": S}, {"ab": "c"}
    ),
    "minProperties": whole({"type": "object", "minProperties": 1, "additionalProperties": S}, {"a": "b"}),
    "maxProperties": obj({"a": S}, {"a": "b"}, maxProperties=1),
    "dependentRequired": obj({"a": S, "b": S}, {"a": "x", "b": "y"}, dependentRequired={"a": ["b"]}),
    "dependentSchemas": obj({"a": S}, {"a": "x", "b": 1}, dependentSchemas={"a": {"properties": {"b": I}}}),
    "if, then and else": obj(
        {"a": {"enum": ["x", "y"]}}, {"a": "x", "b": 1}, {"a": "y"},
        **{"if": {"properties": {"a": {"const": "x"}}}, "then": {"properties": {"b": I}}, "else": True},
    ),
    "unevaluatedProperties": obj({"a": S}, {"a": "x"}, unevaluatedProperties=False),
    "keys that need care": obj({"with space": S, "über": I, "a.b": S, "$x": S}, {"with space": "x", "über": 1, "a.b": "c", "$x": "d"}),
    "only implied to be an object": whole({"properties": {"a": S}}, {"a": "x"}),
    "eighty fields": obj({f"p{n}": S for n in range(80)}, {f"p{n}": str(n) for n in range(0, 80, 3)}),
    "readOnly beside others": obj({"id": {**S, "readOnly": True}, "name": S}, {"name": "x"}),
    "a property that is never there": obj({"a": S, "no": False}, {"a": "x"}),
}  # fmt: skip
deep_down: Any = {"type": "object", "properties": {"free": {"type": "object"}}, "required": ["free"]}
far_in: Any = {"free": {}}
for _ in range(7):
    deep_down, far_in = {"type": "object", "properties": {"in": deep_down}, "required": ["in"]}, {"in": far_in}
OBJECTS["an empty object that is required far inside"] = deep_down, [far_in]
for depth in (3, 5, 8):
    nested, value = dict[str, Any](S), "deep"
    for _ in range(depth):
        nested, value = {"type": "object", "properties": {"in": nested}}, {"in": value}
    OBJECTS[f"nested {depth} deep"] = nested, [value]
    listed: Any = I
    content: Any = 1
    for _ in range(depth):
        listed, content = {"type": "array", "items": listed}, [content]
    LISTS[f"lists {depth} deep"] = listed, [content]

REFERENCES: dict[str, Case] = {
    "$ref and $defs": ({"type": "object", "properties": {"p": {"$ref": "#/$defs/p"}}, "$defs": {"p": PERSON}}, [{"p": {"name": "A"}}]),
    "definitions": ({"type": "object", "properties": {"p": {"$ref": "#/definitions/p"}}, "definitions": {"p": I}}, [{"p": 1}]),
    "a reference to a property": obj({"a": I, "b": {"$ref": "#/properties/a"}}, {"b": 2}),
    "a reference by anchor": ({"type": "object", "properties": {"a": {"$ref": "#n"}}, "$defs": {"n": {"$anchor": "n", **I}}}, [{"a": 1}]),
    "a reference by $id": ({"type": "object", "properties": {"a": {"$ref": "n.json"}}, "$id": "https://x.example/a.json",
                            "$defs": {"n": {"$id": "n.json", **I}}}, [{"a": 1}]),
    "a reference with a title beside it": ({"type": "object", "properties": {"a": {"$ref": "#/$defs/n", "title": "T"}}, "$defs": {"n": I}}, [{"a": 1}]),
    "a reference to a reference": ({"type": "object", "properties": {"a": {"$ref": "#/$defs/m"}}, "$defs": {"m": {"$ref": "#/$defs/n"}, "n": B}}, [{"a": True}]),
    "a schema that contains itself": ({"$defs": {"t": TREE}, "$ref": "#/$defs/t"},
                                      [{"v": 1, "left": {"v": 2, "left": {"v": 3}}}, {"kids": [{"v": 1}, {"kids": [{"v": 2}]}]}]),
    "the root within itself": ({"type": "object", "properties": {"v": I, "next": {"$ref": "#"}}}, [{"v": 1, "next": {"next": {"v": 3}}}]),
    "an expression that contains itself": (
        {"$defs": {"e": {"oneOf": [N, {"type": "object", "properties": {"plus": {"type": "array", "items": {"$ref": "#/$defs/e"}}},
                                       "required": ["plus"]}]}}, "$ref": "#/$defs/e"}, [1.5, {"plus": [1, {"plus": [2, 3.0]}]}]),
    "a schema that is nothing but itself": ({"$ref": "#"}, [1, {"a": [None]}]),
    "a reference that leads nowhere": prop({"$ref": "#/$defs/nowhere"}, 1, {"a": 2}),
    "a reference that leads out": prop({"$ref": "https://example.org/else.json"}, [1]),
    "a dynamic reference": prop({"$dynamicRef": "#meta"}, "a", {"b": 1}),
}  # fmt: skip
COMBINED: dict[str, Case] = {
    "oneOf types": prop({"oneOf": [I, S, B]}, 1, "1", True),
    "anyOf types": prop({"anyOf": [N, {"type": "array", "items": N}]}, 1.0, [1, 2.5]),
    "a list of types": prop({"type": ["string", "integer", "boolean", "null"]}, "a", 1, False, None),
    "every type": prop(
        {"type": ["string", "number", "boolean", "null", "array", "object"]}, "a", 1.5, True, None, [1], {"a": 1}
    ),
    "oneOf at the root": whole({"oneOf": [CAT, DOG]}, {"kind": "cat", "lives": 9}, {"kind": "dog", "name": "Rex"}),
    "anyOf at the root": whole({"anyOf": [PERSON, {"type": "array", "items": PERSON}]}, {"name": "A"}, [{"name": "B"}]),
    "allOf at the root": whole({"allOf": [PERSON, {"properties": {"b": B}}]}, {"name": "A", "b": True}),
    "oneOf at the root beside properties": whole(
        {"type": "object", "properties": {"id": I}, "required": ["id"], "oneOf": [{"properties": {"a": S}, "required": ["a"]},
         {"properties": {"b": S}, "required": ["b"]}]}, {"id": 1, "a": "x"}, {"id": 1, "b": "y"}),
    "alternatives that add conditions": obj({"a": S, "b": S}, {"a": "x"}, {"b": "y"}, anyOf=[{"required": ["a"]}, {"required": ["b"]}]),
    "a discriminator": prop({"oneOf": [CAT, DOG], "discriminator": {"propertyName": "kind"}}, {"kind": "dog", "name": "R"}),
    "a list of tagged alternatives": prop({"type": "array", "items": {"oneOf": [CAT, DOG]}}, [{"kind": "cat"}, {"kind": "dog", "name": "R"}]),
    "alternatives within alternatives": prop({"oneOf": [{"anyOf": [I, {"type": "null"}]}, {"anyOf": [S, B]}]}, 1, "a", True),
    "alternatives with references": ({"type": "object", "properties": {"x": {"anyOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/d"}]}},
                                      "$defs": {"c": CAT, "d": DOG}}, [{"x": {"kind": "cat"}}, {"x": {"kind": "dog", "name": "R"}}]),
    "allOf of texts": prop({"allOf": [S, {"minLength": 1}, {"maxLength": 3}]}, "ab"),
    "allOf with a reference": ({"type": "object", "properties": {"x": {"allOf": [{"$ref": "#/$defs/p"}, {"description": "Who."}]}},
                                "$defs": {"p": PERSON}}, [{"x": {"name": "A"}}]),
    "allOf with an enum": prop({"allOf": [{"enum": ["a", "b", "c"]}, {"enum": ["b", "c"]}]}, "b"),
    "allOf of alternatives": prop({"allOf": [{"oneOf": [I, S]}, {"title": "Both"}]}, 1, "a"),
    "not": prop({"not": S}, 1, [None]),
    "not beside a type": prop({**S, "not": {"const": "x"}}, "y"),
    "alternatives of lists": prop({"anyOf": [{"type": "array", "items": I}, {"type": "array", "items": S}]}, [1], ["a"]),
    "a number or the text of one": prop({"anyOf": [N, {**S, "pattern": "^[0-9]+$"}]}, 1, "1", 1.0),
    "nullable alternatives": prop({"anyOf": [{"oneOf": [S, {"type": "array", "items": S}]}, {"type": "null"}]}, "a", ["b"], None),
    "alternatives of which one knows more": prop(
        {"anyOf": [obj({"a": S})[0], obj({"a": S, "b": I})[0]]}, {"a": "x"}, {"a": "x", "b": 1}),
    "one alternative only": prop({"oneOf": [PERSON]}, {"name": "A"}),
    "anything or null": prop({"anyOf": [{}, {"type": "null"}]}, 1, {"a": 1}, None),
}  # fmt: skip
BEYOND: dict[str, Case] = {
    "true at the root": whole(True, 1, "a", None, {"a": [1.0]}),
    "false at the root": whole(False, {"kept": 1}),
    "a text at the root": whole(S, "a", "a\nb"),
    "a number at the root": whole(N, 1, 1.0, 2.5),
    "a boolean at the root": whole(B, True, False),
    "null at the root": whole({"type": "null"}, None),
    "an enum at the root": whole({"enum": [1, "1", True]}, 1, "1", True),
    "a const at the root": whole({"const": [1]}, [1]),
    "a type that is unknown": prop({"type": "strange"}, 1, "a"),
    "a type that is a number": whole({"type": 12}, {"a": 1}),
    "properties that are none": whole({"type": "object", "properties": 3}, {"a": 1}),
    "a schema that is a list": whole([], {"a": 1}),
    "a schema that is a text": whole("x", [1]),
    "draft 4": whole(
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"a": {**I, "minimum": 0, "exclusiveMinimum": True}}},
        {"a": 1}),
    "draft 6": whole({"$schema": "http://json-schema.org/draft-06/schema#", "type": "object", "properties": {"a": {"const": 1}}}, {"a": 1}),
    "draft 2019-09": whole({"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object", "properties": {"a": S}}, {"a": "x"}),
    "a keyword of one's own": prop({**S, "x-order": 5, "x-widget": "slider"}, "a"),
    "unevaluatedItems": prop({"type": "array", "prefixItems": [I], "unevaluatedItems": False}, [1]),
    "a recursive anchor": prop({"$recursiveRef": "#"}, {"x": 1}),
    "texts that no line can hold": prop(S, "a\r\nb", "a\u2028b", "\x00", "\ufeffx"),
}  # fmt: skip

MIXED: dict[str, Case] = {
    "a list of dates": prop({"type": "array", "items": {**S, "format": "date"}}, ["2026-03-31", "2026-04-01"]),
    "a list of files": prop({"type": "array", "items": {**S, "format": "file-path"}}, ["/a", "b c"]),
    "a list of texts of several lines": prop({"type": "array", "items": {**S, "format": "multiline"}}, ["a\nb", "c"]),
    "a list of constants": prop({"type": "array", "items": {"const": 7}}, [7, 7]),
    "a list of tables": prop({"type": "array", "items": {"type": "object", "additionalProperties": I}}, [{"a": 1}, {}]),
    "minContains and maxContains": prop({"type": "array", "contains": I, "minContains": 1, "maxContains": 2}, [1, "a"]),
    "a time without a zone": prop({**S, "format": "time"}, "14:30:00"),
    "a host": prop({**S, "format": "hostname"}, "example.org"),
    "a span of time": prop({**S, "format": "duration"}, "P3DT4H"),
    "a regular expression": prop({**S, "format": "regex"}, r"^\d+$"),
    "an enum of numbers": prop({**N, "enum": [1, 2.5, -3]}, 1, 2.5, -3),
    "an enum of lists and objects": prop({"enum": [[], [1], {}, {"a": None}]}, [], [1], {}, {"a": None}),
    "bounds on both sides": prop({**N, "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.25),
    "a nullable number with bounds": prop({"anyOf": [{**I, "minimum": 1}, {"type": "null"}], "default": None}, 5, None),
    "a nullable boolean by anyOf": prop({"anyOf": [B, {"type": "null"}]}, False, None),
    "a default that is an object": obj({"p": {**PERSON, "default": {"name": "A"}}}, {"p": {"name": "B", "age": 3}}, {}),
    "a default that is a list": obj(
        {"l": {"type": "array", "items": I, "default": [1]}}, {"l": [2, 3]}, required=["l"]
    ),
    "examples of numbers": prop({**I, "examples": [10, 100]}, 7),
    "examples of lists": prop({"type": "array", "items": S, "examples": [["a"]]}, ["b"]),
    "a table of alternatives": whole({"type": "object", "additionalProperties": {"anyOf": [I, S]}}, {"a": 1, "b": "c"}),
    "patterns with objects": whole({"type": "object", "patternProperties": {"^p": PERSON}}, {"p1": {"name": "A"}}),
    "objects without tags": prop(
        {"anyOf": [obj({"a": S})[0] | {"required": ["a"]}, obj({"b": S})[0] | {"required": ["b"]}]},
        {"a": "x"},
        {"b": "y"},
    ),
    "nullable objects within each other": prop(
        {"anyOf": [obj({"y": {"anyOf": [PERSON, {"type": "null"}]}})[0], {"type": "null"}]},
        {"y": {"name": "A"}},
        {"y": None},
        None,
    ),
    "a table within a list within an object": obj(
        {"rows": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "array", "items": N}}}},
        {"rows": [{"a": [1, 2.0]}, {}]},
    ),
    "dependencies of an older draft": whole(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"a": S, "b": S},
            "dependencies": {"a": ["b"]},
        },
        {"a": "x", "b": "y"},
    ),
}
HAND_MADE: dict[str, Case] = {
    **TEXTS,
    **NUMBERS,
    **PLAIN,
    **LISTS,
    **OBJECTS,
    **REFERENCES,
    **COMBINED,
    **BEYOND,
    **MIXED,
}
JSON_SIDE = frozenset({"texts that no line can hold"})
"""Those whose values nobody can type into fields."""
NOTHING_FITS = frozenset({"false at the root"})
"""Those that no value is right for; what is given is kept all the same."""
