"""Picking values out of JSON by a path (JSONPath as RFC 9535 has it), and giving values back."""

from functools import cache
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import Ticket

if TYPE_CHECKING:
    from jsonpath import JSONPathEnvironment


def json_query(arguments: dict[str, Any], ticket: Ticket) -> Any:
    """The values at a path, all or the first."""
    from jsonpath.exceptions import JSONPathError

    stopped: list[bool] = []
    ticket.on_abandon(lambda: stopped.append(True))
    path, limit = arguments["path"], int(arguments.get("limit", 10_000))
    found: list[Any] = []
    try:
        for match in _environment().finditer(path, arguments["data"]):
            if arguments.get("first"):
                return match.obj
            found.append(match.obj)
            if stopped:
                break
            if len(found) > limit:
                raise ValueError(f"{path!r} finds more than {limit} values: narrow it, or raise `limit`.")
    except (JSONPathError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "it is nested too deeply"
        raise ValueError(f"{path!r} is no JSONPath: {reason}. Write it as `$.items[*].name`.") from None
    return None if arguments.get("first") else found


def echo(arguments: dict[str, Any], ticket: Ticket) -> Any:  # noqa: ARG001
    """What it is given."""
    return arguments["value"]


@cache
def _environment() -> "JSONPathEnvironment":
    from jsonpath import JSONPathEnvironment

    environment = JSONPathEnvironment(strict=True)
    # The library's own use Python's expressions, of which a hostile one holds up the whole program.
    environment.function_extensions["match"] = _regex_function(whole=True)
    environment.function_extensions["search"] = _regex_function(whole=False)
    return environment


def _regex_function(*, whole: bool) -> Any:
    import re2
    from jsonpath.function_extensions import ExpressionType, FilterFunction

    options = re2.Options()
    options.log_errors = False

    class Expression(FilterFunction):
        """A test of a text, in time that grows with its length only."""

        @property
        def arg_types(self) -> list[ExpressionType]:
            return [ExpressionType.VALUE, ExpressionType.VALUE]

        @property
        def return_type(self) -> ExpressionType:
            return ExpressionType.LOGICAL

        def __call__(self, value: object, pattern: object) -> bool:
            if not isinstance(value, str) or not isinstance(pattern, str):
                return False
            try:
                compiled = re2.compile(pattern, options)
            except re2.error:
                return False
            return bool(compiled.fullmatch(value) if whole else compiled.search(value))

    return Expression()
