"""What was found in a text: sources to tick and rename, and what is to be known of them."""

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QVBoxLayout, QWidget

from ptc_studio.ui.sources.entry_checks import name_faults
from ptc_studio.ui.sources.import_reading import FoundTools, summary
from ptc_studio.ui.sources.plain_list import plain_list
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip

_ENTRY = Qt.ItemDataRole.UserRole


class ImportList(QWidget):
    """Ticked is what is added; a double click or F2 changes a name.

    Signals: changed: something else is ticked, or named otherwise.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._taken: Collection[str] = ()
        self._filling = False
        self.title = PlainLabel("What is in it")
        self.title.setProperty("role", "title")
        self.list = plain_list("Sources that were found", "Name", "Source")
        self.list.itemChanged.connect(self._on_item_changed)
        self.said = PlainLabel(wordWrap=True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(2 * SPACE))
        column.addWidget(self.title)
        column.addWidget(self.list, 1)
        column.addWidget(self.said)
        column.addStretch()

    def show_found(self, found: FoundTools, fault: str, taken: Collection[str]) -> None:
        """Shows all of it, ticked but for names that are taken."""
        self._taken = taken
        self._filling = True
        self.list.clear()
        for entry in found.entries:
            item = QTreeWidgetItem([entry.get("name", ""), summary(entry)])
            item.setData(0, _ENTRY, dict(entry))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
            free = not entry.get("name") or entry["name"] not in taken
            item.setCheckState(0, Qt.CheckState.Checked if free else Qt.CheckState.Unchecked)
            item.setToolTip(1, plain_tip(item.text(1)))
            item.setFont(0, theme().code_font())
            self.list.addTopLevelItem(item)
        self._filling = False
        self.list.setVisible(bool(found.entries))
        self.title.setText(f"What is in it: {found.origin}" if found.origin else "What is in it")
        self._say(found, fault)
        self._on_item_changed()

    def chosen(self) -> list[dict[str, Any]]:
        """The entries that are ticked, as they are named here."""
        entries: list[dict[str, Any]] = []
        for item in self._items():
            if item.checkState(0) == Qt.CheckState.Checked:
                entry, name = dict(item.data(0, _ENTRY)), item.text(0).strip()
                entry.pop("name", None)
                entries.append({"kind": entry.pop("kind"), **({"name": name} if name else {}), **entry})
        return entries

    def is_ready(self) -> bool:
        """Whether something is ticked, and all that is can be added."""
        chosen = self.chosen()
        return bool(chosen) and not any(self._fault(item) for item in self._items() if self._ticked(item))

    def _items(self) -> list[QTreeWidgetItem]:
        found = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item for item in found if item is not None]

    def _ticked(self, item: QTreeWidgetItem) -> bool:
        return item.checkState(0) == Qt.CheckState.Checked

    def _fault(self, item: QTreeWidgetItem) -> str:
        """Why the name cannot be taken."""
        name = item.text(0).strip()
        others = [each.text(0).strip() for each in self._items() if each is not item and self._ticked(each)]
        if not name:
            needs = item.data(0, _ENTRY)["kind"] != "functions"
            return "It needs a name: press F2." if needs else ""
        faults = [fault.message for fault in name_faults(name, [*self._taken, *others]) if not fault.advice]
        return f"{faults[0].rstrip('.')}; press F2 to rename." if faults else ""

    def _on_item_changed(self) -> None:
        if self._filling:
            return
        self._filling = True
        for item in self._items():
            fault = self._fault(item)
            item.setText(1, f"▲ {fault}" if fault else summary(item.data(0, _ENTRY)))
            item.setForeground(1, theme().colour("warning" if fault else "muted"))
            item.setToolTip(1, plain_tip(item.text(1)))
        self._filling = False
        self.changed.emit()

    def _say(self, found: FoundTools, fault: str) -> None:
        lines = [f"▲ {note}" for note in found.notes]
        lines += [f"▲ The secret {name!r} has no value yet: give it one in Secrets." for name in found.missing]
        if found.grants:
            lines.append(f"Grants are taken over, too: {', '.join(found.grants)}.")
        if fault:
            lines = [f"✕ {fault}"]
        elif not found.entries and not lines:
            lines = ["Nothing yet: paste something at the left."]
        colour = "error" if fault else "warning" if any(line.startswith("▲") for line in lines) else "muted"
        self.said.setStyleSheet(f"color: {theme().colour(colour).name()};")
        self.said.setText("\n".join(lines))
