"""What is wrong with a source beyond its schema: its name, and what the entry itself does not take."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ptc_studio.core.registry import identifier
from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.faults import EXPECTED
from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.sources.entry_texts import WORDS, NoWords, list_of

_UNFIT = re.compile(r"[\s*?\[\]{}$/\\:,'\"]")
_EMPTY_PARTS = re.compile(r"^\.|\.\.|\.$")


def name_faults(name: Any, taken: Collection[str]) -> Iterator[Fault]:
    """What is wrong with the name, said while it is typed."""
    if not isinstance(name, str) or not name:
        return
    if name in taken:
        yield Fault(("name",), f"There is already a source {name!r}: choose another name.", "name")
    elif found := _UNFIT.search(name):
        what = "a blank" if found[0].isspace() else f"{found[0]!r}"
        yield Fault(("name",), f"A name cannot have {what} in it: write {_mended(name)!r}.", "name")
    elif _EMPTY_PARTS.search(name):
        yield Fault(("name",), "A dot stands between two names.", "name")
    elif identifier(name) != name:
        yield Fault(("name",), f"In scripts it is also {identifier(name)!r}.", "name", advice=True)


def line_faults(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Lines of words that cannot be taken apart."""
    for field in WORDS:
        if isinstance(values.get(field), str):
            try:
                list_of(field, values[field])
            except NoWords as error:
                yield Fault((field,), str(error), "words")


def entry_faults(kind: str, values: Mapping[str, Any], needed: Sequence[str]) -> Iterator[Fault]:
    """What the entry itself says; of the whole only once everything that is needed is there."""
    try:
        KINDS[kind].entry.model_validate(values)
    except ValidationError as error:
        for found in error.errors(include_url=False):
            path = tuple(found["loc"])
            if path or all(values.get(field) for field in needed):
                yield Fault(path, _sentence(found, whole=not path), found["type"])


def _sentence(found: Any, *, whole: bool) -> str:
    if found["type"] in EXPECTED:
        return f"This must be {EXPECTED[found['type']]}."
    text = str(found["ctx"]["error"]) if found["type"] == "value_error" else found["msg"]
    text = f"It {text}" if whole and text[:1].islower() else text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def _mended(name: str) -> str:
    return re.sub(r"_+", "_", _UNFIT.sub("_", name.strip())).strip("_") or "tools"
