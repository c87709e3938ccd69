"""Calls the tools of a PTC Studio from a script elsewhere: a container, a CI job, an agent's worker.

One file on the standard library alone, to copy beside a script. `ptc-studio serve` says what stands in the variables:

    PTC_URL, PTC_JOB_ID, PTC_TOKEN   or IronClaw's names for the same:
    IRONCLAW_ORCHESTRATOR_URL, IRONCLAW_JOB_ID, IRONCLAW_WORKER_TOKEN

    from ptc_tools import call_tool, tools
    call_tool("add", {"a": 1, "b": 2})        # 3
    tools.calc.mul(2, b=21)                   # by name, positional or keyword
    await aio.add(1, 2)                       # the same in async functions

A tool that fails raises `ToolError`, which is also the tool's own exception type where that is a built-in one.
"""

import builtins
import http.client
import json
import os
import time
import urllib.parse

__all__ = ["EndpointError", "ToolError", "aio", "call_tool", "call_tool_async", "http_get", "list_tools", "read_file",
           "shell", "tools", "write_file"]  # fmt: skip

LONGEST = 300
"""Seconds that the host gives a call at most; without a time of the caller's, the tool's own counts."""
MARGIN = 5
"""Seconds that this side waits longer than the host, whose answer tells more."""
TRIES = 4
BACKOFF = 0.2
VARIABLES = {
    "url": ("PTC_URL", "IRONCLAW_ORCHESTRATOR_URL"),
    "job": ("PTC_JOB_ID", "IRONCLAW_JOB_ID"),
    "token": ("PTC_TOKEN", "IRONCLAW_WORKER_TOKEN"),
}


class EndpointError(RuntimeError):
    """The endpoint cannot be used: a variable is missing, nobody answers, or it refuses the request."""

    def __init__(self, message, http_status=None):
        super().__init__(message)
        self.http_status = http_status


class ToolError(RuntimeError):
    """A call that failed, in the words of the host."""

    tool = ""
    status = "error"
    """How it ended: error, timeout, denied, invalid, not_found, depth, cancelled."""
    error_type = None

    def __str__(self):
        return str(self.args[0]) if self.args else ""


def call_tool(name, params=None, timeout_secs=None, **more):
    """What the tool gives; arguments as a dictionary, by keyword, or both."""
    body = {"tool_name": name, "parameters": {**(params or {}), **more}, "format": "json"}
    if timeout_secs is not None:
        body["timeout_secs"] = min(timeout_secs, LONGEST)
    if os.environ.get("PTC_CALL_TOKEN"):
        # A tool of the host's started this process: what it calls counts as called by that tool.
        body["call_token"] = os.environ["PTC_CALL_TOKEN"]
    wait = (LONGEST if timeout_secs is None else min(timeout_secs, LONGEST)) + MARGIN
    answer = _request("POST", "/tools/call", body, wait)
    if not answer.get("success"):
        raise _tool_error(name, answer)
    return answer.get("output")


async def call_tool_async(name, params=None, timeout_secs=None, **more):
    """The same without holding up the event loop; several may be under way at once."""
    import asyncio

    return await asyncio.to_thread(call_tool, name, params, timeout_secs, **more)


def list_tools():
    """What may be called: name, description and parameters of each."""
    return _request("GET", "/tools", None, 30)["tools"]


def shell(command, timeout_secs=60):
    """What a shell command printed, by the granted tool of that name."""
    return call_tool(_granted("shell"), {"command": command}, timeout_secs)


def read_file(path):
    """The text of a file of the host's."""
    return _part(call_tool(_granted("read_file"), {"path": path}), "content")


def write_file(path, content):
    """Writes a file of the host's."""
    return call_tool(_granted("write_file"), {"path": path, "content": content})


def http_get(url, headers=None, timeout_secs=30):
    """The body of a page, fetched by the host."""
    name = _granted("http_get", "http")
    params = {"url": url, **({"headers": headers} if headers else {})}
    if name.rpartition(".")[2] == "http":
        params["method"] = "GET"
    return _part(call_tool(name, params, timeout_secs), "body")


class _Names:
    """`tools.a.b(...)` calls the tool `a.b`; `tools["odd name"](...)` one whose name is no identifier."""

    def __init__(self, call, name=""):
        self._call, self._name = call, name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        return _Names(self._call, f"{self._name}.{name}" if self._name else name)

    def __call__(self, *args, timeout_secs=None, **params):
        if not self._name:
            raise TypeError("tools is no tool: name one, as in tools.add(1, 2)")
        given = _named(self._name, args)
        for twice in given.keys() & params.keys():
            raise TypeError(f"{self._name} got multiple values for argument {twice!r}")
        return self._call(self._name, {**given, **params}, timeout_secs)

    def __dir__(self):
        before = f"{self._name}." if self._name else ""
        rest = (tool["name"][len(before) :] for tool in _known() if tool["name"].startswith(before))
        return sorted({name.split(".")[0] for name in rest})

    def __repr__(self):
        return f"<tool {self._name}>" if self._name else "<the tools of the host>"


