"""What a tool is: its description for people and models, and the seam through which the executor uses it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

JsonSchema = Mapping[str, Any]
Permission = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as a script sees it."""

    name: str
    required: bool = True
    default: Any = None
    """In JSON form; without meaning where the parameter is required."""
    annotation: str = ""
    """The type as its author wrote it, for signatures; may be empty."""
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """All that is known of a tool without calling it."""

    name: str
    description: str
    parameters: JsonSchema
    """JSON Schema of the arguments: always an object."""
    source: str
    signature: tuple[Parameter, ...] = ()
    """The parameters in the order in which positional arguments fill them."""
    doc: str = ""
    """The whole documentation; the description is its beginning."""
    also: tuple[str, ...] = ()
    """Further names under which it is found, such as `module.function`."""
    origin: str = ""
    """Where it is defined, as `file:line`."""
    timeout: float | None = None
    permission: Permission = "allow"
    permission_by: str = ""
    """Who says so, such as `source 'github'`, for messages; empty for the default."""
    output: JsonSchema | None = None
    """JSON Schema of the result, where it is known."""


class Ticket(Protocol):
    """What a tool is told of the call that it answers, and what it may do in turn."""

    @property
    def run_id(self) -> str: ...
    @property
    def call_id(self) -> str: ...
    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Calls another tool, as a child of this call, and waits for its value."""
        ...

    def call_async(self, name: str, arguments: Mapping[str, Any]) -> Awaitable[Any]:
        """The same for a tool that runs on an event loop, whichever loop it is."""
        ...

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Says how far a long call is; from any thread."""
        ...

    def environment(self) -> Mapping[str, str]:
        """Variables by which a process of the tool's can call tools in turn; empty where nothing serves them."""
        ...

    def on_abandon(self, stop: Callable[[], None]) -> None:
        """Has `stop` called if nobody waits for this call any longer (time is up, the run was stopped)."""
        ...


class Tool(Protocol):
    """Something that the executor can call. Both methods run in a worker thread, never on the loop's."""

    @property
    def spec(self) -> ToolSpec: ...

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Checks and converts the arguments, or raises `UnfitArguments` or `UnfitValues`."""
        ...

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """Answers the call; may block, may raise anything."""
        ...


@dataclass(frozen=True, slots=True)
class LoadError:
    """A file or server of a source that did not load, and why."""

    source: str
    file: str
    line: int | None
    message: str
    script: bool = False
    """Whether nothing is wrong with it: it is a script, which is left for Run to execute."""


@dataclass(frozen=True, slots=True)
class LoadedTools:
    """What a source brought: its tools, and what went wrong with the rest."""

    tools: tuple[Tool, ...] = ()
    errors: tuple[LoadError, ...] = field(default=())
