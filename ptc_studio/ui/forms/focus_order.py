"""The order in which Tab goes through a form: as the eye does, also after fields were added or moved."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget

from ptc_studio.ui.forms.row import FormRow


def focusable(root: QWidget) -> list[QWidget]:
    """What takes the focus with Tab, in order."""
    return [widget for widget in _walk(root) if _takes_tab(widget)]


def neighbour(root: QWidget, current: QWidget, *, forward: bool) -> QWidget | None:
    """Where Tab leads from a widget inside; None when it leads out."""
    order, context = focusable(root), current.parentWidget()
    while current not in order and context is not None and current is not root:
        current, context = context, context.parentWidget()
    if current not in order:
        return None
    location = order.index(current) + (1 if forward else -1)
    return order[location] if 0 <= location < len(order) else None


def go_to(widget: QWidget, *, forward: bool) -> None:
    """Gives it the focus, as Tab or its opposite does."""
    widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)


def _walk(widget: QWidget) -> Iterator[QWidget]:
    if not widget.isVisibleTo(widget.window()):
        return
    yield widget
    for child in _children(widget):
        yield from _walk(child)


def _children(widget: QWidget) -> list[QWidget]:
    if isinstance(widget, FormRow):
        parts = [widget.header, widget.label_widget, widget.content, *widget.trailing]
        return [part for part in parts if part is not None]
    layout = widget.layout()
    if layout is not None:
        return list(_laid_out(layout))
    return [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout and of those in it, in its order."""
    for position in range(layout.count()):
        item = layout.itemAt(position)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from _laid_out(inner)


def _takes_tab(widget: QWidget) -> bool:
    tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return tab and widget.isEnabled() and widget.focusProxy() is None
