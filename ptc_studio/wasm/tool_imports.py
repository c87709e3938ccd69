"""What a module imports to call tools: `tool_invoke` and its companions (see runtimes/wasm/README.md)."""

from collections.abc import Callable, Collection
from queue import SimpleQueue
from typing import Any, Protocol

from ptc_studio.core import binary, codec
from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.executor import Executor
from ptc_studio.core.failures import message_of
from ptc_studio.wasm.module import GuestError, GuestModule, HostFunction

NAMESPACE = "ptc"
LONGEST_TEXT = 64 * 1024 * 1024
Print = Callable[[bytes], None]


class Invoker(Protocol):
    """Calls a tool for the module: gives the result as JSON, or raises."""

    def __call__(self, alias: str, parameters: Any, timeout: float | None) -> bytes: ...


class ToolImports:
    """The functions of one guest. The last answer waits here until the module has made room for it."""

    def __init__(self, guest: GuestModule, invoke: Invoker, show: Print | None = None) -> None:
        self._guest = guest
        self._invoke = invoke
        self._show = show
        self._answer = b""
        self._failure: BaseException | None = None

    @property
    def offers(self) -> dict[tuple[str, str], HostFunction]:
        """By the names under which modules import them."""
        found = {
            "tool_invoke": HostFunction(self._tool_invoke, "iiii", "i"),
            "tool_invoke_within": HostFunction(self._tool_invoke_within, "iiiiF", "i"),
            "tool_result": HostFunction(self._tool_result, "i"),
            "tool_raise": HostFunction(self._tool_raise, ""),
        }
        if self._show is not None:
            found["print"] = HostFunction(self._print, "ii")
        return {(NAMESPACE, name): offer for name, offer in found.items()}

    def _tool_invoke(self, alias: int, alias_length: int, parameters: int, parameters_length: int) -> int:
        return self._answered(self._text(alias, alias_length), self._text(parameters, parameters_length), None)

    def _tool_invoke_within(
        self, alias: int, alias_length: int, parameters: int, parameters_length: int, seconds: float
    ) -> int:
        return self._answered(self._text(alias, alias_length), self._text(parameters, parameters_length), seconds)

    def _tool_result(self, destination: int) -> None:
        self._guest.write(destination, self._answer)

    def _tool_raise(self) -> None:
        raise self._failure or GuestError("The module called tool_raise, but its last call did not fail.")

    def _print(self, start: int, length: int) -> None:
        assert self._show is not None
        self._show(self._guest.read(start, length))

    def _answered(self, alias: str, parameters: str, timeout: float | None) -> int:
        """The length of the answer; negative if it is a failure."""
        try:
            self._failure = None
            self._answer = self._invoke(alias, _parsed(alias, parameters), _checked(timeout))
            if len(self._answer) > LONGEST_TEXT:
                raise ValueError(f"the result has {len(self._answer)} bytes, more than a module can be given")
            return len(self._answer)
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything, even SystemExit; the module is told
            self._failure = error
            self._answer = codec.encode({"type": type(error).__name__, "message": message_of(error)})
            return -len(self._answer)

    def _text(self, start: int, length: int) -> str:
        if not 0 <= length <= LONGEST_TEXT:
            raise GuestError(
                f"The module gave a text of {length & 0xFFFFFFFF} bytes; at most {LONGEST_TEXT} are taken."
            )
        try:
            return self._guest.read(start, length).decode()
        except UnicodeDecodeError as error:
            raise GuestError(f"The module gave a text that is not UTF-8: {error}") from None


def _parsed(alias: str, parameters: str) -> Any:
    try:
        found = codec.decode(parameters) if parameters.strip() else {}
        return binary.unmarked(found) if binary.MARK.decode() in parameters else found
    except ValueError as error:
        raise TypeError(f"Invalid parameters for tool {alias!r}: they are not JSON: {error}") from None


def _checked(timeout: float | None) -> float | None:
    if timeout is not None and not timeout > 0:
        raise ValueError("the timeout of a call must be above 0")
    return timeout


MOST_INVOCATIONS = 20


class GrantedInvoker:
    """Lets through what was granted. `aliases` is None for a module that may not call tools at all."""

    def __init__(self, invoke: Invoker, aliases: Collection[str] | None, most: int = MOST_INVOCATIONS) -> None:
        self._invoke = invoke
        self._aliases = aliases
        self._most = most
        self._left = most

    def __call__(self, alias: str, parameters: Any, timeout: float | None) -> bytes:
        if self._aliases is None:
            raise PermissionError("Tool invocation capability not granted")
        if alias not in self._aliases:
            raise LookupError(f"Unknown tool alias: {alias}")
        if self._left == 0:
            raise RecursionError(f"Too many tool invocations (max {self._most})")
        self._left -= 1
        return self._invoke(alias, parameters, timeout)


def placed_and_named(alias: str, parameters: Any) -> tuple[list[Any], dict[str, Any]]:
    """The arguments that a module gave: an array by place, an object by name."""
    if isinstance(parameters, list):
        return parameters, {}
    if isinstance(parameters, dict):
        return [], parameters
    raise TypeError(f"Invalid parameters for tool {alias!r}: they must be an object or an array")


def answered(executor: Executor, request: CallRequest) -> bytes:
    """The tool's value as JSON; raises what the tool raised."""
    outcomes: SimpleQueue[Outcome] = SimpleQueue()
    executor.submit(request, outcomes.put)
    outcome = outcomes.get()
    outcome.unwrap()
    return outcome.encoded


def call_with_text(guest: GuestModule, export: str, text: str) -> str:
    """Calls an export that takes a text and gives one: the module says where there is room, and where its answer is."""
    data = text.encode()
    location = guest.call("allocate", len(data))
    guest.write(location, data)
    answer = guest.call(export, location, len(data)) & 0xFFFFFFFFFFFFFFFF
    try:
        return guest.read(answer >> 32, answer & 0xFFFFFFFF).decode()
    except UnicodeDecodeError as error:
        raise GuestError(f"The module gave a text that is not UTF-8: {error}") from None
