"""What is to be known of one line of the tool tree, as a page."""

from html import escape

from ptc_studio.ui.models.source_rows import SourceRow
from ptc_studio.ui.models.tool_rows import ErrorRow, ParameterRow, ToolRow
from ptc_studio.ui.theme import theme

OFF = "Disabled: scripts cannot call it."


def details_html(row: ToolRow) -> str:
    """The page of a tool."""
    colours, code = theme().colours, theme().code_font()
    size = theme().text_font().pixelSize()
    signature = ", ".join(_signature(parameter) for parameter in row.parameters)
    leads = f"<span style='color:{colours.muted}'> → {escape(row.target)}</span>" if row.target else ""
    call = f"({signature})" if row.is_callable else ""
    return (
        f"<div style='font-family:\"{code.family()}\"; font-size:{code.pixelSize()}px'>"
        f"<span style='color:{colours.tool}'>{escape(row.name)}</span>{call}{leads}</div>{_state(row)}"
        f"<div style='font-size:{size}px; color:{colours.muted}; margin-top:6px'>{_paragraphs(row.description)}</div>"
        f"{_table(row.parameters)}"
    )


def _state(row: ToolRow) -> str:
    """Why an alias cannot be called, if it cannot."""
    colours, size = theme().colours, theme().text_font().pixelSize()
    if row.is_callable:
        return ""
    colour, text = (colours.error, f"✕ {row.fault}") if row.fault else (colours.muted, OFF)
    return f"<div style='font-size:{size}px; color:{colour}; margin-top:6px'>{_plain(text)}</div>"


def _signature(parameter: ParameterRow) -> str:
    kind = f": {parameter.type}" if parameter.type else ""
    default = "" if parameter.required else f" = {parameter.default}"
    return escape(f"{parameter.name}{kind}{default}", quote=False)


def _paragraphs(text: str) -> str:
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    return "<br><br>".join(escape(part) for part in parts if part) or "<i>Without documentation</i>"


def _table(parameters: tuple[ParameterRow, ...]) -> str:
    if not parameters:
        return ""
    rows = "".join(f"<tr>{''.join(_cells(parameter))}</tr>" for parameter in parameters)
    return f"<table cellspacing='0' cellpadding='3' width='100%' style='margin-top:8px'>{rows}</table>"


def _cells(parameter: ParameterRow) -> list[str]:
    colours, code = theme().colours, theme().code_font()
    need = "required" if parameter.required else f"= {parameter.default}"
    about = f"<br><span style='color:{colours.muted}'>{escape(parameter.description)}</span>"
    mono = f'font-family:"{code.family()}"; font-size:{code.pixelSize() - 1}px'
    kind = f"<span style='{mono}; color:{colours.keyword}'>{escape(parameter.type or 'any')}</span>"
    edge = f"border-top:1px solid {colours.line}"
    return [
        f"<td style='{mono}; {edge}'>{escape(parameter.name)}</td>",
        f"<td style='{edge}'>{kind}{about if parameter.description else ''}</td>",
        f"<td align='right' style='{edge}; color:{colours.muted}'>{escape(need)}</td>",
    ]


def source_html(row: SourceRow, count: int) -> str:
    """The page of a source: how it is, and why."""
    colours, size = theme().colours, theme().text_font().pixelSize()
    tools = f" · {count:,} tool{'' if count == 1 else 's'}" if row.state == "ready" else ""
    tone = getattr(colours, row.tone)
    about = " · ".join(filter(None, (row.badge or "functions", row.place)))
    # What it says of itself when all is well repeats what stands here.
    reason = _plain(row.detail) if row.state != "ready" else ""
    return (
        f"<div style='font-size:{size}px'><b>{escape(row.name)}</b> "
        f"<span style='color:{colours.muted}'>{escape(about)}</span></div>"
        f"<div style='font-size:{size}px; color:{tone}; margin-top:6px'>{row.mark} {row.word.capitalize()}{tools}</div>"
        f"<div style='font-size:{size}px; margin-top:6px'>{reason}</div>"
    )


def error_html(row: ErrorRow) -> str:
    """The page of what did not load."""
    colours, size = theme().colours, theme().text_font().pixelSize()
    line = f", line {row.line}" if row.line else ""
    tone, mark = (colours.text, "") if row.script else (colours.error, "▲ ")
    return (
        f"<div style='font-size:{size}px; color:{tone}'>{mark}{escape(row.title)}</div>"
        f"<div style='font-size:{size}px; margin-top:6px'>{_plain(row.message)}</div>"
        f"<div style='font-size:{size}px; color:{colours.muted}; margin-top:6px'>{escape(row.file)}{line}</div>"
    )


def _plain(text: str) -> str:
    return escape(text).replace("\n", "<br>")
