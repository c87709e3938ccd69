"""Python texts are read in several threads at once."""

import ast
import gc
import threading

import pytest

from ptc_studio.core.python_text import parsed, read_steadily

TEXT = "\n".join(f"f(g(h({number})))" for number in range(200))
PATIENCE = 5.0


def test_a_reading_stands_though_another_thread_reads_in_the_midst_of_it():
    """CPython 3.11 then says that the depth of its recursion is wrong: the other one reads in a collection of garbage."""
    asked, answered = threading.Event(), threading.Event()
    reader = threading.get_ident()

    def interrupt(phase: str, _info: dict[str, int]) -> None:
        if phase == "start" and threading.get_ident() == reader and not asked.is_set():
            asked.set()
            answered.wait(PATIENCE)

    def read_too() -> None:
        asked.wait(PATIENCE)
        ast.parse("x")
        answered.set()

    other = threading.Thread(target=read_too)
    other.start()
    before = gc.get_threshold()
    gc.callbacks.append(interrupt)
    gc.set_threshold(50)
    try:
        tree = parsed(TEXT)
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(interrupt)
        asked.set()
        other.join(PATIENCE)
    assert answered.is_set()
    assert len(tree.body) == 200


def test_another_error_of_pythons_own_is_not_hidden():
    def fails() -> None:
        raise SystemError("bad argument to internal function")

    with pytest.raises(SystemError, match="bad argument"):
        read_steadily(fails)
