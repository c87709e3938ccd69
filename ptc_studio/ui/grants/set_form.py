"""One grant set: its name, what it grants as a tree to tick, and its patterns as they stand in the file."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTreeView, QVBoxLayout, QWidget

from ptc_studio.ui.forms.form_style import help_font
from ptc_studio.ui.grants.display import listed
from ptc_studio.ui.grants.patterns import Patterns, granted, reach, with_names, with_source, without_names
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.tools.delegate import ToolDelegate
from ptc_studio.ui.tools.model import ToolModel
from ptc_studio.ui.tools.panel import Unfolding
from ptc_studio.ui.tools.rows import ToolRows
from ptc_studio.ui.tools.tree import ALIASES, ToolNode
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel, plain_tip

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target


Role = Qt.ItemDataRole


class SetModel(ToolModel):
    """Signals: toggled(node, ticked): the user wants all that is seen of the node granted, or no longer."""

    toggled = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_filtered = False

    def show_granted(self, patterns: Patterns, names: Collection[str]) -> None:
        """Ticks these; a source without tools is ticked by its pattern."""
        self.set_grant(names)
        for source in self.root.children:
            source.ticked = f"{source.label}.*" in patterns

    def set_filter(self, wanted: str) -> None:
        self.is_filtered = bool(wanted.strip())
        super().set_filter(wanted)

    def setData(self, index: QModelIndex | QPersistentModelIndex, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid() or self.node(index).kind == "error":
            return False
        self.toggled.emit(self.node(index), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


def seen_names(node: ToolNode) -> list[str]:
    """The tools and aliases in the node that the filter leaves."""
    if node.kind in ("tool", "alias"):
        return [node.label]
    return [name for child in node.shown for name in seen_names(child)]


LINES_SHOWN = 3
PATTERNS_HELP = "One name or pattern a line, such as get_order, shop.* or *.list_*"


class SetForm(QWidget):
    """Signals: edited(name, patterns): the user has changed something."""

    edited = Signal(str, object)

    def __init__(self, rows: ToolRows, targets: "Sequence[Target]", used: Sequence[str], script: str) -> None:
        """`used` are the tools that the script in front uses, `script` is its title."""
        super().__init__()
        self._targets, self._used, self._script = targets, used, script
        self._patterns: Patterns = ()
        self._own = False
        self.name = QLineEdit()
        self.name.setObjectName("grantName")
        self.name.setAccessibleName("Name of the grant set")
        self.name.textChanged.connect(self._on_name_changed)
        self.words = PlainLabel(wordWrap=True)
        self.words.setProperty("role", "title")
        self.unused = PlainLabel(wordWrap=True)
        self.filter = QLineEdit(placeholderText="Filter tools…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter tools")
        self.filter.textChanged.connect(self._on_filter_changed)
        self._build_tree(rows)
        self.written = QPlainTextEdit()
        self.written.setObjectName("grantPatterns")
        self.written.setAccessibleName("Patterns as they stand in studio.yaml")
        self.written.setProperty("field", True)
        self.written.setProperty("code", True)
        self.written.setTabChangesFocus(True)
        self.written.setPlaceholderText(PATTERNS_HELP)
        self.written.textChanged.connect(self._on_written)
        self.idle = PlainLabel(wordWrap=True)
        self._lay_out()
        theme().changed.connect(self._apply_style)
        self._apply_style()

    @property
    def patterns(self) -> Patterns:
        return self._patterns

    def show_set(self, name: str, patterns: Patterns) -> None:
        """Shows this one from now on."""
        self._own = True
        self.name.setText(name)
        self._patterns = patterns
        self._write()
        self._own = False
        self._show()

    def mark_name(self, fault: str) -> None:
        """Why the name will not do; empty if it will."""
        self.name.setProperty("mark", "fault" if fault else "")
        self.name.setToolTip(plain_tip(fault))
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)

    def _build_tree(self, rows: ToolRows) -> None:
        self.model = SetModel(self)
        tree = self.tree = QTreeView(headerHidden=True, uniformRowHeights=True)
        tree.setObjectName("grantTree")
        tree.setAccessibleName("What the grant set grants")
        tree.setModel(self.model)
        tree.setItemDelegate(ToolDelegate(tree))
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._unfolding = Unfolding(tree, self.model)
        EmptyOverlay(tree, "No tools here: add a source, or filter for something else.").watch(self.model)
        self.model.set_tools(rows.tools, rows.aliases, (), rows.sources)
        self._unfolding.apply()
        self.model.toggled.connect(self._on_toggled)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, theme().pixels(3 * SPACE), edge, theme().pixels(3 * SPACE))
        column.setSpacing(theme().pixels(2 * SPACE))
        title = PlainLabel("Name")
        title.setBuddy(self.name)
        written = PlainLabel("As written in studio.yaml")
        written.setBuddy(self.written)
        for label in (title, written):
            label.setProperty("role", "muted")
        for widget in (title, self.name, self.words, self.filter):
            column.addWidget(widget)
        column.addWidget(self.tree, 1)
        for widget in (self.unused, written, self.written, self.idle):
            column.addWidget(widget)

    def _on_toggled(self, node: ToolNode, ticked: bool) -> None:
        names, whole = seen_names(node), node.kind == "source" and node.label != ALIASES
        if ticked and whole and not self.model.is_filtered:
            changed = with_source(self._patterns, self._targets, node.label)
        elif ticked:
            changed = with_names(self._patterns, self._targets, names)
        else:
            dropped = f"{node.label}.*" if whole and not self.model.is_filtered else ""
            others = tuple(pattern for pattern in self._patterns if pattern != dropped)
            changed = without_names(others, self._targets, names)
        self._patterns = changed
        self._own = True
        self._write()
        self._own = False
        self._tell()

    def _on_name_changed(self) -> None:
        if not self._own:
            self.edited.emit(self.name.text(), self._patterns)

    def _on_written(self) -> None:
        if not self._own:
            lines = (line.strip() for line in self.written.toPlainText().split("\n"))
            self._patterns = tuple(dict.fromkeys(line for line in lines if line))
            self._tell()

    def _on_filter_changed(self, wanted: str) -> None:
        self.model.set_filter(wanted)
        self._unfolding.seek(bool(wanted.strip()))

    def _write(self) -> None:
        text = "\n".join(self._patterns)
        if text != self.written.toPlainText():
            self.written.setPlainText(text)

    def _tell(self) -> None:
        self._show()
        self.edited.emit(self.name.text(), self._patterns)

    def _show(self) -> None:
        names = granted(self._patterns, self._targets)
        self.model.show_granted(self._patterns, names)
        found = reach(self._patterns, self._targets)
        self.words.setText(f"Grants {found}")
        idle = f"▲ Matches nothing now: {listed(found.idle)}" if found.idle else ""
        self.idle.setText(idle)
        self.idle.setVisible(bool(idle))
        self._show_unused(names)

    def _show_unused(self, names: frozenset[str]) -> None:
        spare = sorted(names.difference(self._used)) if self._used else []
        lacking = [name for name in dict.fromkeys(self._used) if name not in names]
        parts = [f"{self._script} uses {len(set(self._used)) - len(lacking)} of these"] if self._used else []
        parts += [f"not used: {listed(spare, 4)}"] if spare else []
        parts += [f"▲ used, not granted: {listed(lacking, 4)}"] if lacking else []
        self.unused.setText(" · ".join(parts))
        self.unused.setToolTip(plain_tip(f"Not used: {', '.join(spare)}" if spare else ""))
        self.unused.setVisible(bool(parts))

    def _apply_style(self) -> None:
        self.tree.setIndentation(theme().pixels(ROW * 0.6))
        self.written.setFixedHeight(LINES_SHOWN * theme().pixels(ROW * 0.75) + 4 * SPACE)
        for label, colour in ((self.unused, "muted"), (self.idle, "warning")):
            label.setFont(help_font())
            label.setStyleSheet(f"color: {theme().colour(colour).name()};")
