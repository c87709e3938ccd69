"""What is to be known of one line of the tool tree, and what can be done with it."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QVBoxLayout, QWidget

from ptc_studio.core.tools import Permission
from ptc_studio.ui.language.target_calls import TargetCalls
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.tools.rows import ErrorRow, ParameterRow, SourceRow, ToolRow
from ptc_studio.ui.tools.tree import Row
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import FlowLayout
from ptc_studio.ui.widgets.pages import WholeLinesBrowser

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
    about = " · ".join(filter(None, (row.badge or row.kind, row.location)))
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


CHOICES: tuple[Permission | None, ...] = (None, "allow", "ask", "deny")
TEXTS = ("As is", "Allow", "Ask", "Deny")
WORDS: dict[Permission, str] = {"allow": "✓ Allowed", "ask": "◆ Asks first", "deny": "▲ Denied"}
TONES: dict[Permission, str] = {"allow": "ok", "ask": "warning", "deny": "error"}
ABOUT = ("What the source or the tool itself says", "Calls happen", "A person is asked", "Calls are refused")


class PermissionRow(QWidget):
    """A sentence, and below it four choices of which one is on.

    Signals: chosen(permission or None): the user wants another one.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.said = PlainLabel(wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._own: Permission | None = None
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_clicked)
        row = FlowLayout(spacing=SPACE)
        for position, text in enumerate(TEXTS):
            row.addWidget(self._button(position, text))
        column = QVBoxLayout(self)
        column.setContentsMargins(10, SPACE, 10, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.said)
        column.addLayout(row)

    def show_of(self, permission: Permission, by: str, own: Permission | None, why_not: str = "") -> None:
        """Of a tool or an alias: what counts, who says so, and what is said of itself."""
        comma = "," if permission == "ask" else ""
        self._show(f"{WORDS[permission]}{comma} by {by or 'default'}", TONES[permission], own, why_not)

    def show_of_source(self, own: Permission | None, why_not: str = "") -> None:
        """Of a source: it speaks for its tools, unless they are spoken of themselves."""
        said = f"{WORDS[own]}, unless a tool says otherwise" if own else "As each tool says"
        self._show(said, TONES[own] if own else "muted", own, why_not)

    def button(self, permission: Permission | None) -> QPushButton:
        """The choice, for tests."""
        found = self._group.button(CHOICES.index(permission))
        assert isinstance(found, QPushButton)
        return found

    def _show(self, said: str, tone: str, own: Permission | None, why_not: str) -> None:
        self._own = own
        self.said.setText(said)
        self.said.setStyleSheet(f"color: {theme().colour(tone).name()};")
        self.button(own).setChecked(True)
        for position, button in enumerate(self._group.buttons()):
            button.setEnabled(not why_not)
            button.setToolTip(plain_tip(why_not or ABOUT[position]))

    def _button(self, position: int, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        button.setAccessibleName(f"Permission: {text}")
        self._group.addButton(button, position)
        return button

    def _on_clicked(self, position: int) -> None:
        # What counts is shown when the file says so.
        self.button(self._own).setChecked(True)
        if CHOICES[position] != self._own:
            self.chosen.emit(CHOICES[position])


LEAST_TEXT = 86
"""A signature of two lines, and what the tool does."""
UNWRITTEN = "It is not in the workspace file"


class ToolDetails(QWidget):
    """Stands below the tree.

    Signals: insert_requested(text): the call is wanted in the editor. file_requested(path, line): a file is to be
    shown. source_requested(verb, source): something is to be done with a source. permission_requested(row, permission):
    a tool, alias or source is to have another one; None leaves it to what is around it.
    """

    insert_requested = Signal(str)
    file_requested = Signal(str, int)
    source_requested = Signal(str, object)
    permission_requested = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self._count = 0
        self.language = "python"
        self.calls: TargetCalls | None = None
        """How the script's target wants tools called; None: as everywhere here."""
        self.text = WholeLinesBrowser(openLinks=False)
        self.text.setObjectName("toolDetails")
        self.text.setAccessibleName("Documentation of the tool")
        self.text.document().setDocumentMargin(10)
        self.insert = self._button("Insert call", "Puts a call of the tool where the cursor is", self._on_insert)
        self.edit = self._button("Edit…", "Changes what the workspace file says of the source", self._asks("edit"))
        self.reload = self._button("Reload", "Restarts the source", self._asks("reload"))
        self.log = self._button("Show log", "The last lines that the source wrote", self._asks("log"))
        self.file = self._button("Show file", "Opens the file at the line", self._on_file)
        self.permission = PermissionRow()
        self.permission.chosen.connect(lambda wanted: self.permission_requested.emit(self._row, wanted))
        self.why_fixed: Callable[[ToolRow | SourceRow], str] = lambda _row: ""
        """Why a permission cannot be changed; empty if it can."""
        self._build()
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_row(self, row: Row | None, count: int = 0) -> None:
        """Shows this tool, source or failure, or nothing; `count` is the number of a source's tools."""
        same = row is not None and (row, count) == (self._row, self._count)
        self._row, self._count = row, count
        self.setVisible(row is not None)
        if not same:
            self._fill()

    def _on_theme_changed(self) -> None:
        self.text.setMinimumHeight(theme().pixels(LEAST_TEXT))
        self._fill()

    def _fill(self) -> None:
        row = self._row
        self._fill_permission(row)
        self.insert.setVisible(isinstance(row, ToolRow) and row.is_callable)
        self.file.setVisible(isinstance(row, ErrorRow) and bool(row.file))
        for button in (self.edit, self.reload, self.log):
            button.setVisible(isinstance(row, SourceRow))
        if isinstance(row, ToolRow):
            self.text.setHtml(details_html(row))
        elif isinstance(row, ErrorRow):
            self.text.setHtml(error_html(row))
        elif isinstance(row, SourceRow):
            self.edit.setEnabled(row.is_written)
            self.edit.setToolTip("" if row.is_written else UNWRITTEN)
            self.text.setHtml(source_html(row, self._count))

    def _fill_permission(self, row: Row | None) -> None:
        shown = isinstance(row, SourceRow) or (isinstance(row, ToolRow) and row.is_callable)
        self.permission.setVisible(shown)
        if isinstance(row, ToolRow) and shown:
            own, why_fixed = row.own_permission, self.why_fixed(row)
            self.permission.show_of(row.permission, row.permission_by, own, why_fixed)
        elif isinstance(row, SourceRow):
            own = row.permission
            self.permission.show_of_source(own, self.why_fixed(row))

    def _asks(self, verb: str) -> Callable[[], None]:
        def ask() -> None:
            if isinstance(self._row, SourceRow):
                self.source_requested.emit(verb, self._row.loaded_source)

        return ask

    def _on_insert(self) -> None:
        if isinstance(self._row, ToolRow):
            self.insert_requested.emit(self._row.call_in(self.language, self.calls))

    def _on_file(self) -> None:
        if isinstance(self._row, ErrorRow):
            self.file_requested.emit(self._row.file, self._row.line or 1)

    def _button(self, text: str, about: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(plain_tip(about))
        button.clicked.connect(lambda: act())
        return button

    def _build(self) -> None:
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        buttons = FlowLayout(spacing=8)
        buttons.setContentsMargins(10, 4, 10, 10)
        for button in (self.insert, self.edit, self.reload, self.log, self.file):
            buttons.addWidget(button)
        column.addWidget(self.text, 1)
        column.addWidget(self.permission)
        column.addLayout(buttons)

    def minimumSizeHint(self) -> QSize:
        # The splitter above does not ask how high it is when it is so narrow that its buttons stand in two rows.
        least = super().minimumSizeHint()
        return QSize(least.width(), self._column.minimumHeightForWidth(max(self.width(), least.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
