"""Random routes through whole runs: no canary is found in the history, in an export or at the endpoint."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.reports.formats import FORMATS, ReportError, report
from ptc_studio.storage.history import History, HistoryRecorder
from tests.core.redaction.test_redaction_kinds import AROUND
from tests.core.redaction.test_thousand_routes import KNOWN, SHAPES, canaries, windows
from tests.gateway.http.served import Served, serving

TOOLS = """
def take(value): return None
def give(value): return value
def fail(value): raise ValueError(value)
def keyed(value): return {"password": value}
def outer(value, *, _context): return _context["call_tool"]("give", {"value": value})
def echo(message): return message
"""
SCRIPT = """
import sys
for route, value in VALUES:
    try:
        if route == "output":
            print(value)
        elif route == "errors":
            print(value, file=sys.stderr)
        elif route == "learned":
            print("printed at once:", keyed(str(value)))
        elif route == "name":
            call_tool(str(value), {})
        else:
            call_tool(route, {"value": value})
    except Exception as error:
        print("caught", error)
VALUES
"""
ROUTES = ("take", "give", "fail", "outer", "learned", "name", "output", "errors")
RUNS, ROUTES_A_RUN = int(os.environ.get("PTC_CANARY_RUNS", "2")), 50
"""A thousand routes take minutes: PTC_CANARY_RUNS=20, with --timeout=0."""
REQUESTS = 20 * RUNS
QUIET = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


@st.composite
def sent(draw: st.DrawFn) -> tuple[str, str, str]:
    """What must not be found, the text that it goes out in, and what stands around it."""
    (secret, text), around = draw(canaries()), draw(st.sampled_from(AROUND))
    return (secret, around.replace("{}", text), around) if secret == text else (secret, f"see {text} end", "see end")


@st.composite
def routed(draw: st.DrawFn) -> tuple[tuple[str, str, str], str, Any]:
    one = draw(sent())
    return one, draw(st.sampled_from(ROUTES)), SHAPES[draw(st.sampled_from(sorted(SHAPES)))](one[1])


def check(all_sent: list[tuple[str, str, str]], places: Iterator[tuple[str, str]]) -> None:
    harmless = " ".join({around for _, _, around in all_sent})
    # Side by side: more of them would take long to look for in so much, and whoever leaks a secret leaks one of these.
    pieces = {
        piece: text
        for secret, text, _ in all_sent
        for piece in sorted(windows(secret), key=secret.find)[:: min(16, max(6, len(secret) // 2))]
        if piece not in harmless
    }
    for place, seen in places:
        found = [(piece, pieces[piece]) for piece in pieces if piece in seen]
        assert not found, (place, *found[0])


def kept(history: Path, run_id: str) -> Iterator[tuple[str, str]]:
    """The run in every form in which it can be handed on."""
    past = History(history).open(run_id, with_calls=True)
    for name in FORMATS:
        try:
            yield name, report(past, name).decode(errors="replace")
        except ReportError:
            assert name == "conversation"


@pytest.mark.slow
async def test_a_canary_is_found_neither_in_the_history_nor_in_any_export(tmp_path: Path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "tools.py").write_text(TOOLS)
    history = tmp_path / "history.db"
    runs: list[tuple[list[tuple[str, str, str]], str]] = []

    @seed(20261118)
    @settings(max_examples=RUNS, **QUIET)
    @given(st.lists(routed(), min_size=ROUTES_A_RUN, max_size=ROUTES_A_RUN))
    def collect(routes: list[tuple[tuple[str, str, str], str, Any]]) -> None:
        values = [(route, value) for _, route, value in routes]
        runs.append(([one for one, _, _ in routes], SCRIPT.replace("VALUES", repr(values))))

    collect()
    studio = Studio(Setup(functions=tmp_path / "tools", history=HistoryRecorder(history), spare_processes=0))
    studio.hide("KNOWN", KNOWN)
    try:
        await studio.load()
        runtime = await studio.choose_runtime("python-inprocess", "script.py")
        for all_sent, code in runs:
            record = await studio.run(studio.session(), Script(code, "script.py", str(tmp_path)), runtime)
            assert record["status"] == "ok", record["error"]
            check(all_sent, iter([("record", json.dumps(record, ensure_ascii=False))]))
            check(all_sent, kept(history, record["run_id"]))
    finally:
        await studio.close()
    with sqlite3.connect(history) as file:
        dumped = "\n".join(file.iterdump())
    check([one for all_sent, _ in runs for one in all_sent], iter([("history", dumped)]))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PTC_SECRET_KNOWN", KNOWN)
        with serving(tmp_path_factory.mktemp("canaries"), tools=TOOLS) as one:
            yield one


@pytest.mark.slow
def test_a_canary_is_found_in_no_answer_of_the_endpoint_and_in_none_of_its_events(served: Served):
    with served.stream() as events:

        @seed(20261118)
        @settings(max_examples=REQUESTS, **QUIET)
        @given(sent(), st.sampled_from(["echo", "fail", "take"]))
        def try_one(one: tuple[str, str, str], tool: str) -> None:
            name = "message" if tool == "echo" else "value"
            answer = served.call(tool, {name: one[1]})
            event = events.next_of(tool)
            check([one], iter([("answer", json.dumps(answer)), ("event", json.dumps(event))]))

        try_one()
