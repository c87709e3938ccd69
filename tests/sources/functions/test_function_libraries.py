"""Modules that were written for a repository of their own, or for another library of tools."""

import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.errors import UnfitValues
from ptc_studio.sources.functions.catalog import FunctionCatalog
from ptc_studio.sources.functions.schema import parameter_descriptions
from tests.sources.fake_ticket import FakeTicket

Load = Callable[..., FunctionCatalog]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Makes a catalog of files, given by name and text; the folder of tools is `tools`, or the one that is named."""
    made: list[FunctionCatalog] = []

    def make(files: dict[str, str], folder: str = "tools") -> FunctionCatalog:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(textwrap.dedent(text))
        directories = (tmp_path / "work", tmp_path)
        made.append(FunctionCatalog(tmp_path / folder, directories=lambda _run: directories))
        made[-1].load()
        return made[-1]

    yield make
    for catalog in made:
        catalog.close()


def call(catalog: FunctionCatalog, name: str, **arguments: Any) -> Any:
    tool = next(tool for tool in catalog.refresh().tools if tool.spec.name == name)
    return tool.invoke(tool.bind(arguments), FakeTicket())


def test_a_module_finds_its_own_repository(load: Load) -> None:
    catalog = load(
        {
            "pyproject.toml": "",
            "entity/__init__.py": "",
            "entity/messages.py": "from entity.kinds import KIND\ndef hello(): return KIND",
            "entity/kinds.py": "KIND = 'block'\nprint('a library may do what it likes when it is imported')",
            "functions/calling/say.py": "from entity.messages import hello\ndef say() -> str:\n    return hello()",
            "functions/calling/json.py": "VALUE = 1",
            "functions/calling/other.py": "import json\ndef dumped() -> str:\n    return json.dumps([1])",
        },
        "functions/calling",
    )
    assert catalog.refresh().errors == ()
    assert call(catalog, "say") == "block"
    assert call(catalog, "dumped") == "[1]", "what Python has goes before"
    assert "entity" not in sys.modules, "no other repository gets to see it"


def test_two_repositories_do_not_see_each_other(load: Load) -> None:
    files = {}
    for name in ("a", "b"):
        files |= {
            f"{name}/setup.py": "",
            f"{name}/shared.py": f"NAME = '{name}'",
            f"{name}/tools/{name}_tool.py": f"from shared import NAME\ndef ask_{name}() -> str:\n    return NAME",
        }
    first, second = load(files, "a/tools"), load({}, "b/tools")
    assert (call(first, "ask_a"), call(second, "ask_b")) == ("a", "b")


CHATDEV = {
    ".git/HEAD": "",
    "entity/messages.py": """
        from dataclasses import dataclass
        from enum import Enum

        class Kind(str, Enum):
            TEXT = "text"
            FILE = "file"

            @classmethod
            def of(cls, mime):
                return cls.TEXT if mime.startswith("text/") else cls.FILE

        @dataclass
        class Reference:
            attachment_id: str
            name: str
            local_path: str | None = None

        @dataclass
        class Block:
            type: Kind
            attachment: Reference | None = None
        """,
    "utils/__init__.py": "",
    "utils/attachments.py": """
        from entity.messages import Block, Reference

        class Record:
            def __init__(self, ref, kind, extra):
                self.ref, self.kind, self.extra = ref, kind, extra

            def as_message_block(self):
                return Block(self.kind, self.ref)

        class AttachmentStore:
            def __init__(self, root, *, inline_limit=1):
                self.root, self._records = root, {}
                root.mkdir(parents=True, exist_ok=True)

            def get(self, key):
                return self._records.get(key)

            def register_file(self, path, *, kind, display_name, mime_type, copy_file, persist, deduplicate, extra):
                ref = Reference(f"a{len(self._records)}", display_name, str(path))
                self._records[ref.attachment_id] = Record(ref, kind, extra)
                return self._records[ref.attachment_id]
        """,
    "functions/function_calling/utils.py": "def helper(): return 1",
    "functions/function_calling/file.py": """
        import mimetypes
        from pathlib import Path
        from typing import Annotated, Any, Dict, List, Literal

        from entity.messages import Block, Kind
        from utils.attachments import AttachmentStore
        from utils.function_catalog import ParamMeta

        class FileContext:
            def __init__(self, context: Dict[str, Any] | None):
                self.store = context.get("attachment_store")
                if not isinstance(self.store, AttachmentStore):
                    raise ValueError("attachment_store missing from _context")
                self.workspace = Path(context.get("python_workspace_root")).resolve()
                self.session = Path(context.get("graph_directory") or self.workspace.parent).resolve()

            def within(self, path):
                target = (self.workspace / path).resolve()
                if self.workspace not in target.parents:
                    raise ValueError("Path is outside workspace")
                return target

        def save_file(
            path: str,
            content: str,
            *,
            mode: Annotated[Literal["overwrite", "append"], ParamMeta(description="How")] = "overwrite",
            _context: Dict[str, Any] | None = None,
        ) -> Dict[str, Any]:
            target = FileContext(_context).within(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("w" if mode == "overwrite" else "a") as file:
                file.write(content)
            return {"path": Path(path), "size": target.stat().st_size}

        def load_file(path_or_id: str, *, _context: Dict[str, Any] | None = None) -> List[Block]:
            context = FileContext(_context)
            record = context.store.get(path_or_id)
            if record is None:
                file = context.within(path_or_id)
                mime = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
                record = context.store.register_file(
                    file,
                    kind=Kind.of(mime),
                    display_name=file.name,
                    mime_type=mime,
                    copy_file=False,
                    persist=False,
                    deduplicate=True,
                    extra={"source": "workspace"},
                )
            return [record.as_message_block()]
        """,
    "functions/function_calling/research.py": """
        import json
        from typing import Annotated, Any, Dict, List

        from functions.function_calling.file import FileContext
        from utils.function_catalog import ParamMeta

        def keep_result(
            url: Annotated[str, ParamMeta(description="The key")],
            abs: Annotated[str, ParamMeta(description="In short")],
            keys: List[str],
            _context: Dict[str, Any] | None = None,
        ) -> str:
            file = FileContext(_context).within("research/results.json")
            file.parent.mkdir(parents=True, exist_ok=True)
            known = json.loads(file.read_text()) if file.exists() else {}
            file.write_text(json.dumps({**known, url: {"abs": abs, "keys": keys}}))
            return f"Saved result for {url}"

        def attached(key: str, _context: Dict[str, Any] | None = None) -> str:
            return FileContext(_context).store.get(key).ref.name
        """,
}
"""As its catalogue of functions is laid out and what its tools of files and of research ask of their context: helpers
in packages beside it, one module of tools using another's, a store of its own class with arguments of its own."""


def test_tools_of_chatdev_get_a_store_that_they_accept_one_for_the_run(load: Load, tmp_path: Path) -> None:
    catalog = load(CHATDEV, "functions/function_calling")
    assert [error.message for error in catalog.refresh().errors] == []
    assert call(catalog, "save_file", path="notes/a.txt", content="one ") == {"path": Path("notes/a.txt"), "size": 4}
    assert call(catalog, "save_file", path="notes/a.txt", content="two", mode="append")["size"] == 7
    (block,) = call(catalog, "load_file", path_or_id="notes/a.txt")
    assert (block.type, block.attachment.name) == ("text", "a.txt")
    # By its id, which only the store of this run knows; and from a module that names the store's class nowhere.
    assert call(catalog, "load_file", path_or_id="a0") == [block]
    assert call(catalog, "attached", key="a0") == "a.txt"
    for url in ("https://x.example", "https://y.example"):
        assert call(catalog, "keep_result", url=url, abs="short", keys=["k"]) == f"Saved result for {url}"
    assert json.loads((tmp_path / "work/research/results.json").read_text())["https://y.example"]["keys"] == ["k"]
    with pytest.raises(ValueError, match="outside workspace"):
        call(catalog, "save_file", path="../../x", content="")
    with pytest.raises(UnfitValues, match="mode"):
        call(catalog, "save_file", path="x", content="", mode="replace")


LANGCHAIN = """
    class BaseTool:
        description = "Adds numbers.\\n\\nSlowly."
        @property
        def tool_call_schema(self):
            return {"title": "add", "type": "object", "required": ["a"],
                    "properties": {"a": {"type": "integer"}, "b": {"type": "integer", "default": 2}}}
        def invoke(self, arguments):
            return arguments["a"] + arguments.get("b", 2)
    def tool(function):
        return BaseTool()
    """
SMOLAGENTS = """
    class Tool:
        description = "Says."
        inputs = {"text": {"type": "string", "description": "What."}, "much": {"type": "any", "nullable": True}}
        def __call__(self, text, much=None):
            return f"{text} {much}"
    """


def test_tool_objects_of_other_libraries_are_tools(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("langchain_core", LANGCHAIN), ("smolagents", SMOLAGENTS)):
        (tmp_path / "site" / name).mkdir(parents=True)
        (tmp_path / "site" / name / "__init__.py").write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path / "site")
    catalog = load(
        {
            "tools/own.py": """
                import functools
                from langchain_core import BaseTool, tool
                from smolagents import Tool

                @tool
                def add(a: int, b: int = 2) -> int:
                    return a + b

                say = Tool()
                counter = Tool()
                counter.name = "count_words"
                half = functools.partial(int, base=2)
                """,
            "tools/importing.py": "from own import add, say",
        }
    )
    found = catalog.refresh()
    assert [(tool.spec.name, tool.spec.description) for tool in found.tools] == [
        ("add", "Adds numbers."),
        ("say", "Says."),
        ("count_words", "Says."),
    ]
    assert (call(catalog, "add", a=1), call(catalog, "say", text="x")) == (3, "x None")
    with pytest.raises(UnfitValues, match="'a': 'x' is not of type 'integer'"):
        call(catalog, "add", a="x")
    (error,) = found.errors
    assert error.message.startswith("The function 'half' is no tool: it is a functools.partial, which has no name")
    assert error.line == 13
    for name in ("langchain_core", "smolagents"):
        sys.modules.pop(name, None)


