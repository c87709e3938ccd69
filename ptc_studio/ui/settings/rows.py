"""Every setting as a row: what it is called, what it may be, where it is kept, what is usual. No widget."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtGui import QFontDatabase

from ptc_studio.core.redaction import PatternError
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.run import Limits
from ptc_studio.storage.settings import HISTORY_MEGABYTES
from ptc_studio.ui.editor.code_editor import EditorOptions

if TYPE_CHECKING:
    from ptc_studio.storage.workspace import WorkspaceFile

Kind = Literal["number", "choice", "switch", "font", "line", "lines"]
PROGRAM_FOLDERS = "program_folders"
USER, LIMITS, REDACTION = "settings", "limits", "redaction"
"""Where a row is kept: in the user's settings, or in a section of the workspace's file."""


class Unfit(ValueError):
    """What was typed cannot be the setting; the message says why."""


def shown(value: Any) -> str:
    """A value as people write it: `10,000,000`, `60`."""
    return f"{value:,}".removesuffix(".0") if isinstance(value, float | int) else str(value)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting."""

    key: str
    section: str
    title: str
    help: str
    kind: Kind
    usual: Any
    store: str = USER
    choices: Sequence[str] = ()
    words: tuple[str, ...] = field(default=())
    """Further words that it is found by."""
    read: Callable[[str], Any] = str
    """The value that a text stands for; raises Unfit."""
    show: Callable[[Any], str] = shown

    def fits(self, search: str) -> bool:
        """Whether every word of the search is in what is said of it."""
        text = " ".join((self.section, self.title, self.help, *self.words)).lower()
        return all(word in text for word in search.lower().split())


def number(least: float, most: float, *, whole: bool = False) -> Callable[[str], Any]:
    """Reads a number within these bounds."""

    def read(text: str) -> Any:
        try:
            value = float(text.replace(",", "").replace("%", "").strip())
        except ValueError:
            raise Unfit(f"{text!r} is not a number.") from None
        if not least <= value <= most:
            raise Unfit(f"It must be from {least:g} to {most:g}.")
        if whole and value != int(value):
            raise Unfit("It must be a whole number.")
        return int(value) if value == int(value) else value

    return read


def _zoom(text: str) -> float:
    return number(50, 300)(text) / 100


def _font(text: str) -> str:
    if text and not QFontDatabase.hasFamily(text):
        raise Unfit(f"There is no font {text!r} on this machine.")
    return text


def _columns(text: str) -> int:
    return number(1, 8, whole=True)(text) if text.strip() else 0


def _keys(text: str) -> list[str]:
    return [word for word in (part.strip() for part in text.replace(",", "\n").splitlines()) if word]


