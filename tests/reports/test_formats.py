"""A past run is handed on in every format, redacted, and what is made of it works."""

import json
import os
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from ptc_studio.reports import FORMATS, ReportError, report
from ptc_studio.reports.bundle import folder_for, read_bundle, unpack
from ptc_studio.reports.figures import lanes_of
from ptc_studio.reports.otlp import send
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.storage.history import History, HistoryRecorder, PastRun
from tests.storage.past_runs import start_of, trace_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_holds_what_was_hidden(past: PastRun, form: str):
    made = report(past, form)
    assert b"Ab3Ab3" not in made
    assert b"hunter2secret" not in made
    assert len(made) > 500


def test_json_is_the_record_with_how_it_came_to_be(past: PastRun):
    document = json.loads(report(past, "json"))
    assert {key: document[key] for key in past.record} == past.record
    assert document["code"] == past.code
    assert document["cost"]["turns_saved"] == 3
    assert {tool["name"] for tool in document["definitions"]} == {"orders", "reserve", "login"}


def test_markdown_shows_the_script_the_calls_and_the_output_as_text(past: PastRun):
    text = report(past, "markdown").decode()
    assert text.startswith("# spending.py\n\nWhat did Ada & \\<Bob\\> spend?")
    assert "```python\n# What did" in text
    assert '- ✓ `orders(customer="Ada")` → ' in text
    assert "- ✕ `reserve(sku=" in text
    assert "3 turns saved" in text


def test_chrome_s_trace_has_a_slice_for_each_call_and_none_overlaps_in_its_lane(past: PastRun):
    events = json.loads(report(past, "chrome"))["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert [event["name"] for event in slices][1:] == ["orders", "orders", "reserve", "login"]
    ada, bob = slices[1:3]
    assert ada["tid"] != bob["tid"]
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in slices)
    many: list[Any] = [
        {"id": f"c{n}", "parent_id": None, "depth": 1, "started_ms": n * 1.0, "duration_ms": 3.5} for n in range(50)
    ]
    assert set(lanes_of(many).values()) == {0, 1, 2, 3}


class Collector:
    """Takes spans over HTTP as any collector does."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.paths: list[str] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
                collector.paths.append(self.path)
                for resource in request.resource_spans:
                    collector.spans += [span for scope in resource.scope_spans for span in scope.spans]
                self.send_response(200)
                self.end_headers()
                self.wfile.write(ExportTraceServiceResponse().SerializeToString())

            def log_message(self, *_: Any) -> None:
                """Nothing is said."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def collector():
    made = Collector()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_a_collector_receives_a_span_for_the_script_and_each_call(
    past: PastRun, collector: Collector, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    assert send(past) == 5
    assert collector.paths == ["/v1/traces"]
    script, *calls = sorted(collector.spans, key=lambda span: span.start_time_unix_nano)
    assert script.name == "execute_tool code_execution"
    assert [span.name for span in calls] == [
        "execute_tool orders", "execute_tool orders", "execute_tool reserve", "execute_tool login",
    ]  # fmt: skip
    assert {span.parent_span_id for span in calls} == {script.span_id}
    assert len({span.trace_id for span in collector.spans}) == 1
    told = {item.key: item.value for item in calls[0].attributes}
    assert told["gen_ai.operation.name"].string_value == "execute_tool"
    assert told["gen_ai.tool.name"].string_value == "orders"
    assert json.loads(told["gen_ai.tool.call.arguments"].string_value) == {"customer": "Ada"}
    reserve = calls[2]
    assert reserve.status.code == reserve.status.STATUS_CODE_ERROR
    assert {item.key: item.value.string_value for item in reserve.attributes}["error.type"] == "OutOfStock"
    assert all(span.end_time_unix_nano >= span.start_time_unix_nano for span in collector.spans)
    document = json.loads(report(past, "otlp"))
    written = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert {span["spanId"] for span in written} == {span.span_id.hex() for span in collector.spans}


def test_a_collector_that_is_not_there_is_told_in_one_sentence(
    past: PastRun, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(ReportError, match="did not take the spans"):
        send(past, "http://127.0.0.1:9/v1/traces", seconds=1)
    assert (caplog.records, capsys.readouterr().err) == ([], "")


def run_tests(folder: Path, *options: str, **environment: str) -> tuple[int, str]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "test_spending.py",
        *options,
    ]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=110, check=False)
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_exported_test_is_green_and_red_when_a_result_changes(past: PastRun, kept_run: Any, tmp_path: Path):
    _, _, tools = kept_run
    copy = tmp_path / "tools"
    copy.mkdir()
    source = (tools / "shop.py").read_text()
    (copy / "shop.py").write_text(source)
    exported = report(past, "pytest").decode()
    (tmp_path / "test_spending.py").write_text(exported)
    status, told = run_tests(tmp_path, PTC_FUNCTIONS=str(copy))
    assert (status, "2 passed" in told) == (0, True), told
    (copy / "shop.py").write_text(source.replace("n * 1.5", "n * 2.5"))
    status, told = run_tests(tmp_path, "-k", "tools", PTC_FUNCTIONS=str(copy))
    assert (status, "1 failed" in told, "tools_give_the_same" in told) == (1, True, True), told
    assert exported.count('"total": 58.5') == 2
    (tmp_path / "test_spending.py").write_text(exported.replace('"total": 58.5', '"total": 99.5'))
    status, told = run_tests(tmp_path, PTC_OFFLINE="1")
    assert (status, "1 failed, 1 skipped" in told) == (1, True), told


