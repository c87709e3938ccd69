"""Functions in processes of their own."""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.failures import RemoteTraceback
from ptc_studio.sources.functions import ProcessFunctionCatalog, process_catalog
from ptc_studio.sources.functions.modules import Reach

RUN_ALL = Reach(run_modules=True)

SHOP = """
import asyncio, enum, os, sys, threading, time
from dataclasses import dataclass


class OutOfStock(LookupError):
    def __init__(self, sku, left):
        super().__init__(f"{sku} is out")
        self.left = left


@dataclass
class Point:
    x: int


def pid() -> int:
    return os.getpid()


def move(p: Point, by: int = 1) -> Point:
    return Point(p.x + by)


async def later(a: int) -> int:
    await asyncio.sleep(0)
    return a


def fail(kind: str):
    if kind == "own":
        raise OutOfStock("lamp", 3)
    if kind == "file":
        open("/no/such/file")
    if kind == "decode":
        b"\\xff".decode()
    if kind == "exit":
        sys.exit(4)
    if kind == "group":
        raise ExceptionGroup("several", [ValueError(1)])
    error = KeyError("sku")
    error.add_note("noted")
    raise error


def crash(how: str):
    if how == "exit":
        os._exit(5)
    os.kill(os.getpid(), 11)


def talk(text: str):
    print(text)
    os.write(1, b"raw")
    return input


def unserialisable():
    return object()


def stuck(file: str, apart: bool = False):
    import subprocess
    child = subprocess.Popen(["sleep", "1001"], start_new_session=apart)
    with open(file + ".part", "w") as out:
        out.write(f"{os.getpid()} {child.pid}")
    os.rename(file + ".part", file)
    threading.Event().wait()


def rendezvous(folder: str, me: str, other: str) -> bool:
    open(os.path.join(folder, me), "w").close()
    for _ in range(2000):
        if os.path.exists(os.path.join(folder, other)):
            return True
        time.sleep(0.01)
    return False


def nested(_context):
    return _context.call_tool("add", a=1, b=2)


async def nested_async(_context):
    return await asyncio.gather(*[_context.call_tool("add", a=i, b=i) for i in range(3)])


def caught(_context):
    try:
        _context.call_tool("bad")
    except KeyError as error:
        return ["caught", error.args[0]]


def uncaught(_context):
    return _context.call_tool("bad")


def attach(_context) -> str:
    return _context.attachment_store.register_bytes(b"x", display_name="x").attachment_id


def attached(_context) -> list[str]:
    return [record.attachment_id for record in _context.attachment_store.list()]


def echo(value):
    return value
"""


@pytest.fixture
def shop(folder, load_in_process):
    folder.write("shop.py", SHOP)
    return load_in_process()


def wait_until(condition) -> None:
    """Bounded; for what happens in other processes."""
    pause = threading.Event()
    for _ in range(400):
        if condition():
            return
        pause.wait(0.05)
    raise AssertionError("it never happened")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_the_tools_are_described_as_in_process(folder, load, load_in_process):
    folder.write("shop.py", SHOP)
    folder.write("deep/two.py", "def pid(): ...\n")
    folder.write("broken.py", "import no_such_thing\n")
    inside, outside = load(), load_in_process()
    assert {name: tool.spec for name, tool in outside.tools.items()} == {n: t.spec for n, t in inside.tools.items()}
    assert outside.loaded.errors == inside.loaded.errors
    assert outside.catalog.listing() == inside.catalog.listing()


def test_nothing_is_imported_here(shop):
    assert shop.call("pid") != os.getpid()


def test_values_are_converted_on_both_ways(shop):
    assert shop.call("move", {"p": {"x": "4"}}) == {"x": 5}
    assert shop.call("later", {"a": 3}) == 3


@pytest.mark.parametrize("value", [None, 2**100, float("inf"), "ü\u2028\n", [{"a": [1.5]}], "x" * 3_000_000])
def test_any_json_survives_the_pipe(shop, value):
    assert shop.call("echo", {"value": value}) == value


def test_arguments_that_do_not_fit_are_refused(shop):
    with pytest.raises(UnfitArguments, match="missing 'p'; unexpected 'c' \\(takes p, by\\)"):
        shop.call("move", {"c": 1})
    with pytest.raises(UnfitValues, match=r"Invalid parameters for tool 'move': 'p.x' should be a valid integer"):
        shop.call("move", {"p": {"x": "y"}})


def test_an_idle_worker_is_used_again(shop):
    assert shop.call("pid") == shop.call("pid")


