"""The form for the arguments of a call: of any schema, kept filled in when it changes, with those of former calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.json_schema import Part, root_part
from ptc_studio.core.redaction.redacted import MARKER_START
from ptc_studio.ui.forms import SchemaForm, one_line, same
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.shaping import fresh_value, shape_of
from ptc_studio.ui.manual_calls.result import NO_ARGUMENTS
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import EmptyState

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.workbench import Workbench


DEEPEST = 12
"""A schema may contain itself."""
_GONE = object()


def without_passwords(arguments: dict[str, Any], schema: Any) -> dict[str, Any]:
    """The arguments, those aside that are typed into password fields."""
    kept = _kept(arguments, root_part(schema), 0)
    return kept if isinstance(kept, dict) else {}


def _kept(value: Any, part: Part | None, depth: int) -> Any:
    if part is None or depth > DEEPEST:
        return value
    shape = shape_of(part)
    if shape.kind == "text":
        return _GONE if shape.style == "password" and value is not None else value
    for variant in shape.variants:
        # Whichever it follows: what is a password in one is not kept for any.
        value = _kept(value, variant.part, depth + 1)
    if isinstance(value, dict):
        items = {key: _kept(item, _part_of(shape, key), depth + 1) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not _GONE}
    if isinstance(value, list):
        return [kept for item in value if (kept := _kept(item, shape.items, depth + 1)) is not _GONE]
    return value


def _part_of(shape: Shape, key: str) -> Part | None:
    return shape.properties.get(key, shape.additional)


def save_arguments(workbench: "Workbench", target: "Target", arguments: Any) -> None:
    """Remembers the arguments of a call, without passwords and what is redacted in them."""
    if not isinstance(arguments, dict) or not arguments:
        return
    arguments = without_passwords(arguments, target.spec.parameters)
    redactor = workbench.studio.executor.redactor
    if target.alias is not None and target.alias.redact:
        redactor = redactor.extended(keys=target.alias.redact)
    workbench.argument_sets.add(target.spec.name, arguments, redactor.value(arguments, "arguments").value)


def saved_arguments(workbench: "Workbench", target: "Target") -> list[Mapping[str, Any]]:
    """What can be offered for the target, the latest first."""
    sets = workbench.argument_sets.of(target.spec.name)
    return [{"label": one_line(each), "value": each} for each in sets]


@dataclass(frozen=True, slots=True)
class FormerArguments:
    """What can be filled in again, and the arguments that cannot, or not wholly."""

    values: Mapping[str, Any]
    hidden: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Which ones are to be filled in anew."""
        names = ", ".join(self.hidden)
        return f"▲ Hidden in the record, so to be filled in again: {names}" if names else ""


def former_arguments(shown: Any, target: "Target | None") -> FormerArguments:
    """Of the arguments as a record shows them: those that a caller gives, as far as they are known."""
    if not isinstance(shown, Mapping):
        # Too long for the record: only the beginning of its text is known.
        return FormerArguments({}, ("all arguments",))
    unseen = target.alias.unseen if target is not None and target.alias is not None else frozenset[str]()
    given = {str(name): value for name, value in shown.items() if name not in unseen}
    values = {name: _known(value) for name, value in given.items()}
    hidden = tuple(name for name, value in given.items() if _has_marker(value))
    return FormerArguments({name: value for name, value in values.items() if value is not _GONE}, hidden)


def _known(value: Any) -> Any:
    if isinstance(value, str):
        return _GONE if MARKER_START in value else value
    if isinstance(value, Mapping):
        items = {key: _known(item) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not _GONE}
    if isinstance(value, list):
        return [item for item in map(_known, value) if item is not _GONE]
    return value


def _has_marker(value: Any) -> bool:
    if isinstance(value, str):
        return MARKER_START in value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(_has_marker, inner))


