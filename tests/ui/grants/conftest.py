"""What the tests of grants share: the real window over a workspace with grant sets."""

from typing import Any

import pytest
from PySide6.QtCore import Qt

SETS = """\
# What scripts may do.
grants:
  sums: [add, mul]  # no more than that
  people: ["people.*", team]
  idle: [nobody_has_this]
"""


class Grants:
    """Looks at the window's grants, and changes them, as a user would."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio

    @property
    def window(self) -> Any:
        return self.studio.window

    @property
    def file(self) -> str:
        return (self.studio.workspace / "studio.yaml").read_text()

    @property
    def selector(self) -> Any:
        return self.window.run_bar.grants

    @property
    def line(self) -> Any:
        return self.window.findChild(object, "grantLine")

    @property
    def ticked(self) -> set[str]:
        return {leaf.label for leaf in self.window.panels.tools.model.root.leaves() if leaf.ticked}

    @property
    def rows(self) -> dict[str, str]:
        """The titles of the selector's lines, and what they say beside."""
        return {row.title: row.note for row in self.selector.choices.rows if row.kind != "line"}

    def pick(self, title: str) -> None:
        """Chooses the line of the selector, as a click on it does."""
        place = [row.title for row in self.selector.choices.rows].index(title)
        self.selector.setCurrentIndex(place)
        self.selector.activated.emit(place)

    def tick(self, name: str, on: bool) -> None:
        """Ticks the tool in the panel."""
        tick(self.window.panels.tools.model, name, on)

    async def rewrite(self, text: str) -> None:
        """Somebody changes the file, and the window notices."""
        await self.studio.notice(lambda: (self.studio.workspace / "studio.yaml").write_text(text))

    async def script(self, text: str) -> Any:
        """Types a script, and gives its page when it has been looked through."""
        self.studio.type(text)
        page = self.window.editors.current()
        found = self.studio.signal(page.finder.found)
        page.finder.refresh()
        await found
        return page


def tick(model: Any, label: str, on: bool, kind: str = "") -> None:
    """Ticks a line of a tree as a click on its box does."""

    def all_within(node: Any) -> Any:
        yield node
        for child in node.children:
            yield from all_within(child)

    node = next(node for node in all_within(model.root) if node.label == label and (node.kind == kind or not kind))
    state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
    assert model.setData(model.index_of(node), state, Qt.ItemDataRole.CheckStateRole)


@pytest.fixture
async def grants(studio: Any) -> Grants:
    """The window, open over a workspace with sets."""
    path = studio.workspace / "studio.yaml"
    await studio.notice(lambda: path.write_text(path.read_text() + SETS))
    studio.window.context.messages.hide()
    made = Grants(studio)
    await studio.until(lambda: made.rows.get("sums", "").startswith("2 of"))
    return made
