"""Tools that only reckon: with JSON, and with dates and times."""

import threading
import time
from datetime import UTC, datetime, tzinfo
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


_LOCAL = "local"


def tell_time(arguments: dict[str, Any], ticket: Ticket) -> Any:  # noqa: ARG001
    """A moment, now or another, as a zone's clocks show it."""
    zone_name = arguments.get("timezone", "UTC")
    zone = _zone(zone_name)
    try:
        moment = _moment(arguments, zone).astimezone(zone)
        text = moment.strftime(arguments["format"]) if "format" in arguments else moment.isoformat()
        unix = moment.timestamp()
    except (OverflowError, OSError):
        raise ValueError("The moment is too far away for a calendar.") from None
    return {
        "text": text.encode("utf-8", "replace").decode(),
        "iso": moment.isoformat(),
        "unix": unix,
        "timezone": zone_name,
        "weekday": moment.strftime("%A"),
    }


def sleep(arguments: dict[str, Any], ticket: Ticket) -> Any:
    """Waits, unless the call is given up."""
    given_up = threading.Event()
    ticket.on_abandon(given_up.set)
    started = time.monotonic()
    given_up.wait(arguments["seconds"])
    return {"slept": round(time.monotonic() - started, 3)}


def _moment(arguments: dict[str, Any], zone: tzinfo | None) -> datetime:
    at = arguments.get("at")
    if at is None:
        return datetime.now(UTC)
    if not isinstance(at, str):
        return datetime.fromtimestamp(at, UTC)
    form = arguments.get("parse")
    try:
        moment = datetime.strptime(at, form) if form else datetime.fromisoformat(at)  # noqa: DTZ007
    except ValueError:
        hint = f"it does not fit {form!r}" if form else "write it as 2025-03-01T14:30, or say how to read it in `parse`"
        raise ValueError(f"{at!r} is no moment: {hint}.") from None
    # Without a zone of its own it is meant as the zone's clocks show it.
    return moment if moment.tzinfo else moment.replace(tzinfo=zone) if zone else moment.astimezone()


def _zone(name: str) -> tzinfo | None:
    if name == _LOCAL:
        return None
    from zoneinfo import ZoneInfo

    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"There is no time zone {name!r}{_hint(name)}") from None


def _hint(name: str) -> str:
    import difflib
    from zoneinfo import available_timezones

    known = sorted(available_timezones())
    near = difflib.get_close_matches(name, known, 1) or [zone for zone in known if zone.endswith(f"/{name}")]
    return f". Did you mean {near[0]!r}?" if near else ": write it as 'Europe/Berlin', 'UTC' or 'local'."
