"""How a module that is itself a tool may call others: by aliases that it was granted, and not without end."""

from collections.abc import Collection
from typing import Any

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


def call_with_text(guest: GuestModule, export: str, text: str) -> str:
    """Calls an export that takes a text and gives one: the module says where there is room, and where its answer is."""
    data = text.encode()
    place = guest.call("allocate", len(data))
    guest.write(place, data)
    answer = guest.call(export, place, len(data)) & 0xFFFFFFFFFFFFFFFF
    return guest.read(answer >> 32, answer & 0xFFFFFFFF).decode()
