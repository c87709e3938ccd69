"""An MCP server by hand, which can behave in every way that a real one should not. usage: rogue_server.py BEHAVIOUR"""

import json
import os
import subprocess
import sys
import threading
import time

BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "plain"
LOCK = threading.Lock()
CANCELLED: set[object] = set()
ECHOED = threading.Event()


def send(**message: object) -> None:
    if BEHAVIOUR == "modern" and isinstance(message.get("result"), dict):
        message["result"] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public", **message["result"]}
    with LOCK:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def text(words: str) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}]}


def tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}, **more}


TOOLS = [tool(name) for name in ("echo", "fail", "refuse", "crash", "big", "wait", "blocks", "secret", "wrong", "grow")]
TOOLS[0]["inputSchema"] = {"type": "object", "properties": {"text": {"type": "string"}}}
if BEHAVIOUR == "modern":
    TOOLS.append(tool("curious"))
if BEHAVIOUR == "broken":
    TOOLS = [
        tool("fine"),
        {"name": "without_schema"},
        tool("broken_schema", inputSchema={"type": "object", "properties": {"a": {"type": 12}}}),
        tool("broken_output", outputSchema={"type": "object", "properties": {"a": {"type": "nothing"}}}),
        tool("text_schema", inputSchema="object"),
        tool("twice", description="The first."),
        tool("twice", description="The second."),
        "no tool at all",
        tool("untyped", inputSchema={"properties": {"a": {}}}),
    ]
if BEHAVIOUR in ("crowd", "group"):
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"$anchor": "x", "multipleOf": 2}}}
    TOOLS = [tool(f"t{number}", inputSchema=schema) for number in range(100_000 if BEHAVIOUR == "crowd" else 2_000)]
if BEHAVIOUR == "output":
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    TOOLS = [tool(name, outputSchema=schema) for name in ("structured", "as_text", "unfit", "nothing")]


if BEHAVIOUR == "tasks":
    TOOLS = [tool("job", execution={"taskSupport": "required"})]
TASK = {"taskId": "t1", "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": None}
ASKED: list[str] = []


def task(status: str) -> dict[str, object]:
    return {**TASK, "status": status, "pollInterval": 10, "statusMessage": f"now {status}"}


def call(number: object, params: dict) -> None:  # noqa: C901
    name, arguments = params["name"], params.get("arguments") or {}
    if name == "echo":
        send(id=number, result=text(str(arguments.get("text", ""))))
        ECHOED.set()
    elif name == "fail":
        send(id=number, result={**text("the disk is full"), "isError": True})
    elif name == "refuse":
        send(id=number, error={"code": -32602, "message": "no such thing"})
    elif name == "crash":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(3)
    elif name == "big":
        send(id=number, result=text("x" * int(arguments["bytes"])))
    elif name == "wait":
        wait(number, params)
    elif name == "blocks":
        image = {"type": "image", "mimeType": "image/png", "data": "aGk="}
        resource = {"type": "resource", "resource": {"uri": "file:///a", "text": "A"}}
        send(id=number, result={"content": [{"type": "text", "text": "[1]"}, image, resource]})
    elif name == "secret":
        print(f"my token is {os.environ.get('TOKEN')}", file=sys.stderr, flush=True)
        send(id=number, result=text(os.environ.get("TOKEN", "")))
    elif name == "wrong":
        send(id=number, result=5)
    elif name == "grow":
        TOOLS.append(tool("grown"))
        send(id=number, result=text("more"))
        send(method="notifications/tools/list_changed")
    elif name == "curious":
        send(id=number, result=curious(params))
    elif name == "structured":
        send(id=number, result={"content": [], "structuredContent": {"n": 1}})
    elif name == "as_text":
        send(id=number, result=text('{"n": 2}'))
    elif name == "unfit":
        send(id=number, result={"content": [], "structuredContent": {"n": "three"}})
    else:
        send(id=number, result=text("just words"))


def curious(params: dict) -> dict[str, object]:
    """Wants to know a colour first, in the newer protocol's way."""
    given = params.get("inputResponses")
    if given:
        return text(json.dumps({"state": params.get("requestState"), "content": given["k"]["content"]}))
    schema = {"type": "object", "properties": {"colour": {"type": "string"}}}
    wanted = {"message": "Which colour?", "requestedSchema": schema, "mode": "form"}
    request = {"method": "elicitation/create", "params": wanted}
    return {"resultType": "input_required", "inputRequests": {"k": request}, "requestState": "s1"}


