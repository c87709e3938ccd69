"""The completion list as rows."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.ui.language.suggestions import Suggestion

Index = QModelIndex | QPersistentModelIndex
SUGGESTION = Qt.ItemDataRole.UserRole


class SuggestionModel(QAbstractListModel):
    """Rows of suggestions; all are replaced at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Suggestion] = []

    def set_rows(self, rows: Sequence[Suggestion]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == SUGGESTION:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        return f"{row.text} {row.detail}" if role == Qt.ItemDataRole.AccessibleTextRole else None
