"""What stands where nothing is yet: what to do next."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

# Said by the first paint's placeholders and by the panels that take their places.
CALLS = "Run a script to see its calls here"
INSPECTOR = "Select a call to see its values"
OUTPUT = "Output of the script appears here"
READING_TOOLS = "Reading the tools…"
FILTER_TOOLS = "Filter tools…"
TIMELINE = "Run a script to see when its calls ran"


class EmptyState(PlainLabel):
    """A quiet text in the middle of an empty panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("role", "muted")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(4 * SPACE)


class EmptyOverlay(PlainLabel):
    """A text in the middle of a view; whoever owns the view says when it shows, or gives it a model to watch."""

    def __init__(self, view: QAbstractScrollArea, text: str) -> None:
        super().__init__(text, view.viewport())
        self._view = view
        self._model: QAbstractItemModel | None = None
        self.setProperty("role", "muted")
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMargin(16)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)
        self._fill()

    def watch(self, model: QAbstractItemModel) -> None:
        """Shows the text whenever the model has no rows."""
        self._model = model
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._on_rows_changed()

    def _on_rows_changed(self) -> None:
        self.setVisible(self._model is not None and self._model.rowCount() == 0)

    def _fill(self) -> None:
        self.setGeometry(self._view.viewport().rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fill()
        return super().eventFilter(watched, event)
