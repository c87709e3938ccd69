"""The tools as functions of the Python that a shell has: `python3 -c 'print(add(1, 2))'`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from ptc_studio.core import binary, codec
from ptc_studio.core.calls import Outcome

Call = Callable[[str, Any, Mapping[str, Any], float | None], Awaitable[Outcome]]
BY_NAME = "call_tool"


class PythonFunctions:
    """What bashkit's Python calls. A namespaced tool has no function of its own, and is called by `call_tool`."""

    def __init__(self, call: Call, tools: Iterable[str]) -> None:
        self._call = call
        self.names = [*(name for name in tools if name.isidentifier()), BY_NAME]

    async def __call__(self, fn_name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if fn_name == BY_NAME:
            return await self._by_name(*args, **kwargs)
        return await self._value(fn_name, args, kwargs)

    async def _by_name(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        *,
        timeout_secs: float | None = None,
    ) -> Any:
        return await self._value(name, (), arguments or {}, timeout_secs if timeout is None else timeout)

    async def _value(self, name: str, args: Any, kwargs: Mapping[str, Any], timeout: float | None = None) -> Any:
        outcome = await self._call(name, args, kwargs, timeout)
        outcome.unwrap()
        return binary.with_bytes(codec.decode(outcome.encoded), outcome.bytes_at)
