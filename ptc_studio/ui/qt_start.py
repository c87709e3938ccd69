"""Makes Qt's application; where Qt would abort the program, somebody else has the last word."""

import os
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
    stderr = _HeldStderr()

    def on_message(kind: "QtMsgType", context: "QMessageLogContext", text: str) -> None:
        # Imported late: most starts have no message.
        from PySide6.QtCore import QtMsgType, qFormatLogMessage

        if kind == QtMsgType.QtFatalMsg:
            stderr.give_back()
            refused()
        told.append(qFormatLogMessage(kind, context, text))

    former = qInstallMessageHandler(on_message)
    # Not by `setStyle`, which makes Python's side of QStyle, a tenth of the time to the first paint.
    application = QApplication([*sys.argv[:1], "-style", "Fusion"])
    qInstallMessageHandler(former)
    said = stderr.give_back()
    if said or told:
        sys.stderr.write(said + "".join(f"{each}\n" for each in told))
    return application


class _HeldStderr:
    """Keeps what libraries write to stderr from being seen until it is known whether it matters.

    Those that Qt's plug-ins use write there themselves, past Qt's messages: that of Wayland of a variable that is not
    set, that of X of what it may not do. Where no display can be used, one line of ours says so.
    """

    def __init__(self) -> None:
        self._real = self._kept = -1
        try:
            # On Linux only, whose libraries they are.
            kept = os.memfd_create("stderr") if sys.platform == "linux" else -1
            if kept >= 0:
                self._real, self._kept = os.dup(2), kept
                os.dup2(kept, 2)
        except OSError:
            # Somebody closed it: there is nothing to keep.
            self._real = -1

    def give_back(self) -> str:
        """Has everything seen again from now on; gives what was written meanwhile."""
        if self._real < 0:
            return ""
        os.dup2(self._real, 2)
        os.close(self._real)
        self._real = -1
        with os.fdopen(self._kept, "rb") as kept:
            kept.seek(0)
            return kept.read().decode(errors="replace")
