"""JSON as people write it by hand: with comments and trailing commas."""

import json
import re
from typing import Any

from ptc_studio.core.errors import PtcError

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)


class JsonFault(PtcError):
    """The text is no JSON; the message says where."""


def lenient_json(text: str) -> Any:
    """The value; raises JsonFault with the line."""
    text = text.removeprefix("\ufeff")
    text = _STRING_OR_COMMENT.sub(_without_comment, text)
    text = _STRING_OR_COMMA.sub(lambda found: "" if found[0] == "," else found[0], text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise JsonFault(f"Line {error.lineno} is no JSON: {error.msg} at column {error.colno}.") from None
    except RecursionError:
        raise JsonFault("The JSON is nested too deeply.") from None


def _without_comment(found: re.Match[str]) -> str:
    # The lines are kept, for messages that name one.
    return found[0] if found[0].startswith('"') else "\n" * found[0].count("\n") or " "
