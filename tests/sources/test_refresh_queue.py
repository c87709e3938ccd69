"""Looks at a thing that somebody changes meanwhile."""

import threading
from pathlib import Path

import pytest

from ptc_studio import app
from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.core.workers import Workers
from ptc_studio.sources.functions.catalog import FunctionCatalog
from ptc_studio.sources.source_set import RefreshQueue


class Thing:
    """Whose state is seen when a look begins, and brought when it may end."""

    def __init__(self) -> None:
        self.state = 0
        self.seen: list[int] = []
        self.began = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)

    def refresh(self) -> None:
        state = self.state
        self.began.release()
        assert self.may_end.acquire(timeout=20)
        self.seen.append(state)


@pytest.fixture
def thing() -> Thing:
    return Thing()


@pytest.fixture
def looks(thing: Thing) -> RefreshQueue:
    return RefreshQueue(Workers(), thing.refresh)


def test_whoever_asks_during_a_look_gets_one_that_begins_after_he_asked(thing: Thing, looks: RefreshQueue):
    first = looks.ask()
    assert thing.began.acquire(timeout=20)
    thing.state = 1
    second = looks.ask()
    thing.may_end.release()
    first.result(20)
    assert not second.done()
    thing.may_end.release()
    second.result(20)
    assert thing.seen == [0, 1]


def test_all_who_ask_during_a_look_share_the_next(thing: Thing, looks: RefreshQueue):
    first = looks.ask()
    assert thing.began.acquire(timeout=20)
    asked = {looks.ask() for _ in range(5)}
    assert len(asked) == 1
    assert first not in asked
    for _ in range(2):
        thing.may_end.release()
    asked.pop().result(20)
    assert thing.seen == [0, 0]
    thing.may_end.release()
    looks.ask().result(20)
    assert len(thing.seen) == 3


def test_a_look_that_breaks_ends_and_is_not_the_last():
    began, may_break = threading.Event(), threading.Event()
    looked: list[int] = []

    def look() -> None:
        looked.append(1)
        if len(looked) == 1:
            began.set()
            assert may_break.wait(20)
            raise ValueError("broken")

    looks = RefreshQueue(Workers(), look)
    first = looks.ask()
    assert began.wait(20)
    second = looks.ask()
    may_break.set()
    first.result(20)
    second.result(20)
    looks.ask().result(20)
    assert len(looked) == 3


async def test_a_run_uses_a_tool_as_it_was_saved_though_a_look_was_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tool = tmp_path / "tools" / "shop.py"
    tool.parent.mkdir()
    tool.write_text("def price() -> int:\n    return 1\n")
    (tmp_path / "studio.yaml").write_text("version: 1\nsources: [{kind: functions, path: tools}]\n")
    has_looked, may_end = threading.Event(), threading.Event()
    refresh = FunctionCatalog.refresh

    def refresh_and_wait(catalog: FunctionCatalog) -> object:
        found = refresh(catalog)
        has_looked.set()
        assert may_end.wait(20)
        return found

    monkeypatch.setattr(FunctionCatalog, "refresh", refresh_and_wait)
    # A run waits for no look that takes longer than this.
    monkeypatch.setattr(app, "MOMENT", 20.0)
    studio = Studio(Setup(workspace=tmp_path, spare_processes=0))
    look = studio.source_set.refresh

    def look_with_an_end() -> object:
        asked = look()
        may_end.set()
        return asked

    try:
        look()
        assert has_looked.wait(20)
        tool.write_text("def price() -> int:\n    return 20\n")
        monkeypatch.setattr(studio.source_set, "refresh", look_with_an_end)
        runtime = studio.runtimes.choose("python-inprocess", "script.py")
        record = await studio.run(studio.session(), Script("price()"), runtime)
        assert record["value"] == 20
    finally:
        await studio.close()
