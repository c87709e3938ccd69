"""How a line of the tool tree is drawn: name, where an alias leads, count, permission, how a source is."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.tools.model import NODE_ROLE, ToolModel
from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow
from ptc_studio.ui.tools.tree import ToolNode

GAP = 8
SPINNING = "◐◓◑◒"
MARK_ROOM = 44
"""What a source's mark and some of its badge need behind the name."""


class ToolDelegate(QStyledItemDelegate):
    """Lets the style draw the line and its check box, then adds what stands behind the name."""

    phase = 0
    """How far the mark of what is loading has turned."""

    def _finish(self, painter: QPainter, option: QStyleOptionViewItem, node: ToolNode) -> None:
        widget = option.widget
        area = widget.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, widget)
        area.setLeft(area.left() + GAP // 2 + QFontMetrics(option.font).horizontalAdvance(option.text) + GAP)
        if isinstance(node.row, SourceRow):
            self._draw_source(painter, area, node.row, node)
            return
        if not isinstance(node.row, ToolRow):
            if node.children:
                _badge(painter, area, f"{node.count:,}", "muted")
            return
        if not node.row.enabled:
            area.setLeft(_badge(painter, area, "off", "muted") + GAP)
        if node.row.fault:
            _words(painter, area, f"✕ {node.row.brief_fault}", "error")
            return
        if node.row.target:
            area.setLeft(_words(painter, area, f"→ {node.row.target}", "muted") + GAP)
        if node.row.permission != "allow":
            _badge(painter, area, node.row.permission, "warning" if node.row.permission == "ask" else "error")

    def _draw_source(self, painter: QPainter, area: QRect, row: SourceRow, node: ToolNode) -> None:
        """Kind and number of tools, then the mark, then what there is to say."""
        badge = " · ".join(filter(None, (row.badge, f"{node.count:,}" if row.state == "ready" else "")))
        if badge:
            area.setLeft(_badge(painter, area, badge, "muted") + GAP)
        mark = SPINNING[self.phase % len(SPINNING)] if row.waits else row.mark
        area.setLeft(_words(painter, area, mark, row.tone) + GAP // 2)
        _words(painter, area, row.brief, row.tone if row.state in ("failed", "restarting") else "muted")

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        node: ToolNode = index.data(NODE_ROLE)
        if isinstance(node.row, ToolRow):
            option.font = theme().code_font()
            if not node.ticked or not node.row.is_callable:
                option.palette.setColor(option.palette.ColorRole.Text, theme().colour("muted"))
        else:
            option.font = theme().text_font(bold=node.kind == "source")
        if isinstance(node.row, ErrorRow):
            option.text = node.label if node.row.script else f"▲  {node.label}"
        option.fontMetrics = QFontMetrics(option.font)
        option.text = _fitting(option, node)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        full = QStyleOptionViewItem(option)
        self.initStyleOption(full, index)
        painter.save()
        painter.setClipRect(option.rect)
        self._finish(painter, full, index.data(NODE_ROLE))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        return QSize(theme().pixels(120), theme().pixels(ROW))


def _fitting(option: QStyleOptionViewItem, node: ToolNode) -> str:
    """The name, cut so that the permission, or the mark of a source, still has room."""
    if isinstance(node.row, SourceRow) and option.rect.width() > 0:
        taken = theme().pixels(MARK_ROOM) + 3 * GAP
        return option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, option.rect.width() - taken)
    badge = node.row.permission if isinstance(node.row, ToolRow) and node.row.permission != "allow" else ""
    if option.rect.width() <= 0 or not badge:
        return option.text
    taken = QFontMetrics(theme().text_font(small=True)).horizontalAdvance(badge) + theme().pixels(24) + 3 * GAP
    return option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, option.rect.width() - taken)


def _words(painter: QPainter, area: QRect, text: str, colour: str) -> int:
    """A text at the left of the area, cut where it ends; gives where it ends."""
    painter.setFont(theme().text_font())
    painter.setPen(theme().colour(colour))
    metrics = painter.fontMetrics()
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, area.width() - 4))
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), text)
    return area.left() + metrics.horizontalAdvance(text)


def _badge(painter: QPainter, area: QRect, text: str, colour: str) -> int:
    """A small rounded frame with a text, at the left of the area, if it has room there; gives where it ends."""
    painter.setFont(theme().text_font(small=True))
    metrics = painter.fontMetrics()
    height = metrics.height() + 4
    frame = QRectF(area.left(), area.center().y() - height / 2 + 0.5, metrics.horizontalAdvance(text) + 14, height)
    if frame.right() > area.right():
        return area.left()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(theme().colours.line))
    painter.setBrush(theme().colour("raised"))
    painter.drawRoundedRect(frame, height / 2, height / 2)
    painter.setPen(theme().colour(colour))
    painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), text)
    return int(frame.right())


TURN_MS = 150


class ToolSpinner(QObject):
    """Draws nothing but the lines that wait, and nothing at all while none does or nobody sees it."""

    def __init__(self, tree: QTreeView, model: ToolModel, delegate: ToolDelegate) -> None:
        super().__init__(tree)
        self._tree, self._model, self._delegate = tree, model, delegate
        self._timer = QTimer(self, interval=TURN_MS)
        self._timer.timeout.connect(self._turn)

    @property
    def turns(self) -> bool:
        return self._timer.isActive()

    def watch(self, waiting: bool) -> None:
        """Whether there is something that waits."""
        if waiting != self.turns:
            (self._timer.start if waiting else self._timer.stop)()

    def _turn(self) -> None:
        if not self._tree.isVisible():
            return
        self._delegate.phase += 1
        for node in self._model.root.shown:
            if isinstance(node.row, SourceRow) and node.row.waits:
                self._tree.update(self._model.index_of(node))
