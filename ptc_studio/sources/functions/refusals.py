"""Says in one line what is wrong with the arguments of a call."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ptc_studio.core.errors import UnfitArguments, UnfitValues

ECHO_LIMIT = 80
_SUBJECT = re.compile(r"^(?:\w+ ){1,3}(?=should )")
_PARSING = re.compile(r", unable to parse.*")
_STRUCTURAL = {"missing": "is missing", "missing_argument": "is missing", "extra_forbidden": "is unexpected"}


def name_faults(given: Iterable[str], required: Iterable[str], known: Collection[str]) -> list[str]:
    """What is missing and what is too much."""
    given = list(given)
    takes = f"takes {', '.join(known)}" if known else "takes no arguments"
    missing = [f"missing {name!r}" for name in required if name not in given]
    return missing + [f"unexpected {name!r} ({takes})" for name in given if name not in known]


def refusal(
    tool: str, error: ValidationError, arguments: Mapping[str, Any], known: Collection[str]
) -> UnfitArguments | UnfitValues:
    """The refusal for what pydantic found; a missing or unexpected argument goes before a wrong value."""
    details = error.errors(include_url=False, include_context=False)
    missing = [str(detail["loc"][0]) for detail in details if _is_about_names(detail, "missing")]
    extra = [str(detail["loc"][0]) for detail in details if _is_about_names(detail, "extra_forbidden")]
    if missing or extra:
        return UnfitArguments(tool, "; ".join(name_faults(extra, missing, known)))
    return UnfitValues(tool, "; ".join(_value_faults(details, arguments)))


def _is_about_names(detail: ErrorDetails, kind: str) -> bool:
    return detail["type"] == kind and len(detail["loc"]) == 1


def _value_faults(details: list[ErrorDetails], arguments: Mapping[str, Any]) -> list[str]:
    """One fault a place: the branches of a union are told together."""
    found: dict[tuple[str, str], list[str]] = {}
    for detail in details:
        place = _place(detail, arguments)
        echo = "" if detail["type"] in _STRUCTURAL else f", got {_echo(detail['input'])}"
        reasons = found.setdefault((place, echo), [])
        reason = _reason(detail)
        if reason not in reasons:
            reasons.append(reason)
    return [f"{place!r}{_joined(reasons)}{echo}" for (place, echo), reasons in found.items()]


def _place(detail: ErrorDetails, value: Any) -> str:
    """The path within the arguments; a step that leads nowhere in them names a branch of a union."""
    text = ""
    last = len(detail["loc"]) - 1
    for index, step in enumerate(detail["loc"]):
        absent = index == last and detail["type"] in _STRUCTURAL
        if isinstance(step, int) and isinstance(value, list | tuple) and (absent or step < len(value)):
            text += f"[{step}]"
            value = None if absent else value[step]
        elif isinstance(value, Mapping) and (absent or step in value):
            text += f".{step}" if text else str(step)
            value = None if absent else value[step]
    return text


def _reason(detail: ErrorDetails) -> str:
    if detail["type"] in _STRUCTURAL:
        return _STRUCTURAL[detail["type"]]
    message = " ".join(detail["msg"].split())
    return _PARSING.sub("", _SUBJECT.sub("", message)).removeprefix("Value error, ")


def _joined(reasons: list[str]) -> str:
    if len(reasons) > 1 and all(reason.startswith("should be ") for reason in reasons):
        reasons = [reasons[0], *(reason.removeprefix("should be ") for reason in reasons[1:])]
    text = " or ".join(reasons)
    return f" {text}" if text.startswith(("should ", "is ")) else f": {text}"


def _echo(value: Any) -> str:
    text = repr(value[: ECHO_LIMIT + 1] if isinstance(value, str | bytes) else value)
    return text if len(text) <= ECHO_LIMIT else text[: ECHO_LIMIT - 1] + "…"
