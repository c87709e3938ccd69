"""What a drag of tools carries."""

from PySide6.QtCore import QMimeData

TOOLS_FORMAT = "application/x-ptc-studio-tools"
"""The names of the tools, one a line, beside the text of calls; of an alias, that of its tool."""


def dragged_tools(data: QMimeData) -> list[str]:
    """The names of the tools that are dragged; none if it is something else."""
    return bytes(data.data(TOOLS_FORMAT).data()).decode().split("\n") if data.hasFormat(TOOLS_FORMAT) else []
