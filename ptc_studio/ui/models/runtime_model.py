"""The runtimes to choose from, also those that cannot be used here and why."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.ui.widgets.plain_text import plain_tip

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
    """The name with the version, as `Python 3.11`."""
    short = ".".join((info.version or "").split(".")[:2])
    name, _, remark = info.name.partition(" (")
    named = f"{name} {short}".strip()
    # What the name says of isolation stands in the subtitle already.
    return named if not remark or remark.rstrip(")") == info.isolation else f"{named} ({remark}"


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
    return "\n".join(part for part in (f"{info.name} {info.version or ''}", info.isolation, info.executable) if part)
