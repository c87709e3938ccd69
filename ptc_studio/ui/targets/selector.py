"""Chooses where the script is going: nowhere in particular, a target, or whichever its text tells of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.widgets.choice_selector import ChoiceRow, ChoiceSelector
from ptc_studio.ui.widgets.labels import plain_tip

if TYPE_CHECKING:
    from ptc_studio.targets import DeploymentTarget

PLAIN, AUTO = "plain", "auto"
CONTAINER = "window"
"""Whose containers those are that the runs of a window go on in, one for each target."""
SETTING = "target"
"""Under which the target of a workspace is kept."""
MOST_SHOWN = 30
NAMES = {PLAIN: "the studio as it is", AUTO: "told from the text"}


class TargetSelector(ChoiceSelector):
    """A combo box with a row a target; `currentData()` is its id.

    Signals: row_chosen(row): the row's key is the target's id, or `auto`.
    """

    caption, popup_width = "Target", 400

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(target_row(PLAIN, NAMES[PLAIN]), parent)
        self.setObjectName("targetSelector")
        self.setAccessibleName("Target: where the script is going")
        # All of them, where the screen has room: nothing in a list that is cut says that there are more.
        self.setMaxVisibleItems(MOST_SHOWN)
        self.expect(PLAIN)

    @property
    def target_id(self) -> str:
        """What is chosen, `auto` among it."""
        return self.chosen.key

    def expect(self, name: str) -> None:
        """Offers the usual two and this one, until the targets are known."""
        names = dict.fromkeys((PLAIN, AUTO, name))
        self.show_targets([target_row(each, NAMES.get(each, "")) for each in names], name)

    def show_targets(self, rows: Sequence[ChoiceRow], chosen: str, told: str = "", reason: str = "") -> None:
        """Offers these; where the text tells the target, `told` is which, for that reason."""
        row = next((row for row in rows if row.key == chosen), rows[0])
        title = f"{row.title}: {told}" if told and chosen == AUTO else row.title
        self.show_rows(rows, ChoiceRow(row.kind, title, row.key, row.note, row.faulty))
        told_tip = f"{told}: {reason}" if told and reason else reason
        self.setToolTip(plain_tip("\n".join(filter(None, (f"Where the script is going: {row.note}", told_tip)))))


def target_row(target_id: str, name: str, missing: str = "") -> ChoiceRow:
    """The row of a target; `missing` is why it cannot run here."""
    return ChoiceRow("target", target_id, target_id, missing or name, faulty=bool(missing))


def target_rows(targets: "Sequence[DeploymentTarget]", missing: "dict[str, str]") -> list[ChoiceRow]:
    """`plain` and `auto` first, then the others; `missing` has the runtimes that are not there, with the reason."""
    others = [target for target in targets if target.id != PLAIN]
    return [
        *(target_row(name, about) for name, about in NAMES.items()),
        ChoiceRow("line"),
        *(target_row(target.id, target.name, missing.get(target.runtime, "")) for target in others),
    ]
