"""Finding, importing and importing again."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.functions.modules import importing
from ptc_studio.sources.source import SourceFailed
from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry

ONE = """
    from toolregistry import ToolRegistry
    registry = ToolRegistry()

    @registry.register
    def one() -> int:
        return 1
"""


def test_a_change_is_read_anew(workspace: Any) -> None:
    workspace.write("tools.py", ONE)
    workspace.open()
    first = workspace.tools["reg.one"]
    assert workspace.tools["reg.one"] is first
    workspace.write("tools.py", ONE.replace("return 1", "return 22"))
    assert workspace.call("reg.one") == 22


def test_a_change_of_what_it_imports_counts(workspace: Any) -> None:
    workspace.write("agents/parts.py", "VALUE = 1\n")
    workspace.write(
        "agents/tools.py",
        ONE.replace("return 1", "return parts.VALUE").replace("from tool", "import parts\n    from tool", 1),
    )
    workspace.open("agents/tools.py")
    assert workspace.call("reg.one") == 1
    workspace.write("agents/parts.py", "VALUE = 22\n")
    assert workspace.call("reg.one") == 22


def test_a_dotted_module_of_the_workspace(workspace: Any) -> None:
    workspace.write("agents/parts.py", "VALUE = 5\n")
    workspace.write("agents/__init__.py", "")
    workspace.write(
        "agents/tools.py",
        ONE.replace("return 1", "return VALUE").replace("from tool", "from .parts import VALUE\n    from tool", 1),
    )
    workspace.open("agents.tools")
    assert workspace.call("reg.one") == 5
    assert not any(name == "agents" or name.startswith("agents.") for name in sys.modules)


def test_an_installed_module(workspace: Any, tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any) -> None:
    site = tmp_path_factory.mktemp("site")
    monkeypatch.syspath_prepend(str(site))
    (site / "installed_reg.py").write_text(
        "from toolregistry import ToolRegistry\nr = ToolRegistry()\nr.register(lambda: 1, name='one')\n"
    )
    workspace.open("installed_reg")
    assert workspace.call("reg.one") == 1
    (site / "installed_reg.py").write_text(
        "from toolregistry import ToolRegistry\nr = ToolRegistry()\nr.register(lambda: 1, name='another')\n"
    )
    assert list(workspace.tools) == ["reg.another"]
    sys.modules.pop("installed_reg")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("import os\n1/0\n", 2, "ZeroDivisionError: division by zero"),
        ("def f(:\n", 1, "SyntaxError"),
        ("import nowhere_to_be_found\n", 1, "No module named 'nowhere_to_be_found'"),
        ("raise SystemExit(3)\n", 1, "SystemExit: 3"),
    ],
)
def test_a_module_that_fails_says_where(workspace: Any, text: str, line: int, words: str) -> None:
    workspace.write("tools.py", text)
    workspace.open()
    [(file, at, message)] = workspace.errors
    assert (file, at) == ("tools.py", line)
    assert words in message
    assert workspace.source.status.state == "failed"
    workspace.write("tools.py", ONE)
    assert list(workspace.tools) == ["reg.one"]
    assert workspace.source.status.state == "ready"


def test_a_failure_is_not_tried_again_until_something_changes(workspace: Any) -> None:
    workspace.write(
        "tools.py",
        "import pathlib\nwith pathlib.Path(__file__).with_name('count').open('a') as f: f.write('x')\nimport parts\n",
    )
    workspace.open()
    assert workspace.errors == workspace.errors
    assert (workspace.folder / "count").read_text() == "x"
    workspace.write("parts.py", "")
    with pytest.raises(SourceFailed, match="has no ToolRegistry"):
        workspace.source.refresh()


def test_the_library_that_is_missing_is_named(workspace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "toolregistry"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Absent(), *sys.meta_path])
    workspace.write("tools.py", ONE)
    workspace.open()
    assert workspace.errors[0][2].endswith("install it into the studio's environment with pip install toolregistry.")


class _Absent:
    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] == "toolregistry":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.mark.parametrize(
    ("text", "fields", "words"),
    [
        ("x = 1\n", {}, "The module 'tools.py' has no ToolRegistry: make one at its top level"),
        (
            "from toolregistry import ToolRegistry\na, b = ToolRegistry(), ToolRegistry()\n",
            {},
            "say which with `object`: a, b.",
        ),
        ("x = 1\n", {"object": "y"}, "The module 'tools.py' has no 'y': correct `object`."),
        ("x = 1\n", {"object": "x"}, "has 'x' of type 'int', no ToolRegistry"),
    ],
)
def test_a_registry_that_is_not_there_is_explained(workspace: Any, text: str, fields: Any, words: str) -> None:
    workspace.write("tools.py", text)
    workspace.open(**fields)
    with pytest.raises(SourceFailed) as caught:
        workspace.source.refresh()
    assert words in str(caught.value)
    assert workspace.source.status.detail == str(caught.value)


def test_one_of_several_is_named(workspace: Any) -> None:
    workspace.write(
        "tools.py",
        """
        from toolregistry import ToolRegistry
        class Box: pass
        a, box = ToolRegistry(), Box()
        box.inner = ToolRegistry()
        also = a
        box.inner.register(lambda: 1, name="one")
        """,
    )
    workspace.open(object="box.inner")
    assert list(workspace.tools) == ["reg.one"]


@pytest.mark.parametrize(
    ("module", "words"),
    [("no.py", "is no Python file there"), ("no.such", "There is no module 'no.such'"), ("a/b-c.py", "rename it")],
)
def test_a_module_that_is_not_there_is_named(workspace: Any, module: str, words: str) -> None:
    workspace.write("a/b-c.py", "")
    workspace.open(module)
    with pytest.raises(SourceFailed, match=words):
        workspace.source.refresh()


def test_an_import_that_hangs_is_given_up_and_holds_nobody_up(workspace: Any) -> None:
    workspace.write("tools.py", "import time\nwhile True: time.sleep(0.01)\n")
    workspace.open(start_timeout=0.3)
    started = time.monotonic()
    with pytest.raises(SourceFailed, match=r"was not imported within 0.3 s: move what takes long"):
        workspace.source.refresh()
    assert time.monotonic() - started < 30
    # Whoever reads a folder of functions next gets the lock.
    assert importing.acquire(timeout=10)
    importing.release()


def test_prints_of_the_import_stay_off_stdout(workspace: Any, capfd: pytest.CaptureFixture[str]) -> None:
    workspace.write("tools.py", "print('hello')\n" + ONE.replace("\n    ", "\n"))
    workspace.open()
    assert list(workspace.tools) == ["reg.one"]
    told = capfd.readouterr()
    assert told.out == ""
    assert "hello" in told.err


def test_two_tools_of_one_name_are_told(workspace: Any) -> None:
    workspace.write(
        "tools.py",
        """
        from toolregistry import Tool, ToolRegistry
        registry = ToolRegistry()
        registry.register(lambda: 1, name="mul", namespace="calc")
        registry._tools["calc.mul"] = Tool(name="calc.mul", description="", parameters={}, callable=lambda: 2)
        """,
    )
    workspace.open()
    assert list(workspace.tools) == ["reg.calc.mul"]
    assert workspace.errors[0][2] == "There are two tools that would be 'calc.mul': 'calc.mul' is left out."


def test_a_reload_reads_again(workspace: Any) -> None:
    workspace.write("tools.py", ONE)
    workspace.open()
    first = workspace.tools["reg.one"]
    workspace.source.reload()
    assert workspace.tools["reg.one"] is not first


def test_a_closed_source_leaves_no_module(workspace: Any) -> None:
    workspace.write("tools.py", ONE)
    workspace.open()
    root = workspace.tools["reg.one"].original.fn.__module__.partition(".")[0]
    assert root in sys.modules
    workspace.source.close()
    assert not any(name.partition(".")[0] == root for name in sys.modules)


def test_every_field_has_a_title_and_a_description_for_the_form() -> None:
    for name, field in ToolRegistryEntry.model_fields.items():
        assert name == "kind" or (field.title and field.description), name


def test_the_entry_is_light() -> None:
    text = Path(sys.modules[ToolRegistryEntry.__module__].__file__ or "").read_text()
    assert "import toolregistry" not in text
