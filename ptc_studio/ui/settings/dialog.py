"""The dialog of settings: searched, checked at the field, restored one by one; a change counts at once."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.storage.settings import HISTORY_MEGABYTES, MEGABYTE
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.editor.code_editor import EditorOptions
from ptc_studio.ui.settings.rows import (
    LIMITS,
    PROGRAM_FOLDERS,
    REDACTION,
    ROWS,
    USER,
    SettingRow,
    Unfit,
    search_first,
    workspace_value,
)
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.run_bar.bar import RunBar

NO_WORKSPACE = "There is no workspace to keep it in: File, Open workspace."
SAMPLE = 'ticket TCK-123456, {"password": "' + "hunter2" + '", "note": "call me"}'
PAUSE_MS = 500
LONGEST_TRIAL = 20_000


class SettingField(QWidget):
    """One row: its title, its field, what is wrong with it, and the way back to the usual."""

    def __init__(self, row: SettingRow, value: Any, save: Callable[[SettingRow, Any], object], why_not: str) -> None:
        super().__init__()
        self.row, self._save, self._saved = row, save, value
        self._is_fixed = bool(why_not)
        self.setObjectName(f"setting_{row.key}")
        self.error = PlainLabel(wordWrap=True)
        self.error.hide()
        self.field = self._made()
        self.field.setAccessibleName(row.title)
        self.field.setAccessibleDescription(row.help)
        self.field.setToolTip(plain_tip(why_not or row.help))
        self.reset = flat_button("back", f"Restore {row.title}", self.restore)
        about = PlainLabel(row.help, wordWrap=True)
        about.setProperty("role", "muted")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, SPACE, 0, SPACE)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        grid.addWidget(PlainLabel(row.title), 0, 0)
        grid.addWidget(about, 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.field, 0, 1, 2, 1)
        grid.addWidget(self.reset, 0, 2, 2, 1)
        grid.addWidget(self.error, 2, 1, 1, 2)
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self.check)
        self.set_value(value)
        self.field.setEnabled(not why_not)
        theme().changed.connect(self._colour)
        self._colour()

    def text(self) -> Any:
        """What stands in the field."""
        match self.field:
            case QCheckBox():
                return self.field.isChecked()
            case QComboBox():
                return self.field.currentText()
            case QPlainTextEdit():
                return self.field.toPlainText()
            case QLineEdit():
                return self.field.text()
        raise AssertionError

    def set_value(self, value: Any) -> None:
        """Shows the value; that is no change of it."""
        field = self.field
        before = field.blockSignals(True)
        match field:
            case QCheckBox():
                field.setChecked(bool(value))
            case QComboBox():
                field.setCurrentText(str(value))
            case QPlainTextEdit():
                field.setPlainText(self.row.show(value))
            case QLineEdit():
                field.setText(self.row.show(value))
        field.blockSignals(before)
        self._saved = value
        self._show_state("")

    def restore(self) -> None:
        """Back to the usual."""
        self.set_value(self.row.usual)
        self._save(self.row, None if self.row.store != USER else self.row.usual)
        self._show_state("")

    def check(self) -> None:
        """Saves what stands there, or says what is wrong with it."""
        self._pause.stop()
        try:
            value = self.text() if self.row.kind in ("switch", "choice") else self.row.read(self.text())
        except Unfit as error:
            self._show_state(f"✕ {error}")
            return
        self._show_state("")
        if value != self._saved:
            self._saved = value
            self._save(self.row, value)
            self._show_state("")

    def _made(self) -> QWidget:
        match self.row.kind:
            case "switch":
                box = QCheckBox("On")
                box.toggled.connect(lambda _on: self.check())
                return box
            case "choice":
                choice = QComboBox()
                choice.addItems(list(self.row.choices))
                choice.currentTextChanged.connect(lambda _text: self.check())
                return choice
            case "font":
                return self._font_choice()
            case "lines":
                area = QPlainTextEdit(tabChangesFocus=True)
                area.setProperty("field", True)
                area.setFixedHeight(theme().pixels(72))
                area.textChanged.connect(self._later)
                return area
            case _:
                line = QLineEdit()
                line.textChanged.connect(self._later)
                line.editingFinished.connect(self.check)
                return line

    def _font_choice(self) -> QComboBox:
        """The families of this machine, or a name that is typed."""
        choice = QComboBox(editable=True)
        choice.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        choice.addItem("")
        choice.addItems([each for each in QFontDatabase.families() if self._is_offered(each)])
        line = choice.lineEdit()
        assert line is not None
        line.setPlaceholderText("The program's own")
        line.setAccessibleName(self.row.title)
        choice.currentTextChanged.connect(self._later)
        choice.activated.connect(self.check)
        line.editingFinished.connect(self.check)
        return choice

    def _is_offered(self, family: str) -> bool:
        """Fonts that the desktop keeps to itself are not, and for code only those whose letters are equally wide."""
        is_ours = not QFontDatabase.isPrivateFamily(family)
        return is_ours and (self.row.key != "code_font" or QFontDatabase.isFixedPitch(family))

    def _later(self) -> None:
        self._pause.start()

    def _show_state(self, error: str) -> None:
        self.error.setText(error)
        self.error.setVisible(bool(error))
        changed = bool(error) or list_or(self._saved) != list_or(self.row.usual)
        self.reset.setEnabled(changed and not self._is_fixed)

    def _colour(self) -> None:
        self.error.setStyleSheet(f"color: {theme().colours.error};")


class SettingsDialog(FramedDialog):
    """All settings; what was changed counts at once, and is remembered."""

    def __init__(self, context: "Context", run_bar: "RunBar") -> None:
        super().__init__(context.window, "Settings", 760, 640)
        self.setObjectName("settingsDialog")
        self._context, self._run_bar = context, run_bar
        self.search = QLineEdit(placeholderText="Search settings…", clearButtonEnabled=True)
        self.search.setObjectName("settingsSearch")
        self.search.setAccessibleName("Search settings")
        self.search.textChanged.connect(self._filter)
        self.fields: dict[str, SettingField] = {}
        self._headings: dict[str, QWidget] = {}
        self.nothing = PlainLabel("No setting has these words")
        self.nothing.setProperty("role", "muted")
        self.nothing.hide()
        column = QVBoxLayout()
        column.setSpacing(0)
        body = QWidget()
        body.setLayout(column)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.addWidget(self.search)
        for row in ROWS:
            if row.section not in self._headings:
                column.addWidget(self._heading(row.section, self._why_not(row)))
            self.fields[row.key] = field = SettingField(row, self._value(row), self._save, self._why_not(row))
            column.addWidget(field)
            if row.key == "to_script":
                column.addWidget(self._trial())
        column.addWidget(self.nothing)
        column.addStretch(1)
        self.set_body(body)
        self.add_button("Close", self.close, default=True)
        self.say("Changes take effect at once.")
        self.search.setFocus()

    def _heading(self, text: str, why_not: str) -> QWidget:
        title, reason = PlainLabel(text), PlainLabel(why_not)
        title.setProperty("role", "title")
        reason.setProperty("role", "muted")
        reason.setVisible(bool(why_not))
        self._headings[text] = heading = QWidget()
        row = QHBoxLayout(heading)
        row.setContentsMargins(0, theme().pixels(4 * SPACE), 0, theme().pixels(SPACE))
        row.addWidget(title)
        row.addWidget(reason, 1)
        return heading

    def _trial(self) -> QWidget:
        """Where the rules of redaction are tried."""
        self.trial = QPlainTextEdit(SAMPLE, tabChangesFocus=True)
        self.trial.setProperty("field", True)
        self.trial.setFixedHeight(theme().pixels(72))
        self.trial.setObjectName("redactionTrial")
        self.trial.setAccessibleName("Try the rules of redaction")
        self.tried = PlainLabel(wordWrap=True)
        self.tried.setProperty("role", "redacted")
        self.tried.setAccessibleName("What is shown instead")
        self.hits = PlainLabel(wordWrap=True)
        self.hits.setProperty("role", "muted")
        self.hits.setAccessibleName("Which rule hit where")
        self._trial_box = box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, SPACE, 0, SPACE)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        about = PlainLabel("All rules, your secrets and exceptions among them; nothing of it is kept", wordWrap=True)
        about.setProperty("role", "muted")
        grid.addWidget(PlainLabel("Test the rules"), 0, 0)
        grid.addWidget(about, 1, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.trial, 0, 1, 2, 1)
        grid.addWidget(self.tried, 2, 1)
        grid.addWidget(self.hits, 3, 1)
        self.trial.textChanged.connect(self._try)
        for key in ("keys", "patterns"):
            field = self.fields[key].field
            assert isinstance(field, QPlainTextEdit)
            field.textChanged.connect(self._try)
        self._try()
        return box

    def _try(self) -> None:
        """With the rules as they stand in the fields, saved or not."""
        from ptc_studio.core.redaction import Redactor

        try:
            rows = {key: self.fields[key].row.read(self.fields[key].text()) for key in ("keys", "patterns")}
        except Unfit:
            return
        ours = self._context.workbench.studio.executor.redactor
        patterns = [(each["name"], each["pattern"]) for each in rows["patterns"]]
        # What is tried must teach the real ones nothing: what is learned from a text goes with this copy.
        redactor = Redactor(
            keys=rows["keys"], patterns=patterns, secrets=ours.secrets.copy(), exceptions=ours.exceptions
        )
        head, value = _with_json(self.trial.toPlainText()[:LONGEST_TRIAL])
        found = redactor.explained(head)
        shown = redactor.text(head, "trial").value
        if value is not None:
            found += redactor.explained(value)
            shown += json.dumps(redactor.value(value, "trial").value, ensure_ascii=False)
        self.tried.setText(shown)
        hits = [f"{each.rule} at {each.path if each.path != '$' else f'character {each.start + 1}'}" for each in found]
        self.hits.setText(" · ".join(hits[:20]) or "No rule hits.")

    def _value(self, row: SettingRow) -> Any:
        if row.store == USER:
            return self._context.settings.get(row.key, row.usual)
        return workspace_value(self._context.workbench.studio.file, row)

    def _why_not(self, row: SettingRow) -> str:
        studio = self._context.workbench.studio
        return "" if row.store == USER or studio.has_workspace else NO_WORKSPACE

    def _save(self, row: SettingRow, value: Any) -> None:
        if row.store == USER:
            self._apply(row.key, value)
            return
        edits = WorkspaceEdits(self._context)
        method = {LIMITS: "set_limit", REDACTION: "set_redaction"}[row.store]
        self._context.start_reported(edits.change(lambda editor: getattr(editor, method)(row.key, value or None)))

    def _apply(self, key: str, value: Any) -> None:
        context = self._context
        context.settings.set(key, value, usual=next(row.usual for row in ROWS if row.key == key))
        recorder = context.workbench.studio.history.recorder
        if key == "theme":
            theme().set_mode(value)
        elif key == "zoom":
            theme().set_zoom(value)
        elif key in ("interface_font", "code_font"):
            get = context.settings.get
            theme().set_fonts(get("interface_font", ""), get("code_font", ""))
        elif key.startswith("editor_"):
            context.editors.set_options(EditorOptions.chosen(context.settings.get))
        elif key == "timeout":
            self._run_bar.set_timeout(value)
        elif key == "history_megabytes" and recorder is not None:
            recorder.set_limit(int(value * MEGABYTE))
        elif key == "history":
            self._keep_runs(value)
        elif key == PROGRAM_FOLDERS:
            search_first(value)

    def _keep_runs(self, wanted: bool) -> None:
        from ptc_studio.locations import HISTORY
        from ptc_studio.storage.history import HistoryRecorder

        keeper, settings = self._context.workbench.studio.history, self._context.settings
        former, keeper.recorder = keeper.recorder, None
        if wanted:
            most = int(settings.get("history_megabytes", HISTORY_MEGABYTES) * MEGABYTE)
            keeper.recorder = former or HistoryRecorder(settings.folder / HISTORY, most_bytes=most)

    def _filter(self, text: str) -> None:
        shown = {key for key, field in self.fields.items() if field.row.fits(text)}
        for key, field in self.fields.items():
            field.setVisible(key in shown)
        sections = {self.fields[key].row.section for key in shown}
        for section, heading in self._headings.items():
            heading.setVisible(section in sections)
        self._trial_box.setVisible(self.fields["patterns"].row.section in sections)
        self.nothing.setVisible(not shown)


def _with_json(text: str) -> tuple[str, Any]:
    """The text before a value in JSON, and that value; None if there is none."""
    start = text.find("{")
    try:
        value = json.loads(text[start:]) if start >= 0 else None
    except (ValueError, RecursionError):
        value = None
    return (text, None) if value is None else (text[:start], value)


def list_or(value: Any) -> Any:
    """Sequences as lists, so that they compare."""
    return list(value) if isinstance(value, (list, tuple)) else value


def open_settings(context: "Context", run_bar: "RunBar", search: str = "") -> None:
    """Shows the dialog, once there is a studio to speak of, with what fits a search."""
    if context.is_ready():
        dialog = SettingsDialog(context, run_bar)
        dialog.search.setText(search)
        dialog.open()
