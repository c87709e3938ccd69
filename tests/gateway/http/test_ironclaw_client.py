"""A client that does on the wire, and with the answers, exactly what IronClaw's published Python SDK does.

Written from its behaviour, not from its text: three variables, a POST for each call, 5 s more than the time asked for,
`RuntimeError` for every failure.
"""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.http.served import Served, serving

JSON = "application/json"


def call_tool(variables: dict[str, str], name: str, params: Any = None, timeout_secs: Any = None) -> Any:
    url = f"{variables['IRONCLAW_ORCHESTRATOR_URL'].rstrip('/')}/worker/{variables['IRONCLAW_JOB_ID']}/tools/call"
    body: dict[str, Any] = {"tool_name": name, "parameters": params or {}}
    if timeout_secs is not None:
        body["timeout_secs"] = min(int(timeout_secs), 300)
    headers = {"Content-Type": JSON, "Authorization": f"Bearer {variables['IRONCLAW_WORKER_TOKEN']}"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=(timeout_secs or 60) + 5) as answer:
            result = json.loads(answer.read().decode())
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"HTTP {error.code}: {error.read().decode()}") from None
    if not result.get("success"):
        raise RuntimeError(result.get("error", "unknown error"))
    return result.get("output", "")


def test_it_gets_texts_and_its_calls_are_seen(served: Served):
    with served.stream() as stream:
        assert call_tool(served.variables(), "echo", {"message": "hello"}) == "hello"
        (_, _, use), (_, _, result) = stream.take(2, "echo")
    assert (use["tool_name"], use["input"], result["output"]) == ("echo", {"message": "hello"}, "hello")
    assert json.loads(call_tool(served.variables(), "listing")) == {"names": ["é", "b"], "none": None}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fail", {"why": "no"}), "KeyError: 'no'"),
        (("nope",), "Tool not found: nope"),
        (("slow", {"seconds": 30}, 1), "Tool execution timed out: slow"),
    ],
)
def test_it_raises_for_failures_unknown_tools_and_timeouts(served: Served, arguments: Any, message: str):
    with pytest.raises(RuntimeError, match=message):
        call_tool(served.variables(), *arguments)


def test_what_its_wrappers_call_is_the_granted_tool_for_that_whatever_its_name(tmp_path: Path):
    (tmp_path / "studio.yaml").write_text("sources:\n  - {kind: builtin, permission: allow}\n")
    with serving(tmp_path, "--workspace", ".") as one:
        call_tool(one.variables(), "write_file", {"path": "out.txt", "content": "héllo"})
        assert (tmp_path / "out.txt").read_text() == "héllo"
        assert call_tool(one.variables(), "read_file", {"path": "out.txt"}) == "héllo"
        page = {"url": f"{one.url}/health", "method": "GET"}
        with pytest.raises(RuntimeError, match="on this machine or in its network, where http_get does not go"):
            call_tool(one.variables(), "http", page)
        for name, given in (("http", {**page, "method": "POST"}), ("shell", {"command": "ls"})):
            with pytest.raises(RuntimeError, match=f"Tool not found: {name}"):
                call_tool(one.variables(), name, given)


def test_it_raises_for_a_bad_token(served: Served):
    with pytest.raises(RuntimeError, match="HTTP 401: "):
        call_tool({**served.variables(), "IRONCLAW_WORKER_TOKEN": "wrong"}, "echo", {"message": "x"})
