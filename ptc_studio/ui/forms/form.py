"""A form for any JSON Schema, and the same value as JSON."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.json_schema import root_part, same
from ptc_studio.ui.forms.controls import apply_form_style
from ptc_studio.ui.forms.factory import ErrorPlaces, new_context
from ptc_studio.ui.forms.field import FormContext, FormField, KindFor, Labels
from ptc_studio.ui.forms.json_view import JsonView
from ptc_studio.ui.forms.row import FormRow, go_to, neighbour
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Shape
from ptc_studio.ui.forms.schema.shaping import fresh_value, shape_of
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import plain_tip
from ptc_studio.ui.widgets.layout import STRETCH, filled, scroll_into_view

QUICK_SECONDS = 0.006
PAUSE_MS = 180


class CheckingPace(QObject):
    """Runs one piece of work at once, or a moment after the last request if it has proved slow."""

    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._took = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.now)

    def request(self) -> None:
        """Has it done soon."""
        if self._took <= QUICK_SECONDS:
            self.now()
        else:
            self._timer.start(PAUSE_MS)

    def later(self) -> None:
        """Has it done when the window has nothing more urgent to do."""
        self._timer.start(0)

    def now(self) -> None:
        """Does it."""
        self._timer.stop()
        began = perf_counter()
        self._work()
        self._took = perf_counter() - began

    def flush(self) -> None:
        """Does what has been waiting."""
        if self._timer.isActive():
            self.now()


class ModeBar(QWidget):
    """Two toggles, and a menu where there is a history.

    Signals: json_wanted(bool): the other side is wanted. recalled(value): a former value is wanted again.
    """

    json_wanted = Signal(bool)
    recalled = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.form_button = self._toggle("Form", "The value in fields")
        self.json_button = self._toggle("JSON", "The value as text")
        self.form_button.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.form_button, 0)
        group.addButton(self.json_button, 1)
        group.idClicked.connect(lambda which: self.json_wanted.emit(bool(which)))
        self.recent_button = QToolButton()
        self.recent_button.setText("Recent")
        self.recent_button.setProperty("flat", True)
        self.recent_button.setToolTip("Values used before")
        self.recent_button.setAccessibleName("Recent values")
        self.recent_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.recent_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.recent_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_icon(self.recent_button, "history", "muted")
        self.menu = QMenu(self.recent_button)
        self.menu.setToolTipsVisible(True)
        self.recent_button.setMenu(self.menu)
        self.recent_button.hide()
        filled(
            QHBoxLayout(self), self.form_button, self.json_button, STRETCH, self.recent_button, margins=0, spacing=SPACE
        )

    def set_json(self, json: bool) -> None:
        """Shows which side is seen."""
        (self.json_button if json else self.form_button).setChecked(True)

    def offer(self, history: Sequence[Mapping[str, Any]]) -> None:
        """Offers former values, the latest first; with none there is no button."""
        self.menu.clear()
        for entry in history:
            label, value = str(entry["label"]), entry["value"]
            action = self.menu.addAction(label if len(label) <= 60 else label[:59] + "…")
            action.setToolTip(plain_tip(label))
            action.triggered.connect(lambda _=False, value=value: self.recalled.emit(value))
        self.recent_button.setVisible(bool(history))

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(plain_tip(tip))
        button.setCheckable(True)
        button.setProperty("flat", True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(f"Show as {text}")
        return button


class SchemaForm(QWidget):
    """Draws the schema, holds a value of it exactly, and says what is wrong with it.

    Signals: changed: the user changed the value. validity_changed(bool): it became right, or wrong.
    """

    changed = Signal()
    validity_changed = Signal(bool)

    def __init__(
        self,
        schema: Any,
        value: Any = None,
        parent: QWidget | None = None,
        *,
        labels: Labels = "names",
        scrolls: bool = True,
        kinds: KindFor | None = None,
        also: Callable[[Any], Sequence[FieldError]] = lambda _value: (),
        spares: Callable[[FieldError, Any], bool] = lambda _fault, _value: False,
    ) -> None:
        """None begins with a fresh form; `labels` are keys or titles; without `scrolls` it is as high as it needs.

        `kinds` chooses other fields than the usual; `also` says what is wrong beyond what the schema knows, and
        `spares` what is not wrong whatever the schema says.
        """
        super().__init__(parent)
        self._part = root_part(schema)
        self._checker = Checker(schema)
        self._also = also
        self._spares = spares
        self._faults: list[FieldError] = []
        self._was_valid: bool | None = None
        self._revealed = False
        apply_form_style(self)
        self.bar = ModeBar()
        self._pages = QStackedWidget()
        self.root = self._lay_out(shape_of(self._part), new_context(self._checker, labels, kinds), scrolls=scrolls)
        self.places = ErrorPlaces(self.root)
        self._pace = CheckingPace(self._check, self)
        self.root.edited.connect(self._on_form_edited)
        self.json.edited.connect(self._on_json_edited)
        self.bar.json_wanted.connect(self.show_json)
        self.bar.recalled.connect(self._on_recalled)
        self.set_value(fresh_value(self._part) if value is None else value)

    def value(self) -> Any:
        """The exact value; keys that were left out are not there. `ABSENT` where there is none at all."""
        return self.json.value() if self.is_json else self.root.value()

    def set_value(self, value: Any) -> None:
        """Shows another value."""
        self.root.set_value(value)
        if self.is_json:
            self.json.set_value(value)
        self._pace.later()

    def clear(self) -> None:
        """Begins anew."""
        self.set_value(fresh_value(self._part))

    def faults(self) -> list[FieldError]:
        """All that is wrong now."""
        self._pace.flush()
        return list(self._faults)

    def is_valid(self) -> bool:
        """Whether nothing is wrong; advice aside."""
        return all(error.advice for error in self.faults())

    def reveal_faults(self) -> None:
        """Says everything that is wrong, also of fields that nobody has touched, and goes to the first of it."""
        self._revealed = True
        self._pace.now()
        serious = [error for error in self._faults if not error.advice]
        if serious and not self.is_json:
            row, _ = self.places.open_to(serious[0].path)
            if row.field is not None:
                row.field.target().setFocus(Qt.FocusReason.OtherFocusReason)
            scroll_into_view(row)

    def field(self, *path: str | int) -> FormField:
        """The field of a value, for tests and for those who want to go there; opens what is around it."""
        row = self.row(*path)
        row.set_open(True)
        assert row.field is not None
        return row.field

    def row(self, *path: str | int) -> FormRow:
        """The row of a value; raises KeyError where there is none."""
        row, rest = self.places.open_to(path)
        if rest:
            raise KeyError(path)
        return row

    def set_read_only(self, read_only: bool) -> None:
        """Whether the value can only be looked at."""
        self.root.set_read_only(read_only)
        self.json.set_read_only(read_only)

    def offer_history(self, history: Sequence[Mapping[str, Any]]) -> None:
        """Offers values used before: `label` and `value` of each, the latest first."""
        self.bar.offer(history)

    @property
    def is_json(self) -> bool:
        """Whether the JSON side is seen."""
        return self._pages.currentIndex() == 1

    def show_json(self, json: bool) -> None:
        """Turns to the other side; text that is no JSON is not left behind, it has to be mended first."""
        if json and not self.is_json:
            self.json.set_value(self.root.value())
            self._pages.setCurrentIndex(1)
            self.json.text.setFocus()
        elif not json and self.is_json and self.json.mistake is None:
            self._take_over()
            self._pages.setCurrentIndex(0)
        self.bar.set_json(self.is_json)
        self._pace.now()

    def _lay_out(self, shape: Shape, context: FormContext, *, scrolls: bool) -> FormRow:
        """From the outside in: a widget that gets other parents is styled each time."""
        filled(QVBoxLayout(self), self.bar, (self._pages, 1), margins=0, spacing=theme().pixels(2 * SPACE))
        page = _scrolling() if scrolls else QWidget()
        self._pages.addWidget(page)
        self.json = JsonView()
        self._pages.addWidget(self.json)
        inside = page.widget() if isinstance(page, QScrollArea) else page
        assert inside is not None
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, theme().pixels(2 * SPACE) if scrolls else 0, 0)
        root = FormRow(shape, context, required=True, bare=True, name="Value", parent=inside)
        column.addWidget(root)
        column.addStretch(1)
        return root

    def _take_over(self) -> None:
        if not same(self.root.value(), self.json.value()):
            self.root.set_value(self.json.value())

    def _check(self) -> None:
        mistakes = self._mistakes()
        taken = {error.path for error in mistakes}
        found = self._checker.faults(self.value(), dict(self.root.chosen())) if self._value_is_there() else []
        found = [error for error in found if error.path not in taken and not self._spares(error, self.value())]
        taken |= {error.path for error in found}
        more = self._also(self.value()) if self._value_is_there() and not mistakes else ()
        self._faults = mistakes + found + [error for error in more if error.path not in taken]
        if self.is_json:
            self.json.show_faults(self._faults)
        else:
            self.places.show(self._faults, revealed=self._revealed)
        valid = all(error.advice for error in self._faults)
        if valid != self._was_valid:
            self._was_valid = valid
            self.validity_changed.emit(valid)

    def _mistakes(self) -> list[FieldError]:
        problem = self._checker.problem
        broken = [FieldError((), problem, "schema", advice=True)] if problem else []
        if not self._value_is_there():
            return [*broken, FieldError((), "Required.", "required")]
        if not self.is_json:
            return [*broken, *self.root.mistakes()]
        mistake = self.json.mistake
        return [*broken, *([FieldError((), str(mistake), "json")] if mistake else [])]

    def _value_is_there(self) -> bool:
        """Whether there is any value to check."""
        return self.value() is not ABSENT

    def _on_form_edited(self) -> None:
        self._pace.request()
        self.changed.emit()

    def _on_json_edited(self) -> None:
        if not self.is_json:
            # Its text is coloured anew with the theme, which Qt takes for a change of it.
            return
        if self.json.mistake is None:
            self._take_over()
        self._pace.request()
        self.changed.emit()

    def _on_recalled(self, value: Any) -> None:
        self.set_value(value)
        self.changed.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        focused = self.focusWidget()
        following = neighbour(self, focused, forward=forward) if focused is not None else None
        if following is None:
            return self._leave(forward)
        go_to(following, forward=forward)
        return True

    def _leave(self, forward: bool) -> bool:
        """Goes to what comes after the form, or before it."""
        widget: QWidget | None = self
        while widget is not None:
            widget = widget.nextInFocusChain() if forward else widget.previousInFocusChain()
            if widget is self or widget is None:
                return False
            takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
            if takes and not self.isAncestorOf(widget) and widget.isVisible() and widget.isEnabled():
                go_to(widget, forward=forward)
                return True
        return False


def _scrolling() -> QScrollArea:
    area, inside = QScrollArea(), QWidget()
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    area.viewport().setAutoFillBackground(False)
    inside.setAutoFillBackground(False)
    return area
