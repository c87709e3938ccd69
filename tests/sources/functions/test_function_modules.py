"""How the files of a folder are imported, and how they may import each other."""

import importlib
import sys
from pathlib import Path

import pytest

from ptc_studio.sources.functions.modules import Reach

RUN_ALL = Reach(run_modules=True)


def test_a_file_named_like_a_standard_module_shadows_nothing(folder, load):
    folder.write("json.py", "def encode(a: int) -> int:\n    return a\n")
    folder.write("user.py", "import json\n\ndef text() -> str:\n    return json.dumps([1])\n")
    loading = load()
    assert loading.errors == []
    assert loading.call("text") == "[1]"
    assert loading.call("encode", {"a": 1}) == 1
    assert hasattr(importlib.import_module("json"), "dumps")


def test_siblings_import_each_other_in_every_way_and_run_once(folder, load, tmp_path):
    log = tmp_path / "log"
    note = f"with open({str(log)!r}, 'a') as log: log.write(__name__.partition('.')[2] + ' ')\n"
    folder.write("_private.py", note + "SECRET = 7\n")
    folder.write("orders.py", note + "ORDERS = []\n\ndef count() -> int:\n    return len(ORDERS)\n")
    folder.write(
        "deep/inner.py", note + "from ..orders import ORDERS\nfrom . import other\nSAME = other.ORDERS is ORDERS\n"
    )
    folder.write("deep/other.py", note + "from orders import ORDERS\n")
    folder.write(
        "shop.py",
        note
        + """
import orders
import deep.inner
from . import orders as relative
from _private import SECRET
from deep.other import ORDERS


def same() -> list[bool]:
    return [orders is relative, ORDERS is orders.ORDERS, deep.inner.SAME, SECRET == 7]
""",
    )
    loading = load(reach=RUN_ALL)
    assert loading.errors == []
    assert loading.call("same") == [True, True, True, True]
    assert sorted(log.read_text().split()) == ["_private", "deep.inner", "deep.other", "orders", "shop"]


def test_siblings_may_import_each_other_in_a_circle(folder, load):
    folder.write("a.py", "import b\n\ndef first() -> int:\n    return b.second()\n")
    folder.write("b.py", "import a\n\ndef second() -> int:\n    return 2 if a.first else 0\n")
    loading = load()
    assert loading.errors == []
    assert loading.call("first") == 2


def test_borrowed_names_do_not_stay_in_the_interpreter(folder, load):
    folder.write("orders_of_mine.py", "A = 1\n")
    folder.write("shop.py", "import orders_of_mine\nfrom utils.function_catalog import ParamMeta\n")
    assert load().errors == []
    assert not {"orders_of_mine", "utils", "utils.function_catalog"} & set(sys.modules)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("orders_of_mine")


def test_two_folders_have_siblings_of_the_same_name(folder, load, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "_shared_bits.py").write_text(f"WHO = {name!r}\n")
        (tmp_path / name / "tools.py").write_text("import _shared_bits\n\ndef who():\n    return _shared_bits.WHO\n")
    assert [load(path=tmp_path / name).call("who") for name in ("one", "two")] == ["one", "two"]


def test_a_function_may_import_a_sibling_while_it_runs(folder, load):
    folder.write("_late_sibling.py", "VALUE = 5\n")
    folder.write("shop.py", "def late() -> int:\n    import _late_sibling\n    return _late_sibling.VALUE\n")
    loading = load()
    assert loading.call("late") == 5
    folder.write("_late_sibling.py", "VALUE = 66\n")
    loading.refresh()
    assert loading.call("late") == 66


def test_files_written_for_chatdev_find_param_meta(folder, load):
    text = """
        from typing import Annotated
        from utils.function_catalog import ParamMeta

        def weather(city: Annotated[str, ParamMeta(description="Where.")]) -> str:
            return city
        """
    folder.write("weather.py", text)
    loading = load()
    assert loading.tools["weather"].spec.parameters["properties"]["city"]["description"] == "Where."


def test_they_find_it_beside_a_utils_file_of_their_own(folder, load):
    folder.write("utils.py", "LIMIT = 3\n")
    folder.write(
        "a.py", "from utils.function_catalog import ParamMeta\nimport utils\n\ndef f():\n    return utils.LIMIT\n"
    )
    loading = load()
    assert loading.errors == []
    assert loading.call("f") == 3


