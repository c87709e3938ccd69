"""Another permission in the file does not cost a source its life."""

from pathlib import Path

from ptc_studio.app import Setup, Studio

TOOLS = "import itertools\n_numbers = itertools.count(1)\ndef number() -> int:\n    return next(_numbers)\n"
FILE = "version: 1\nsources:\n  - kind: functions\n    path: tools\n"


async def test_a_source_without_a_name_is_named_by_its_kind_and_lives_on_under_other_permissions(tmp_path: Path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "shop.py").write_text(TOOLS)
    file = tmp_path / "studio.yaml"
    file.write_text(FILE)
    studio = Studio(Setup(workspace=tmp_path))
    try:
        await studio.load()
        seat = studio.source_set.loaded_sources[0]
        assert (await studio.call(studio.session(), "number", {}))["result"] == 1
        file.write_text(FILE + "    permission: deny\n")
        await studio.reread()
        denied = await studio.call(studio.session(), "number", {})
        assert denied["error"]["message"] == "Tool 'number' is denied by source 'functions'."
        file.write_text(FILE + "    permission: deny\n    permissions: {shop.number: allow}\n")
        await studio.reread()
        # The module was not loaded anew: it goes on counting.
        assert (await studio.call(studio.session(), "number", {}))["result"] == 2
        assert studio.source_set.loaded_sources[0] is seat
    finally:
        await studio.close()
