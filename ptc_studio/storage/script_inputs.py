"""What a script is given beside its tools, kept in a file next to it: `order.py` has `order.inputs.json`."""

import json
import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import replace_file
from ptc_studio.targets import Given

LARGEST = 10_000_000
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
OWN_VARIABLES = "PTC_"
"""What names of the environment begin with that are the studio's own."""


class InputsError(PtcError):
    """Inputs that cannot be used; the message says which and why."""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    inputs: dict[str, object] = Field(default_factory=dict)
    environment: dict[str, str] = Field(default_factory=dict)

    @field_validator("inputs")
    @classmethod
    def _name_variables(cls, inputs: dict[str, object]) -> dict[str, object]:
        for name in inputs:
            check_input_name(name)
        return inputs

    @field_validator("environment")
    @classmethod
    def _name_the_environment(cls, environment: dict[str, str]) -> dict[str, str]:
        for name in environment:
            check_variable_name(name)
        return environment


def check_input_name(name: str) -> None:
    """Raises ValueError for what cannot be a variable of a script."""
    if not name.isidentifier():
        raise ValueError(f"{name!r} is no name of a variable")


def check_variable_name(name: str) -> None:
    """Raises ValueError for what cannot be a variable of the environment, or is the studio's own."""
    if not _VARIABLE.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a variable of the environment")
    if name.startswith(OWN_VARIABLES):
        raise ValueError(f"{name!r} is the studio's own: names that begin with {OWN_VARIABLES} cannot be given")


def inputs_file(script: Path) -> Path:
    """Where what the script is given is kept."""
    return script.with_name(f"{script.stem}.inputs.json")


def read_inputs(script: Path) -> Given:
    """What is kept for the script, nothing if nothing is; raises InputsError for a file that cannot be understood."""
    path = inputs_file(script)
    try:
        text = read_bytes(path, LARGEST)
    except FileNotFoundError:
        return Given()
    except OSError as error:
        raise InputsError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        kept = _File.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise InputsError(f"{path}: {place}: {first['msg'].removeprefix('Value error, ')}.") from None
    return Given(kept.inputs, kept.environment)


def write_inputs(script: Path, given: Given) -> None:
    """Keeps it; a file that would say nothing is removed. Raises OSError."""
    path = inputs_file(script)
    if not given.inputs and not given.environment:
        path.unlink(missing_ok=True)
        return
    text = json.dumps({"inputs": given.inputs, "environment": given.environment}, indent=2, ensure_ascii=False)
    replace_file(path, f"{text}\n".encode())
