"""What is printed goes to the run on whose behalf it is printed."""

import sys
import threading
from contextvars import copy_context

import pytest

from ptc_studio.core.workers import Workers
from ptc_studio.runtimes.stdio import StdioRouter


class Listener:
    """Takes what a run writes."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def write(self, stream: str, text: str) -> None:
        self.said.append((stream, text))

    def text(self, stream: str) -> str:
        return "".join(text for name, text in self.said if name == stream)


def test_a_script_prints_to_its_run_and_everybody_else_to_the_terminal(capsys: pytest.CaptureFixture[str]):
    router, run = StdioRouter(), Listener()
    with router.listening("r1", run.write):
        print("before")
        with router.script(run.write):
            print("mine")
            print("wrong", file=sys.stderr)
            sys.stdout.writelines(["a", "b"])
        print("after")
    assert (run.text("stdout"), run.text("stderr")) == ("mine\nab", "wrong\n")
    assert capsys.readouterr().out == "before\nafter\n"


def test_a_tool_speaks_on_the_stderr_of_its_run():
    router, run = StdioRouter(), Listener()
    with router.listening("r1", run.write), router.script(run.write):
        with router.tool("r1"):
            print("from the tool")
        print("from the script")
    assert (run.text("stdout"), run.text("stderr")) == ("from the script\n", "from the tool\n")


def test_a_tool_of_a_run_that_nobody_listens_to_speaks_to_the_terminal(capsys: pytest.CaptureFixture[str]):
    router, run = StdioRouter(), Listener()
    with router.listening("r1", run.write), router.tool("r2"):
        print("hello")
    assert (run.said, capsys.readouterr().out) == ([], "hello\n")


def test_threads_of_a_script_and_their_threads_print_for_it_and_are_known():
    router, run = StdioRouter(), Listener()

    def outer() -> None:
        print("outer")
        inner = threading.Thread(target=lambda: print("inner"))
        inner.start()
        inner.join()

    with router.listening("r1", run.write), router.script(run.write) as speaker:
        thread = threading.Thread(target=outer)
        thread.start()
        thread.join()
    assert run.text("stdout") == "outer\ninner\n"
    assert len(speaker.threads) == 2


def test_a_worker_that_a_script_made_necessary_does_not_print_for_it(capsys: pytest.CaptureFixture[str]):
    router, run, workers, done = StdioRouter(), Listener(), Workers(), threading.Event()
    with router.listening("r1", run.write), router.script(run.write) as speaker:
        workers.submit(lambda: (print("worker"), done.set()))
        assert done.wait(10)
    assert (run.said, speaker.threads) == ([], [])
    assert "worker" in capsys.readouterr().out


def test_two_runs_at_once_do_not_mix():
    router, runs, barrier = StdioRouter(), [Listener(), Listener()], threading.Barrier(2, timeout=30)

    def script(number: int) -> None:
        with router.listening(f"r{number}", runs[number].write), router.script(runs[number].write):
            for _ in range(50):
                barrier.wait()
                print(number)

    threads = [threading.Thread(target=script, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [run.text("stdout") for run in runs] == ["0\n" * 50, "1\n" * 50]


def test_afterwards_everything_is_as_before():
    before = sys.stdout, sys.stderr, threading.Thread.start
    router = StdioRouter()
    with router.listening("r1", Listener().write), router.listening("r2", Listener().write):
        assert sys.stdout is not before[0]
    assert (sys.stdout, sys.stderr, threading.Thread.start) == before


def test_two_routers_that_end_in_the_order_in_which_they_began_leave_all_as_it_was():
    before = sys.stdout, sys.stderr, threading.Thread.start
    first, second, run = StdioRouter(), StdioRouter(), Listener()
    one, two = first.listening("r1", Listener().write), second.listening("r2", run.write)
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    with second.script(run.write):
        print("still heard")
    two.__exit__(None, None, None)
    assert run.text("stdout") == "still heard\n"
    assert (sys.stdout, sys.stderr, threading.Thread.start) == before


def test_a_routed_stream_is_no_terminal_for_a_script_and_has_what_the_original_has():
    router, run = StdioRouter(), Listener()
    with router.listening("r1", run.write), router.script(run.write):
        sys.stdout.flush()
        assert sys.stdout.isatty() is False
        assert sys.stdout.encoding
        assert sys.stdout.write("four") == 4


def test_a_context_that_outlives_the_run_harms_nobody():
    router, run = StdioRouter(), Listener()
    with router.listening("r1", run.write), router.script(run.write):
        context = copy_context()
    context.run(lambda: print("late", end=""))
    assert run.said == []