def test_another_provider_of_the_catalogue_goes_first(folder, load, tmp_path, monkeypatch):
    package = tmp_path / "site" / "utils"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "function_catalog.py").write_text("class ParamMeta:\n    mine = True\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    folder.write("a.py", "from utils.function_catalog import ParamMeta\n\ndef f():\n    return ParamMeta.mine\n")
    try:
        assert load().call("f") is True
    finally:
        for name in ("utils", "utils.function_catalog"):
            sys.modules.pop(name, None)


def test_private_and_hidden_files_and_folders_hold_no_tools(folder, load):
    for name in ("_private.py", ".hidden.py", "_folder/a.py", ".git/b.py", "__pycache__/c.py", "__init__.py"):
        folder.write(name, "def nothing(): ...\n")
    folder.write("notes.txt", "def nothing(): ...\n")
    assert load().tools == {}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x = 1\ndef f(:\n", 2, "SyntaxError: invalid syntax"),
        ("\n\nimport no_such_module\n", 3, "ModuleNotFoundError: No module named 'no_such_module'"),
        ("RATE = 3\nHALF = RATE / 0\n", 2, "ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
        ("raise KeyboardInterrupt\n", 1, "KeyboardInterrupt"),
        ("import json\njson.loads('{')\n", 2, None),
    ],
)
def test_a_file_that_fails_to_import_is_reported_with_its_line(folder, load, text, line, message):
    folder.write("broken.py", text)
    folder.write("good.py", "def good() -> int:\n    return 1\n")
    loading = load(source="mine")
    [(file, found, said)] = loading.errors
    assert (file, found) == ("broken.py", line)
    assert said == message or (message is None and said.startswith("JSONDecodeError: "))
    assert loading.loaded.errors[0].source == "mine"
    assert loading.call("good") == 1


def test_who_imports_a_broken_file_is_reported_with_its_own_line_and_the_broken_ones(folder, load, tmp_path):
    log = tmp_path / "log"
    folder.write("_broken.py", f"with open({str(log)!r}, 'a') as log:\n    log.write('x')\nraise ValueError('bad')\n")
    folder.write("a.py", "\nimport _broken\n")
    folder.write("b.py", "from . import _broken\n")
    assert load(reach=RUN_ALL).errors == [
        ("a.py", 2, "ValueError: bad (in _broken.py:3)"),
        ("b.py", 1, "ValueError: bad (in _broken.py:3)"),
    ]
    assert log.read_text() == "x"


def test_a_broken_init_file_is_reported_and_the_rest_loads(folder, load):
    folder.write("__init__.py", "\nraise ValueError('no')\n")
    folder.write("a.py", "def f() -> int:\n    return 1\n")
    loading = load()
    assert loading.errors == [("__init__.py", 2, "ValueError: no")]
    assert loading.call("f") == 1


def test_a_folder_with_an_init_file_is_a_package(folder, load):
    folder.write("shop/__init__.py", "RATE = 3\n")
    folder.write("shop/prices.py", "from . import RATE\n\ndef rate() -> int:\n    return RATE\n")
    loading = load()
    assert loading.tools["rate"].spec.also == ("shop.prices.rate",)
    assert loading.call("rate") == 3


def test_a_dot_in_a_file_name_is_reported(folder, load):
    folder.write("a.b.py", "")
    assert load().errors == [("a.b.py", None, "A file name with a dot in it cannot be imported: rename 'a.b.py'.")]


def test_what_files_print_while_they_load_goes_to_stderr(folder, load, capsys):
    folder.write("a.py", "print('hello')\n")
    load(reach=RUN_ALL)
    assert capsys.readouterr() == ("", "hello\n")


def test_a_script_among_functions_is_left_alone_and_told_with_its_line(folder, load, tmp_path):
    marker = tmp_path / "marker"
    folder.write("script.py", f"from good import good\n\nx = good()\nopen({str(marker)!r}, 'w').write('ran')\n")
    folder.write("good.py", "def good() -> int:\n    return 1\n")
    loading = load(source="mine")
    [error] = loading.loaded.errors
    assert (error.source, Path(error.file).name, error.line, error.script) == ("mine", "script.py", 3, True)
    assert error.message == (
        "`x = good()` at its top level makes it a script, which nothing but Run executes: to use its functions as tools, "
        'put that under `if __name__ == "__main__":`, or say `run_modules: true` at the source in studio.yaml.'
    )
    assert list(loading.tools) == ["good"]
    assert not marker.exists()


def test_a_script_is_left_alone_also_if_another_file_imports_it(folder, load, tmp_path):
    marker = tmp_path / "marker"
    folder.write("_script.py", f"open({str(marker)!r}, 'w').write('ran')\n")
    folder.write("a.py", "\nimport _script\n")
    folder.write("deep/__init__.py", f"open({str(marker)!r}, 'w').write('ran')\n")
    folder.write("deep/b.py", "def b() -> int:\n    return 1\n")
    loading = load()
    assert not marker.exists()
    assert [(file, line) for file, line, _ in loading.errors] == [("a.py", 2), ("b.py", None)]
    assert loading.errors[0][2].startswith("_script.py:1 is not imported: `open(")
    assert not any(error.script for error in loading.loaded.errors)


def test_a_script_that_becomes_a_module_of_definitions_is_loaded_then(folder, load):
    folder.write("a.py", "def f() -> int:\n    return 1\n\nprint(f())\n")
    loading = load()
    assert loading.tools == {}
    folder.write("a.py", "def f() -> int:\n    return 1\n\nif __name__ == '__main__':\n    print(f())\n")
    loading.refresh()
    assert (list(loading.tools), loading.errors) == (["f"], [])


@pytest.mark.parametrize("way", ["load", "load_in_process"])
def test_the_folders_within_can_be_left_out(folder, way, request):
    folder.write("a.py", "def outer() -> int:\n    return 1\n")
    folder.write("deep/b.py", "def inner() -> int:\n    return 1\n")
    loading = request.getfixturevalue(way)(reach=Reach(nested=False))
    assert (list(loading.tools), loading.errors) == (["outer"], [])


def test_no_bytecode_is_left_in_the_folder(folder, load):
    folder.write("a.py", "import b\n")
    folder.write("b.py", "")
    load()
    assert list(Path(folder.path).rglob("__pycache__")) == []
