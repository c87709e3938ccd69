"""What a call must pass before it is answered. Each stage has one job and refuses by raising."""

import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ptc_studio.core.calls import Call
from ptc_studio.core.errors import CallCancelled, CallDenied, DepthExceeded, UnfitArguments
from ptc_studio.core.permissions import ask
from ptc_studio.core.registry import Alias
from ptc_studio.core.tools import ToolSpec

if TYPE_CHECKING:
    from ptc_studio.core.executor import Executor


MISFIT = "they do not fit together with what the alias presets or hides; look at the alias"


def check_names(alias: Alias, spec: ToolSpec, given: Iterable[str]) -> None:
    """Refuses names that do not exist for the script, as if there were only those that do: the tool would tell all."""
    known = spec.parameters.get("properties", {})
    closed = spec.parameters.get("additionalProperties") is False
    odd = [name for name in given if name in alias.unseen or (closed and name not in known)]
    if odd:
        takes = f"takes {', '.join(known)}" if known else "takes no arguments"
        raise UnfitArguments(spec.name, ", ".join(f"unexpected {name!r} ({takes})" for name in odd))


def error_through_alias(alias: Alias | None, name: str, error: UnfitArguments) -> UnfitArguments:
    """The error as the caller of the alias may see it."""
    if alias is None or not any(_speaks_of(str(error), unseen) for unseen in alias.unseen):
        return error
    return type(error)(name, MISFIT)


def _speaks_of(text: str, parameter: str) -> bool:
    """Places in the arguments are quoted: `'qty'`, `'qty[0]'`, `'qty.unit'`."""
    return re.search(rf"'{re.escape(parameter)}(?=['.\[])", text) is not None


RUN_GOES_FIRST = 0.5


def check_run(call: Call, _executor: "Executor") -> None:
    """A run that was stopped starts nothing new, whatever its tools' threads are still about."""
    if call.run.stop_reason is not None:
        raise CallCancelled(call.name)


def check_grant(call: Call, _executor: "Executor") -> None:
    """A script calls only what it was granted; what its tools call is their business, unless the text is its own."""
    assert call.target is not None
    bound = call.run.grant.patterns is not None and (call.request.parent is None or call.request.bound_by_grant)
    if bound and not call.target.granted_by(call.run.grant):
        raise CallDenied(f"Tool {call.name!r} is not granted to this script: add it to the grant to allow it.")


def check_depth(call: Call, _executor: "Executor") -> None:
    """Nesting ends somewhere."""
    if call.depth > call.run.limits.max_depth:
        raise DepthExceeded(call.run.limits.max_depth)


def check_permission(call: Call, executor: "Executor") -> None:
    """Allows, denies, or asks a person and waits for the answer."""
    assert call.target is not None
    spec = call.target.spec
    if spec.permission == "allow" or call.name in call.run.allowed_for_run:
        return
    if spec.permission == "deny":
        raise CallDenied(f"Tool {call.name!r} is denied by {spec.permission_by or 'its permission'}.")
    _ask_permission(call, executor)


def bind_arguments(call: Call, _executor: "Executor") -> None:
    """Checks the arguments against the tool's own idea of them, and converts them."""
    assert call.target is not None
    _check_given(call)
    try:
        call.arguments = call.target.tool.bind(call.arguments)
    except UnfitArguments as error:
        raise error_through_alias(call.target.alias, call.name, error) from None


def start_clock(call: Call, executor: "Executor") -> None:
    """From here on the tool's time runs: the request's, else the alias's or tool's, within the caps and the run."""
    assert call.target is not None
    limits = call.run.limits
    wanted = call.request.timeout or call.target.spec.timeout or limits.call_timeout
    now = time.monotonic()
    # At the run's own end the run goes first, so that the script does not see a timeout that is not its tool's.
    call.deadline = min(now + min(wanted, limits.call_timeout_cap), call.run.deadline + RUN_GOES_FIRST)
    call.unwatch = executor.deadlines.watch(call)
    if call.settled:
        # It was given up on the way here, perhaps before there was a watch to end.
        call.unwatch()
        raise CallCancelled(call.name)


STAGES = (check_run, check_grant, check_depth, check_permission, bind_arguments, start_clock)


def given_arguments(call: Call) -> dict[str, Any]:
    """What the caller gave, positional ones under their parameters' names as far as there are any."""
    request = call.request
    if not request.args:
        return dict(request.kwargs)
    names = _positional_names(call)
    given = dict(zip(names, request.args, strict=False))
    given.update({f"*{i}": value for i, value in enumerate(request.args[len(names) :], len(names))})
    return {**given, **request.kwargs}


def effective_arguments(call: Call) -> dict[str, Any]:
    """What the tool gets: the alias's defaults, then what was given, then the alias's presets."""
    if call.edited is not None:
        return call.edited
    alias = call.target.alias if call.target else None
    if alias is None:
        return given_arguments(call)
    return {**alias.defaults, **given_arguments(call), **alias.preset}


def _positional_names(call: Call) -> list[str]:
    signature = call.target.spec.signature if call.target else ()
    return [parameter.name for parameter in signature if not parameter.keyword_only]


def _check_given(call: Call) -> None:
    """Refuses what would otherwise be lost in `effective_arguments`."""
    request = call.request
    alias = call.target.alias if call.target else None
    if not request.args and not alias:
        return
    names = _positional_names(call)
    if len(request.args) > len(names):
        raise UnfitArguments(call.name, f"takes {len(names)} positional arguments but {len(request.args)} were given")
    twice = [name for name in names[: len(request.args)] if name in request.kwargs]
    if twice:
        raise UnfitArguments(call.name, f"got two values for {', '.join(map(repr, twice))}")
    if alias is not None and call.target is not None and alias.unseen:
        check_names(alias, call.target.spec, request.kwargs)


def _ask_permission(call: Call, executor: "Executor") -> None:
    assert call.target is not None
    why = f"asked by {call.target.spec.permission_by or 'its permission'}"
    decision = ask(call, executor, "permission", why, call.run.limits.ask_timeout)
    if not decision.allowed:
        raise CallDenied(decision.reason or f"Tool {call.name!r} was denied by a person.")
    if decision.scope != "once":
        call.run.allowed_for_run.add(call.name)
