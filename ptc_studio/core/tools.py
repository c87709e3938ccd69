"""What a tool is: its description for people and models, and the seam through which the executor uses it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

if TYPE_CHECKING:
    from ptc_studio.core.permissions import Decision

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
    title: str = ""
    """What people call it, where its owner says so."""
    annotations: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """What its owner says of it, by the words of MCP, such as `readOnlyHint` and `destructiveHint`."""

    @property
    def is_destructive(self) -> bool:
        """Whether its owner says that it may destroy something."""
        return bool(self.annotations.get("destructiveHint")) and not self.annotations.get("readOnlyHint")

    @property
    def as_it_is(self) -> JsonSchema:
        """The parameters for a copy of this spec: what was put off is not made for it."""
        return cast("JsonSchema", _PARAMETERS.__get__(self))


class PutOff:
    """Parameters that are made when somebody first asks for them, and once for all copies of a spec."""

    def __init__(self, make: Callable[[], JsonSchema]) -> None:
        self._make = make
        self._made: JsonSchema | None = None

    def made(self) -> JsonSchema:
        if self._made is None:
            self._made = self._make()
        return self._made


def put_off(make: Callable[[], JsonSchema]) -> JsonSchema:
    """What stands for the parameters of a spec until they are asked for; must not fail when it is made."""
    return cast("JsonSchema", PutOff(make))


class _Parameters:
    """The attribute of a spec that makes what was put off."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def __get__(self, spec: ToolSpec | None, _owner: Any = None) -> Any:
        if spec is None:
            return self
        value = self._slot.__get__(spec)
        return value.made() if type(value) is PutOff else value

    def __set__(self, spec: ToolSpec, value: Any) -> None:
        self._slot.__set__(spec, value)


_PARAMETERS: Any = ToolSpec.__dict__["parameters"]
# Not in the class: a dataclass would take it for a default.
ToolSpec.parameters = _Parameters(_PARAMETERS)  # type: ignore[assignment]


InputKind = Literal["form", "link", "sampling"]
"""Values for a form, consent to open an address, or what a model would say."""


@dataclass(frozen=True, slots=True)
class InputRequest:
    """What a tool wants of a person before it can answer a call."""

    kind: InputKind
    by: str
    """Who wants it, in a message's words, such as `MCP server 'mail'`."""
    message: str
    schema: JsonSchema = field(default_factory=dict[str, Any])
    """JSON Schema of the values that are wanted."""
    url: str = ""
    conversation: Any = None
    """What a model is to go on from, in JSON form."""


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

    def request_input(self, request: InputRequest, beside: "Sequence[Ticket]" = ()) -> "Future[Decision]":
        """Asks a person; meanwhile the time of this call, and of those beside it, stands still.

        Cancelling the answer withdraws the question; it is cancelled if nobody waits for the call any longer.
        """
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
    title: str = ""
    """What it is in a few words, where it did load and something is to be known of it."""


@dataclass(frozen=True, slots=True)
class LoadedTools:
    """What a source brought: its tools, and what went wrong with the rest."""

    tools: tuple[Tool, ...] = ()
    errors: tuple[LoadError, ...] = field(default=())
