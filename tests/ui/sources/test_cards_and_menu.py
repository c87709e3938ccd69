"""The ways to a source's form: the cards of the kinds, and the menu of a source."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.ui.sources.actions import open_add_source, open_edit_source
from ptc_studio.ui.sources.import_dialog import ImportDialog
from ptc_studio.ui.sources.source_dialog import SourceDialog

from .conftest import with_source


async def test_the_cards_are_searched_and_chosen_with_the_keyboard(studio: Any):
    studio.window.commands["addSourceAction"].trigger()
    [dialog] = studio.window.findChildren(SourceDialog)
    assert len(dialog.cards.kinds()) == 9
    QTest.keyClicks(dialog.cards.search, "nothing like it")
    assert dialog.cards.kinds() == []
    dialog.cards.search.clear()
    QTest.keyClicks(dialog.cards.search, "swagger")
    assert dialog.cards.kinds() == ["openapi"]
    QTest.keyClick(dialog.cards.search, Qt.Key.Key_Down)
    QTest.keyClick(dialog.cards.list, Qt.Key.Key_Return)
    assert dialog.form.kind == "openapi"
    forms_title = dialog.windowTitle()
    assert forms_title == "New source: OpenAPI document"
    dialog.back.click()
    assert dialog.windowTitle() == "New source"
    dialog.reject()


async def test_a_form_that_was_begun_is_kept_on_the_way_to_the_cards_and_back(forms: Any):
    dialog = forms.add("builtin", name="box")
    dialog.back.click()
    dialog.show_form("builtin")
    assert dialog.values() == {"kind": "builtin", "name": "box"}


async def test_the_menu_means_the_source_of_the_selected_line(studio: Any, forms: Any):
    await with_source(studio, forms, "builtin", name="box")
    window = studio.window
    await studio.until(lambda: any(leaf.label == "box.time" for leaf in window.panels.tools.model.root.leaves()))
    window.panels.tools.select("box.time")
    window.commands["editSourceAction"].trigger()
    [dialog] = window.findChildren(SourceDialog, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1:]
    assert dialog.windowTitle() == "box: Built-in tools"
    dialog.reject()
    window.commands["removeSourceAction"].trigger()
    await studio.until(lambda: "box.time" not in forms.names)
    assert "box" not in forms.file


async def test_a_source_is_reloaded_from_the_menu(studio: Any, forms: Any):
    (studio.workspace / "tools" / "fresh.py").write_text("def fresh() -> int:\n    return 1\n")
    studio.window.panels.tools.select("add")
    studio.window.commands["reloadSourceAction"].trigger()
    await studio.until(lambda: "fresh" in forms.names)


async def test_a_source_that_is_in_no_file_is_not_edited(studio: Any):
    seats = studio.window.workbench.studio.source_set.loaded_sources
    studio.window.workbench.studio.opened_file.file = type(studio.window.workbench.studio.file)()
    assert open_edit_source(studio.window.context, seats[0]) is None
    assert "is not in the workspace file" in studio.window.context.messages.message


async def test_the_cards_lead_to_the_import(studio: Any):
    dialog = open_add_source(studio.window.context)
    dialog.cards.import_asked.emit()
    assert studio.window.findChild(ImportDialog).isVisible()
