"""What was typed once and is offered again: arguments of calls by hand, and what a script is given beside its tools."""

import json
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import replace_file, set_aside
from ptc_studio.targets import Given

log = logging.getLogger(__name__)

MOST = 10
"""Sets kept for one tool or alias."""
MOST_NAMES = 200
LARGEST = 20_000
"""Characters; longer sets are not kept."""
_GONE = object()

Arguments = dict[str, Any]


class ArgumentSets:
    """The latest distinct sets of each name. Without a path they last as long as the program."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._sets: dict[str, list[Arguments]] | None = None

    def of(self, name: str) -> list[Arguments]:
        """The sets of a tool or alias, the latest first."""
        return list(self._all().get(name, ()))

    def add(self, name: str, arguments: Arguments, redacted: Any) -> None:
        """Keeps a set at the head of the others; where it is redacted, that is left out."""
        kept = without_secrets(arguments, redacted)
        text = _text(kept)
        if not isinstance(kept, dict) or not kept or text is None or len(text) > LARGEST:
            return
        sets = self._all()
        others = [each for each in sets.pop(name, []) if _text(each) != text]
        # The name goes to the end: those not used for longest are forgotten first.
        sets[name] = [cast("Arguments", kept), *others][:MOST]
        while len(sets) > MOST_NAMES:
            del sets[next(iter(sets))]
        self._write()

    def _all(self) -> dict[str, list[Arguments]]:
        if self._sets is None:
            self._sets = _read(self._path)
        return self._sets

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._path, json.dumps(self._sets).encode())
        except OSError:
            log.exception("Arguments used before cannot be kept in %s", self._path)


def without_secrets(value: Any, redacted: Any) -> Any:
    """The value without every part that redaction changed."""
    kept = _kept(value, redacted)
    return None if kept is _GONE else kept


def _kept(value: Any, redacted: Any) -> Any:
    if isinstance(value, dict) and isinstance(redacted, dict):
        pairs = {key: _kept(item, redacted.get(key, _GONE)) for key, item in value.items()}
        return {key: item for key, item in pairs.items() if item is not _GONE}
    if isinstance(value, list) and isinstance(redacted, list) and len(value) == len(redacted):
        items = [_kept(*both) for both in zip(value, redacted, strict=True)]
        return [item for item in items if item is not _GONE]
    return value if type(value) is type(redacted) and value == redacted else _GONE


def _text(value: Any) -> str | None:
    """What tells one set from another: 1, 1.0 and true are three."""
    try:
        return json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return None


def _read(path: Path | None) -> dict[str, list[Arguments]]:
    if path is None:
        return {}
    try:
        content = json.loads(read_bytes(path))
    except OSError:
        return {}
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        with suppress(OSError):
            log.warning("%s makes no sense, and is set aside as %s", path, set_aside(path).name)
        return {}
    return {
        name: [each for each in sets if isinstance(each, dict)][:MOST]
        for name, sets in content.items()
        if isinstance(sets, list)
    }


LARGEST_FILE = 10_000_000
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
        text = read_bytes(path, LARGEST_FILE)
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
