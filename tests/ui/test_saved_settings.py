"""What a window keeps beside others that keep theirs in the same file, and a file that makes no sense."""

import json
from typing import Any

from ptc_studio.storage.settings import Settings
from tests.ui.conftest import WindowStudio


def kept(studio: WindowStudio) -> dict[str, Any]:
    return json.loads((studio.data / "settings.json").read_text())


async def test_what_another_window_has_chosen_stays(studio: WindowStudio):
    other = Settings(studio.data / "settings.json")
    other.set("timeout", 99)
    other.set("theme", "light")
    other.set_entry("runtimes", "python", "monty")
    other.set_entry("grants", "/elsewhere", {"name": "few", "patterns": ["a"]})
    other.add_recent(studio.data)
    studio.window.commands["zoomInAction"].trigger()
    studio.window.run_bar.set_runtime("node")
    await studio.close()
    found = kept(studio)
    assert (found["timeout"], found["theme"], found["zoom"]) == (99, "light", 1.1)
    assert found["runtimes"] == {"python": "monty", "javascript": "node"}
    assert found["grants"]["/elsewhere"] == {"name": "few", "patterns": ["a"]}
    assert found["recent"] == [str(studio.data), str(studio.workspace)]
    assert found["geometry"]


async def test_a_file_that_makes_no_sense_is_told_and_the_window_works(studio: WindowStudio):
    await studio.close()
    (studio.data / "settings.json").write_text("{what")
    await studio.open()
    assert studio.window.context.messages.isVisible()
    assert "settings.json makes no sense" in studio.window.context.messages.message
    assert (studio.data / "settings.broken.json").read_text() == "{what"
    assert (await studio.run("print(1)"))["status"] == "ok"
    assert kept(studio)["recent"] == [str(studio.workspace)]


async def test_settings_of_the_wrong_kind_do_not_keep_the_window_from_opening(studio: WindowStudio):
    await studio.close()
    wrong = {key: [[]] for key in (*kept(studio), "theme", "zoom", "timeout", "grants", "breakpoints")}
    (studio.data / "settings.json").write_text(json.dumps(wrong))
    await studio.open()
    assert "'theme' must be system, light or dark" in studio.window.context.messages.message
    await studio.close()
    assert kept(studio)["recent"] == [str(studio.workspace)]
