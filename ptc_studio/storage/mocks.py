"""The file `mocks.yaml` of a workspace: what answers instead of tools, read with errors that name the line."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from ptc_studio.core.answering.expressions import Expression
from ptc_studio.core.answering.mocks import Mock, MockAnswer
from ptc_studio.core.answering.named_errors import RUNTIME_ERROR
from ptc_studio.core.errors import ExpressionFault
from ptc_studio.sources.entry_fields import Entry, Name
from ptc_studio.storage.file_reading import Reading, reading_of
from ptc_studio.storage.lined_file import LinedFile, understood
from ptc_studio.storage.lined_yaml import LinedYaml, YamlFault
from ptc_studio.storage.workspace import Switch, WorkspaceError

MOCKS_FILE = "mocks.yaml"
ANSWERS: dict[str, MockAnswer] = {
    "value": "value",
    "from_schema": "schema",
    "expression": "expression",
    "error": "error",
}
"""The keys of which a mock has one, and what each stands for."""
Delay = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False, strict=True)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]


class ErrorEntry(Entry):
    """An error as the file has it."""

    type: Name = RUNTIME_ERROR
    message: str = ""


class MockEntry(Entry):
    """A mock as the file has it: one of `value`, `from_schema`, `expression` and `error`, or none for the tool's own
    answer. Beside a failure rate, `error` is what a failure is."""

    name: Name
    value: Any = None
    from_schema: Switch = False
    expression: str | None = None
    error: ErrorEntry | None = None
    delay: Delay = 0.0
    failure_rate: Share = 0.0
    seed: Annotated[int, Field(strict=True)] = 0
    enabled: Switch = True
    notes: str | None = None

    @field_validator("expression")
    @classmethod
    def _readable(cls, text: str | None) -> str | None:
        try:
            if text is not None:
                Expression(text)
        except ExpressionFault as fault:
            raise ValueError(str(fault)) from None
        return text

    @model_validator(mode="after")
    def _one_answer(self) -> "MockEntry":
        given = self._given()
        if len(given) > 1 and not (self.failure_rate and given[-1] == "error" and len(given) == 2):
            raise ValueError(f"has both {given[0]!r} and {given[1]!r}; remove one")
        if not given and not self.delay and not self.failure_rate:
            raise ValueError("says nothing; give it one of 'value', 'from_schema', 'expression', 'error' or 'delay'")
        return self

    def mock(self) -> Mock:
        """The mock itself; notes are for whoever reads the file."""
        given = self._given()
        error = self.error or ErrorEntry()
        only_fails = given == ["error"] and self.failure_rate > 0
        return Mock(
            self.name,
            ANSWERS[given[0]] if given and not only_fails else "tool",
            self.value,
            self.expression or "",
            error.type,
            error.message,
            self.delay,
            self.failure_rate,
            self.seed,
            self.enabled,
        )

    def _given(self) -> list[str]:
        """Which answers it has; null is a value, too."""
        given = {"value": "value" in self.model_fields_set, "from_schema": self.from_schema}
        given |= {"expression": self.expression is not None, "error": self.error is not None}
        return [name for name, there in given.items() if there]


class MocksFile(LinedFile):
    """The whole file."""

    version: Annotated[int, Field(strict=True, ge=1, le=1)] = 1
    mocks: tuple[MockEntry, ...] = ()


def read_mocks(folder: Path, reading: Reading | None = None) -> MocksFile:
    """The mocks of the folder, as they were read before or are now, none if there is no such file.

    Raises WorkspaceError naming file, line and remedy.
    """
    path = folder / MOCKS_FILE
    try:
        return understood(MocksFile, LinedYaml((reading or reading_of(path)).content()))
    except FileNotFoundError:
        return MocksFile()
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be read: {error.strerror}.") from None
    except YamlFault as fault:
        raise WorkspaceError(f"{path}:{fault.line}: {_reworded(fault)}") from None


def _reworded(fault: YamlFault) -> str:
    return str(fault).replace("keys such as 'sources' and 'aliases'", "the key 'mocks'")