def test_calls_at_the_same_time_get_workers_of_their_own(shop, tmp_path, in_thread):
    first = {"folder": str(tmp_path), "me": "a", "other": "b"}
    second = {"folder": str(tmp_path), "me": "b", "other": "a"}
    calls = [in_thread(lambda given=given: shop.call("rendezvous", given)) for given in (first, second)]
    assert [call.wait().value for call in calls] == [True, True]


def test_exceptions_keep_their_type_arguments_notes_and_traceback(shop):
    with pytest.raises(KeyError) as caught:
        shop.call("fail", {"kind": "key"})
    assert type(caught.value) is KeyError
    assert (caught.value.args, caught.value.__notes__) == (("sku",), ["noted"])
    assert isinstance(caught.value.__cause__, RemoteTraceback)
    assert "shop.py" in str(caught.value.__cause__)


def test_a_users_exception_is_rebuilt_under_its_nearest_builtin(shop):
    kinds = set()
    for _ in range(2):
        with pytest.raises(LookupError, match="lamp is out") as caught:
            shop.call("fail", {"kind": "own"})
        kinds.add(type(caught.value))
        assert caught.value.left == 3
    assert [kind.__name__ for kind in kinds] == ["OutOfStock"]


@pytest.mark.parametrize(
    ("kind", "expected", "text"),
    [
        ("file", FileNotFoundError, "[Errno 2] No such file or directory: '/no/such/file'"),
        ("decode", UnicodeDecodeError, "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        ("exit", SystemExit, "4"),
        ("group", Exception, "several (1 sub-exception)"),
    ],
)
def test_exceptions_that_are_hard_to_copy_keep_type_and_text(shop, kind, expected, text):
    with pytest.raises(expected) as caught:
        shop.call("fail", {"kind": kind})
    assert str(caught.value) == text


def test_a_result_without_json_form_is_a_type_error(shop):
    with pytest.raises(TypeError, match="The result of tool 'unserialisable' has no JSON form"):
        shop.call("unserialisable")
    assert shop.call("echo", {"value": 1}) == 1


@pytest.mark.parametrize(("how", "ending"), [("exit", "exit code 5"), ("signal", "killed by SIGSEGV")])
def test_a_crash_costs_one_call(shop, how, ending):
    with pytest.raises(RuntimeError, match=f"^Tool 'crash' crashed its process \\({ending}\\)$"):
        shop.call("crash", {"how": how})
    assert shop.call("echo", {"value": 1}) == 1


def test_an_abandoned_call_is_killed_with_its_children(shop, tmp_path, make_ticket, in_thread):
    file, ticket = tmp_path / "pids", make_ticket()
    call = in_thread(lambda: shop.call("stuck", {"file": str(file)}, ticket))
    wait_until(file.exists)
    pids = [int(pid) for pid in file.read_text().split()]
    ticket.abandon()
    assert "killed by SIGKILL" in str(call.wait().error)
    wait_until(lambda: not any(is_running(pid) for pid in pids))
    assert shop.call("echo", {"value": 1}) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's children")
def test_an_abandoned_call_is_killed_with_a_child_that_left_its_group(shop, tmp_path, make_ticket, in_thread):
    file, ticket = tmp_path / "pids", make_ticket()
    call = in_thread(lambda: shop.call("stuck", {"file": str(file), "apart": True}, ticket))
    wait_until(file.exists)
    pids = [int(pid) for pid in file.read_text().split()]
    ticket.abandon()
    assert "killed by SIGKILL" in str(call.wait().error)
    wait_until(lambda: not any(is_running(pid) for pid in pids))


def test_a_late_stop_does_not_hit_the_next_call(shop, make_ticket):
    ticket = make_ticket()
    before = shop.call("pid", ticket=ticket)
    ticket.abandon()
    assert shop.call("pid") == before


def test_tools_call_tools_through_the_host(shop, make_ticket):
    def bad():
        raise KeyError("x")

    ticket = make_ticket({"add": lambda a, b: a + b, "bad": bad})
    assert shop.call("nested", ticket=ticket) == 3
    assert shop.call("nested_async", ticket=ticket) == [0, 2, 4]
    assert shop.call("caught", ticket=ticket) == ["caught", "x"]


def test_a_nested_error_that_nobody_catches_returns_as_the_same_object(shop, make_ticket):
    original = PermissionError("no")

    def bad():
        raise original

    with pytest.raises(PermissionError) as caught:
        shop.call("uncaught", ticket=make_ticket({"bad": bad}))
    assert caught.value is original


def test_what_a_tool_prints_goes_through_the_hook(folder, load_in_process, capsys):
    entered: list[str] = []

    @contextlib.contextmanager
    def stdio(run_id: str):
        entered.append(run_id)
        yield

    folder.write("a.py", "def talk(text: str):\n    print(text)\n")
    load_in_process(stdio=stdio).call("talk", {"text": "hello"})
    assert capsys.readouterr().out == "hello\n"
    assert set(entered) == {"run-1"}


def test_all_workers_of_a_run_share_its_attachments(folder, load_in_process, tmp_path):
    folder.write("shop.py", SHOP)
    shop = load_in_process(directories=lambda _: (tmp_path, tmp_path))
    first = shop.call("attach")
    folder.write("shop.py", f"{SHOP}\n# Changed, so another worker does what comes.\n")
    shop.refresh()
    assert shop.call("attached") == [first]


def test_a_changed_file_means_new_workers_and_kept_specs(folder, load_in_process):
    folder.write("a.py", "def f():\n    return 1\n")
    loading = load_in_process()
    assert loading.call("f") == 1
    before = loading.tools["f"]
    assert loading.catalog.refresh() is loading.loaded
    folder.write("a.py", "def f():\n    return 22\n")
    loading.refresh()
    assert loading.call("f") == 22
    assert loading.tools["f"] is before


def test_overrides_work_across_the_pipe(shop, make_ticket):
    schema = {"type": "object", "properties": {"p": {}}, "required": ["p"]}
    [move] = shop.catalog.select([{"name": "echo", "description": "Mine."}])
    assert move.spec.description == "Mine."
    [echo] = shop.catalog.select(
        [{"name": "later", "auto_fill": False, "parameters": {**schema, "properties": {"a": {}}, "required": ["a"]}}]
    )
    assert echo.invoke(echo.bind({"a": "text"}), make_ticket()) == "text"


def test_a_file_that_ends_the_process_while_loading_is_an_error(folder, load_in_process):
    folder.write("a.py", "import os\nos._exit(9)\n")
    assert "ended its process (exit code 9)" in load_in_process(reach=RUN_ALL).errors[0][2]


def test_a_file_that_hangs_while_loading_is_given_up(folder, load_in_process):
    folder.write("a.py", "import threading\nthreading.Event().wait()\n")
    assert "ended its process (killed by SIGKILL)" in load_in_process(load_seconds=0.5, reach=RUN_ALL).errors[0][2]


def test_a_missing_folder_is_one_error(folder, load_in_process):
    assert "does not exist" in load_in_process(path=folder.path / "none").errors[0][2]


async def test_loading_on_an_event_loop_is_refused_here_too(folder):
    catalog = ProcessFunctionCatalog(folder.path)
    with pytest.raises(RuntimeError, match="worker thread"):
        catalog.load()
    catalog.close()


def test_closing_ends_all_workers(shop):
    pid = shop.call("pid")
    shop.catalog.close()
    wait_until(lambda: not is_running(pid))
    with pytest.raises(RuntimeError, match="closed"):
        shop.call("pid")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_die_with_the_host_even_while_a_tool_is_stuck(folder, tmp_path):
    folder.write("shop.py", SHOP)
    file = tmp_path / "pids"
    text = f"""
import sys, threading
from pathlib import Path
from ptc_studio.sources.functions import ProcessFunctionCatalog

class Ticket:
    run_id = call_id = "x"
    def on_abandon(self, stop): ...

catalog = ProcessFunctionCatalog(Path({str(folder.path)!r}))
tool = next(tool for tool in catalog.load().tools if tool.spec.name == "stuck")
tool.invoke({{"file": {str(file)!r}}}, Ticket())
"""
    host = subprocess.Popen([sys.executable, "-c", text])
    wait_until(file.exists)
    worker = int(file.read_text().split()[0])
    assert is_running(worker)
    host.kill()
    host.wait()
    wait_until(lambda: not is_running(worker))
    # The child of a worker that the kernel killed is nobody's: the test ends it.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker, 9)


def test_a_worker_that_is_started_while_its_folder_is_closed_is_ended(monkeypatch: pytest.MonkeyPatch):
    pool, start, started = process_catalog.FunctionWorkerPool({}), process_catalog.WorkerProcess, []

    def start_late(command, generation):
        pool.close()
        started.append(start(command, generation))
        return started[-1]

    monkeypatch.setattr(process_catalog, "WorkerProcess", start_late)
    with pytest.raises(RuntimeError, match="closed"):
        pool.take()
    assert [worker.alive for worker in started] == [False]
