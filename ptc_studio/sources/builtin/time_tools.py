"""Telling the time, in any zone and form, and waiting."""

import threading
import time
from datetime import UTC, datetime, tzinfo
from typing import Any

from ptc_studio.core.tools import Ticket

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