GOOGLE = """Does.

    Args:
        path (str): Where it is,
            relative to here.
        *more: The rest.

    Returns:
        text: No parameter."""
SPHINX = """Does.

    :param str path: Where it is,
        relative to here.
    :param more: The rest.
    :returns: nothing"""
NUMPY = """Does.

    Parameters
    ----------
    path : str, optional
        Where it is,
        relative to here.
    more, others
        The rest.

    Returns
    -------
    text : str
        No parameter."""


@pytest.mark.parametrize("doc", [GOOGLE, SPHINX, NUMPY])
def test_descriptions_of_parameters_are_read(doc: str) -> None:
    found = parameter_descriptions(textwrap.dedent(f"    {doc}"))
    found.pop("others", None)
    assert found == {"path": "Where it is, relative to here.", "more": "The rest."}


def test_descriptions_reach_the_schema_and_own_ones_win(load: Load) -> None:
    catalog = load(
        {
            "tools/x.py": '''
                from typing import Annotated
                from pydantic import Field

                def x(a: int, b: Annotated[int, Field(description="Mine.")] = 1) -> int:
                    """Does.

                    Args:
                        a: The first.
                        b: The docstring's.
                    """
                    return a + b
                '''
        }
    )
    parameters = catalog.refresh().tools[0].spec.parameters["properties"]
    assert (parameters["a"]["description"], parameters["b"]["description"]) == ("The first.", "Mine.")


def test_an_async_generator_gives_a_list(load: Load) -> None:
    catalog = load({"tools/x.py": "async def count(n: int):\n    for each in range(n):\n        yield each"})
    assert call(catalog, "count", n=3) == [0, 1, 2]


def test_a_schema_that_a_person_wrote_is_enforced(load: Load) -> None:
    catalog = load({"tools/x.py": "def x(a, b=1):\n    return [a, b]"})
    schema = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 5}}, "required": ["a"]}
    entry = {"name": "x", "auto_fill": False, "parameters": schema}
    tool = catalog.select([entry])[0]
    assert tool.invoke(tool.bind({"a": 5}), FakeTicket()) == [5, 1]
    with pytest.raises(UnfitValues, match="'a': 6 is greater than the maximum of 5"):
        tool.bind({"a": 6})
    broken = {**schema, "properties": {"a": {"type": "number", "maximum": "x"}}}
    with pytest.raises(ValueError, match="cannot be used: its schema is broken"):
        catalog.select([{**entry, "parameters": broken}])
