"""What a line of the list says of a mock."""

from ptc_studio.core import codec
from ptc_studio.storage.mocks import MockEntry

LONGEST = 120


def said_of(entry: MockEntry) -> str:
    """What it answers, in a line."""
    mock = entry.mock()
    match mock.answer:
        case "value":
            said = codec.encode(mock.value).decode()
        case "schema":
            said = "from the output schema"
        case "expression":
            said = f"= {mock.expression}"
        case "error":
            said = f"raises {mock.error}{f': {mock.message}' if mock.message else ''}"
        case "tool":
            said = "the tool itself"
    said = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    late = f"after {mock.delay:g} s" if mock.delay else ""
    fails = f"{mock.failure_rate:.0%} fail" if mock.failure_rate else ""
    return " · ".join(filter(None, (said, late, fails)))


def tip_of(entry: MockEntry) -> str:
    """The same with whatever its user wrote beside it."""
    return "\n".join(filter(None, (entry.name, said_of(entry), entry.notes)))
