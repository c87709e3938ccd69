"""How a function is called with arguments given by name."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ptc_studio.sources.functions.annotations import parameters_of


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A function, and all that has to be known to call it."""

    function: Callable[..., Any]
    is_async: bool
    takes_context: bool
    takes_any: bool
    """Has `**kwargs`."""
    positional_only: tuple[inspect.Parameter, ...]

    def call(self, arguments: dict[str, Any]) -> Any:
        """Calls it; what the caller left out gets the function's own default."""
        if not self.positional_only:
            return self.function(**arguments)
        named = dict(arguments)
        given = [parameter for parameter in self.positional_only if parameter.name in named]
        upto = self.positional_only.index(given[-1]) + 1 if given else 0
        positional = [named.pop(parameter.name, parameter.default) for parameter in self.positional_only[:upto]]
        return self.function(*positional, **named)


def plan_of(function: Callable[..., Any]) -> CallPlan:
    """Reads how the function wants to be called."""
    parameters = parameters_of(function)
    kinds = [parameter.kind for parameter in parameters.values()]
    return CallPlan(
        function,
        # A decorator may hide that the function which it wraps is async.
        is_async=inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(inspect.unwrap(function)),
        takes_context="_context" in parameters,
        takes_any=inspect.Parameter.VAR_KEYWORD in kinds,
        positional_only=tuple(p for p in parameters.values() if p.kind is inspect.Parameter.POSITIONAL_ONLY),
    )
