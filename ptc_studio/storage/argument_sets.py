"""The arguments that tools were called with by hand, to be offered again: one file a workspace, without secrets."""

import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.text_files import replace_file, set_aside

log = logging.getLogger(__name__)

MOST = 10
"""Sets kept for one tool or alias."""
MOST_NAMES = 200
LARGEST = 20_000
"""Characters; longer sets are not kept."""
_GONE = object()

Arguments = dict[str, Any]


class ArgumentSets:
    """The latest distinct sets of each name. Without a path they last as long as the program."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._sets: dict[str, list[Arguments]] | None = None

    def of(self, name: str) -> list[Arguments]:
        """The sets of a tool or alias, the latest first."""
        return list(self._all().get(name, ()))

    def add(self, name: str, arguments: Arguments, redacted: Any) -> None:
        """Keeps a set at the head of the others; where it is redacted, that is left out."""
        kept = without_secrets(arguments, redacted)
        text = _text(kept)
        if not isinstance(kept, dict) or not kept or text is None or len(text) > LARGEST:
            return
        sets = self._all()
        others = [each for each in sets.pop(name, []) if _text(each) != text]
        # The name goes to the end: those not used for longest are forgotten first.
        sets[name] = [cast("Arguments", kept), *others][:MOST]
        while len(sets) > MOST_NAMES:
            del sets[next(iter(sets))]
        self._write()

    def _all(self) -> dict[str, list[Arguments]]:
        if self._sets is None:
            self._sets = _read(self._path)
        return self._sets

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._path, json.dumps(self._sets).encode())
        except OSError:
            log.exception("Arguments used before cannot be kept in %s", self._path)


def without_secrets(value: Any, redacted: Any) -> Any:
    """The value without every part that redaction changed."""
    kept = _kept(value, redacted)
    return None if kept is _GONE else kept


def _kept(value: Any, redacted: Any) -> Any:
    if isinstance(value, dict) and isinstance(redacted, dict):
        pairs = {key: _kept(item, redacted.get(key, _GONE)) for key, item in value.items()}
        return {key: item for key, item in pairs.items() if item is not _GONE}
    if isinstance(value, list) and isinstance(redacted, list) and len(value) == len(redacted):
        items = [_kept(*both) for both in zip(value, redacted, strict=True)]
        return [item for item in items if item is not _GONE]
    return value if type(value) is type(redacted) and value == redacted else _GONE


def _text(value: Any) -> str | None:
    """What tells one set from another: 1, 1.0 and true are three."""
    try:
        return json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return None


def _read(path: Path | None) -> dict[str, list[Arguments]]:
    if path is None:
        return {}
    try:
        content = json.loads(read_bytes(path))
    except OSError:
        return {}
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        with suppress(OSError):
            log.warning("%s makes no sense, and is set aside as %s", path, set_aside(path).name)
        return {}
    return {
        name: [each for each in sets if isinstance(each, dict)][:MOST]
        for name, sets in content.items()
        if isinstance(sets, list)
    }
