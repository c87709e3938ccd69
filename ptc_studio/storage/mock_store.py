"""Keeps the mocks of a workspace and its file the same, whoever changes the file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator, model_validator

from ptc_studio.bounded_files import FileWatch, Reading, reading_of
from ptc_studio.core.errors import ExpressionError
from ptc_studio.core.responders.expressions import Expression
from ptc_studio.core.responders.mocks import RUNTIME_ERROR, Mock, MockAnswer, Mocks
from ptc_studio.sources.entry_fields import Name, WorkspaceEntry
from ptc_studio.storage.edited_file import EditedFile, Undo, on_data
from ptc_studio.storage.entry_values import TouchedOutside, plain_data, where_now
from ptc_studio.storage.workspace import Switch, WorkspaceError
from ptc_studio.storage.yaml_with_lines import FileWithLines, YamlError, YamlWithLines, understood

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


class ErrorEntry(WorkspaceEntry):
    """An error as the file has it."""

    type: Name = RUNTIME_ERROR
    message: str = ""


class MockEntry(WorkspaceEntry):
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
        except ExpressionError as error:
            raise ValueError(str(error)) from None
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


class MocksFile(FileWithLines):
    """The whole file."""

    version: Annotated[int, Field(strict=True, ge=1, le=1)] = 1
    mocks: tuple[MockEntry, ...] = ()


def read_mocks(folder: Path, reading: Reading | None = None) -> MocksFile:
    """The mocks of the folder, as they were read before or are now, none if there is no such file.

    Raises WorkspaceError naming file, line and remedy.
    """
    path = folder / MOCKS_FILE
    try:
        return understood(MocksFile, YamlWithLines((reading or reading_of(path)).content()))
    except FileNotFoundError:
        return MocksFile()
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be read: {error.strerror}.") from None
    except YamlError as fault:
        raise WorkspaceError(f"{path}:{fault.line}: {_reworded(fault)}") from None


def _reworded(fault: YamlError) -> str:
    return str(fault).replace("keys such as 'sources' and 'aliases'", "the key 'mocks'")


HEADER = """\
# What answers instead of tools while it is enabled. Change it here or in the window; comments stay as they are.
mocks: []
"""


class MockEditor(EditedFile):
    """Writes `mocks.yaml`, one change at a time. Raises WorkspaceError as `WorkspaceEditor` does."""

    name, header = MOCKS_FILE, HEADER

    def add(self, values: Mapping[str, Any], index: int | None = None) -> Undo:
        """One more, at the end or at that place."""
        entry = plain_data(values, "mocks")

        def added(data: dict[str, Any]) -> None:
            entries = data.get("mocks") or []
            entries.insert(len(entries) if index is None else index, entry)
            data["mocks"] = entries

        return self._do(on_data(added))

    def replace(self, index: int, values: Mapping[str, Any]) -> Undo:
        """Another in its place; keys that are the same stay as they are written."""
        entry = plain_data(values, "mocks")
        return self._edit(index, lambda entries, at: entries.__setitem__(at, entry))

    def remove(self, index: int) -> Undo:
        return self._edit(index, lambda entries, at: entries.pop(at))

    def set_enabled(self, index: int, enabled: bool) -> Undo:
        """Switches one on or off; that it is on need not be written."""

        def switched(entries: list[Any], at: int) -> None:
            rest = {key: value for key, value in entries[at].items() if key != "enabled"}
            entries[at] = rest if enabled else {**rest, "enabled": False}

        return self._edit(index, switched)

    def _edit(self, index: int, change: Callable[[list[Any], int], Any]) -> Undo:
        known = self._base.plain.get("mocks") or []
        if not 0 <= index < len(known):
            raise WorkspaceError(f"{self.path} has {len(known)} mocks, and none with the number {index + 1}.")
        entry = known[index]

        def edited(data: dict[str, Any]) -> None:
            entries = data.get("mocks") or []
            now = where_now(entries, index, entry)
            if now is None:
                raise TouchedOutside
            change(entries, now)

        return self._do(on_data(edited))

    def _understand(self, document: YamlWithLines) -> object:
        return understood(MocksFile, document)


class MockStore:
    """The mocks that are kept with a workspace, and those who answer by them."""

    def __init__(self, mocks: Mocks, folder: Path | None, *, tolerant: bool = False) -> None:
        self._mocks, self._folder = mocks, folder
        self._watch = FileWatch(folder / MOCKS_FILE) if folder else None
        self._lock = RLock()
        self.file = MocksFile()
        self.fault: str | None = None
        """Why the file cannot be read, if it cannot: then what it said before holds."""
        self.read(tolerant=tolerant)

    @property
    def entries(self) -> tuple[MockEntry, ...]:
        return self.file.mocks

    def refresh(self) -> bool:
        """Reads the file if somebody changed it; whether that is so. Costs no more than a look at its time stamp."""
        with self._lock:
            if self._watch is None or not self._watch.changed():
                return False
            self.read()
            return True

    def hold(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Takes these over without a file, where there is no workspace; raises WorkspaceError."""
        try:
            self.file = MocksFile.model_validate({"mocks": list(entries)})
        except ValidationError as error:
            raise WorkspaceError(f"The mock cannot be used: {error.errors()[0]['msg']}.") from None
        self._mocks.set(entry.mock() for entry in self.entries)

    def read(self, *, tolerant: bool = True) -> None:
        """Takes over what the file says; a broken one is told as `fault`, or raised as WorkspaceError."""
        if self._folder is None or self._watch is None:
            return
        # One after the other: of two, the one that read first must not be the last to say what holds.
        with self._lock:
            reading = self._watch.read()
            self._watch.accept(reading)
            try:
                self.file = read_mocks(self._folder, reading)
            except WorkspaceError as error:
                if not tolerant:
                    raise
                self.fault = str(error)
            else:
                self.fault = None
            self._mocks.set(entry.mock() for entry in self.entries)
