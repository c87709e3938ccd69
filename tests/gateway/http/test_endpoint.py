"""The endpoint from outside: IronClaw's wire format, the job's tree, its events."""

import http.client
import importlib.util
import itertools
import json
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.locations import RUNTIMES
from ptc_studio.storage.history import History
from tests.gateway.http.served import Served, serving
from tests.support import wait_until

SDK = RUNTIMES / "python" / "ptc_tools.py"
JWT = "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9_longtokenvalue"


def test_health_and_the_document_need_no_token(served: Served):
    assert served.request("GET", "/health", headers={}) == (200, {"status": "ok"})
    status, document = served.request("GET", "/openapi.json", headers={})
    assert status == 200
    assert document["openapi"].startswith("3.")


@pytest.mark.parametrize(
    ("tool", "parameters", "output"),
    [
        ("echo", {"message": "hé"}, "hé"),
        ("add", {"a": 1, "b": 2}, "3"),
        ("calc.add", {"a": 1, "b": 2}, "3"),
        ("listing", {}, '{"names":["é","b"],"none":null}'),
    ],
)
def test_a_call_is_answered_by_its_output_as_text(served: Served, tool: str, parameters: Any, output: str):
    answer = served.call(tool, parameters)
    assert set(answer) == {"success", "output", "duration_ms", "was_sanitized"}
    assert (answer["success"], answer["output"], answer["was_sanitized"]) == (True, output, False)
    assert isinstance(answer["duration_ms"], int)


def test_whoever_asks_for_json_gets_the_value_and_more_about_the_call(served: Served):
    answer = served.call("listing", format="json")
    assert answer["output"] == {"names": ["é", "b"], "none": None}
    assert (answer["status"], answer["error_type"], answer["answered_by"]) == ("ok", None, "tool")
    failed = served.call("fail", {"why": "x"}, format="json")
    assert (failed["status"], failed["error_type"]) == ("error", "KeyError")


@pytest.mark.parametrize(
    ("tool", "parameters", "more", "error"),
    [
        ("fail", {"why": "gone"}, {}, "KeyError: 'gone'"),
        ("nope", {}, {}, "Tool not found: nope"),
        ("slow", {"seconds": 20}, {"timeout_secs": 1}, "Tool execution timed out: slow (after 1 s)"),
        ("add", {"a": 1}, {}, "Invalid parameters for tool 'add': missing 'b'"),
        ("add", {"a": 1, "b": 2}, {"nesting_depth": 5}, "Nesting depth exceeded (max 5)"),
        ("nested", {"depth": 4}, {"nesting_depth": 2}, "RecursionError: Nesting depth exceeded (max 5)"),
    ],
)
def test_a_failure_is_a_200_with_an_error(served: Served, tool: str, parameters: Any, more: Any, error: str):
    begun = time.monotonic()
    answer = served.call(tool, parameters, **more)
    took = (time.monotonic() - begun) * 1000
    assert set(answer) == {"success", "error", "duration_ms", "was_sanitized"}
    assert (answer["success"], answer["error"]) == (False, error)
    assert 0 <= answer["duration_ms"] <= took
    if "timeout_secs" in more:
        assert answer["duration_ms"] >= 990


def test_a_long_body_is_read_like_a_short_one(served: Served):
    # Above what is read at one go on the loop.
    message = "é, [x] " * 60_000
    assert served.call("echo", {"message": message})["output"] == message
    long = [*range(100_000)]
    assert "message" in served.call("echo", {"message": long})["error"]
    whole = json.dumps({"tool_name": "echo", "parameters": {"message": long}}).encode()
    for broken in (whole[:-1], whole + b"}", whole.replace(b"50,", b"50 ")):
        status, document = served.request("POST", f"{served.job}/tools/call", broken)
        assert (status, document["success"]) == (422, False), document
    # What would be lists and values is none within a text.
    message = "[{," * 1_100_000
    assert served.call("echo", {"message": message}, format="json")["success"]


def test_what_looks_like_a_key_is_hidden_in_results_and_errors(served: Served):
    answer = served.call("echo", {"message": f"here: {JWT}"})
    assert (answer["output"], answer["was_sanitized"]) == ("here: Bearer [REDACTED:bearer_token]", True)
    answer = served.call("fail", {"why": JWT})
    assert answer["error"] == "KeyError: 'Bearer [REDACTED:bearer_token]'"
    assert answer["was_sanitized"] is True


