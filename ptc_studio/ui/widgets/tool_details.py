"""What is to be known of one tool: signature, documentation, parameters."""

from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from ptc_studio.ui.models.tool_rows import ParameterRow, ToolRow
from ptc_studio.ui.theme import theme


class ToolDetails(QWidget):
    """Stands below the tree.

    Signals: insert_requested(text): the call is wanted in the editor.
    """

    insert_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: ToolRow | None = None
        self.language = "python"
        self.text = QTextBrowser(openLinks=False)
        self.text.setObjectName("toolDetails")
        self.text.setAccessibleName("Documentation of the tool")
        self.text.document().setDocumentMargin(10)
        self._insert = QPushButton("Insert call")
        self._insert.setToolTip("Puts a call of the tool where the cursor is")
        self._insert.clicked.connect(self._on_insert)
        self._build()
        theme().changed.connect(self._on_theme_changed)

    def _on_insert(self) -> None:
        if self._row is not None:
            self.insert_requested.emit(self._row.call_in(self.language))

    def show_tool(self, row: ToolRow | None) -> None:
        """Shows this tool, or nothing."""
        self._row = row
        self.setVisible(row is not None)
        if row is not None:
            self.text.setHtml(details_html(row))

    def _on_theme_changed(self) -> None:
        self.show_tool(self._row)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(10, 4, 10, 10)
        buttons.setSpacing(8)
        buttons.addWidget(self._insert)
        buttons.addStretch(1)
        column.addWidget(self.text, 1)
        column.addLayout(buttons)


def details_html(row: ToolRow) -> str:
    """The page of a tool."""
    colours, code = theme().colours, theme().code_font()
    size = theme().text_font().pixelSize()
    signature = ", ".join(_signature(parameter) for parameter in row.parameters)
    leads = f"<span style='color:{colours.muted}'> → {escape(row.target)}</span>" if row.target else ""
    return (
        f"<div style='font-family:\"{code.family()}\"; font-size:{code.pixelSize()}px'>"
        f"<span style='color:{colours.tool}'>{escape(row.name)}</span>({signature}){leads}</div>"
        f"<div style='font-size:{size}px; color:{colours.muted}; margin-top:6px'>{_paragraphs(row.description)}</div>"
        f"{_table(row.parameters)}"
    )


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
