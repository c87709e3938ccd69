"""What an alias does with each parameter of its tool, and how the workspace file says so. Knows no Qt."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ptc_studio.core.tools import ToolSpec
from ptc_studio.ui.forms.schema.values import ABSENT

How = Literal["as_is", "preset", "default", "hidden"]
WAYS: tuple[How, ...] = ("as_is", "preset", "default", "hidden")
WORDS: dict[How, str] = {"as_is": "As is", "preset": "Preset", "default": "Default", "hidden": "Hidden"}


@dataclass(frozen=True, slots=True)
class Treatment:
    """What is done with one parameter."""

    how: How = "as_is"
    value: Any = ABSENT
    """Of a preset or a default; `ABSENT` while there is none yet."""


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """A parameter of the tool, or one that only the alias speaks of."""

    name: str
    schema: Any = field(default_factory=dict)
    required: bool = False
    is_known: bool = True
    """Whether the tool has it."""
    is_taken: bool = True
    """Whether the tool takes it at all."""


def parameters_of(spec: ToolSpec | None, entry: Mapping[str, Any]) -> tuple[ParameterInfo, ...]:
    """Those of the tool in their order, then what the entry names beyond them."""
    schema: Mapping[str, Any] = spec.parameters if spec is not None else {}
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    signature = [parameter.name for parameter in spec.signature] if spec is not None else []
    names = dict.fromkeys([*(name for name in signature if name in properties), *properties])
    known = [ParameterInfo(name, properties[name], name in required) for name in names]
    open_ended = spec is None or schema.get("additionalProperties") is not False
    more = [name for name in treatments_of(entry) if name not in names]
    return (*known, *(ParameterInfo(name, True, is_known=False, is_taken=open_ended) for name in more))


def treatments_of(entry: Mapping[str, Any]) -> dict[str, Treatment]:
    """What an entry of the file does, by parameter; what it does not name stays as it is."""
    return {
        **{name: Treatment("default", value) for name, value in (entry.get("defaults") or {}).items()},
        **{name: Treatment("hidden") for name in entry.get("hidden") or ()},
        **{name: Treatment("preset", value) for name, value in (entry.get("preset") or {}).items()},
    }


def said_in_file(treatments: Iterable[tuple[str, Treatment]]) -> dict[str, Any]:
    """The keys of an entry for these; keys that would be empty are left out."""
    said: dict[str, Any] = {"preset": {}, "defaults": {}, "hidden": []}
    for name, treatment in treatments:
        if treatment.how == "hidden":
            said["hidden"].append(name)
        elif treatment.how != "as_is" and treatment.value is not ABSENT:
            said["preset" if treatment.how == "preset" else "defaults"][name] = treatment.value
    return {key: value for key, value in said.items() if value}