class ArgumentsForm(QWidget):
    """Shows a form, or says why there is none.

    Signals: changed: the user changed the arguments.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.schema_form: SchemaForm | None = None
        self._schema: Mapping[str, Any] | None = None
        self._typed: dict[str, Any] = {}
        self.word = EmptyState("")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.word)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)

    def show_problem(self, problem: str) -> None:
        """Says why there is nothing to fill in; what was typed is kept for the next schema."""
        self._remember()
        self._drop_form()
        self._schema = None
        self._say(problem)

    def show_schema(self, schema: Mapping[str, Any]) -> None:
        """Shows the form of another schema, with all that was typed into the one before and still fits."""
        if self._schema is not None and same(dict(schema), dict(self._schema)):
            return
        self._remember()
        self._drop_form()
        self._schema = schema
        form = self.schema_form = SchemaForm(schema)
        kept = _fitting(self._typed, schema)
        if kept:
            form.set_value({**_as_object(form.value()), **kept})
        form.changed.connect(self.changed)
        self._pages.addWidget(form)
        if takes_nothing(schema):
            # A page that is not seen asks for room all the same.
            form.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
            self._say(NO_ARGUMENTS)
        else:
            self._pages.setCurrentWidget(form)

    def value(self) -> dict[str, Any]:
        """The arguments."""
        return {} if self.schema_form is None else _in_floats(_as_object(self.schema_form.value()))

    def set_value(self, value: dict[str, Any]) -> None:
        """Fills it in."""
        if self.schema_form is not None:
            self.schema_form.set_value(value)
            if value:
                self._pages.setCurrentWidget(self.schema_form)

    def is_ready(self) -> bool:
        """Whether a call can be made with it."""
        form = self.schema_form
        return form is None or (form.is_valid() and isinstance(form.value(), dict))

    def reveal_faults(self) -> None:
        """Says what is wrong, at its fields."""
        if self.schema_form is not None:
            self.schema_form.reveal_faults()

    @property
    def is_short(self) -> bool:
        """Whether there is but a word to be seen, and a call can be made all the same."""
        return self.schema_form is not None and self._pages.currentWidget() is self.word

    def wanted_height(self) -> int:
        """How much room all of it would take."""
        form = self.schema_form
        if form is None or self.is_short:
            return self.word.sizeHint().height()
        # As wide as it is now, without what the scroll bar takes.
        width = max(1, self.width() - theme().pixels(2 * SPACE))
        return form.bar.sizeHint().height() + form.root.heightForWidth(width) + theme().pixels(4 * SPACE)

    def offer(self, sets: Sequence[Mapping[str, Any]]) -> None:
        """Offers arguments used before: `label` and `value` of each."""
        if self.schema_form is not None:
            self.schema_form.offer_history(sets)

    def _say(self, text: str) -> None:
        self.word.setText(text)
        self.word.setAccessibleName(text)
        middle = Qt.AlignmentFlag.AlignVCenter
        self.word.setAlignment(
            Qt.AlignmentFlag.AlignLeft | middle if self.schema_form else Qt.AlignmentFlag.AlignCenter
        )
        self.word.setMargin(0 if self.schema_form else 4 * SPACE)
        self._pages.setCurrentWidget(self.word)

    def _remember(self) -> None:
        """What the user typed, as against what the form began with."""
        if self.schema_form is None:
            return
        fresh = _as_object(fresh_value(root_part(self._schema)))
        now = _as_object(self.schema_form.value())
        known = shape_of(root_part(self._schema)).properties
        rest = {key: value for key, value in self._typed.items() if key not in known}
        typed = {key: value for key, value in now.items() if key not in fresh or not same(value, fresh[key])}
        self._typed = {**rest, **typed}

    def _drop_form(self) -> None:
        if self.schema_form is not None:
            self._pages.removeWidget(self.schema_form)
            self.schema_form.deleteLater()
            self.schema_form = None


def takes_nothing(schema: Mapping[str, Any]) -> bool:
    """Whether there is no argument to give."""
    shape = shape_of(root_part(schema))
    return shape.kind == "object" and not shape.properties and not shape.patterns and not shape.offers_keys


def _fitting(typed: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Those values that the schema has a place for."""
    shape, checker = shape_of(root_part(schema)), Checker(schema)
    if shape.kind != "object":
        return dict(typed) if checker.fits(dict(typed), root_part(schema)) else {}
    return {
        key: value
        for key, value in typed.items()
        if (key in shape.properties or shape.offers_keys)
        and checker.fits(value, shape.properties.get(key, shape.additional or ()))
    }


def _as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _in_floats(value: Any) -> Any:
    """The value with numbers as a script would give them; only a form keeps every digit that was typed."""
    if isinstance(value, Decimal):
        rounded = float(value)
        return rounded if isfinite(rounded) else int(value)
    if isinstance(value, dict):
        return {key: _in_floats(item) for key, item in value.items()}
    return [_in_floats(item) for item in value] if isinstance(value, list) else value
