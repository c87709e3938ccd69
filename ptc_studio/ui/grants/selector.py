"""Chooses what the script may call: everything, a grant set of the workspace, or what is ticked."""

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.widgets.choice_selector import ChoiceRow, ChoiceSelector

EVERYTHING = "Everything"
AS_TICKED = "As ticked"
ALL = ChoiceRow("everything", EVERYTHING)


class GrantSelector(ChoiceSelector):
    """Kinds of its rows: `everything`, `set` (its name is the key) and `ticked`."""

    caption = "Grants"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ALL, parent)
        self.setObjectName("grantSelector")
        self.setAccessibleName("Grants: what the script may call")
        self.setToolTip("What the script may call")

    def expect(self, name: str) -> None:
        """Shows this name until the sets are known: what stands beside it is not to move then."""
        row = ChoiceRow("set", name, name)
        self.show_rows((ALL, row), row)
