"""Which functions of a folder become tools, under which names, and what a second reading keeps."""

import pytest

from ptc_studio.sources.functions import FunctionCatalog


def test_only_the_files_own_public_functions_are_tools(folder, load):
    folder.write("other.py", "def imported(): ...\n")
    folder.write(
        "shop.py",
        """
        import functools
        from json import dumps
        from other import imported

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        class Thing: ...

        VALUE = 3

        def _private(): ...

        @logged
        def decorated(a: int) -> int:
            return a

        @functools.lru_cache
        def cached(a: int) -> int:
            return a

        async def asynchronous(a: int) -> int:
            return a
        """,
    )
    loading = load()
    assert set(loading.tools) == {"imported", "logged", "decorated", "cached", "asynchronous"}
    assert loading.call("decorated", {"a": "2"}) == 2
    assert loading.call("cached", {"a": 2}) == 2
    assert loading.call("asynchronous", {"a": 2}) == 2


def test_a_tool_says_what_it_is_and_where_from(folder, load):
    file = folder.write("deep/shop.py", '\ndef price(sku: str) -> int:\n    """Gives\n    a price.\n\n    More."""\n')
    spec = load(source="mine").tools["price"].spec
    assert (spec.name, spec.also, spec.source) == ("price", ("deep.shop.price",), "mine")
    assert (spec.description, spec.doc) == ("Gives a price.", "Gives\na price.\n\nMore.")
    assert spec.origin == f"{file}:2"


def test_a_name_in_two_files_is_reported_and_both_stay_reachable(folder, load):
    folder.write("shop.py", "\n\ndef price(): return 1\n")
    folder.write("stock.py", "def price(): return 2\n")
    folder.write("deep/more.py", "def price(): return 3\ndef unique(): ...\n")
    loading = load()
    assert set(loading.tools) == {"shop.price", "stock.price", "deep.more.price", "unique"}
    assert loading.call("stock.price") == 2
    places = "deep/more.py:1, shop.py:3 and stock.py:1"
    names = "deep.more.price, shop.price and stock.price"
    assert loading.errors == [("stock.py", 1, f"'price' is defined in {places}; call them {names}")]


def test_a_function_whose_types_cannot_be_read_is_reported_and_the_others_stay(folder, load):
    folder.write("a.py", "from __future__ import annotations\n\ndef bad(a: Missing): ...\n\ndef good(a: int): ...\n")
    loading = load()
    assert set(loading.tools) == {"good"}
    [(file, line, message)] = loading.errors
    assert (file, line) == ("a.py", 3)
    assert "'bad'" in message
    assert "'Missing'" in message


def test_a_missing_folder_and_a_file_are_one_error_each_with_a_remedy(folder, load):
    assert "does not exist: create it" in load(path=folder.path / "none").errors[0][2]
    file = folder.write("a.py", "")
    assert "is not a folder: name the folder" in load(path=file).errors[0][2]


async def test_loading_on_an_event_loop_is_refused(folder):
    catalog = FunctionCatalog(folder.path)
    with pytest.raises(RuntimeError, match="worker thread"):
        catalog.load()
    with pytest.raises(RuntimeError, match="worker thread"):
        catalog.refresh()


def test_nothing_changed_means_nothing_done(folder, load):
    folder.write("a.py", "def f(): ...\n")
    loading = load()
    assert loading.catalog.refresh() is loading.loaded


def test_only_the_changed_file_is_read_again(folder, load):
    folder.write("a.py", "def f() -> int:\n    return 1\n")
    folder.write("b.py", "def g() -> int:\n    return 1\n")
    loading = load()
    before = loading.tools
    folder.write("a.py", "def f() -> int:\n    return 22\n")
    loading.refresh()
    assert loading.tools["g"] is before["g"]
    assert loading.tools["f"] is not before["f"]
    assert loading.call("f") == 22


