"""Opens what other programs show: a web page in the browser, a folder in the desktop's own window."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from ptc_studio.processes.process_tree import unmarked


def open_outside(url: QUrl) -> bool:
    """Hands the address to the desktop; the program that opens it is the user's, and outlives the studio."""
    with unmarked():
        return QDesktopServices.openUrl(url)
