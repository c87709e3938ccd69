"""How a module's calls reach the executor; and how one that is itself a tool may call others: by aliases that it
was granted, and not without end."""

from collections.abc import Collection
from queue import SimpleQueue
from typing import Any

from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.executor import Executor
from ptc_studio.gateway.wasm.ends import GuestFault
from ptc_studio.gateway.wasm.guest_module import GuestModule
from ptc_studio.gateway.wasm.tool_imports import Invoker

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
    place = guest.call("allocate", len(data))
    guest.write(place, data)
    answer = guest.call(export, place, len(data)) & 0xFFFFFFFFFFFFFFFF
    try:
        return guest.read(answer >> 32, answer & 0xFFFFFFFF).decode()
    except UnicodeDecodeError as error:
        raise GuestFault(f"The module gave a text that is not UTF-8: {error}") from None