def test_with_raw_a_script_gets_what_its_tools_gave_and_listeners_do_not(tmp_path: Path):
    with serving(tmp_path, "--raw") as served, served.stream() as stream:
        answer = served.call("echo", {"message": JWT})
        assert (answer["output"], answer["was_sanitized"]) == (JWT, False)
        assert JWT not in str(stream.take(2, "echo"))


def test_the_granted_tools_are_listed_and_no_others_can_be_called(tmp_path: Path):
    with serving(tmp_path, "--grant", "add", "ec*") as served:
        status, document = served.request("GET", f"{served.job}/tools")
        assert status == 200
        assert [tool["name"] for tool in document["tools"]] == ["add", "echo"]
        assert document["tools"][0]["parameters"]["required"] == ["a", "b"]
        assert "not granted" in served.call("listing")["error"]
        # A claimed depth makes a call deeper; it does not make it a tool's own.
        assert "not granted" in served.call("listing", nesting_depth=1)["error"]


def test_the_events_tell_of_every_call_with_its_parent_and_time(served: Served):
    with served.stream() as stream:
        served.call("nested", {"depth": 2})
        events = stream.take(4, "nested")
    (_, _, outer), (_, _, inner) = (event for event in events if event[1] == "job_tool_use")
    # Who called is answered before the end of the inner call is told, so either end may be told first.
    ends = {data["call_id"]: data for _, kind, data in events if kind == "job_tool_result"}
    assert outer["input"] == {"depth": 2}
    assert (outer["job_id"], outer["tool_name"]) == (served.job_id, "nested")
    assert (outer["parent_id"], outer["depth"], outer["status"]) == (None, 1, "running")
    assert (inner["parent_id"], inner["depth"]) == (outer["call_id"], 2)
    inner_end, outer_end = ends[inner["call_id"]], ends[outer["call_id"]]
    assert (inner_end["output"], inner_end["status"]) == ("0", "ok")
    assert outer_end["duration_ms"] >= inner_end["duration_ms"] > 0
    assert [number for number, _, _ in events] == list(range(events[0][0], events[0][0] + 4))


def test_a_failed_call_has_a_result_event_with_its_real_duration(served: Served):
    with served.stream() as stream:
        served.call("slow", {"seconds": 20}, timeout_secs=1)
        _, (_, kind, data) = stream.take(2, "slow")
    assert (kind, data["status"]) == ("job_tool_result", "timeout")
    assert 990 <= data["duration_ms"] < 10_000
    assert data["error"]["type"] == "TimeoutError"
    assert data["output"] == data["error"]["message"]


def test_a_listener_that_comes_back_gets_what_it_missed(served: Served):
    with served.stream() as stream:
        served.call("echo", {"message": "one"})
        (_, _, _), (last, _, _) = stream.take(2, "echo")
    served.call("echo", {"message": "two"})
    with served.stream(**{"Last-Event-ID": str(last)}) as stream:
        (number, _, use), (_, _, result) = stream.take(2, "echo")
    assert (number, use["input"], result["output"]) == (last + 1, {"message": "two"}, "two")


def test_a_caller_that_hangs_up_has_its_call_given_up(served: Served):
    with served.stream() as stream:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
        body = json.dumps({"tool_name": "slow", "parameters": {"seconds": 50}})
        connection.request("POST", f"{served.job}/tools/call", body, served.headers)
        stream.next_of("slow")
        connection.close()
        _, kind, data = stream.next_of("slow")
    assert (kind, data["status"]) == ("job_tool_result", "cancelled")
    assert data["duration_ms"] < 20_000


