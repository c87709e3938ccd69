"""What a trial of a source brought, as text with the theme's colours."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ptc_studio.core.tools import LoadError, ToolSpec
from ptc_studio.ui.theme import theme

if TYPE_CHECKING:
    from ptc_studio.app import Trial

MOST_TOOLS = 500
LOG_LINES = 30


def headline(trial: "Trial", seconds: float) -> tuple[str, str]:
    """The mark's colour and the line that says what came of it."""
    if trial.failure is not None:
        return "error", "✕ It did not work"
    count = len(trial.tools)
    tools = "1 tool" if count == 1 else f"{count} tools"
    if trial.errors:
        failed = "1 part did not load" if len(trial.errors) == 1 else f"{len(trial.errors)} parts did not load"
        return "warning", f"▲ {tools}, {failed} · {_time(seconds)}"
    return ("ok", f"✓ {tools} · {_time(seconds)}") if count else ("warning", "▲ It works, but brings no tools")


def details(trial: "Trial") -> str:
    """The rest, as rich text."""
    parts = [_paragraph(trial.failure, "text")] if trial.failure else []
    parts += [_error(error) for error in trial.errors]
    parts += [_tool(tool) for tool in trial.tools[:MOST_TOOLS]]
    if len(trial.tools) > MOST_TOOLS:
        parts.append(_paragraph(f"… and {len(trial.tools) - MOST_TOOLS} more", "muted"))
    if trial.failure or not trial.tools:
        parts += _log(trial.log)
    return "".join(parts)


def _tool(tool: ToolSpec) -> str:
    about = tool.description.strip().partition("\n")[0]
    line = f'<br><span style="color:{_hex("muted")}">{escape(about)}</span>' if about else ""
    return f'<p style="margin:0 0 6px 0">{_code(tool.name, "tool")}{line}</p>'


def _error(error: LoadError) -> str:
    place = f"{error.file}:{error.line}" if error.line else error.file
    mark = f'<span style="color:{_hex("error")}">✕</span>'
    return f'<p style="margin:0 0 6px 0">{mark} {_code(place, "text")}<br>{escape(error.message)}</p>'


def _log(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    text = "<br>".join(_code(line, "text") for line in lines[-LOG_LINES:])
    return [_paragraph("Its last lines:", "muted"), f'<p style="margin:0">{text}</p>']


def _paragraph(text: str, colour: str) -> str:
    return f'<p style="margin:0 0 8px 0;color:{_hex(colour)}">{escape(text)}</p>'


def _code(text: str, colour: str) -> str:
    family = theme().code_font().family()
    return f"<span style=\"font-family:'{family}';color:{_hex(colour)}\">{escape(text)}</span>"


def _hex(colour: str) -> str:
    return theme().colour(colour).name()


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