def wait(number: object, params: dict) -> None:
    """Tells how far it is until it is cancelled; a deaf one until something else was called."""
    token = params.get("_meta", {}).get("progressToken")

    def work() -> None:
        for step in range(1, 1000):
            if BEHAVIOUR == "deaf" and ECHOED.is_set():
                send(id=number, result=text("late"))
                print("answered late", file=sys.stderr, flush=True)
                return
            if number in CANCELLED and BEHAVIOUR != "deaf":
                print("was cancelled", file=sys.stderr, flush=True)
                return
            send(method="notifications/progress", params={"progressToken": token, "progress": step, "total": 1000})
            time.sleep(0.02)

    threading.Thread(target=work, daemon=True).start()


def listing(params: dict) -> dict[str, object]:
    if BEHAVIOUR == "endless":
        return {"tools": [], "nextCursor": "again"}
    if BEHAVIOUR == "pages":
        page = int(params.get("cursor") or 0)
        more = {"nextCursor": str(page + 1)} if page < 4 else {}
        return {"tools": [tool(f"t{page}")], **more}
    return {"tools": TOOLS}


def handle(message: dict) -> None:  # noqa: C901
    method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "initialize" and BEHAVIOUR == "modern":
        data = {"supported": ["2026-07-28"], "requested": params["protocolVersion"]}
        send(id=number, error={"code": -32022, "message": "Unsupported protocol version", "data": data})
    elif method == "initialize" and BEHAVIOUR == "refuses":
        send(id=number, error={"code": -32000, "message": "no licence"})
    elif method == "initialize":
        info = {"name": "rogue", "version": "1"}
        capabilities = {"tools": {"listChanged": True}, "logging": {}}
        send(id=number, result={"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info})
    elif method == "server/discover" and BEHAVIOUR == "modern":
        send(id=number, result={"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
    elif method == "tools/list":
        send(id=number, result=listing(params))
        if BEHAVIOUR == "short-lived":
            time.sleep(0.05)
            os._exit(4)
    elif method == "tools/call" and BEHAVIOUR == "tasks":
        # Whoever does not ask for a task is refused.
        answer = (
            {"result": {"task": task("working")}}
            if "task" in params
            else {"error": {"code": -32601, "message": "task"}}
        )
        send(id=number, **answer)
    elif method == "tasks/get":
        ASKED.append(params["taskId"])
        send(id=number, result=task("working" if len(ASKED) < 2 else "completed"))
    elif method == "tasks/result":
        send(id=number, result=text(f"done {params['taskId']}"))
    elif method == "tools/call":
        call(number, params)
    elif method == "notifications/cancelled":
        CANCELLED.add(params["requestId"])
    elif number is not None:
        send(id=number, error={"code": -32601, "message": "Method not found"})


def prepare() -> None:
    if BEHAVIOUR == "mute":
        time.sleep(60)
    elif BEHAVIOUR == "dies":
        print("Error: no configuration", file=sys.stderr, flush=True)
        os._exit(7)
    elif BEHAVIOUR == "garbage":
        print('Welcome!\n{"jsonrpc": 3}\n\x00\xff\n[]\n', flush=True)
    elif BEHAVIOUR == "talks":
        print("Listening on port 80", flush=True)
        time.sleep(60)
    elif BEHAVIOUR == "floods":
        threading.Thread(target=flood_errors, daemon=True).start()
        threading.Thread(target=flood_notices, daemon=True).start()
    elif BEHAVIOUR == "endless-line":
        sys.stdout.write("x" * 4_000_000)
        sys.stdout.flush()
        time.sleep(60)
    elif BEHAVIOUR in ("family", "stubborn"):
        import signal

        for apart in (False, True):
            child = subprocess.Popen(["sleep", "300"], start_new_session=apart, stderr=subprocess.DEVNULL)
            print(f"child {child.pid}", file=sys.stderr, flush=True)
        print(f"self {os.getpid()}", file=sys.stderr, flush=True)
        if BEHAVIOUR == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def flood_errors() -> None:
    while True:
        sys.stderr.write("noise " * 100 + "\n")


def flood_notices() -> None:
    while True:
        send(method="notifications/message", params={"level": "info", "data": "blah " * 20})


prepare()
for line in sys.stdin:
    handle(json.loads(line))
while BEHAVIOUR == "stubborn":
    time.sleep(60)