def test_a_bundle_is_unpacked_and_read_as_it_was_made(past: PastRun, tmp_path: Path):
    file = tmp_path / "run.ptcrun"
    file.write_bytes(report(past, "bundle"))
    read = read_bundle(file)
    assert (read.name, read.code, read.runtime, read.record) == ("spending.py", past.code, "python", past.record)
    folder = folder_for(file, tmp_path / "bundles")
    script, cassette = unpack(file, folder)
    assert script.read_text() == past.code
    assert read_cassette(cassette).calls == past.cassette().calls
    assert read_cassette(cassette).calls[2].error.base == "KeyError"
    script.write_text("# edited")
    unpack(file, folder)
    assert script.read_text() == "# edited"


@pytest.mark.parametrize("named", ["studio.yaml", "../../studio.yaml", " studio.yaml\0", "..", "tools/../../evil.py"])
def test_of_a_bundle_that_a_stranger_made_nothing_but_script_and_cassette_is_unpacked(
    past: PastRun, tmp_path: Path, named: str
):
    file, folder = tmp_path / "run.ptcrun", tmp_path / "bundles" / "one"
    file.write_bytes(report(past, "bundle"))
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["manifest.json"] = json.dumps({**json.loads(parts["manifest.json"]), "script": named}).encode()
    evil = "version: 1\nsources: [{kind: functions, path: tools}]\n"
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in {**parts, "studio.yaml": evil, "tools/evil.py": "1/0", "../evil.py": "1/0"}.items():
            archive.writestr(name, content)
    script, cassette = unpack(file, folder)
    studio = folder / "studio.yaml"
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {file, script, cassette, studio}
    assert script.parent == folder
    assert script != studio
    assert "sources" not in studio.read_text()


@pytest.mark.parametrize("damage", ["no zip", "half", "empty", "another zip", "missing"])
def test_a_damaged_bundle_is_told_in_a_sentence(past: PastRun, tmp_path: Path, damage: str):
    file = tmp_path / "run.ptcrun"
    whole = report(past, "bundle")
    contents = {"no zip": b"x" * 99, "half": whole[: len(whole) // 2], "empty": b""}
    if damage == "another zip":
        with zipfile.ZipFile(file, "w") as archive:
            for name in ("manifest.json", "script", "record.json", "cassette.json"):
                archive.writestr(name, "{}")
    elif damage != "missing":
        file.write_bytes(contents[damage])
    with pytest.raises(ReportError, match=r"run\.ptcrun"):
        read_bundle(file)


def test_what_has_no_script_is_told_where_one_is_needed(tmp_path: Path):
    recorder = HistoryRecorder(tmp_path / "history.db")
    recorder.start(start_of("r1", kind="call", script=None, code="", runtime=None, name="lookup"), trace_of("r1", 1))
    recorder.finish("r1").result(10)
    recorder.close()
    past = History(tmp_path / "history.db").open("r1", with_calls=True)
    for form in ("pytest", "bundle", "conversation"):
        with pytest.raises(ReportError):
            report(past, form)
    for form in ("json", "html", "markdown", "chrome", "otlp"):
        assert report(past, form)