def test_a_process_that_a_tool_started_calls_as_that_call_and_its_depth_counts(tmp_path: Path):
    (tmp_path / "again.py").write_text(
        "import json, os, sys, urllib.request\n"
        "level = int(sys.argv[1])\n"
        "body = {'tool_name': 'shell.again', 'parameters': {'level': level - 1}, 'call_token': os.environ['PTC_CALL_TOKEN']}\n"
        "url = f\"{os.environ['PTC_URL']}/worker/{os.environ['PTC_JOB_ID']}/tools/call\"\n"
        "headers = {'Authorization': 'Bearer ' + os.environ['PTC_TOKEN']}\n"
        "if level > 1:\n"
        "    request = urllib.request.Request(url, json.dumps(body).encode(), headers)\n"
        "    answer = json.load(urllib.request.urlopen(request))\n"
        "    print(answer.get('error') or answer['output'])\n"
        "else:\n"
        "    print('bottom')\n"
    )
    (tmp_path / "studio.yaml").write_text(
        f"sources:\n  - kind: command\n    name: shell\n    commands:\n"
        f"      - {{name: again, argv: ['{sys.executable}', again.py, '{{level}}']}}\n"
    )
    with serving(tmp_path, "--workspace", ".") as served, served.stream() as stream:
        assert "bottom" in served.call("shell.again", {"level": "3"})["output"]
        uses = [data for _, kind, data in stream.take(6, "shell.again") if kind == "job_tool_use"]
        assert [use["depth"] for use in uses] == [1, 2, 3]
        assert [use["parent_id"] for use in uses] == [None, uses[0]["call_id"], uses[1]["call_id"]]
        assert "Nesting depth exceeded (max 5)" in served.call("shell.again", {"level": "9"})["output"]


def test_the_token_of_a_call_that_is_over_or_of_none_is_refused(served: Served):
    body = {"tool_name": "echo", "parameters": {"message": "x"}, "call_token": "made-up"}
    status, document = served.request("POST", f"{served.job}/tools/call", body)
    assert (status, document["success"]) == (403, False)


class Clients:
    """Several that call without a pause, by the SDK, until a call fails."""

    def __init__(self, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        found = importlib.util.spec_from_file_location("ptc_tools_under_load", SDK)
        assert found is not None
        assert found.loader is not None
        self._sdk = importlib.util.module_from_spec(found)
        found.loader.exec_module(self._sdk)
        self.answered: list[int] = []
        self.errors: list[Exception] = []
        self._numbers = itertools.count()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(8)]
        for thread in self._threads:
            thread.start()

    def ended(self) -> None:
        for thread in self._threads:
            thread.join(40)
        assert len(self.errors) == len(self._threads)

    def _work(self) -> None:
        while True:
            number = next(self._numbers)
            try:
                self._sdk.call_tool("add", {"a": number, "b": 1})
            except Exception as error:
                self.errors.append(error)
                return
            self.answered.append(number)


def kept_numbers(folder: Path, run_id: str) -> tuple[str, set[int]]:
    """How the job is said to have ended, and the calls of it that the history has."""
    past = History(folder / "data" / "ptc-studio" / "history.db")
    record = past.open(run_id, with_calls=True).record
    done = {call["arguments"]["a"] for call in record["calls"] if call["status"] == "ok"}
    return past.open(run_id).summary.status, done


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ended_under_load_clients_are_told_and_the_history_has_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    with serving(tmp_path) as served:
        clients = Clients(served.variables(), monkeypatch)
        wait_until(lambda: len(clients.answered) >= 300)
        served.process.send_signal(number)
        served.process.wait(40)
        clients.ended()
        stderr = served.process.stderr.read() if served.process.stderr else ""
    assert "Traceback" not in stderr
    for error in clients.errors:
        assert re.search(
            r"not reach|cannot be reached|refused|ended|closed|stopped|reset|cancelled|broke", str(error), re.IGNORECASE
        ), error
    status, done = kept_numbers(tmp_path, served.job_id)
    assert status == ("interrupted" if number == signal.SIGKILL else "ok")
    # All of it: what is killed has nothing left to write, and was answered after it was written down.
    assert set(clients.answered) <= done
    assert not list((tmp_path / "data" / "ptc-studio").glob("history.db-calls/*"))
    # Another takes its place, with a token of its own.
    with serving(tmp_path, "--port", str(served.port)) as again:
        assert again.token != served.token
        assert again.call("add", {"a": 1, "b": 1})["output"] == "2"
        assert (
            again.request("GET", f"{served.job}/tools", headers={"Authorization": f"Bearer {served.token}"})[0] == 401
        )
