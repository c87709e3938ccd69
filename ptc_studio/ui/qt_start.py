"""Makes Qt's application; where Qt would abort the program, somebody else has the last word."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

Refused = Callable[[], NoReturn]


def make_application(refused: Refused) -> QApplication:
    """The application; calls `refused`, which ends the program, if Qt finds no display that it can use.

    Qt tells of that by a message and aborts, no exception comes out of it. To ask the display beforehand would take
    longer, and would not tell whether Qt has all that it needs.
    """
    told: list[str] = []

    def on_message(kind: "QtMsgType", context: "QMessageLogContext", text: str) -> None:
        # Imported late: most starts have no message.
        from PySide6.QtCore import QtMsgType, qFormatLogMessage

        if kind == QtMsgType.QtFatalMsg:
            refused()
        told.append(qFormatLogMessage(kind, context, text))

    former = qInstallMessageHandler(on_message)
    # Not by `setStyle`, which makes Python's side of QStyle, a tenth of the time to the first paint.
    application = QApplication([*sys.argv[:1], "-style", "Fusion"])
    qInstallMessageHandler(former)
    sys.stderr.writelines(f"{each}\n" for each in told)
    return application