def _patterns(text: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for line in filter(str.strip, text.splitlines()):
        name, equals, pattern = line.partition("=")
        if not equals or not name.strip() or not pattern.strip():
            raise Unfit(f"{line.strip()!r}: write a name, = and a pattern, such as ticket = TCK-[0-9]{{6}}.")
        try:
            UserPattern(name.strip(), pattern.strip())
        except (PatternError, ValueError) as error:
            raise Unfit(f"{name.strip()}: {error}") from None
        found.append({"name": name.strip(), "pattern": pattern.strip()})
    return found


def _folders(text: str) -> list[str]:
    folders = [line.strip() for line in text.splitlines() if line.strip()]
    for folder in folders:
        if not Path(folder).expanduser().is_dir():
            raise Unfit(f"There is no folder {folder!r}.")
    return folders


def _lines(values: Sequence[Any]) -> str:
    return "\n".join(f"{each['name']} = {each['pattern']}" if isinstance(each, dict) else str(each) for each in values)


LIMIT, OPTIONS = Limits(), EditorOptions()
# ruff: noqa: E501 - a row a setting reads best on one line
ROWS = (
    SettingRow("timeout", "Runs", "Limit of a run", "Seconds; what the run bar shows", "number", 30, read=number(1, 3600, whole=True)),
    SettingRow("max_depth", "Limits of this workspace", "Deepest call", "How deep calls may nest", "number", LIMIT.max_depth, LIMITS, read=number(1, 100, whole=True)),
    SettingRow("call_timeout", "Limits of this workspace", "Limit of a call", "Seconds, unless the tool says", "number", LIMIT.call_timeout, LIMITS, read=number(0.1, 300)),
    SettingRow("result_bytes", "Limits of this workspace", "Longest result", "Bytes; more is cut for display", "number", LIMIT.result_bytes, LIMITS, read=number(1, 1e9, whole=True)),
    SettingRow("output_bytes", "Limits of this workspace", "Longest output", "Bytes that are kept of each", "number", LIMIT.output_bytes, LIMITS, read=number(1, 1e9, whole=True)),
    SettingRow("theme", "Appearance", "Theme", "Light, dark, or as the desktop is", "choice", "system", choices=("system", "light", "dark"), words=("colours",)),
    SettingRow("zoom", "Appearance", "Size", "Per cent of everything in the window", "number", 1.0, read=_zoom, show=lambda value: f"{value * 100:g}", words=("zoom", "font size")),
    SettingRow("interface_font", "Appearance", "Interface font", "Empty: the program's own", "font", "", read=_font),
    SettingRow("code_font", "Editor", "Code font", "Empty: the program's own", "font", "", read=_font),
    SettingRow("editor_pixels", "Editor", "Text size", "Pixels, in the editor alone", "number", OPTIONS.pixels, read=number(6, 60, whole=True), words=("font size", "letters")),
    SettingRow("editor_columns", "Editor", "Indent", "Columns, where a text has none of its own; empty: as is usual in its language", "number", OPTIONS.columns, read=_columns, show=lambda value: f"{value or ''}", words=("tab width", "spaces")),
    SettingRow("editor_wraps", "Editor", "Wrap long lines", "At the edge of the editor", "switch", OPTIONS.wraps, words=("word wrap",)),
    SettingRow("editor_pairs", "Editor", "Close brackets", "And quotes, as they are typed", "switch", OPTIONS.pairs),
    SettingRow("editor_suggests", "Editor", "Suggest while typing", "Ctrl+Space asks for it in any case", "switch", OPTIONS.suggests, words=("completion",)),
    SettingRow("history", "History", "Keep past runs", "Every run and call by hand", "switch", True),
    SettingRow("history_megabytes", "History", "Most that they take", "Megabytes; the oldest go first", "number", HISTORY_MEGABYTES, read=number(1, 1_000_000), words=("size",)),
    SettingRow("keys", "Redaction in this workspace", "Hidden keys", "Names whose values are hidden", "lines", (), REDACTION, read=_keys, show=_lines, words=("secrets",)),
    SettingRow("patterns", "Redaction in this workspace", "Hidden patterns", "A line each, name = pattern", "lines", (), REDACTION, read=_patterns, show=_lines, words=("secrets", "rules")),
    SettingRow("to_script", "Redaction in this workspace", "Hide from the script, too", "It gets what is shown", "switch", False, REDACTION),
    SettingRow(PROGRAM_FOLDERS, "Runtimes", "Paths of runtimes", "Folders searched before PATH", "lines", (), read=_folders, show=_lines, words=("node", "go", "rust", "python", "toolchain")),
)  # fmt: skip
"""The table: one more setting is a row."""


def workspace_value(file: "WorkspaceFile", row: SettingRow) -> Any:
    """What the workspace's file says; the usual where it says nothing."""
    value = getattr(getattr(file, row.store), row.key)
    if row.key == "patterns":
        return [{"name": each.name, "pattern": each.pattern} for each in value]
    return row.usual if value is None else value


def search_first(folders: Sequence[str]) -> None:
    """Has programs of these folders found before all others, by whatever is started from here."""
    known = os.environ.get("PATH", os.defpath).split(os.pathsep)
    first = [str(Path(folder).expanduser()) for folder in folders]
    os.environ["PATH"] = os.pathsep.join([*first, *(folder for folder in known if folder not in first)])