tools = _Names(call_tool)
aio = _Names(call_tool_async)
_listed = {}


def _known(fresh=False):
    """The tools of this job, asked for once."""
    key = _setting("job")
    if fresh or key not in _listed:
        _listed[key] = list_tools()
    return _listed[key]


def _named(name, args):
    """Positional arguments by the names of the tool's parameters, in their order."""
    if not args:
        return {}
    tool = _tool(name, _known()) or _tool(name, _known(fresh=True)) or {}
    names = list(tool.get("parameters", {}).get("properties", {}))
    if len(args) > len(names):
        raise TypeError(f"{name} takes {len(names)} positional arguments but {len(args)} were given")
    return dict(zip(names, args))  # noqa: B905 - containers have older Pythons, too


def _tool(wanted, known):
    for tool in known:
        name = tool["name"]
        safe = "".join(sign if sign.isalnum() or sign in "_." else "_" for sign in name)
        if wanted in (name, safe) or wanted.rpartition(".")[2] == name:
            return tool
    return None


def _granted(*wanted):
    """The granted tool of that name, in whatever namespace; without one the name itself, for the host to refuse."""
    names = [tool["name"] for tool in _known()]
    for one in wanted:
        for name in names:
            if name == one or name.rpartition(".")[2] == one:
                return name
    return wanted[0]


def _part(value, key):
    """Tools give a text, or a dictionary that has it."""
    return value[key] if isinstance(value, dict) and key in value else value


def _setting(what):
    for name in VARIABLES[what]:
        if os.environ.get(name):
            return os.environ[name]
    ours, theirs = VARIABLES[what]
    raise EndpointError(f"The variable {ours} (or {theirs}) is not set: `ptc-studio serve` says what belongs there.")


def _request(method, path, body, seconds):
    """The answer of the endpoint. Sent again only where nothing can have been done: not reached, or turned away."""
    url = urllib.parse.urlsplit(_setting("url").rstrip("/"))
    target = f"{url.path}/worker/{urllib.parse.quote(_setting('job'), safe='')}{path}"
    data = None if body is None else json.dumps(body).encode()
    token = _setting("token")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "User-Agent": _agent()}
    for left in reversed(range(TRIES)):
        connection = _connection(url, seconds)
        try:
            connection.connect()
        except OSError as error:
            if left:
                time.sleep(BACKOFF * (TRIES - left))
                continue
            raise EndpointError(f"Nobody answers at {url.geturl()}: {error}. Is it still being served?") from None
        try:
            connection.request(method, target, data, headers)
            answer = connection.getresponse()
            text = answer.read()
        except TimeoutError:
            raise EndpointError(f"No answer came within {seconds:g} s.") from None
        except (OSError, http.client.HTTPException) as error:
            said = f"The connection broke before the answer came ({error or type(error).__name__})"
            raise EndpointError(f"{said}; whether the call was made is not known.") from None
        finally:
            connection.close()
        if answer.status in (429, 503) and left:
            time.sleep(min(float(answer.headers.get("Retry-After") or BACKOFF), 5.0))
            continue
        return _document(answer.status, text)
    raise AssertionError("unreachable")


def _connection(url, seconds):
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    if url.scheme not in ("http", "https") or not url.hostname:
        raise EndpointError(f"{url.geturl()!r} is no address of an endpoint: it begins with http://")
    return kind(url.hostname, url.port, timeout=seconds)


def _document(status, text):
    try:
        document = json.loads(text)
    except ValueError:
        document = {}
    if status == 200 and isinstance(document, dict):
        return document
    message = document.get("error") if isinstance(document, dict) else None
    raise EndpointError(f"HTTP {status}: {message or text[:200].decode('utf-8', 'replace')}", status)


def _tool_error(name, answer):
    """The error as the tool's own type, where that is a built-in one, and as `ToolError` always."""
    kind = answer.get("error_type")
    base = getattr(builtins, kind, None) if isinstance(kind, str) else None
    made = ToolError
    if isinstance(base, type) and issubclass(base, Exception) and not issubclass(ToolError, base):
        try:
            made = type("ToolError", (ToolError, base), {})
        except TypeError:
            """Some types cannot be had together with another."""
    message = answer.get("error") or "unknown error"
    try:
        error = made(message)
    except TypeError:
        error = ToolError(message)
    error.tool, error.status, error.error_type = name, answer.get("status", "error"), kind
    return error


def _agent():
    import sys

    return f"ptc_tools ({os.path.basename(sys.argv[0]) or 'python'})"
