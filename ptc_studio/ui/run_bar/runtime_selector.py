"""Chooses what the script runs in; what cannot be used here stands there with the reason."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QCursor, QFontMetrics, QGuiApplication, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from ptc_studio.ui.theme import icon, theme
from ptc_studio.ui.tokens import FIELD, ROW, SPACE
from ptc_studio.ui.widgets.choice_selector import BarSelector, draw_text
from ptc_studio.ui.widgets.labels import plain_tip

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo


Index = QModelIndex | QPersistentModelIndex
ID_ROLE = Qt.ItemDataRole.UserRole
INFO_ROLE = Qt.ItemDataRole.UserRole + 1
SOUGHT = "is being looked for…"
NO_ISOLATION = "no isolation"


class RuntimeModel(QAbstractListModel):
    """One row a runtime."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._infos: tuple[RuntimeInfo, ...] = ()

    @property
    def infos(self) -> "tuple[RuntimeInfo, ...]":
        return self._infos

    def set_infos(self, infos: "Sequence[RuntimeInfo]") -> None:
        """The same runtimes with more known of them are changed in place: a list that is open stays as it is."""
        new = tuple(infos)
        if [info.id for info in new] == [info.id for info in self._infos]:
            old, self._infos = self._infos, new
            for row, (before, now) in enumerate(zip(old, new, strict=True)):
                if before != now:
                    self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self._infos = new
        self.endResetModel()

    def can_be_chosen(self, row: int) -> bool:
        """Whether it can be used, or may still be found to."""
        return self._infos[row].available or self._infos[row].sought

    def row_of(self, runtime_id: str) -> int:
        """Where the runtime stands; -1: nowhere."""
        return next((row for row, info in enumerate(self._infos) if info.id == runtime_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._infos)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        info = self._infos[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title(info)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(tooltip(info))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title(info)}, {subtitle(info)}"
            case _ if role == ID_ROLE:
                return info.id
            case _:
                return info if role == INFO_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not self.can_be_chosen(index.row()):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


def title(info: "RuntimeInfo") -> str:
    """The name with the version, as `Python 3.11`; without it where that is not the language's own."""
    short = ".".join((info.version or "").split(".")[:2]) if info.language == "python" or _is_its_own(info) else ""
    name, _, remark = info.name.partition(" (")
    named = f"{name} {short}".strip()
    # What the name says of isolation stands in the subtitle already.
    return named if not remark or remark.rstrip(")") == info.isolation else f"{named} ({remark}"


def _is_its_own(info: "RuntimeInfo") -> bool:
    """Whether the program that runs it is named like it: what is not runs TypeScript, and has a version of its own."""
    return bool(info.executable) and Path(info.executable or "").stem.lower().startswith(info.id)


def plain_name(info: "RuntimeInfo") -> str:
    """The name without its remark, as `Python in process`."""
    return info.name.partition(" (")[0]


def subtitle(info: "RuntimeInfo") -> str:
    """How it is kept apart, or why it cannot be used."""
    if info.sought:
        return SOUGHT
    if not info.available:
        return info.reason or "not available here"
    return f"▲ {info.isolation}" if is_open(info) else info.isolation


def is_open(info: "RuntimeInfo") -> bool:
    """Whether nothing keeps its scripts apart from the studio."""
    return info.available and info.isolation == NO_ISOLATION


def tooltip(info: "RuntimeInfo") -> str:
    if info.sought:
        return f"{info.name} {SOUGHT}"
    if not info.available:
        copying = "\nClick to copy the command that installs it." if info.remedy else ""
        return f"{info.name} cannot be used here: {subtitle(info)}{copying}"
    by = f", by {Path(info.executable).stem}" if info.executable and not _is_its_own(info) else ""
    known = (f"{info.name}{by} {info.version or ''}", info.isolation, info.executable)
    held = ("What this does not hold:", *info.gaps) if info.gaps else ()
    return "\n".join(part for part in (*known, *held) if part)


WIDTH = 240
"""Enough for the names of all runtimes, and for the remark of most."""
POPUP_WIDTH = 380
NARROWEST_NAME = 32
DOT = 8
ICON = 14
_CLICKS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.MouseButtonDblClick)
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class RuntimeSelector(BarSelector):
    """A combo box over a `RuntimeModel`; `currentData()` is the runtime's id."""

    popup_width = POPUP_WIDTH

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runtimeSelector")
        self.setAccessibleName("Runtime")
        self._expected = ("", "")
        self.runtimes = RuntimeModel(self)
        self.setModel(self.runtimes)
        self.setItemDelegate(_RuntimeDelegate(self))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.currentIndexChanged.connect(self.show_chosen)
        self.runtimes.dataChanged.connect(lambda *_: self.show_chosen())

    def expect(self, name: str, about: str) -> None:
        """Shows these words until the runtimes are known: what stands beside them is not to move then."""
        self._expected = name, about
        self.updateGeometry()

    @property
    def words(self) -> tuple[str, str]:
        """The name and the remark that it shows."""
        info = self._info()
        if info is None or (info.sought and self._expected[0].startswith(plain_name(info))):
            return self._expected
        return title(info), subtitle(info)

    def _info(self) -> "RuntimeInfo | None":
        return self.currentData(INFO_ROLE)

    def show_chosen(self) -> None:
        """Takes in what is known of the chosen one by now."""
        info = self._info()
        self.setToolTip(plain_tip(f"Runs the script in {title(info)}, {subtitle(info)}" if info else ""))
        self.updateGeometry()
        self.update()

    def _widths(self) -> tuple[int, int]:
        name, about = self.words
        bold = QFontMetrics(theme().text_font(bold=True)).horizontalAdvance(name)
        return bold, QFontMetrics(theme().text_font()).horizontalAdvance(about)

    @property
    def name_width(self) -> int:
        return self._widths()[0] + theme().pixels(DOT + 12 * SPACE)

    @property
    def spare_width(self) -> int:
        return max(0, self._widths()[0] - theme().pixels(NARROWEST_NAME))

    def copy_remedy(self, row: int) -> bool:
        """Puts the command that installs the runtime on the clipboard, where it is missing and one is known."""
        info = self.runtimes.infos[row]
        if info.available or not info.remedy:
            return False
        QGuiApplication.clipboard().setText(info.remedy)
        QToolTip.showText(QCursor.pos(), plain_tip(f"Copied: {info.remedy}"), self.view())
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on what cannot be chosen copies what would mend that; the list stays open."""
        if event.type() in _CLICKS and isinstance(event, QMouseEvent) and watched is self.view().viewport():
            index = self.view().indexAt(event.position().toPoint())
            if index.isValid() and not self.runtimes.can_be_chosen(index.row()):
                if event.type() == QEvent.Type.MouseButtonRelease:
                    self.copy_remedy(index.row())
                return True
        return super().eventFilter(watched, event)

    def showPopup(self) -> None:
        # Here, not at the start: Qt makes the list when it is first asked for. Twice is as good as once.
        self.view().viewport().installEventFilter(self)
        super().showPopup()

    def sizeHint(self) -> QSize:
        # The same for every runtime: what stands beside it, Run above all, keeps its place.
        return QSize(max(theme().pixels(WIDTH), self.name_width), theme().pixels(FIELD))

    def words_area(self) -> QRect:
        """Between the frame and the arrow: the mark, the name and the remark."""
        return self.rect().adjusted(theme().pixels(3 * SPACE), 0, -theme().pixels(5 * SPACE), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        info, (name, about) = self._info(), self.words
        if not name:
            return
        area = self.words_area()
        area.setLeft(_dot(painter, area, "ok" if info is None else _dot_tone(info)) + theme().pixels(2 * SPACE))
        area.setLeft(draw_text(painter, area, name, theme().text_font(bold=True), self._enabled_tone("text")))
        area.setLeft(area.left() + theme().pixels(2 * SPACE))
        draw_text(painter, area, about, theme().text_font(), self._enabled_tone(_about_tone(info) if info else "muted"))

    def _enabled_tone(self, tone: str) -> str:
        return tone if self.isEnabled() else "muted"


class _RuntimeDelegate(QStyledItemDelegate):
    """Two lines: mark and name, then isolation or the reason, as long as it is."""

    def _about(self, info: "RuntimeInfo", width: int) -> QRect:
        metrics = QFontMetrics(theme().text_font(small=True))
        return metrics.boundingRect(QRect(0, 0, max(width, 1), 1000), _WRAPPED, subtitle(info))

    def _inset(self) -> int:
        return theme().pixels(DOT + 4 * SPACE)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        # Imported late: Qt takes its time to prepare it, and the list is not open at the first paint.
        from PySide6.QtWidgets import QStyle

        info: RuntimeInfo = index.data(INFO_ROLE)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected and (info.available or info.sought):
            painter.fillRect(option.rect, theme().colour("selection"))
        line = QRect(option.rect)
        line.setHeight(theme().pixels(ROW))
        mark = QRect(line.adjusted(theme().pixels(SPACE * 2), 0, 0, 0))
        _mark(painter, mark, info)
        line.setLeft(line.left() + self._inset())
        line.setRight(line.right() - theme().pixels(3 * SPACE))
        if info.remedy:
            line.setRight(line.right() - self._draw_copy(painter, line))
        draw_text(painter, line, title(info), theme().text_font(bold=info.available), _tone(info))
        below = option.rect.adjusted(self._inset(), theme().pixels(ROW - SPACE // 2), -theme().pixels(8), 0)
        painter.setFont(theme().text_font(small=True))
        painter.setPen(theme().colour(_about_tone(info)))
        painter.drawText(below, _WRAPPED, subtitle(info))
        painter.restore()

    def _draw_copy(self, painter: QPainter, line: QRect) -> int:
        """The sign that a click copies the command; gives how wide it is."""
        size = theme().pixels(ICON)
        location = QRect(line.right() - size, line.center().y() - size // 2, size, size)
        icon("copy", "muted").paint(painter, location)
        return size + theme().pixels(SPACE)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        width = theme().pixels(POPUP_WIDTH)
        about = self._about(index.data(INFO_ROLE), width - self._inset() - theme().pixels(6 * SPACE))
        return QSize(width, theme().pixels(ROW) + about.height() + theme().pixels(2 * SPACE))


def _tone(info: "RuntimeInfo") -> str:
    return "text" if info.available else "muted"


def _dot_tone(info: "RuntimeInfo") -> str:
    return "muted" if info.sought else "ok" if info.available else "error"


def _about_tone(info: "RuntimeInfo") -> str:
    return "warning" if is_open(info) else "muted"


def _dot(painter: QPainter, area: QRect, colour: str) -> int:
    size = theme().pixels(DOT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().colour(colour))
    painter.drawEllipse(QRectF(area.left(), area.center().y() + 0.5 - size / 2, size, size))
    return area.left() + size


def _mark(painter: QPainter, area: QRect, info: "RuntimeInfo") -> None:
    mark, colour = ("✓", "ok") if info.available else ("◌", "muted") if info.sought else ("✕", "error")
    painter.setFont(theme().text_font(bold=True))
    painter.setPen(theme().colour(colour))
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), mark)