@pytest.mark.parametrize(
    "use",
    [
        "import _shared\n\ndef f():\n    return _shared.g()\n",
        "from _shared import g\n\ndef f():\n    return g()\n",
        "from _shared import VALUE\n\ndef f():\n    return VALUE\n",
        "from . import _shared\n\ndef f():\n    return _shared.VALUE\n",
        "import importlib\n_it = importlib.import_module('_shared')\n\ndef f():\n    return _it.VALUE\n",
        "from middle import VALUE\n\ndef f():\n    return VALUE\n",
    ],
)
def test_who_holds_things_of_a_changed_file_is_read_again_too(folder, load, use):
    folder.write("_shared.py", "VALUE = 1\n\ndef g():\n    return VALUE\n")
    folder.write("middle.py", "from _shared import *\n")
    folder.write("user.py", use)
    folder.write("bystander.py", "def h(): ...\n")
    loading = load()
    assert loading.call("f") == 1
    bystander = loading.tools["h"]
    folder.write("_shared.py", "VALUE = 22\n\ndef g():\n    return VALUE\n")
    loading.refresh()
    assert loading.call("f") == 22
    assert loading.tools["h"] is bystander


def test_files_come_and_go(folder, load):
    a = folder.write("a.py", "def f(): ...\n")
    loading = load()
    folder.write("b.py", "def g(): ...\n")
    loading.refresh()
    assert set(loading.tools) == {"f", "g"}
    a.unlink()
    loading.refresh()
    assert set(loading.tools) == {"g"}


def test_a_new_duplicate_renames_the_old_tool_and_back(folder, load):
    folder.write("a.py", "def f(): return 1\n")
    loading = load()
    b = folder.write("b.py", "def f(): return 2\n")
    loading.refresh()
    assert set(loading.tools) == {"a.f", "b.f"}
    b.unlink()
    loading.refresh()
    assert set(loading.tools) == {"f"}


def test_mending_a_broken_file_mends_who_imports_it(folder, load):
    folder.write("_shared.py", "raise ValueError\n")
    folder.write("a.py", "import _shared\n\ndef f():\n    return _shared.VALUE\n")
    loading = load()
    assert loading.tools == {}
    folder.write("_shared.py", "VALUE = 3\n")
    loading.refresh()
    assert loading.errors == []
    assert loading.call("f") == 3


def test_a_changed_init_file_is_read_again_with_what_is_under_it(folder, load):
    folder.write("shop/__init__.py", "RATE = 1\n")
    folder.write("shop/a.py", "def f():\n    from . import RATE\n    return RATE\n")
    loading = load()
    folder.write("shop/__init__.py", "RATE = 22\n")
    loading.refresh()
    assert loading.call("f") == 22


def test_a_folder_that_appears_later_is_loaded(folder, load):
    path = folder.path / "later"
    loading = load(path=path)
    assert loading.errors
    folder.write("later/a.py", "def f(): ...\n")
    loading.refresh()
    assert set(loading.tools) == {"f"}
    assert loading.errors == []


def test_a_full_load_reads_everything_again(folder, load):
    folder.write("a.py", "def f(): ...\n")
    loading = load()
    before = loading.tools["f"]
    assert loading.catalog.load().tools[0] is not before


def test_a_private_file_that_comes_later_mends_who_waits_for_it(folder, load):
    folder.write("a.py", "import _to_come\n\ndef f():\n    return _to_come.VALUE\n")
    loading = load()
    assert loading.errors == [("a.py", 1, "ModuleNotFoundError: No module named '_to_come'")]
    folder.write("_to_come.py", "VALUE = 3\n")
    loading.refresh()
    assert loading.call("f") == 3


def test_an_import_while_a_function_runs_is_no_change(folder, load):
    folder.write("_late.py", "VALUE = 3\n")
    folder.write("a.py", "def f():\n    from . import _late\n    return _late.VALUE\n")
    loading = load()
    loading.call("f")
    assert loading.catalog.refresh() is loading.loaded


def test_a_type_that_fails_to_describe_itself_costs_its_function_only(folder, load):
    folder.write(
        "a.py",
        """
        class Odd:
            @classmethod
            def __get_pydantic_core_schema__(cls, source, handler):
                raise ZeroDivisionError

        def bad(a: Odd): ...
        def good(a: int): ...
        """,
    )
    loading = load()
    assert set(loading.tools) == {"good"}
    assert loading.errors == [
        ("a.py", 6, "The function 'bad' is no tool: its parameters have no JSON Schema: ZeroDivisionError.")
    ]
